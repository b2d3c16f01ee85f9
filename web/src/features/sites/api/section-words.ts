import type { Catalogue } from '../../../lib/words.ts';

/** Names of the sections of a site and of their groups. */
export const words = {
  overview: { he: 'סקירה', ar: 'نظرة عامة', en: 'Overview' },
  figures: { he: 'נתונים', ar: 'أرقام', en: 'Figures' },
  deployments: { he: 'פריסות', ar: 'عمليات النشر', en: 'Deployments' },
  releases: { he: 'גרסאות', ar: 'الإصدارات', en: 'Releases' },
  previews: { he: 'תצוגות מקדימות', ar: 'المعاينات', en: 'Previews' },
  monitoring: { he: 'ניטור', ar: 'المراقبة', en: 'Monitoring' },
  logs: { he: 'יומנים', ar: 'السجلّات', en: 'Logs' },
  configuration: { he: 'תצורה', ar: 'الإعداد', en: 'Setup' },
  variables: { he: 'משתנים', ar: 'المتغيرات', en: 'Variables' },
  domains: { he: 'דומיינים', ar: 'النطاقات', en: 'Domains' },
  processes: { he: 'תהליכים', ar: 'العمليات', en: 'Processes' },
  volumes: { he: 'כרכים', ar: 'وحدات التخزين', en: 'Volumes' },
  gitAndCi: { he: 'Git ו־CI', ar: 'Git وCI', en: 'Git and CI' },
  rules: { he: 'כללים', ar: 'القواعد', en: 'Rules' },
  people: { he: 'אנשים', ar: 'الأشخاص', en: 'People' },
  history: { he: 'היסטוריה', ar: 'السجلّ', en: 'History' },
  settings: { he: 'הגדרות', ar: 'الإعدادات', en: 'Settings' },
} as const satisfies Catalogue;
