import type { Catalogue } from '../../lib/words.ts';

export const words = {
  host: { he: 'איפה נמצא המאגר', ar: 'أين المستودع', en: 'Where the repository is' },
  open: { he: 'לדף הזה ב־{host}', ar: 'إلى هذه الصفحة في {host}', en: 'Open this page at {host}' },
  key: { he: 'מפתח הפריסה', ar: 'مفتاح النشر', en: 'Deploy key' },
  url: { he: 'כתובת', ar: 'العنوان', en: 'Address' },
  secret: { he: 'סוד', ar: 'السرّ', en: 'Secret' },
  copy: { he: 'העתקה', ar: 'نسخ', en: 'Copy' },
  openMenu: {
    he: 'במאגר, פותחים את {menu}.',
    ar: 'في المستودع، افتحوا {menu}.',
    en: 'In the repository, open {menu}.',
  },
  press: { he: 'לוחצים על {button}.', ar: 'اضغطوا {button}.', en: 'Press {button}.' },
  pasteKey: {
    he: 'מדביקים את המפתח בשדה {field}. כותרת: כל שם, כמו Simcha.',
    ar: 'ألصقوا المفتاح في الحقل {field}. العنوان: أي اسم، مثل Simcha.',
    en: 'Paste the key into {field}. The title can be any name, such as Simcha.',
  },
  noWrite: {
    he: 'משאירים את {field} לא מסומן: קריאה מספיקה.',
    ar: 'اتركوا {field} دون تحديد: القراءة تكفي.',
    en: 'Leave {field} off: reading is enough.',
  },
  pasteUrl: {
    he: 'מדביקים את הכתובת בשדה {field}.',
    ar: 'ألصقوا العنوان في الحقل {field}.',
    en: 'Paste the address into {field}.',
  },
  setType: {
    he: 'בשדה {field} בוחרים {value}.',
    ar: 'في الحقل {field} اختاروا {value}.',
    en: 'Set {field} to {value}.',
  },
  pasteSecret: {
    he: 'מדביקים את הסוד בשדה {field}.',
    ar: 'ألصقوا السرّ في الحقل {field}.',
    en: 'Paste the secret into {field}.',
  },
  events: {
    he: 'מסמנים {events}. לתצוגות מקדימות של בקשות מיזוג גם {more}.',
    ar: 'حدّدوا {events}. ولمعاينات طلبات الدمج أيضًا {more}.',
    en: 'Select {events}. For previews of pull requests also {more}.',
  },
} as const satisfies Catalogue;
