import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'יומנים', ar: 'السجلّات', en: 'Logs' },
  process: { he: 'תהליך', ar: 'العملية', en: 'Process' },
  all: { he: 'כל התהליכים', ar: 'كل العمليات', en: 'All processes' },
  notDeployed: {
    he: 'היומן מתחיל בפריסה הראשונה.',
    ar: 'يبدأ السجلّ مع أول نشر.',
    en: 'The log begins with the first deployment.',
  },
  isStatic: {
    he: 'אתר סטטי אינו כותב יומן: השרת מגיש את הקבצים שלו.',
    ar: 'الموقع الثابت لا يكتب سجلًّا: الخادم يقدّم ملفاته.',
    en: 'A static site writes no log: the server delivers its files.',
  },
} as const satisfies Catalogue;
