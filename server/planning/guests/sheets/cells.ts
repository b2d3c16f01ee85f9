import { FieldProblem } from '../../../kernel/fields.ts';
import { readablePhone } from '../phone.ts';

/** The languages a sheet's headings and words are written in; both are read. */
export type SheetLanguage = 'hebrew' | 'english';

/** How a field stands in a cell of a spreadsheet: written so that an import reads it back as the same. */
export interface Cell<T> {
  /** What the body of a request would have for it; `more` are other columns of the same name. */
  read(field: string, text: string, more: readonly string[]): unknown;
  write(value: T, language: SheetLanguage): string;
}

export const textCell: Cell<string | null> = {
  read: (_field, text) => text,
  write: (value) => value ?? '',
};

export const phoneCell: Cell<string | null> = {
  read: (_field, text) => text,
  write: (value) => (value ? readablePhone(value) : ''),
};

/** A number, empty where it is 0. What is no number is judged like any other value. */
export const numberCell: Cell<number> = {
  read: (_field, text) => (/^\d{1,9}(\.0+)?$/.test(text) ? Number(text) : text),
  write: (value) => (value > 0 ? String(value) : ''),
};

const YES = ['כן', 'v', 'x', '✓', '✔', 'true', '1', 'yes', 'y', 'نعم'];
const NO = ['לא', 'false', '0', 'no', 'n', '-', 'لا'];

export const flagCell: Cell<boolean> = {
  read(field, text) {
    const word = text.toLowerCase();
    if (YES.includes(word)) return true;
    if (NO.includes(word)) return false;
    throw new FieldProblem(field, { kind: 'yes_or_no' });
  },
  write: (value, language) => (value ? (language === 'hebrew' ? 'כן' : 'yes') : ''),
};

/** Side and group may be columns of their own; both are tags. */
export const tagsCell: Cell<readonly string[]> = {
  read: (_field, text, more) =>
    [text, ...more].flatMap((one) => one.split(/[,;|\n]/)).map((tag) => tag.trim()),
  write: (value) => value.join(', '),
};

export type CellWords = Readonly<Record<string, readonly string[]>>;

/** A value that goes by words: each value's, the Hebrew one to write first. What is none of them is judged as it is. */
export function wordCell(words: CellWords): Cell<string | null> {
  return {
    read: (_field, text) => valueNamed(text, words),
    write: (value, language) => (language === 'hebrew' && value ? words[value]?.[0] : value) ?? '',
  };
}

function valueNamed(text: string, words: CellWords): string {
  const word = text.toLowerCase().replace(/\s+/g, ' ');
  return Object.entries(words).find(([value, forms]) => value === word || forms.includes(word))?.[0] ?? word;
}

export const LANGUAGE_WORDS = {
  hebrew: ['עברית', 'he', 'heb', 'عبري', 'العبرية'],
  arabic: ['ערבית', 'ar', 'arab', 'عربي', 'العربية'],
  english: ['אנגלית', 'en', 'eng', 'الإنجليزية'],
} as const;

export const KASHRUT_WORDS = {
  none: ['לא כשר', 'ללא', 'ללא כשרות', 'אין', 'no'],
  regular: ['כשר', 'כשר רגיל', 'רגיל', 'kosher', 'yes'],
  mehadrin: ['מהדרין', 'כשר למהדרין', 'למהדרין', 'glatt', 'חלק'],
  chalav_yisrael: ['חלב ישראל', 'chalav yisrael', 'cholov yisroel'],
} as const;

/** Who waits said yes: read again, they keep their turn or get a place. */
export const STATUS_WORDS = {
  confirmed: [
    'מגיעים',
    'מגיע',
    'מגיעה',
    'אישר',
    'אישרה',
    'אישרו',
    'אושר',
    'כן',
    'yes',
    'v',
    '✓',
    'accepted',
    'coming',
    'attending',
    'waiting',
    'ברשימת המתנה',
  ],
  declined: ['לא מגיעים', 'לא מגיע', 'לא מגיעה', 'סירב', 'סירבה', 'לא', 'no', 'not coming', 'not attending'],
  pending: [
    'טרם ענו',
    'ממתין',
    'ממתינה',
    'ממתינים',
    'טרם ענה',
    'לא ענה',
    'אולי',
    'maybe',
    'unknown',
    'no answer',
  ],
} as const;

/** An answer, and whether it waits for a place. */
export const statusCell: Cell<keyof typeof STATUS_WORDS | 'waiting'> = {
  read: (_field, text) => valueNamed(text, STATUS_WORDS),
  write: (value, language) => {
    if (language === 'english') return value;
    return value === 'waiting' ? 'ברשימת המתנה' : STATUS_WORDS[value][0];
  },
};
