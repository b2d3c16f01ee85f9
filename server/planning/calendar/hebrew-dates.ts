/** The months in the year's order from Tishri; a leap year has `adar_i` and `adar_ii` for `adar`. */
export const HEBREW_MONTHS = [
  'tishri',
  'heshvan',
  'kislev',
  'tevet',
  'shevat',
  'adar',
  'adar_i',
  'adar_ii',
  'nisan',
  'iyar',
  'sivan',
  'tammuz',
  'av',
  'elul',
] as const;
export type HebrewMonth = (typeof HEBREW_MONTHS)[number];

export interface HebrewDate {
  year: number;
  month: HebrewMonth;
  day: number;
}

/** By Temporal's codes; M06 is Adar, in a leap year the second one. */
const MONTH_OF_CODE: Readonly<Record<string, HebrewMonth>> = {
  M01: 'tishri',
  M02: 'heshvan',
  M03: 'kislev',
  M04: 'tevet',
  M05: 'shevat',
  M05L: 'adar_i',
  M06: 'adar',
  M07: 'nisan',
  M08: 'iyar',
  M09: 'sivan',
  M10: 'tammuz',
  M11: 'av',
  M12: 'elul',
};

/** The Hebrew date of a day while it is light; from sunset on it is that of the next day. */
export function hebrewDateOf(day: Temporal.PlainDate): HebrewDate {
  const hebrew = day.withCalendar('hebrew');
  const month = MONTH_OF_CODE[hebrew.monthCode];
  if (!month) throw new Error(`no Hebrew month has the code ${hebrew.monthCode}`);
  const isSecondAdar = month === 'adar' && hebrew.inLeapYear;
  return { year: hebrew.year, month: isSecondAdar ? 'adar_ii' : month, day: hebrew.day };
}

const LETTERS: readonly (readonly [value: number, letter: string])[] = [
  [400, 'ת'],
  [300, 'ש'],
  [200, 'ר'],
  [100, 'ק'],
  [90, 'צ'],
  [80, 'פ'],
  [70, 'ע'],
  [60, 'ס'],
  [50, 'נ'],
  [40, 'מ'],
  [30, 'ל'],
  [20, 'כ'],
  [10, 'י'],
  [9, 'ט'],
  [8, 'ח'],
  [7, 'ז'],
  [6, 'ו'],
  [5, 'ה'],
  [4, 'ד'],
  [3, 'ג'],
  [2, 'ב'],
  [1, 'א'],
];

/** A number from 1 to 999 in Hebrew letters: י״א, ט״ו, ה׳, תשפ״ז. */
export function hebrewNumeral(number: number): string {
  let rest = number;
  let letters = '';
  for (const [value, letter] of LETTERS) {
    while (rest >= value) {
      letters += letter;
      rest -= value;
    }
  }
  // 15 and 16 as 9 and 6 or 7: 10 and 5 or 6 would be parts of the Name.
  letters = letters.replace(/יה$/, 'טו').replace(/יו$/, 'טז');
  return letters.length === 1 ? `${letters}׳` : `${letters.slice(0, -1)}״${letters.slice(-1)}`;
}

const THIS_THOUSAND = 5000;

/** A year as it is written, without its thousands; one that would be taken for another then, in digits. */
export function hebrewYear(year: number): string {
  const short = year - THIS_THOUSAND;
  return short > 0 && short < 1000 ? hebrewNumeral(short) : String(year);
}
