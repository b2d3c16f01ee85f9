import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'תיעוד ה־API', ar: 'مرجع الـ API', en: 'API reference' },
  about: {
    he: 'כל מה שהמסוף עושה, ועוד. התיעוד עצמו באנגלית.',
    ar: 'كل ما تفعله لوحة التحكّم، وأكثر. المرجع نفسه بالإنجليزية.',
    en: 'Everything the console can do, and more.',
  },
  machine: { he: 'לתוכנות: openapi.json', ar: 'للبرامج: openapi.json', en: 'For programs: openapi.json' },
  search: { he: 'חיפוש', ar: 'بحث', en: 'Search' },
  found: {
    he: '{n, plural, =0 {לא נמצאו קריאות} one {נמצאה קריאה אחת} two {נמצאו שתי קריאות} other {נמצאו # קריאות}}',
    ar: '{n, plural, =0 {لا توجد استدعاءات} zero {لا توجد استدعاءات} one {استدعاء واحد} two {استدعاءان} few {# استدعاءات} many {# استدعاءً} other {# استدعاء}}',
    en: '{n, plural, =0 {No calls found} one {One call} other {# calls}}',
  },
  groups: { he: 'נושאים', ar: 'المواضيع', en: 'Topics' },
  parameters: { he: 'פרמטרים', ar: 'المعاملات', en: 'Parameters' },
  body: { he: 'גוף הבקשה', ar: 'جسم الطلب', en: 'Body' },
  answers: { he: 'תשובות', ar: 'الأجوبة', en: 'Responses' },
  example: { he: 'דוגמה', ar: 'مثال', en: 'Example' },
  command: { he: 'משורת הפקודה', ar: 'من سطر الأوامر', en: 'Command line' },
  required: { he: 'חובה', ar: 'إلزامي', en: 'required' },
  credential: { he: 'אימות: {how}', ar: 'المصادقة: {how}', en: 'Authentication: {how}' },
  noCredential: { he: 'בלי אימות', ar: 'بدون مصادقة', en: 'No authentication' },
  tryIt: { he: 'ניסיון', ar: 'تجربة', en: 'Try it' },
  tryAbout: {
    he: 'הקריאה נשלחת באמת, בשם המשתמש המחובר.',
    ar: 'يُرسل الطلب فعلًا، باسم المستخدم المسجّل هنا.',
    en: 'The call is really sent, as the signed-in user.',
  },
  send: { he: 'שליחה', ar: 'إرسال', en: 'Send' },
  answered: { he: 'השרת ענה {status}', ar: 'أجاب الخادم {status}', en: 'The server responded with {status}' },
  noJson: { he: 'זה לא JSON תקין.', ar: 'هذا ليس JSON صالحًا.', en: 'This is not valid JSON.' },
  copy: { he: 'העתקה', ar: 'نسخ', en: 'Copy' },
  copied: { he: 'הועתק', ar: 'نُسخ', en: 'Copied' },
} as const satisfies Catalogue;
