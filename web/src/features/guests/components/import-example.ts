import type { Language } from '../../../lib/languages.ts';

/** Rows of the example file: a small guest list with headings that the import recognizes. */
const ROWS: Readonly<Record<Language, readonly string[]>> = {
  he: [
    'שם,טלפון,מייל,מספר מוזמנים,ילדים,צד,הערה',
    'משפחת כהן,050-123-4567,cohen@example.com,4,2,צד הכלה,',
    'דנה לוי,052-765-4321,,1,,צד החתן,ליד הבמה',
    'סבתא רבקה,,,1,,משפחה,',
  ],
  ar: [
    'الاسم,الهاتف,البريد الإلكتروني,عدد المدعوين,الأطفال,الوسوم,ملاحظة',
    'عائلة حداد,050-123-4567,haddad@example.com,4,2,العروس,',
    'ليلى خوري,052-765-4321,,1,,العريس,قرب المنصّة',
    'الجدة مريم,,,1,,العائلة,',
  ],
  en: [
    'Name,Phone,Email,Party size,Children,Tags,Note',
    'The Cohens,050-123-4567,cohen@example.com,4,2,Bride,',
    'Dana Levi,052-765-4321,,1,,Groom,Near the stage',
    'Grandma Rivka,,,1,,Family,',
  ],
};

/** Example file for the import, with a byte order mark, by which Excel recognizes UTF-8. */
export const exampleFile = (language: Language): File =>
  new File([`\uFEFF${ROWS[language].join('\r\n')}\r\n`], `simcha-guests-${language}.csv`, {
    type: 'text/csv',
  });
