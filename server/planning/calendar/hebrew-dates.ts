/** Hebrew months in the order of the year from Tishri; a leap year has `adar_i` and `adar_ii` instead of `adar`. */
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

/** Hebrew months by Temporal's month codes. M06 is Adar, or Adar II in a leap year. */
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

/** Hebrew date of a day's daylight. From sunset on, the next day's date counts. */
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

/** Writes a number from 1 to 999 in Hebrew letters: י״א, ט״ו, ה׳, תשפ״ז. */
export function hebrewNumeral(number: number): string {
  let rest = number;
  let letters = '';
  for (const [value, letter] of LETTERS) {
    while (rest >= value) {
      letters += letter;
      rest -= value;
    }
  }
  // 15 and 16 are written as 9+6 and 9+7: 10+5 and 10+6 would spell parts of God's name.
  letters = letters.replace(/יה$/, 'טו').replace(/יו$/, 'טז');
  return letters.length === 1 ? `${letters}׳` : `${letters.slice(0, -1)}״${letters.slice(-1)}`;
}

const THIS_THOUSAND = 5000;

/** Writes a year in Hebrew letters without its thousands, as is usual; years outside 5001–5999 in digits. */
export function hebrewYear(year: number): string {
  const short = year - THIS_THOUSAND;
  return short > 0 && short < 1000 ? hebrewNumeral(short) : String(year);
}
