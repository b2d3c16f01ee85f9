import type { Words } from '../../kernel/languages.ts';
import type { RuleProblem, RuleProblemKind } from '../site-rules/problems.ts';

/** Texts for developers about the rules of a site. */
export const messages = {
  username: {
    he: 'נדרש שם באותיות לטיניות, ספרות וסימנים, בלי רווח ובלי נקודתיים.',
    ar: 'يلزم اسم بأحرف لاتينية وأرقام ورموز، دون مسافة أو نقطتين.',
    en: 'takes Latin letters, digits and signs, without a space or a colon.',
  },
  password: {
    he: 'נדרשת סיסמה של 8 תווים לטיניים לפחות, בלי רווחים.',
    ar: 'تلزم كلمة مرور من 8 أحرف لاتينية على الأقل، دون مسافات.',
    en: 'takes at least 8 Latin characters, without spaces.',
  },
  loginMissing: {
    he: 'הגנה דורשת שם וסיסמה.',
    ar: 'تتطلّب الحماية اسمًا وكلمة مرور.',
    en: 'is required for protection.',
  },
} as const;

const PROBLEMS: Readonly<Record<RuleProblemKind, Words>> = {
  address: {
    he: 'כלל נכתב לנתיב באתר, שמתחיל ב־/',
    ar: 'القاعدة لمسار في الموقع يبدأ بـ /',
    en: 'a rule is for a path of the site, which begins with /',
  },
  path: {
    he: 'נתיב מתחיל ב־/, שמות כמו ‎:name הם חלק שלם, ו־* רק בסוף',
    ar: 'المسار يبدأ بـ /، والأسماء مثل ‎:name جزء كامل، و* في النهاية فقط',
    en: 'a path begins with /, has placeholders as whole parts (/:name) and at most one *, in its last part',
  },
  query: {
    he: 'אין תנאים על השאילתה',
    ar: 'لا شروط على الاستعلام',
    en: 'conditions on the query are not supported',
  },
  target: {
    he: 'נדרש יעד: נתיב שמתחיל ב־/ אחד, או כתובת http(s)',
    ar: 'يلزم هدف: مسار يبدأ بـ / واحدة، أو عنوان http(s)',
    en: 'it needs a target: a path that begins with one /, or an http(s) address whose host is fixed',
  },
  status: {
    he: 'הקוד בסוף הוא 301, 302, 303, 307 או 308',
    ar: 'الرمز في النهاية 301 أو 302 أو 303 أو 307 أو 308',
    en: 'the status at its end is 301, 302, 303, 307 or 308',
  },
  condition: {
    he: 'אין תנאים כמו Country=',
    ar: 'لا شروط مثل Country=‎',
    en: 'conditions such as Country= are not supported',
  },
  proxy: {
    he: 'אי אפשר להציג דף של שרת אחר; אפשר להפנות אליו',
    ar: 'لا يمكن عرض صفحة خادم آخر؛ يمكن التحويل إليها',
    en: 'another server’s page can’t be shown here; redirect to it',
  },
  hidden: {
    he: 'שם שמתחיל בנקודה אינו מוגש',
    ar: 'الاسم الذي يبدأ بنقطة لا يُقدَّم',
    en: 'names that begin with a dot are never served',
  },
  too_long: { he: 'השורה ארוכה מדי', ar: 'السطر طويل جدًا', en: 'the line is too long' },
  too_many: { he: 'יש יותר מדי כללים', ar: 'القواعد كثيرة جدًا', en: 'there are too many rules' },
  too_many_patterns: {
    he: 'יש יותר מדי כללים עם ‎:name או *',
    ar: 'قواعد ‎:name أو * كثيرة جدًا',
    en: 'too many rules have a placeholder or a *',
  },
  header: {
    he: 'כותרת נכתבת כך: Name: value',
    ar: 'تُكتب الترويسة هكذا: Name: value',
    en: 'a header is a line of "Name: value"',
  },
  no_path: {
    he: 'כותרת נכתבת מתחת לנתיב שלה',
    ar: 'تُكتب الترويسة تحت مسارها',
    en: 'a header must be below the path that it applies to',
  },
  value: {
    he: 'הערך ריק או מכיל תווים אסורים',
    ar: 'القيمة فارغة أو فيها أحرف ممنوعة',
    en: 'the value is empty, or has characters that no header can carry',
  },
  owned: {
    he: 'רק השרת קובע את הכותרת הזאת',
    ar: 'الخادم وحده يضبط هذه الترويسة',
    en: 'only the server sets this header',
  },
};

/** Sentence about a line of redirects or headers that can't be used. */
export function describeProblem({ line, why }: RuleProblem): Words {
  const { he, ar, en } = PROBLEMS[why];
  return { he: `שורה ${line}: ${he}.`, ar: `السطر ${line}: ${ar}.`, en: `line ${line}: ${en}.` };
}
