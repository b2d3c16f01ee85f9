import { choice, FieldProblem } from '../../../kernel/fields.ts';
import { RSVP_STATUSES } from '../contract.ts';
import type { Column } from './headings.ts';

/** A row as the body a guest could be made from; empty cells are absent, so that they change nothing. */
export function recordOf(
  columns: readonly (Column | undefined)[],
  cells: readonly string[],
): Record<string, unknown> {
  const texts = new Map<Column, string[]>();
  for (const [index, column] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    if (column && text) texts.set(column, [...(texts.get(column) ?? []), text]);
  }
  const record: Record<string, unknown> = {};
  for (const [column, [first = '', ...more]] of texts) {
    const read = READERS[column];
    record[column] = read ? read(first, more) : first;
  }
  const { first_name, last_name, ...fields } = record;
  const names = [first_name, last_name].filter(Boolean).join(' ');
  return { ...(names && { name: names }), ...fields };
}

const READERS: Partial<Record<Column, (text: string, more: string[]) => unknown>> = {
  // Side and group may be columns of their own; both are tags.
  tags: (text, more) => [text, ...more].flatMap((one) => one.split(/[,;|\n]/)).map((tag) => tag.trim()),
  party_size: wholeNumber,
  coming: wholeNumber,
  vegetarian: (text) => yesOrNo('vegetarian', text),
  vegan: (text) => yesOrNo('vegan', text),
  language: (text) => named(text, LANGUAGE_WORDS),
  kashrut_level: (text) => named(text, KASHRUT_WORDS),
  rsvp_status: (text) => choice('rsvp_status', named(text, STATUS_WORDS), RSVP_STATUSES),
};

function wholeNumber(text: string): unknown {
  return /^\d{1,9}(\.0+)?$/.test(text) ? Number(text) : text;
}

const YES = new Set(['כן', 'v', 'x', '✓', '✔', 'true', '1', 'yes', 'y', 'نعم']);
const NO = new Set(['לא', 'false', '0', 'no', 'n', '-', 'لا']);

function yesOrNo(field: string, text: string): boolean {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new FieldProblem(field, { kind: 'yes_or_no' });
}

/** The value a word stands for; the word itself where it stands for none, to be judged like any other. */
function named(text: string, words: Readonly<Record<string, readonly string[]>>): string {
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
    'מגיע',
    'מגיעה',
    'מגיעים',
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
  declined: ['לא מגיע', 'לא מגיעה', 'לא מגיעים', 'סירב', 'סירבה', 'לא', 'no', 'not coming', 'not attending'],
  pending: [
    'ממתין',
    'ממתינה',
    'ממתינים',
    'טרם ענה',
    'טרם ענו',
    'לא ענה',
    'אולי',
    'maybe',
    'unknown',
    'no answer',
  ],
} as const;
