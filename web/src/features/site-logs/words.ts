import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'יומנים', ar: 'السجلّات', en: 'Logs' },
  which: { he: 'סוג היומן', ar: 'نوع السجلّ', en: 'Kind of log' },
  output: { he: 'פלט האתר', ar: 'مخرجات الموقع', en: 'Output' },
  access: { he: 'בקשות', ar: 'الطلبات', en: 'Requests' },
  aboutAccess: {
    he: 'כל בקשה לאתר בשבוע האחרון: שיטה, נתיב, קוד תשובה, משך, גודל ורשת הגולש. ערכי פרמטרים אינם נשמרים.',
    ar: 'كل طلب للموقع في الأسبوع الأخير: الطريقة والمسار ورمز الردّ والمدة والحجم وشبكة الزائر. لا تُحفظ قيم المعاملات.',
    en: 'Each request of the last week: method, path, status, duration, size and the visitor’s network. Values of parameters are not kept.',
  },
  noRequests: { he: 'עוד אין בקשות.', ar: 'لا طلبات بعد.', en: 'No requests yet.' },
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
