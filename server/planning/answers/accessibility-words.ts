import type { LanguageName } from '../../kernel/languages.ts';

interface Words {
  title: string;
  lines: readonly string[];
  trouble: string;
  /** Label of the server operator's contact. */
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
      'These pages are made to Israeli Standard 5568, level AA, and to the W3C’s WCAG 2.2, level AA.',
      'They can be used by keyboard alone, enlarged four times and read on a small phone, light and dark. Each field has a name that a screen reader says, and a mistake is told at the top of the page and beside its field. Nothing moves, and no JavaScript is needed.',
      'A picture that the hosts have put here may have words in it. The date, the place and the hosts’ names are written on the page as well.',
      'In November 2026 the pages were checked in all three languages: with the axe tool, by keyboard alone, on a narrow screen and with letters twice as large. They have not been tried with a screen reader yet, nor by people who use one.',
    ],
    trouble: 'Something gets in your way? Tell us, and we will find another way for you to answer.',
    operator: 'Accessibility contact',
    venue: 'For access to the venue itself, parking and other arrangements, please ask the hosts.',
  },
};
