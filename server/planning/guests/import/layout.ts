import { FieldProblem, invalidField } from '../../../kernel/fields.ts';
import { isUuid } from '../../../kernel/identifiers.ts';
import { LARGEST_PARTY } from '../fields.ts';
import { messages } from '../messages.ts';
import type { QuestionColumn } from '../question-columns.ts';
import { countPeople } from '../sheets/people.ts';
import { columnIndexOf, columnLetters, isFilled, SHEET_LIMITS, type SheetRow } from '../sheets/sheet.ts';
import { normalizeWord } from '../sheets/words.ts';
import { type Column, columnsOf, headingForm, type Mapped, mayBeRowNumber } from './headings.ts';

/** Fields that an organizer assigned to columns, by heading, letters or number. */
export type Mapping = Readonly<Record<string, Mapped>>;

/** Number of filled rows among which the headings are searched for. */
export const HEADINGS_WITHIN = 20;
/** Number of rows below the headings that are read to recognize the columns. */
export const ROWS_BELOW_HEADINGS = 200;

/** Part of a column that has to look like row numbers for the column to be taken for them. */
const NEARLY = 0.9;
/** Minimum number of unordered values. Shorter columns may be party sizes that happen to be distinct. */
const FEWEST_OUT_OF_ORDER = 8;
/** Row numbers of a list from which rows were deleted reach at most this multiple of the number of rows. */
const FARTHEST_APART = 3;

/** Reasons for leaving out a column although its heading is known. */
export const LEFT_BECAUSE = ['row_numbers', 'no_ids', 'second'] as const;
export type LeftBecause = (typeof LEFT_BECAUSE)[number];

export interface SheetColumn {
  /** Letters that spreadsheets show for the column, such as `B`. */
  letters: string;
  heading: string;
  field: Column | undefined;
  /** Id of the event’s question whose answers are in this column. */
  question?: string;
  left?: LeftBecause;
  /** A few values of the column. */
  samples: string[];
}

/** Interpretation of a sheet: the row of its headings, and the field in each column. */
export interface Layout {
  /** Number of the row with the headings; null if there are none. */
  headings: number | null;
  columns: SheetColumn[];
}

const NAMES: readonly (Mapped | undefined)[] = ['name', 'first_name', 'last_name', 'husband', 'wife'];
/** Fields whose values may be spread over several columns, which are read together. */
const TOGETHER: readonly Column[] = [
  'phone',
  'email',
  'tags',
  'table',
  'labels',
  'note',
  'allergies',
  'adults',
  'party_children',
];
const MOST_SAMPLES = 3;
const LONGEST_SAMPLE = 40;
const LONGEST_HEADING = 100;

/**
 * Detects the layout of a sheet from its first rows. Throws a FieldProblem if the mapping names a column that does
 * not exist.
 */
export function detectLayout(
  start: readonly SheetRow[],
  mapping: Mapping,
  questions: readonly QuestionColumn[] = [],
): Layout {
  const headings = headingsIn(start.slice(0, HEADINGS_WITHIN), mapping);
  const rows = headings ? start.slice(start.indexOf(headings) + 1) : start;
  const width = Math.min(SHEET_LIMITS.columns, Math.max(0, ...start.map(({ cells }) => widthOf(cells))));
  const names = Array.from({ length: width }, (_, index) => (headings?.cells[index] ?? '').trim());
  const mapped = mappedColumns(names, mapping);
  refuseTwice(mapped);
  const known = columnsOf(names);
  const taken = new Set(mapped.filter((field) => field !== undefined));
  const isExport = mapped.includes('id') || known.some((field, at) => field === 'id' && hasIds(rows, at));
  const asked = questionsOf(names, questions, (at) => Boolean(mapped[at] ?? known[at]));
  const columns = names.map((heading, index): SheetColumn => {
    const texts = rows.map(({ cells }) => (cells[index] ?? '').trim()).filter(isFilled);
    const field = mapped[index] ?? known[index];
    const column = {
      letters: columnLetters(index),
      heading: heading.slice(0, LONGEST_HEADING),
      field: field === 'ignore' ? undefined : field,
      samples: [...new Set(texts)].slice(0, MOST_SAMPLES).map((text) => text.slice(0, LONGEST_SAMPLE)),
    };
    const question = asked[index];
    if (question) return { ...column, question };
    if (mapped[index] || !column.field) return column;
    const fits = byItsValues(column.field, texts, known);
    const left = leftBecause(fits, heading, texts, { isExport, taken });
    if (!left) taken.add(fits);
    return { ...column, field: left ? undefined : fits, ...(left && { left }) };
  });
  return { headings: headings?.row ?? null, columns };
}

