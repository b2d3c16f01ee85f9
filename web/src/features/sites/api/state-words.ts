import type { Catalogue } from '../../../lib/words.ts';

/** Names of the states of sites, previews and deployments. */
export const words = {
  created: { he: 'עוד לא נפרס', ar: 'لم يُنشر بعد', en: 'Not deployed yet' },
  deploying: { he: 'בפריסה', ar: 'قيد النشر', en: 'Deploying' },
  live: { he: 'באוויר', ar: 'منشور', en: 'Live' },
  stopped: { he: 'עצור', ar: 'متوقّف', en: 'Stopped' },
  down: { he: 'נפל', ar: 'متعطّل', en: 'Down' },
  failed: { he: 'נכשל', ar: 'فشل', en: 'Failed' },
  asleep: { he: 'רדום', ar: 'نائم', en: 'Asleep' },
  queued: { he: 'בתור', ar: 'في الانتظار', en: 'Queued' },
  building: { he: 'בבנייה', ar: 'قيد البناء', en: 'Building' },
  starting: { he: 'בהפעלה', ar: 'قيد التشغيل', en: 'Starting' },
  superseded: { he: 'הוחלף', ar: 'استُبدل', en: 'Superseded' },
  cancelled: { he: 'בוטל', ar: 'أُلغي', en: 'Cancelled' },
} as const satisfies Catalogue;
