import { invalidField } from '../../../kernel/fields.ts';
import type { Language, LanguageName } from '../../../kernel/languages.ts';
import { messages } from '../messages.ts';
import { countPeople, PEOPLE_EXAMPLES, tellsMoreThanNumber } from './people.ts';
import { normalizeWord, wordSet } from './words.ts';

/** Languages in which the headings and words of a sheet may be written. An import understands all of them. */
export type SheetLanguage = LanguageName;

/** Texts of the filled cells in a row that belong to one field. A field may have several columns. */
export type Texts = readonly [string, ...string[]];

/** Type of a spreadsheet cell for one field of a guest: reading a cell that was written gives the same value. */
export interface Cell<T> {
  /**
   * Reads the value of a guest's field from cells of a row, as a request's body would have it; undefined if they are
   * empty.
   */
  read(field: string, texts: Texts): unknown;
  /**
   * Part of each cell's text that the field's value does not contain. It goes into the guest's note, so that nothing is
   * lost.
   */
  rest?(texts: Texts): readonly string[];
  /** Values that the cell accepts, listed in the error message for a wrong one; for a number, examples in words. */
  accepts?: Readonly<Record<Language, readonly string[]>>;
  write(value: T, language: SheetLanguage): string;
}

export const textCell: Cell<string | null> = {
  read: (_field, [text]) => text,
  write: (value) => value ?? '',
};

/** Cell for a guest's note. The texts of several columns for it are joined with line breaks. */
export const noteCell: Cell<string | null> = {
  read: (_field, texts) => texts.join('\n'),
  write: (value) => value ?? '',
};

/** Words in a spreadsheet cell that mean "none". */
const NONE = wordSet([
  'אין',
  'ללא',
  'לא',
  'לא ידוע',
  'none',
  'no',
  'n/a',
  'na',
  'unknown',
  'لا يوجد',
  'لا',
  '?',
  '0',
]);
export const isNone = (text: string): boolean => NONE.has(normalizeWord(text));

/** Texts about children to keep in the guest's note: those that mention a baby, or children without their number. */
const restOfPeople = (texts: Texts): readonly string[] =>
  texts.map((text) => (tellsMoreThanNumber(text) ? text : ''));

/**
 * Cell for a number of people; an empty cell stands for 0. A text that is no number fails later, in the field's own
 * check.
 */
export const numberCell: Cell<number> = {
  read: (_field, [text]) => countPeople(text) ?? text,
  rest: restOfPeople,
  accepts: PEOPLE_EXAMPLES,
  write: (value) => (value > 0 ? String(value) : ''),
};

/** Cell for a number of people: the sum of the numbers in several columns. */
export const sumCell: Cell<number> = {
  ...numberCell,
  read(_field, texts) {
    const numbers = texts.map(countPeople);
    const wrong = numbers.indexOf(undefined);
    return wrong >= 0 ? texts[wrong] : numbers.reduce((sum: number, number) => sum + Number(number), 0);
  },
};

/** Cell for a limit, such as of plus-ones: an empty cell means no limit (null); a limit of 0 is written as 0. */
export const limitCell: Cell<number | null> = {
  ...numberCell,
  write: (value) => (value === null ? '' : String(value)),
};

const YES = wordSet(['כן', 'יש', 'v', 'x', '✓', '✔', '✅', '☑', '√', '+', 'true', 'yes', 'y', 'نعم']);
const NO = wordSet(['לא', 'אין', 'ללא', '✗', '✘', '❌', 'false', 'no', 'none', 'n', 'لا']);

