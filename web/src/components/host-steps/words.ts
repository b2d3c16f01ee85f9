import type { Catalogue } from '../../lib/words.ts';

export const words = {
  host: { he: 'מארח המאגר', ar: 'مضيف المستودع', en: 'Host of the repository' },
  openPage: {
    he: 'פותחים במאגר את ״{menu}״',
    ar: 'افتحوا في المستودع «{menu}»',
    en: 'In the repository, open “{menu}”',
  },
  openHere: { he: 'לפתוח אצל {host}', ar: 'فتحه لدى {host}', en: 'Open it at {host}' },
  pasteKey: {
    he: 'לוחצים ״{button}״ ומדביקים את המפתח',
    ar: 'اضغطوا «{button}» والصقوا المفتاح',
    en: 'Press “{button}” and paste the key',
  },
  readOnly: {
    he: 'משאירים את ״{option}״ כבוי: קריאה מספיקה',
    ar: 'اتركوا «{option}» معطّلًا: القراءة تكفي',
    en: 'Leave “{option}” off: reading is enough',
  },
  pressHook: { he: 'לוחצים ״{button}״', ar: 'اضغطوا «{button}»', en: 'Press “{button}”' },
  enterBoth: {
    he: 'את הכתובת כותבים ב־״{address}״, את הסוד ב־״{secret}״',
    ar: 'اكتبوا العنوان في «{address}» والسر في «{secret}»',
    en: 'Enter the address as “{address}” and the secret as “{secret}”',
  },
  chooseType: {
    he: 'בסוג התוכן בוחרים ״{type}״',
    ar: 'اختاروا نوع المحتوى «{type}»',
    en: 'As content type choose “{type}”',
  },
  chooseEvents: { he: 'אירועים: {events}', ar: 'الأحداث: {events}', en: 'Events: {events}' },
} as const satisfies Catalogue;
