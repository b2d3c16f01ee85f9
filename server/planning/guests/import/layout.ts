import { FieldProblem, invalidField } from '../../../kernel/fields.ts';
import { isUuid } from '../../../kernel/identifiers.ts';
import { LARGEST_PARTY } from '../fields.ts';
import { messages } from '../messages.ts';
import type { QuestionColumn } from '../question-columns.ts';
import { peopleIn } from '../sheets/people.ts';
import { columnNamed, isFilled, LIMITS, lettersOf, type SheetRow } from '../sheets/sheet.ts';
import { wordForm } from '../sheets/words.ts';
import { type Column, columnsOf, headingForm, type Mapped, mayBeRowNumber } from './headings.ts';

/** What an organizer says that columns are, by heading, letters or number. */
export type Mapping = Readonly<Record<string, Mapped>>;

/** Rows with something in them, among which the headings are looked for. */
export const HEADINGS_WITHIN = 20;
/** Rows that are looked at to tell what a column is. */
export const LOOKED_AT = 200;

/** How much of a column has to be numbers of rows. */
const NEARLY = 0.9;
/** Fewer may be sizes of which no two happen to be the same. */
const FEWEST_OUT_OF_ORDER = 8;
/** How many times their count the numbers of the rows reach that are left. */
const FARTHEST_APART = 3;

/** Why a column is left out that is called like one of ours. */
export const LEFT_BECAUSE = ['row_numbers', 'no_ids', 'second'] as const;
export type LeftBecause = (typeof LEFT_BECAUSE)[number];

export interface SheetColumn {
  /** As spreadsheets show it, `B`. */
  letters: string;
  heading: string;
  field: Column | undefined;
  /** The id of the event’s question that is answered in it. */
  question?: string;
  left?: LeftBecause;
  /** Some of what stands in it. */
  samples: string[];
}

/** How a sheet is to be read. */
export interface Layout {
  /** The row of the headings; null where there are none. */
  headings: number | null;
  columns: SheetColumn[];
}

const NAMES: readonly (Mapped | undefined)[] = ['name', 'first_name', 'last_name', 'husband', 'wife'];
/** Of these, several columns are read together. */
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

/** What the columns of a sheet are, by the rows with which it begins. Throws a FieldProblem for a mapping that does not fit. */
export function layoutOf(
  start: readonly SheetRow[],
  mapping: Mapping,
  questions: readonly QuestionColumn[] = [],
): Layout {
  const headings = headingsIn(start.slice(0, HEADINGS_WITHIN), mapping);
  const rows = headings ? start.slice(start.indexOf(headings) + 1) : start;
  const width = Math.min(LIMITS.columns, Math.max(0, ...start.map(({ cells }) => widthOf(cells))));
  const names = Array.from({ length: width }, (_, index) => (headings?.cells[index] ?? '').trim());
  const said = mappedColumns(names, mapping);
  refuseTwice(said);
  const known = columnsOf(names);
  const taken = new Set(said.filter((field) => field !== undefined));
  const isExport = said.includes('id') || known.some((field, at) => field === 'id' && hasIds(rows, at));
  const asked = questionsOf(names, questions, (at) => Boolean(said[at] ?? known[at]));
  const columns = names.map((heading, index): SheetColumn => {
    const texts = rows.map(({ cells }) => (cells[index] ?? '').trim()).filter(isFilled);
    const field = said[index] ?? known[index];
    const column = {
      letters: lettersOf(index),
      heading: heading.slice(0, LONGEST_HEADING),
      field: field === 'ignore' ? undefined : field,
      samples: [...new Set(texts)].slice(0, MOST_SAMPLES).map((text) => text.slice(0, LONGEST_SAMPLE)),
    };
    const question = asked[index];
    if (question) return { ...column, question };
    if (said[index] || !column.field) return column;
    const fits = byItsValues(column.field, texts, known);
    const left = leftBecause(fits, heading, texts, { isExport, taken });
    if (!left) taken.add(fits);
    return { ...column, field: left ? undefined : fits, ...(left && { left }) };
  });
  return { headings: headings?.row ?? null, columns };
}

/** Which question is answered in each column that is nothing else; of two that are called the same, in their order. */
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

/** Whether its rows can be guests at all. */
export function hasNames({ columns }: Layout): boolean {
  return columns.some(({ field }) => NAMES.includes(field));
}

/**
 * The row that reads best as headings: which knows most of them, names among them. Without one, what does not look like
 * what comes below it.
 */
