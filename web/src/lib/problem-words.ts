import type { Catalogue } from './words.ts';

export const words = {
  unreachable: {
    he: 'אין כרגע חיבור לשרת. מה שהקלדתם נשמר כאן; נסו שוב בעוד רגע.',
    ar: 'لا يوجد اتصال بالخادم حاليًا. ما كتبتموه محفوظ هنا؛ حاولوا بعد لحظة.',
    en: 'The server can’t be reached right now. What you typed is saved here; try again in a moment.',
  },
  again: { he: 'ניסיון נוסף', ar: 'محاولة أخرى', en: 'Try again' },
  quote: {
    he: 'לפנייה לתמיכה: {id}',
    ar: 'عند التوجّه للدعم: {id}',
    en: 'Reference for support: {id}',
  },
  broken: {
    he: 'משהו בדף הזה השתבש. הנתונים שלכם בטוחים.',
    ar: 'حدث خلل في هذه الصفحة. بياناتكم محفوظة.',
    en: 'Something on this page went wrong. Your data is safe.',
  },
  offline: {
    he: 'אין חיבור לרשת. מה שמוצג עשוי להיות לא עדכני.',
    ar: 'لا يوجد اتصال بالشبكة. قد لا تكون المعلومات محدّثة.',
    en: 'You are offline. What you see may be out of date.',
  },
  away: {
    he: 'אין כרגע חיבור לשרת. מה שמוצג עשוי להיות לא עדכני.',
    ar: 'لا يوجد اتصال بالخادم حاليًا. قد لا تكون المعلومات محدّثة.',
    en: 'The server can’t be reached right now. What you see may be out of date.',
  },
  loading: { he: 'טוען…', ar: 'جارٍ التحميل…', en: 'Loading…' },
} as const satisfies Catalogue;
