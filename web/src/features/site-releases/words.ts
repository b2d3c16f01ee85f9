import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'גרסאות', ar: 'الإصدارات', en: 'Releases' },
  about: {
    he: 'הגרסאות שהיו באוויר. חזרה לאחת מהן לוקחת שניות, בלי בנייה.',
    ar: 'الإصدارات التي كانت منشورة. الرجوع إلى أحدها يستغرق ثواني، دون بناء.',
    en: 'Versions that were live. Going back to one takes seconds and builds nothing.',
  },
  noneTitle: { he: 'עוד אין גרסאות', ar: 'لا إصدارات بعد', en: 'No releases yet' },
  none: {
    he: 'כל פריסה שעלתה לאוויר משאירה גרסה, שאפשר לחזור אליה בלחיצה.',
    ar: 'كل نشر ناجح يترك إصدارًا يمكن الرجوع إليه بضغطة.',
    en: 'Each deployment that goes live leaves a release, to which you can return with one click.',
  },
  toDeployments: { he: 'לפריסות', ar: 'إلى عمليات النشر', en: 'Open deployments' },
  current: { he: 'הגרסה הנוכחית', ar: 'الإصدار الحالي', en: 'Current release' },
  earlier: { he: 'גרסאות אחרות', ar: 'إصدارات أخرى', en: 'Other releases' },
  older: { he: 'גרסאות ישנות יותר', ar: 'إصدارات أقدم', en: 'Older releases' },
  live: { he: 'באוויר', ar: 'منشور', en: 'Live' },
  stopped: { he: 'עצור', ar: 'متوقّف', en: 'Stopped' },
  down: { he: 'נפל', ar: 'متعطّل', en: 'Down' },
  noMessage: { he: 'קומיט בלי הודעה', ar: 'commit دون رسالة', en: 'Commit without a message' },
  byPush: { he: 'בדחיפה למאגר', ar: 'بدفع إلى المستودع', en: 'By a push' },
  firstLive: { he: 'עלתה לאוויר', ar: 'نُشر', en: 'First live' },
  rolledBack: { he: 'חזרה לאוויר', ar: 'عاد منشورًا', en: 'Back live' },
  log: { he: 'יומן הפריסה', ar: 'سجلّ النشر', en: 'Deployment log' },
  compare: { he: 'השוואה לנוכחית', ar: 'مقارنة بالحالي', en: 'Compare with the live one' },
  notStored: { he: 'כבר לא שמורה', ar: 'لم يعد محفوظًا', en: 'No longer stored' },
  promotedFrom: { he: 'קודמה מהתצוגה', ar: 'رُقّي من المعاينة', en: 'Promoted from the preview' },
  rollBack: { he: 'חזרה לגרסה הזאת', ar: 'الرجوع إلى هذا الإصدار', en: 'Roll back' },
  keep: { he: 'להישאר', ar: 'البقاء', en: 'Keep the live one' },
  rollBackAbout: {
    he: 'האתר יחזור אל ״{title}״, עם המשתנים של עכשיו. המבקרים לא ירגישו.',
    ar: 'سيرجع الموقع إلى «{title}» بالمتغيرات الحالية. لن يشعر الزوّار بشيء.',
    en: 'The site returns to “{title}”, with the current variables. Visitors notice nothing.',
  },
} as const satisfies Catalogue;
