import type { LanguageName } from '../../kernel/languages.ts';
import type { KASHRUT_LEVELS } from '../events/fields.ts';

interface Words {
  title: string;
  asOf(date: string): string;
  /** Separator between the items of a list in a sentence. */
  comma: string;
  when: string;
  where: string;
  kitchen: string;
  kashrut: Readonly<Record<(typeof KASHRUT_LEVELS)[number], string>>;
  people: string;
  adults: string;
  children: string;
  meals: string;
  regular: string;
  special: string;
  nobody: string;
  guest: string;
  count: string;
  allergies: string;
  tags: string;
  total: string;
  /** Note at the end of the caterer's page if it shows only the first guests of the list. */
  more(shown: string): string;
}

export const catererWords: Readonly<Record<LanguageName, Words>> = {
  hebrew: {
    title: 'דוח לקייטרינג',
    asOf: (date) => `נכון ל${date}`,
    comma: ', ',
    when: 'מתי',
    where: 'איפה',
    kitchen: 'כשרות האירוע',
    kashrut: { none: 'לא נקבעה', regular: 'כשר', mehadrin: 'כשר למהדרין', chalav_yisrael: 'חלב ישראל' },
    people: 'מגיעים',
    adults: 'מבוגרים',
    children: 'ילדים',
    meals: 'מנות',
    regular: 'רגילות',
    special: 'מנות מיוחדות ואלרגיות',
    nobody: 'אין בקשות מיוחדות.',
    guest: 'שם',
    count: 'אנשים',
    allergies: 'אלרגיות',
    tags: 'תגיות',
    total: 'סה״כ',
    more: (shown) => `כאן מופיעים ${shown} הראשונים; הרשימה המלאה נמצאת בקובץ ה־CSV.`,
  },
  arabic: {
    title: 'تقرير للكيترينغ',
    asOf: (date) => `محدَّث حتى ${date}`,
    comma: '، ',
    when: 'متى',
    where: 'أين',
    kitchen: 'مستوى الكوشير',
    kashrut: { none: 'لم يُحدَّد', regular: 'كوشير', mehadrin: 'كوشير مهدرين', chalav_yisrael: 'حلاف يسرائيل' },
    people: 'الحاضرون',
    adults: 'بالغون',
    children: 'أطفال',
    meals: 'الوجبات',
    regular: 'عادية',
    special: 'وجبات خاصة وحساسية',
    nobody: 'لا توجد طلبات خاصة.',
    guest: 'الاسم',
    count: 'أشخاص',
    allergies: 'الحساسية',
    tags: 'الوسوم',
    total: 'المجموع',
    more: (shown) => `هنا أول ${shown}؛ القائمة الكاملة في ملف CSV.`,
  },
  english: {
    title: 'Report for the caterer',
    asOf: (date) => `As of ${date}`,
    comma: ', ',
    when: 'When',
    where: 'Where',
    kitchen: 'Kashrut of the event',
    kashrut: { none: 'Not set', regular: 'Kosher', mehadrin: 'Mehadrin', chalav_yisrael: 'Chalav Yisrael' },
    people: 'Coming',
    adults: 'Adults',
    children: 'Children',
    meals: 'Meals',
    regular: 'Regular',
    special: 'Special meals and allergies',
    nobody: 'No special requests.',
    guest: 'Name',
    count: 'People',
    allergies: 'Allergies',
    tags: 'Tags',
    total: 'Total',
    more: (shown) => `These are the first ${shown}; the full list is in the CSV file.`,
  },
};
