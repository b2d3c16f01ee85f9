import type { Catalogue } from '../lib/words.ts';

export const words = {
  clear: { he: 'ניקוי', ar: 'مسح', en: 'Clear' },
  date: { he: 'תאריך', ar: 'التاريخ', en: 'Date' },
  pickDate: { he: 'בחירת תאריך', ar: 'اختيار تاريخ', en: 'Pick a date' },
  beforeSunset: { he: 'לפני השקיעה ({time})', ar: 'قبل الغروب ({time})', en: 'before sunset ({time})' },
  afterSunset: { he: 'אחרי השקיעה ({time})', ar: 'بعد الغروب ({time})', en: 'after sunset ({time})' },
  notTime: {
    he: 'שעה נכתבת כך: 19:30',
    ar: 'تُكتب الساعة هكذا: 19:30',
    en: 'A time is written like 19:30',
  },
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
  startOver: { he: 'להתחיל מחדש', ar: 'البدء من جديد', en: 'Start over' },
} as const satisfies Catalogue;