/** Reads a yes or no given as a word, a mark or a number; undefined if it is none of these. */
export function yesOrNoIn(text: string): boolean | undefined {
  const number = countPeople(text);
  if (number !== undefined) return number > 0;
  const word = normalizeWord(text);
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/**
 * Cell for a number of people or meals; a yes counts as one. `own` are the words of the column's heading, which the
 * cell may have instead of a number.
 */
export function countCell(own: readonly string[]): Cell<number> {
  const repeated = wordSet(own);
  return {
    read(field, [text]) {
      const count = repeated.has(normalizeWord(text)) ? 1 : (countPeople(text) ?? yesOrNoIn(text));
      if (count === undefined) throw invalidField(field, messages.howManyMeals);
      return Number(count);
    },
    write: numberCell.write,
  };
}

/**
 * Cell with tags. A list may have columns for side and group, whose cells are read as tags too. A tag with a comma is
 * written in quotes.
 */
export const tagsCell: Cell<readonly string[]> = {
  read: (_field, texts) => texts.flatMap(tagsIn),
  write: (value) => value.map((tag) => (/[,;|\n"]|:::/.test(tag) ? quoted(tag) : tag)).join(', '),
};

function tagsIn(text: string): string[] {
  const tag = /\s*(?:"((?:[^"]|"")*)"\s*(?=[,;|\n]|:::|$)|((?:(?!:::)[^,;|\n])*))(?:[,;|\n]|:::|$)/gy;
  const tags = [];
  for (const [all, inQuotes, plain = ''] of text.matchAll(tag)) {
    tags.push((inQuotes?.replaceAll('""', '"') ?? plain).trim());
    if (all === '') break;
  }
  return tags.filter((one) => one !== '');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Cell for labels of Google Contacts: `Family ::: * myContacts`. Google’s own labels have a star. */
export const labelsCell: Pick<Cell<never>, 'read'> = {
  read: (_field, texts) =>
    texts
      .flatMap((text) => text.split(':::'))
      .map((label) => label.trim().replace(/^\*\s*/, ''))
      .filter((label) => label !== 'myContacts' && label !== 'starred'),
};

/** Words in spreadsheets for each value of a field, by language. An export writes the first word. */
export type CellWords<V extends string> = Readonly<
  Record<V, Readonly<Record<SheetLanguage, readonly string[]>>>
>;

/**
 * Cell whose value is written as a word. A text that is no known word is returned as it is and fails later, in the
 * field's own check.
 */
export function wordCell<V extends string>(words: CellWords<V>): Cell<V | null> {
  const named = byWord(words);
  return {
    read: (_field, [text]) => valueNamed(text, named) ?? text,
    accepts: acceptedOf(words),
    write: (value, language) => (value ? (words[value][language][0] ?? value) : ''),
  };
}

function acceptedOf<V extends string>(words: CellWords<V>): Record<Language, string[]> {
  const first = (language: SheetLanguage) =>
    Object.values<CellWords<V>[V]>(words).map((forms) => forms[language][0] ?? '');
  return { he: first('hebrew'), ar: first('arabic'), en: first('english') };
}

function byWord<V extends string>(words: CellWords<V>): ReadonlyMap<string, V> {
  return new Map(
    Object.entries<CellWords<V>[V]>(words).flatMap(([value, forms]) =>
      [value, ...Object.values(forms).flat()].map((word) => [normalizeWord(word), value as V] as const),
    ),
  );
}

function valueNamed<V extends string>(text: string, words: ReadonlyMap<string, V>): V | undefined {
  const word = normalizeWord(text);
  const whole = words.get(word) ?? words.get(word.replace(/[\p{So}\p{Sk}]/gu, '').trim());
  if (whole) return whole;
  // Texts such as `מגיע/ה` or `מתלבטים/מתלבטת` have one meaning; `כן/לא` has two meanings and is no answer.
  const parts = new Set(word.split('/').flatMap((part) => words.get(part.trim()) ?? []));
  return parts.size === 1 ? [...parts][0] : undefined;
}

export const LANGUAGE_WORDS: CellWords<LanguageName> = {
  hebrew: { hebrew: ['עברית'], arabic: ['العبرية', 'عبري'], english: ['hebrew', 'he', 'heb'] },
  arabic: { hebrew: ['ערבית'], arabic: ['العربية', 'عربي'], english: ['arabic', 'ar', 'arab'] },
  english: { hebrew: ['אנגלית'], arabic: ['الإنجليزية', 'إنجليزي'], english: ['english', 'en', 'eng'] },
};

export const KASHRUT_WORDS = {
  none: {
    hebrew: ['לא כשר', 'ללא', 'ללא כשרות', 'אין', 'לא'],
    arabic: ['بدون', 'لا', 'غير كوشير'],
    english: ['none', 'no', 'not kosher'],
  },
  regular: {
    hebrew: ['כשר', 'כשר רגיל', 'רגיל', 'כן'],
    arabic: ['كوشير', 'عادي', 'نعم'],
    english: ['regular', 'kosher', 'yes'],
  },
  mehadrin: {
    hebrew: ['מהדרין', 'כשר למהדרין', 'למהדרין', 'חלק', 'גלאט'],
    arabic: ['مهدرين'],
    english: ['mehadrin', 'glatt'],
  },
  chalav_yisrael: {
    hebrew: ['חלב ישראל'],
    arabic: ['حلاف يسرائيل', 'حليب يسرائيل'],
    english: ['chalav_yisrael', 'chalav yisrael', 'cholov yisroel'],
  },
} as const satisfies CellWords<string>;

export const STATUS_WORDS = {
  confirmed: {
    hebrew: [
      'מגיעים',
      'מגיע',
      'מגיעה',
      'מגיעות',
      'באים',
      'בא',
      'באה',
      'יגיעו',
      'יגיע',
      'תגיע',
      'כן',
      'אישרו הגעה',
      'אישר הגעה',
      'אישרה הגעה',
      'אישרו',
      'אישר',
      'אישרה',
      'אושר',
      'מאשר',
      'מאשרת',
      'מאשרים',
    ],
    arabic: ['قادمون', 'قادم', 'قادمة', 'سيحضر', 'ستحضر', 'سيحضرون', 'حاضر', 'أكد', 'أكدوا', 'مؤكد', 'نعم'],
    english: [
      'confirmed',
      'yes',
      'y',
      'accepted',
      'coming',
      'attending',
      'going',
      'true',
      '1',
      'v',
      '✓',
      '✔',
      '✅',
      '☑',
      '√',
      '👍',
    ],
  },
  declined: {
    hebrew: [
      'לא מגיעים',
      'לא מגיע',
      'לא מגיעה',
      'לא מגיעות',
      'לא באים',
      'לא בא',
      'לא באה',
      'לא יגיעו',
      'לא יגיע',
      'לא',
      'סירבו',
      'סירב',
      'סירבה',
      'ביטלו',
      'ביטל',
      'ביטלה',
      'ביטלו הגעה',
      'לא תגיע',
    ],
    arabic: ['لن يحضروا', 'لن يحضر', 'لن تحضر', 'غير قادم', 'غير قادمين', 'اعتذر', 'اعتذروا', 'اعتذرت', 'لا'],
    english: [
      'declined',
      'no',
      'n',
      'not coming',
      'not attending',
      'not going',
      "can't go",
      "can't come",
      "can't make it",
      "won't attend",
      'regrets',
      'regretfully declines',
      'cancelled',
      'false',
      '0',
      'x',
      '×',
      '✗',
      '✘',
      '✖',
      '❌',
      '👎',
    ],
  },
  pending: {
    hebrew: [
      'טרם ענו',
      'טרם ענה',
      'טרם ענתה',
      'טרם אישרו',
      'לא ענו',
      'לא ענה',
      'לא ענתה',
      'אין תשובה',
      'אין מענה',
      'ממתינים',
      'ממתין',
      'ממתינה',
      'ממתינים לתשובה',
      'ממתין לתשובה',
      'ממתינה לתשובה',
      'בהמתנה',
      'לא ידוע',
    ],
    arabic: ['لم يردوا', 'لم يرد', 'لم ترد', 'بانتظار الرد', 'قيد الانتظار'],
    english: [
      'pending',
      'unknown',
      'no answer',
      'no reply',
      'no response',
      'not responded',
      'awaiting reply',
      '?',
      '⏳',
    ],
  },
  maybe: {
    hebrew: [
      'מתלבטים',
      'מתלבט',
      'מתלבטת',
      'מתלבטות',
      'אולי',
      'לא יודעים',
      'עוד לא יודעים',
      'עדיין לא יודעים',
      'לא בטוחים',
      'לא בטוח',
      'לא בטוחה',
    ],
    arabic: ['مترددون', 'متردد', 'مترددة', 'ربما'],
    english: ['maybe', 'not sure', 'tentative', 'undecided'],
  },
} as const satisfies CellWords<string>;

/**
 * Words in a spreadsheet for guests on the waiting list. They said yes: after an import they keep their position or get
 * a place.
 */
const WAITING: Readonly<Record<SheetLanguage, string>> = {
  hebrew: 'ברשימת המתנה',
  arabic: 'في قائمة الانتظار',
  english: 'waiting',
};

type Status = keyof typeof STATUS_WORDS;
const statusByWord = byWord<Status>(STATUS_WORDS);
const waitingWords = Object.values(WAITING).map(normalizeWord);

/** Answer to the invitation that a cell's text expresses; undefined if it expresses none. */
export function statusIn(text: string): Status | undefined {
  return waitingWords.includes(normalizeWord(text)) ? 'confirmed' : valueNamed(text, statusByWord);
}

/** Reads the number of people from an answer such as `Yes (3)`. `Yes (1)` means yes without a number. */
function numberOfYes(text: string): string | undefined {
  const [, word = '', number = ''] = /^([^\d()]+)\(?(\d{1,3})\)?$/.exec(text.trim()) ?? [];
  if (statusIn(word.replace(/[\s,:–-]+$/, '')) !== 'confirmed') return undefined;
  return Number(number) > 1 ? number : 'confirmed';
}

/** Cell for a guest's answer to the invitation; `waiting` stands for a guest on the waiting list. */
export const statusCell: Cell<Status | 'waiting'> = {
  read: (_field, [text]) => statusIn(text) ?? numberOfYes(text) ?? text,
  // Some lists have the number of people in the column for the answer.
  rest: restOfPeople,
  accepts: acceptedOf<Status>(STATUS_WORDS),
  write: (value, language) =>
    (value === 'waiting' ? WAITING[language] : STATUS_WORDS[value][language][0]) ?? '',
};