/** Finds the question that each remaining column answers. Questions with the same text are assigned in their order. */
function questionsOf(
  headings: readonly string[],
  questions: readonly QuestionColumn[],
  isOther: (at: number) => boolean,
): (string | undefined)[] {
  const left = questions.map(({ id, headings }) => ({ id, forms: headings.map(headingForm) }));
  return headings.map((heading, at) => {
    const form = headingForm(heading);
    const found = form === '' || isOther(at) ? -1 : left.findIndex(({ forms }) => forms.includes(form));
    return found < 0 ? undefined : left.splice(found, 1)[0]?.id;
  });
}

/** True if the sheet has a column of names, without which no row can be a guest. */
export function hasNames({ columns }: Layout): boolean {
  return columns.some(({ field }) => NAMES.includes(field));
}

/**
 * Finds the row with the most known headings, among them one for names. If there is none, the row is chosen by its
 * look: it differs from the rows below it.
 */
function headingsIn(rows: readonly SheetRow[], mapping: Mapping): SheetRow | undefined {
  const fieldByKey = new Map(Object.entries(mapping).map(([key, field]) => [headingForm(key), field]));
  let best: SheetRow | undefined;
  let most = 0;
  for (const row of rows) {
    const worth = countKnownHeadings(row.cells, fieldByKey);
    const known = columnsOf(row.cells);
    const mapped = mappedColumns(row.cells, mapping, 'as far as it goes');
    const isNamed = row.cells.some((cell, at) =>
      NAMES.includes(fieldByKey.get(headingForm(cell)) ?? known[at]),
    );
    // A known word may also be in a guest's row. If only letters or numbers in the mapping name the column of names,
    // one known heading is therefore not enough.
    const mayBe = isNamed || (worth > 1 && mapped.some((field) => NAMES.includes(field)));
    if (mayBe && worth > most) {
      best = row;
      most = worth;
    }
  }
  return best ?? headingsByLook(rows);
}

/** Number of cells that are known headings, or headings in the mapping. */
export function countKnownHeadings(
  cells: readonly string[],
  mapped: ReadonlyMap<string, Mapped> = new Map(),
): number {
  const known = columnsOf(cells);
  const forms = cells.map(
    (cell, at) => known[at] ?? (mapped.has(headingForm(cell)) ? headingForm(cell) : ''),
  );
  return new Set(forms.filter((form) => form !== '')).size;
}

/** First of the rows with the most cells, if it has no digit or email address while a row below has one. */
function headingsByLook(rows: readonly SheetRow[]): SheetRow | undefined {
  const isData = ({ cells }: SheetRow) => cells.some((cell) => /[\d@]/.test(cell));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.filter(isFilled).length));
  const first = rows.find(({ cells }) => cells.filter(isFilled).length === width);
  if (!first || isData(first)) return undefined;
  return rows.slice(rows.indexOf(first) + 1).some(isData) ? first : undefined;
}

/** Fields that the mapping assigns to each column. */
function mappedColumns(
  headings: readonly string[],
  mapping: Mapping,
  strictly: 'strictly' | 'as far as it goes' = 'strictly',
): (Mapped | undefined)[] {
  const mapped: (Mapped | undefined)[] = headings.map(() => undefined);
  const forms = headings.map(headingForm);
  for (const [key, field] of Object.entries(mapping)) {
    const form = headingForm(key);
    const named = [...forms.keys()].filter((at) => form !== '' && forms[at] === form);
    for (const at of named.length > 0 ? named : [placeNamed(key)]) {
      if (at !== undefined && at < headings.length) mapped[at] = field;
      else if (strictly === 'strictly') throw unknownColumn(key, headings);
    }
  }
  return mapped;
}

