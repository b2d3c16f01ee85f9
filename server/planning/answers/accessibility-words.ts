import type { LanguageName } from '../../kernel/languages.ts';

interface Words {
  title: string;
  lines: readonly string[];
  trouble: string;
  /** Label, on the page about accessibility, of the contact of the people who run this server. */
  operator: string;
  venue: string;
}

/**
 * Accessibility statement with the content that Israeli law requires (תקנות שוויון זכויות לאנשים עם מוגבלות (התאמות
 * נגישות לשירות), 35): the level of accessibility, its known limits, and a contact.
 */
export const accessibilityWords: Readonly<Record<LanguageName, Words>> = {
  hebrew: {
    title: 'הצהרת נגישות',
    lines: [
      'הדפים האלה נבנו לפי תקן ישראלי 5568 ברמה AA ולפי הנחיות WCAG 2.2 של W3C ברמה AA.',
      'אפשר להשתמש בהם במקלדת בלבד, להגדיל אותם פי ארבעה ולקרוא אותם בטלפון קטן, בבהיר ובכהה. לכל שדה יש שם שקורא מסך אומר, וטעות נאמרת בראש הדף ולצד השדה. אין בהם אנימציות, ואין צורך ב־JavaScript.',
      'תמונה שהעלו המארחים עשויה לכלול מילים. התאריך, המקום ושמות המארחים נכתבים גם בדף.',
      'בנובמבר 2026 נבדקו הדפים בשלוש השפות: בכלי הבדיקה axe, במקלדת בלבד, במסך צר ובאותיות כפולות בגודלן. בקורא מסך ועם אנשים שנעזרים בו הם עוד לא נבדקו.',
    ],
    trouble: 'נתקלתם בקושי? ספרו לנו, ונמצא דרך אחרת לענות.',
    operator: 'אחראי הנגישות',
    venue: 'על נגישות המקום עצמו, חניה והסדרים אחרים אפשר לשאול את המארחים.',
  },
  arabic: {
    title: 'بيان إتاحة الوصول',
    lines: [
      'بُنيت هذه الصفحات وفق المعيار الإسرائيلي 5568 بمستوى AA ووفق إرشادات WCAG 2.2 الصادرة عن W3C بمستوى AA.',
      'يمكن استخدامها بلوحة المفاتيح وحدها، وتكبيرها أربعة أضعاف، وقراءتها على هاتف صغير، بالفاتح والداكن. لكل حقل اسم ينطقه قارئ الشاشة، ويُذكر الخطأ في أعلى الصفحة وإلى جانب الحقل. لا حركة فيها ولا حاجة إلى JavaScript.',
      'قد تتضمن الصورة التي رفعها أصحاب الدعوة كلمات. التاريخ والمكان وأسماء أصحاب الدعوة مكتوبة في الصفحة أيضًا.',
      'فُحصت الصفحات في تشرين الثاني 2026 باللغات الثلاث: بأداة الفحص axe، وبلوحة المفاتيح وحدها، وعلى شاشة ضيقة، وبحروف مضاعفة الحجم. ولم تُفحص بعد بقارئ شاشة ولا مع من يستعينون به.',
    ],
    trouble: 'واجهتم صعوبة؟ أخبرونا وسنجد طريقة أخرى للرد.',
    operator: 'المسؤول عن إتاحة الوصول',
    venue: 'لأسئلة عن إتاحة المكان نفسه والمواقف وترتيبات أخرى توجهوا إلى أصحاب الدعوة.',
  },
  english: {
    title: 'Accessibility statement',
    lines: [
      'These pages follow Israeli Standard 5568, level AA, and the W3C’s WCAG 2.2, level AA.',
      'They can be used with the keyboard alone, enlarged four times, and read on a small phone, in light and dark mode. Each field has a label for screen readers, and errors are shown at the top of the page and next to the field. There are no animations, and no JavaScript is needed.',
      'A picture that the hosts uploaded may contain text. The date, the place and the hosts’ names are on the page as text as well.',
      'In November 2026 the pages were tested in all three languages: with the axe tool, with the keyboard alone, on a narrow screen and with text twice as large. They have not yet been tested with a screen reader or by people who use one.',
    ],
    trouble: 'Having difficulty? Tell us, and we will find another way for you to answer.',
    operator: 'Accessibility contact',
    venue: 'For accessibility of the venue itself, parking and other arrangements, please ask the hosts.',
  },
};
