import type { Catalogue } from '../../lib/words.ts';

export const words = {
  about: {
    he: 'מה פוגש מבקר לפני האתר עצמו. כל שינוי פועל מיד.',
    ar: 'ما يلقاه الزائر قبل الموقع نفسه. كل تغيير يسري حالًا.',
    en: 'What a visitor meets before the site itself. Each change takes effect at once.',
  },
  off: { he: 'כבוי', ar: 'متوقف', en: 'Off' },
  production: { he: 'האתר', ar: 'الموقع', en: 'The site' },
  previews: { he: 'התצוגות', ar: 'المعاينات', en: 'Previews' },
  all: { he: 'שניהם', ar: 'كلاهما', en: 'Both' },
  maintenance: { he: 'דף תחזוקה', ar: 'صفحة صيانة', en: 'Maintenance page' },
  maintenanceAbout: {
    he: 'מבקרים רואים שעובדים על האתר ושיחזור בקרוב. מנועי חיפוש מבינים שזה זמני.',
    ar: 'يرى الزوّار أن العمل جارٍ على الموقع وأنه سيعود قريبًا. تفهم محركات البحث أنه مؤقت.',
    en: 'Visitors see that the site is being worked on and comes back soon. Search engines understand that it is temporary.',
  },
  maintenanceOn: {
    he: 'דף התחזוקה מוצג עכשיו.',
    ar: 'صفحة الصيانة ظاهرة الآن.',
    en: 'The maintenance page is shown now.',
  },
  protection: { he: 'סיסמה', ar: 'كلمة مرور', en: 'Password' },
  protectionAbout: {
    he: 'הדפדפן מבקש שם וסיסמה לפני כל דף. האתר עצמו לא רואה אותם.',
    ar: 'يطلب المتصفّح اسمًا وكلمة مرور قبل كل صفحة. لا يراهما الموقع نفسه.',
    en: 'The browser asks for a name and a password before any page. The site itself does not see them.',
  },
  where: { he: 'איפה', ar: 'أين', en: 'Where' },
  username: { he: 'שם', ar: 'الاسم', en: 'Name' },
  password: { he: 'סיסמה', ar: 'كلمة المرور', en: 'Password' },
  passwordAbout: {
    he: '8 תווים לטיניים לפחות.',
    ar: '8 أحرف لاتينية على الأقل.',
    en: 'At least 8 Latin characters.',
  },
  passwordKept: {
    he: 'יש סיסמה; ריק משאיר אותה.',
    ar: 'توجد كلمة مرور؛ الفراغ يبقيها.',
    en: 'There is a password; leave it empty to keep it.',
  },
  redirects: { he: 'הפניות', ar: 'التحويلات', en: 'Redirects' },
  redirectsAbout: {
    he: 'שורה לכל הפניה: מאיפה, לאן, קוד (בלי קוד: 301). {part} הוא חלק אחד, ו־* הוא כל השאר.',
    ar: 'سطر لكل تحويل: من، إلى، الرمز (دونه 301). {part} جزء واحد، و* كل الباقي.',
    en: 'A line for each: from, to, status (301 without). {part} is one part of the path, * is all the rest.',
  },
  headers: { he: 'כותרות', ar: 'الترويسات', en: 'Headers' },
  headersAbout: {
    he: 'נתיב, ומתחתיו שורות של {line}. כותרת שהאתר עצמו שולח נשארת.',
    ar: 'مسار، وتحته أسطر {line}. الترويسة التي يرسلها الموقع نفسه تبقى.',
    en: 'A path, and below it lines of {line}. A header that the site itself sends stays.',
  },
  save: { he: 'שמירה', ar: 'حفظ', en: 'Save' },
  saved: { he: 'נשמר, ופועל כבר.', ar: 'تم الحفظ، ويسري الآن.', en: 'Saved; it is in effect.' },
} as const satisfies Catalogue;
