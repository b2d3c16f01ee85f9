import type { Catalogue } from '../../lib/words.ts';

export const words = {
  log: { he: 'יומן', ar: 'السجلّ', en: 'Log' },
  search: { he: 'חיפוש ביומן', ar: 'البحث في السجلّ', en: 'Search the log' },
  found: {
    he: '{at} מתוך {n}',
    ar: '{at} من {n}',
    en: '{at} of {n}',
  },
  noneFound: { he: 'לא נמצא', ar: 'لا نتائج', en: 'Not found' },
  previous: { he: 'התוצאה הקודמת', ar: 'النتيجة السابقة', en: 'Previous match' },
  next: { he: 'התוצאה הבאה', ar: 'النتيجة التالية', en: 'Next match' },
  firstError: { he: 'לשגיאה הראשונה', ar: 'إلى الخطأ الأول', en: 'First error' },
  follow: { he: 'לעקוב', ar: 'متابعة', en: 'Follow' },
  hold: { he: 'להשהות', ar: 'إيقاف المتابعة', en: 'Hold' },
  newLines: {
    he: '{n, plural, one {שורה חדשה} two {שתי שורות חדשות} other {# שורות חדשות}}',
    ar: '{n, plural, zero {لا أسطر جديدة} one {سطر جديد} two {سطران جديدان} few {# أسطر جديدة} many {# سطرًا جديدًا} other {# سطر جديد}}',
    en: '{n, plural, one {One new line} other {# new lines}}',
  },
  download: { he: 'הורדת היומן', ar: 'تنزيل السجلّ', en: 'Download log' },
  connecting: {
    he: 'ממתינים לשורה הראשונה…',
    ar: 'في انتظار السطر الأول…',
    en: 'Waiting for the first line…',
  },
  lost: {
    he: 'החיבור אבד. היומן ימשיך מהשורה האחרונה.',
    ar: 'انقطع الاتصال. سيتابع السجلّ من السطر الأخير.',
    en: 'Connection lost. The log goes on from its last line.',
  },
  waiting: { he: 'עוד אין שורות.', ar: 'لا أسطر بعد.', en: 'No lines yet.' },
  dropped: {
    he: '{n, plural, one {שורה מוקדמת אחת אינה מוצגת} two {שתי שורות מוקדמות אינן מוצגות} other {# שורות מוקדמות אינן מוצגות}}',
    ar: '{n, plural, zero {كل الأسطر معروضة} one {سطر سابق غير معروض} two {سطران سابقان غير معروضين} few {# أسطر سابقة غير معروضة} many {# سطرًا سابقًا غير معروض} other {# سطر سابق غير معروض}}',
    en: '{n, plural, one {One earlier line is not shown} other {# earlier lines are not shown}}',
  },
  seconds: { he: '{n} ש׳', ar: '{n} ث', en: '{n} s' },
  source: { he: 'הבאת המקור', ar: 'جلب المصدر', en: 'Fetch source' },
  node: { he: 'התקנת Node.js', ar: 'تثبيت Node.js', en: 'Install Node.js' },
  install: { he: 'התקנת תלויות', ar: 'تثبيت الاعتماديات', en: 'Install dependencies' },
  build: { he: 'בנייה', ar: 'البناء', en: 'Build' },
  pull: { he: 'הבאת התמונה', ar: 'جلب الصورة', en: 'Pull image' },
  push: { he: 'שמירת התמונה', ar: 'حفظ الصورة', en: 'Store image' },
  release: { he: 'פקודת שחרור', ar: 'أمر الإصدار', en: 'Release command' },
  start: { he: 'הפעלה', ar: 'التشغيل', en: 'Start' },
} as const satisfies Catalogue;