/** Index of the column named by letters or by a number. */
function placeNamed(key: string): number | undefined {
  return /^[1-9]\d{0,2}$/.test(key) ? Number(key) - 1 : columnIndexOf(key.trim().toUpperCase());
}

function refuseTwice(mapped: readonly (Mapped | undefined)[]): void {
  for (const [at, field] of mapped.entries()) {
    const before = mapped.indexOf(field);
    if (!field || field === 'ignore' || TOGETHER.includes(field) || before === at) continue;
    throw invalidField('mapping', messages.mappedTwice(field, columnLetters(before), columnLetters(at)));
  }
}

function unknownColumn(key: string, headings: readonly string[]): FieldProblem {
  const names = headings.map((heading, at) =>
    isFilled(heading)
      ? `${columnLetters(at)} (${heading.trim().slice(0, LONGEST_SAMPLE)})`
      : columnLetters(at),
  );
  return new FieldProblem(`mapping.${key}`, { kind: 'unknown', names: names.slice(0, 50) });
}

/** Recognizes lists that have the number of people in a column called “confirmed” or the like. */
function byItsValues(
  field: Column,
  texts: readonly string[],
  known: readonly (Column | undefined)[],
): Column {
  if (field !== 'rsvp_status' || known.includes('coming')) return field;
  const numbers = texts.map(countPeople);
  const areCounts =
    numbers.every((number) => number !== undefined) && numbers.some((number) => Number(number) > 1);
  return areCounts ? 'coming' : field;
}

function leftBecause(
  field: Column,
  heading: string,
  texts: readonly string[],
  { isExport, taken }: { isExport: boolean; taken: ReadonlySet<Mapped> },
): LeftBecause | undefined {
  // Exports have a known layout, so their numbers need no guess.
  if (field === 'party_size' && !isExport && areRowNumbers(texts, heading)) return 'row_numbers';
  if (field === 'id' && !texts.some(isUuid)) return texts.length > 0 ? 'no_ids' : undefined;
  if (taken.has(field) && !TOGETHER.includes(field)) return 'second';
  return undefined;
}

/**
 * True if the numbers of a column number the rows: consecutive, or, in a list that was sorted or shortened, distinct.
 */
function areRowNumbers(texts: readonly string[], heading = ''): boolean {
  const numbers = texts.map(rowNumberIn).filter((number) => number !== undefined);
  const steps = numbers.slice(1).filter((number, at) => number === (numbers[at] ?? 0) + 1).length;
  // Two rows with 1 and 2 may be parties of one and two people.
  const areSteps = steps >= (mayBeRowNumber(heading) ? 1 : 2) && steps >= (texts.length - 1) * NEARLY;
  return areSteps || areOutOfOrder(numbers, texts.length);
}

/** Row numbers are written `7`, `7.`, `7)` or `#7`. */
function rowNumberIn(text: string): number | undefined {
  const [, digits] = /^#? ?(\d{1,6})(?:\.0+)?\)?$/.exec(normalizeWord(text)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Recognizes row numbers out of order. Sizes of families repeat; the sizes of a few large groups may be distinct, but
 * then they are far apart.
 */
function areOutOfOrder(numbers: readonly number[], rows: number): boolean {
  const most = Math.max(0, ...numbers);
  const areDistinct = numbers.length >= FEWEST_OUT_OF_ORDER && new Set(numbers).size >= rows * NEARLY;
  if (!areDistinct || most < rows * NEARLY) return false;
  const grow = numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
  return grow || most <= rows * FARTHEST_APART || most > LARGEST_PARTY;
}

function hasIds(rows: readonly SheetRow[], column: number): boolean {
  return rows.some(({ cells }) => isUuid((cells[column] ?? '').trim()));
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex(isFilled) + 1;
}
