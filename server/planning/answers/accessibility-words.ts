import type { LanguageName } from '../../kernel/languages.ts';

interface Words {
  title: string;
  lines: readonly string[];
  trouble: string;
  /** Before the contact of whoever runs the server. */
  operator: string;
  venue: string;
}

/** What the law asks a statement to say (תקנות שוויון זכויות לאנשים עם מוגבלות (התאמות נגישות לשירות), 35): how far, what is not, whom to tell. */
export const accessibilityWords: Readonly<Record<LanguageName, Words>> = {
  hebrew: {
    title: 'הצהרת נגישות',
    lines: [
      'הדפים האלה נבנו לפי תקן ישראלי 5568 ברמה AA, שעומד על הנחיות WCAG של W3C.',
      'אפשר להשתמש בהם במקלדת בלבד ובקורא מסך, להגדיל אותם פי ארבעה ולקרוא אותם בטלפון קטן, בבהיר ובכהה. לכל שדה יש שם, וטעות נאמרת לידו. אין בהם אנימציות, ואין צורך ב־JavaScript.',
      'תמונה שהעלו המארחים עשויה לכלול מילים. התאריך, המקום ושמות המארחים נכתבים גם בדף.',
      'ההצהרה נבדקה לאחרונה בנובמבר 2026.',
    ],
    trouble: 'נתקלתם בקושי? ספרו לנו, ונמצא דרך אחרת לענות.',
    operator: 'אחראי הנגישות',
    venue: 'על נגישות המקום עצמו, חניה והסדרים אחרים אפשר לשאול את המארחים.',
  },
  arabic: {
    title: 'بيان إتاحة الوصول',
    lines: [
      'بُنيت هذه الصفحات وفق المعيار الإسرائيلي 5568 بمستوى AA، القائم على إرشادات WCAG الصادرة عن W3C.',
      'يمكن استخدامها بلوحة المفاتيح وحدها وبقارئ الشاشة، وتكبيرها أربعة أضعاف، وقراءتها على هاتف صغير، بالفاتح والداكن. لكل حقل اسم، ويُذكر الخطأ إلى جانبه. لا حركة فيها ولا حاجة إلى JavaScript.',
      'قد تتضمن الصورة التي رفعها أصحاب الدعوة كلمات. التاريخ والمكان وأسماء أصحاب الدعوة مكتوبة في الصفحة أيضًا.',
      'رُوجع هذا البيان آخر مرة في نوفمبر 2026.',
    ],
    trouble: 'واجهتم صعوبة؟ أخبرونا وسنجد طريقة أخرى للرد.',
    operator: 'المسؤول عن إتاحة الوصول',
    venue: 'لأسئلة عن إتاحة المكان نفسه والمواقف وترتيبات أخرى توجهوا إلى أصحاب الدعوة.',
  },
  english: {
    title: 'Accessibility statement',
    lines: [
      'These pages are made to Israeli Standard 5568, level AA, which stands on the W3C’s WCAG.',
      'They can be used by keyboard alone and with a screen reader, enlarged four times and read on a small phone, light and dark. Each field has a name, and a mistake is told beside it. Nothing moves, and no JavaScript is needed.',
      'A picture that the hosts have put here may have words in it. The date, the place and the hosts’ names are written on the page as well.',
      'This statement was last reviewed in November 2026.',
    ],
    trouble: 'Something gets in your way? Tell us, and we will find another way for you to answer.',
    operator: 'Accessibility contact',
    venue: 'For access to the venue itself, parking and other arrangements, please ask the hosts.',
  },
};