function headingsIn(rows: readonly SheetRow[], mapping: Mapping): SheetRow | undefined {
  const mapped = new Map(Object.entries(mapping).map(([key, field]) => [headingForm(key), field]));
  let best: SheetRow | undefined;
  let most = 0;
  for (const row of rows) {
    const worth = worthAsHeadings(row.cells, mapped);
    const known = columnsOf(row.cells);
    const said = mappedColumns(row.cells, mapping, 'as far as it goes');
    const isNamed = row.cells.some((cell, at) => NAMES.includes(mapped.get(headingForm(cell)) ?? known[at]));
    // A word that we know may stand among guests, too, where only letters or a number say who they are.
    const mayBe = isNamed || (worth > 1 && said.some((field) => NAMES.includes(field)));
    if (mayBe && worth > most) {
      best = row;
      most = worth;
    }
  }
  return best ?? headingsByLook(rows);
}

/** How many columns of ours, or of a mapping, these cells name. */
export function worthAsHeadings(
  cells: readonly string[],
  mapped: ReadonlyMap<string, Mapped> = new Map(),
): number {
  const known = columnsOf(cells);
  const forms = cells.map(
    (cell, at) => known[at] ?? (mapped.has(headingForm(cell)) ? headingForm(cell) : ''),
  );
  return new Set(forms.filter((form) => form !== '')).size;
}

/** The first of the fullest rows, if no digit or address stands in it and some do below. */
function headingsByLook(rows: readonly SheetRow[]): SheetRow | undefined {
  const isData = ({ cells }: SheetRow) => cells.some((cell) => /[\d@]/.test(cell));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.filter(isFilled).length));
  const first = rows.find(({ cells }) => cells.filter(isFilled).length === width);
  if (!first || isData(first)) return undefined;
  return rows.slice(rows.indexOf(first) + 1).some(isData) ? first : undefined;
}

/** What a mapping says of each column. */
function mappedColumns(
  headings: readonly string[],
  mapping: Mapping,
  strictly: 'strictly' | 'as far as it goes' = 'strictly',
): (Mapped | undefined)[] {
  const said: (Mapped | undefined)[] = headings.map(() => undefined);
  const forms = headings.map(headingForm);
  for (const [key, field] of Object.entries(mapping)) {
    const form = headingForm(key);
    const named = [...forms.keys()].filter((at) => form !== '' && forms[at] === form);
    for (const at of named.length > 0 ? named : [placeNamed(key)]) {
      if (at !== undefined && at < headings.length) said[at] = field;
      else if (strictly === 'strictly') throw unknownColumn(key, headings);
    }
  }
  return said;
}

/** The column that letters or a number name. */
function placeNamed(key: string): number | undefined {
  return /^[1-9]\d{0,2}$/.test(key) ? Number(key) - 1 : columnNamed(key.trim().toUpperCase());
}

function refuseTwice(said: readonly (Mapped | undefined)[]): void {
  for (const [at, field] of said.entries()) {
    const before = said.indexOf(field);
    if (!field || field === 'ignore' || TOGETHER.includes(field) || before === at) continue;
    throw invalidField('mapping', messages.mappedTwice(field, lettersOf(before), lettersOf(at)));
  }
}

function unknownColumn(key: string, headings: readonly string[]): FieldProblem {
  const names = headings.map((heading, at) =>
    isFilled(heading) ? `${lettersOf(at)} (${heading.trim().slice(0, LONGEST_SAMPLE)})` : lettersOf(at),
  );
  return new FieldProblem(`mapping.${key}`, { kind: 'unknown', names: names.slice(0, 50) });
}

/** Some lists say under “confirmed” how many come. */
function byItsValues(
  field: Column,
  texts: readonly string[],
  known: readonly (Column | undefined)[],
): Column {
  if (field !== 'rsvp_status' || known.includes('coming')) return field;
  const numbers = texts.map(peopleIn);
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
  // An export says itself what its columns are.
  if (field === 'party_size' && !isExport && areRowNumbers(texts, heading)) return 'row_numbers';
  if (field === 'id' && !texts.some(isUuid)) return texts.length > 0 ? 'no_ids' : undefined;
  if (taken.has(field) && !TOGETHER.includes(field)) return 'second';
  return undefined;
}

/** Whether the numbers count the rows: in their order, or, after sorting and deleting, as no two of them are the same. */
function areRowNumbers(texts: readonly string[], heading = ''): boolean {
  const numbers = texts.map(rowNumberIn).filter((number) => number !== undefined);
  const steps = numbers.slice(1).filter((number, at) => number === (numbers[at] ?? 0) + 1).length;
  // Two rows that say 1 and 2 may well be of one and of two people.
  const areSteps = steps >= (mayBeRowNumber(heading) ? 1 : 2) && steps >= (texts.length - 1) * NEARLY;
  return areSteps || areOutOfOrder(numbers, texts.length);
}

/** `7`, and as lists are numbered: `7.`, `7)`, `#7`. */
function rowNumberIn(text: string): number | undefined {
  const [, digits] = /^#? ?(\d{1,6})(?:\.0+)?\)?$/.exec(wordForm(text)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Families are of the same few sizes; a few groups may each be of another, and then lie far apart. */
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
