import { FieldProblem, invalidField } from '../../../kernel/fields.ts';
import { isUuid } from '../../../kernel/identifiers.ts';
import { LARGEST_PARTY } from '../fields.ts';
import { messages } from '../messages.ts';
import type { QuestionColumn } from '../question-columns.ts';
import { countPeople } from '../sheets/people.ts';
import { columnIndexOf, columnLetters, isFilled, SHEET_LIMITS, type SheetRow } from '../sheets/sheet.ts';
import { normalizeWord } from '../sheets/words.ts';
import { columnsByContent } from './column-content.ts';
import {
  type Column,
  columnsOf,
  headingForm,
  type Mapped,
  mayBeNamesOrNumbers,
  mayBeRowNumber,
} from './headings.ts';

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
export const LEFT_BECAUSE = ['row_numbers', 'no_numbers', 'no_ids', 'second'] as const;
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

/** Reasons for leaving out a list. */
export const LIST_LEFT_BECAUSE = ['not_chosen', 'hidden', 'no_names', 'other_content'] as const;
export type ListLeftBecause = (typeof LIST_LEFT_BECAUSE)[number];

/** List of guests within a file: a sheet, or some columns of a sheet that has several lists side by side. */
export interface GuestList {
  /** Name of the sheet; empty for a file without sheets. */
  sheet: string;
  /** Index of the sheet in the file. */
  sheetIndex: number;
  /** Index of the list's first column in the sheet. */
  first: number;
  /** Title above the list, if there are several side by side. */
  title?: string;
  /** Number of the row with the headings; null if there are none. */
  headings: number | null;
  columns: SheetColumn[];
  /** True if most rows have more than one filled cell, so that a single text is a title among them. */
  hasWideRows: boolean;
  /** True if few rows have a cell merged over several columns, so that such a cell is a title. */
  hasMergedTitles: boolean;
  left?: ListLeftBecause;
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
  'partner',
  'party_children',
];
const MOST_SAMPLES = 3;
const LONGEST_SAMPLE = 40;
const LONGEST_HEADING = 100;
/** Part of the rows of a list that counts as most of them. */
const MOSTLY = 0.6;

/**
 * Detects the lists of a sheet from its first rows. Keys of the mapping that name a column of this sheet are added to
 * `matched`.
 */
export function detectLists(
  { sheet, sheetIndex }: Pick<GuestList, 'sheet' | 'sheetIndex'>,
  start: readonly SheetRow[],
  mapping: Mapping,
  questions: readonly QuestionColumn[] = [],
  matched: Set<string> = new Set(),
): GuestList[] {
  const own = mappingOf(sheet, mapping);
  const headings = headingsIn(start.slice(0, HEADINGS_WITHIN), own);
  const rows = headings ? start.slice(start.indexOf(headings) + 1) : start;
  const width = Math.min(SHEET_LIMITS.columns, Math.max(0, ...start.map(({ cells }) => widthOf(cells))));
  const names = Array.from({ length: width }, (_, index) => (headings?.cells[index] ?? '').trim());
  const mapped = mappedColumns(names, own, matched);
  const blocks = blocksOf(names, mapped);
  return blocks.map(({ first, until }): GuestList => {
    const within = { names: names.slice(first, until), mapped: mapped.slice(first, until) };
    const below = rows.map(({ cells }) => cells.slice(first, until)).filter((cells) => cells.some(isFilled));
    const wide = below.filter((cells) => cells.filter(isFilled).length > 1).length;
    const title = blocks.length > 1 && headings ? titleAbove(start, headings, first, until) : undefined;
    return {
      sheet,
      sheetIndex,
      first,
      headings: headings?.row ?? null,
      columns: columnsOfList(first, within, below, questions),
      hasWideRows: wide >= below.length * MOSTLY,
      hasMergedTitles: rows.filter((row) => row.wide).length <= rows.length * (1 - MOSTLY),
      ...(title && { title }),
    };
  });
}

