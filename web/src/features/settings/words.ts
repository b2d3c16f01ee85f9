import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'הגדרות', ar: 'الإعدادات', en: 'Settings' },
  look: { he: 'מראה', ar: 'المظهر', en: 'Look' },
  auto: { he: 'כמו במכשיר', ar: 'كما في الجهاز', en: 'As the device' },
  light: { he: 'בהיר', ar: 'فاتح', en: 'Light' },
  dark: { he: 'כהה', ar: 'داكن', en: 'Dark' },
  language: { he: 'שפה', ar: 'اللغة', en: 'Language' },
  signIns: { he: 'איפה אתם מחוברים', ar: 'أين أنتم متصلون', en: 'Where you are signed in' },
  signInsAbout: {
    he: 'לא מזהים אחד מהם? נתקו אותו; הוא לא יוכל להמשיך.',
    ar: 'لا تعرفون أحدها؟ افصلوه، ولن يستطيع المتابعة.',
    en: 'Don’t know one of them? End it, and it opens nothing any more.',
  },
  here: { he: 'כאן', ar: 'هنا', en: 'Here' },
  lastUsed: { he: 'שימוש אחרון: {when}', ar: 'آخر استخدام: {when}', en: 'Last used: {when}' },
  from: { he: 'מהכתובת {address}', ar: 'من العنوان {address}', en: 'From {address}' },
  end: { he: 'ניתוק', ar: 'فصل', en: 'End' },
  endNamed: { he: 'ניתוק: {what}', ar: 'فصل: {what}', en: 'End: {what}' },
  endOthers: { he: 'לנתק את כל האחרים', ar: 'فصل كل الآخرين', en: 'End all others' },
  browserOn: { he: '{browser} ב־{system}', ar: '{browser} على {system}', en: '{browser} on {system}' },
  unknown: { he: 'דפדפן לא מוכר', ar: 'متصفّح غير معروف', en: 'An unknown browser' },
} as const satisfies Catalogue;
