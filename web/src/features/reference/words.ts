import type { Catalogue } from '../../lib/words.ts';

export const words = {
  title: { he: 'תיעוד ה־API', ar: 'مرجع الـ API', en: 'API reference' },
  about: {
    he: 'כל מה שהמסוף עושה, ועוד. התיעוד עצמו באנגלית.',
    ar: 'كل ما تفعله لوحة التحكّم، وأكثر. المرجع نفسه بالإنجليزية.',
    en: 'Everything the console can do, and more.',
  },
  machine: { he: 'למכונות: openapi.json', ar: 'للآلات: openapi.json', en: 'For programs: openapi.json' },
  search: { he: 'חיפוש', ar: 'بحث', en: 'Search' },
  found: {
    he: '{n, plural, =0 {לא נמצאה קריאה כזו} one {נמצאה קריאה אחת} two {נמצאו שתי קריאות} other {נמצאו # קריאות}}',
    ar: '{n, plural, =0 {لا نداء كهذا} zero {لا نداء كهذا} one {نداء واحد} two {نداءان} few {# نداءات} many {# نداءً} other {# نداء}}',
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
    he: 'הקריאה נשלחת באמת, בשם מי שמחובר כאן.',
    ar: 'يُرسل النداء فعلًا، باسم من دخل هنا.',
    en: 'The call is really sent, as the signed-in user.',
  },
  send: { he: 'שליחה', ar: 'إرسال', en: 'Send' },
  answered: { he: 'השרת ענה {status}', ar: 'أجاب الخادم {status}', en: 'The server responded with {status}' },
  noJson: { he: 'זה לא JSON תקין.', ar: 'هذا ليس JSON صالحًا.', en: 'This is not valid JSON.' },
  copy: { he: 'העתקה', ar: 'نسخ', en: 'Copy' },
  copied: { he: 'הועתק', ar: 'نُسخ', en: 'Copied' },
} as const satisfies Catalogue;