/** Refuses keys of a mapping that name no column of any sheet. */
export function refuseUnmatched(
  mapping: Mapping,
  matched: ReadonlySet<string>,
  lists: readonly GuestList[],
): void {
  const stranger = Object.keys(mapping).find((key) => !matched.has(key));
  if (stranger !== undefined) throw unknownColumn(stranger, lists);
}

interface MappedKey {
  /** Key as it is in the mapping. */
  written: string;
  /** Key without the name of the sheet. */
  key: string;
  field: Mapped;
}

/** Part of a mapping that concerns a sheet: `צד כלה!B` concerns one sheet, `B` all of them. */
function mappingOf(sheet: string, mapping: Mapping): MappedKey[] {
  const keys = Object.entries(mapping).map(([written, field]) => {
    const isOwn = sheet !== '' && written.startsWith(`${sheet}!`);
    return { written, key: isOwn ? written.slice(sheet.length + 1) : written, field, isOwn };
  });
  // Keys of the sheet come last, so that they outweigh those of all sheets.
  return [...keys.filter(({ isOwn }) => !isOwn), ...keys.filter(({ isOwn }) => isOwn)];
}

/**
 * Finds lists that stand side by side: a heading for names that comes again begins another list, together with the
 * headings before it that are the same as those before the first one.
 */
function blocksOf(
  names: readonly string[],
  mapped: readonly (Mapped | undefined)[],
): { first: number; until: number }[] {
  const known = columnsOf(names);
  const field = (at: number) => mapped[at] ?? known[at];
  const firstName = names.findIndex((_, at) => NAMES.includes(field(at)));
  const again = [...names.keys()].filter(
    (at) =>
      firstName >= 0 &&
      at > firstName &&
      field(at) === field(firstName) &&
      isSameHeading(names, at, firstName),
  );
  const starts = again.map((at) => {
    let before = 0;
    while (
      before < firstName &&
      at - before - 1 > firstName &&
      isSameHeading(names, at - before - 1, firstName - before - 1)
    )
      before += 1;
    return at - before;
  });
  const [, ...ends] = [0, ...starts, names.length];
  return [0, ...starts].map((first, index) => ({ first, until: ends[index] ?? names.length }));
}

function isSameHeading(names: readonly string[], one: number, other: number): boolean {
  const form = headingForm(names[one] ?? '');
  return form !== '' && form === headingForm(names[other] ?? '');
}

/** Nearest text above the headings within some columns. */
function titleAbove(
  start: readonly SheetRow[],
  headings: SheetRow,
  first: number,
  until: number,
): string | undefined {
  const above = start.slice(0, start.indexOf(headings)).reverse();
  const texts = above.map(({ cells }) => cells.slice(first, until).find(isFilled)?.trim());
  return texts.find((text) => text !== undefined)?.slice(0, LONGEST_HEADING);
}

