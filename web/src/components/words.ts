import type { Catalogue } from '../lib/words.ts';

export const words = {
  clear: { he: 'ניקוי', ar: 'مسح', en: 'Clear' },
  undo: { he: 'ביטול', ar: 'تراجع', en: 'Undo' },
  close: { he: 'סגירה', ar: 'إغلاق', en: 'Close' },
  language: { he: 'שפה', ar: 'اللغة', en: 'Language' },
  nothingTitle: { he: 'אין כאן כלום', ar: 'لا شيء هنا', en: 'There is nothing here' },
  nothing: {
    he: 'הכתובת אולי השתנתה, או שהדף לא שלכם.',
    ar: 'ربّما تغيّر العنوان، أو أن الصفحة ليست لكم.',
    en: 'The address may have changed, or the page isn’t yours.',
  },
  home: { he: 'לדף הראשי', ar: 'إلى الصفحة الرئيسية', en: 'To the home page' },
  changedMeanwhile: {
    he: 'בינתיים זה השתנה במקום אחר. בחרו לכל שדה מה נשאר.',
    ar: 'تغيّر هذا في مكان آخر في هذه الأثناء. اختاروا لكل حقل ما يبقى.',
    en: 'This was changed elsewhere meanwhile. Choose for each field what stays.',
  },
  theirs: { he: 'מה ששמור', ar: 'المحفوظ', en: 'What is stored' },
  mine: { he: 'מה שהקלדתם', ar: 'ما كتبتموه', en: 'What you typed' },
  choose: { he: 'שמירת הבחירה', ar: 'حفظ الاختيار', en: 'Save the choice' },
  nothingSaid: { he: '(ריק)', ar: '(فارغ)', en: '(empty)' },
  kept: {
    he: 'מה שהקלדתם כאן קודם נשמר.',
    ar: 'ما كتبتموه هنا سابقًا محفوظ.',
    en: 'What you typed here before was kept.',
  },
  written: { he: 'נכתב', ar: 'كُتبت', en: 'written' },
  day: { he: 'יום', ar: 'اليوم', en: 'Day' },
  pickDay: { he: 'בחירת יום', ar: 'اختيار يوم', en: 'Pick a day' },
  time: { he: 'שעה', ar: 'الساعة', en: 'Time' },
  israelTime: { he: 'שעון ישראל', ar: 'بتوقيت إسرائيل', en: 'Israel’s time' },
  pressAgain: {
    he: 'לחיצה נוספת, וזה קורה.',
    ar: 'ضغطة أخرى ويتم الأمر.',
    en: 'Press once more, and it is done.',
  },
  copyLink: { he: 'העתקת הקישור', ar: 'نسخ الرابط', en: 'Copy the link' },
  copied: { he: 'הועתק.', ar: 'تم النسخ.', en: 'Copied.' },
  notCopied: {
    he: 'הדפדפן לא הרשה להעתיק. אפשר לסמן ולהעתיק ביד.',
    ar: 'لم يسمح المتصفّح بالنسخ. يمكن التحديد والنسخ يدويًا.',
    en: 'The browser did not let us copy. Select it and copy by hand.',
  },
  qr: { he: 'קוד QR', ar: 'رمز QR', en: 'QR code' },
  startOver: { he: 'להתחיל מחדש', ar: 'البدء من جديد', en: 'Start over' },
} as const satisfies Catalogue;