function columnsOfList(
  first: number,
  { names, mapped }: { names: readonly string[]; mapped: readonly (Mapped | undefined)[] },
  rows: readonly (readonly string[])[],
  questions: readonly QuestionColumn[],
): SheetColumn[] {
  refuseTwice(mapped, first);
  const contents = names.map((_, at) => rows.map((cells) => (cells[at] ?? '').trim()).filter(isFilled));
  const known = names.some(isFilled) ? fieldsOf(names, contents) : columnsByContent(contents);
  const taken = new Set(mapped.filter((field) => field !== undefined));
  const isExport = mapped.includes('id') || known.some((field, at) => field === 'id' && hasIds(rows, at));
  const asked = questionsOf(names, questions, (at) => Boolean(mapped[at] ?? known[at]));
  return names.map((heading, index): SheetColumn => {
    const texts = contents[index] ?? [];
    const field = mapped[index] ?? known[index];
    const column = {
      letters: columnLetters(first + index),
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
}

/** Fields of columns by their headings. Without a column of names, one called “guests” that has no numbers has them. */
function fieldsOf(
  names: readonly string[],
  contents: readonly (readonly string[])[],
): (Column | undefined)[] {
  const known = columnsOf(names);
  if (known.some((field) => NAMES.includes(field))) return known;
  const at = names.findIndex(mayBeNamesOrNumbers);
  const texts = contents[at] ?? [];
  const counts = texts.filter((text) => countPeople(text) !== undefined).length;
  return counts < texts.length * MOSTLY ? known.with(at, 'name') : known;
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

/** True if a list has a column of names, without which no row can be a guest. */
export function hasNames({ columns }: Pick<GuestList, 'columns'>): boolean {
  return columns.some(({ field }) => NAMES.includes(field));
}

/**
 * Finds the row with the most known headings, among them one for names. If there is none, the row is chosen by its
 * look: it differs from the rows below it.
 */
function headingsIn(rows: readonly SheetRow[], mapping: readonly MappedKey[]): SheetRow | undefined {
  const fieldByKey = new Map(mapping.map(({ key, field }) => [headingForm(key), field]));
  let best: SheetRow | undefined;
  let most = 0;
  for (const row of rows) {
    const worth = countKnownHeadings(row.cells, fieldByKey);
    const known = columnsOf(row.cells);
    const mapped = mappedColumns(row.cells, mapping);
    const isNamed = row.cells.some(
      (cell, at) =>
        NAMES.includes(fieldByKey.get(headingForm(cell)) ?? known[at]) || mayBeNamesOrNumbers(cell),
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

/** Fields that the mapping assigns to each column. Keys that name a column are added to `matched`. */
function mappedColumns(
  headings: readonly string[],
  mapping: readonly MappedKey[],
  matched: Set<string> = new Set(),
): (Mapped | undefined)[] {
  const mapped: (Mapped | undefined)[] = headings.map(() => undefined);
  const forms = headings.map(headingForm);
  for (const { written, key, field } of mapping) {
    const form = headingForm(key);
    const named = [...forms.keys()].filter((at) => form !== '' && forms[at] === form);
    for (const at of named.length > 0 ? named : [placeNamed(key)]) {
      if (at === undefined || at >= headings.length) continue;
      mapped[at] = field;
      matched.add(written);
    }
  }
  return mapped;
}

/** Index of the column named by letters or by a number. */
function placeNamed(key: string): number | undefined {
  return /^[1-9]\d{0,2}$/.test(key) ? Number(key) - 1 : columnIndexOf(key.trim().toUpperCase());
}

function refuseTwice(mapped: readonly (Mapped | undefined)[], first: number): void {
  for (const [at, field] of mapped.entries()) {
    const before = mapped.indexOf(field);
    if (!field || field === 'ignore' || TOGETHER.includes(field) || before === at) continue;
    const letters = [before, at].map((index) => columnLetters(first + index)) as [string, string];
    throw invalidField('mapping', messages.mappedTwice(field, ...letters));
  }
}

function unknownColumn(key: string, lists: readonly GuestList[]): FieldProblem {
  const names = lists.flatMap(({ columns }) =>
    columns.map(({ letters, heading }) =>
      heading === '' ? letters : `${letters} (${heading.slice(0, LONGEST_SAMPLE)})`,
    ),
  );
  return new FieldProblem(`mapping.${key}`, { kind: 'unknown', names: [...new Set(names)].slice(0, 50) });
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
  if (field === 'party_size' && texts.length > 1 && !texts.some(hasNumber)) return 'no_numbers';
  if (field === 'id' && !texts.some(isUuid)) return texts.length > 0 ? 'no_ids' : undefined;
  if (taken.has(field) && !TOGETHER.includes(field)) return 'second';
  return undefined;
}

const hasNumber = (text: string): boolean => /\p{Nd}/u.test(text) || countPeople(text) !== undefined;

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

function hasIds(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.some((cells) => isUuid((cells[column] ?? '').trim()));
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex(isFilled) + 1;
}
