import { isUuid } from '../../../kernel/identifiers.ts';
import type { QuestionColumn } from '../question-columns.ts';
import { countPeople } from '../sheets/people.ts';
import { columnLetters, isFilled, SHEET_LIMITS, type SheetRow } from '../sheets/sheet.ts';
import { columnsByContent } from './column-content.ts';
import { type GuestList, type LeftBecause, NAME_COLUMNS, type SheetColumn } from './guest-list.ts';
import {
  type Column,
  columnsOf,
  headingForm,
  type Mapped,
  mayBeNamesOrNumbers,
  mayBePartyName,
} from './headings.ts';
import { type MappedKey, type Mapping, mappedColumns, mappingOf, refuseTwice, TOGETHER } from './mapping.ts';
import { areRowNumbers } from './row-numbers.ts';

/** Number of filled rows, from the top of a sheet, among which the headings are searched for. */
export const HEADINGS_WITHIN = 20;
/** Number of rows below the headings that are read to recognize what each column contains. */
export const ROWS_BELOW_HEADINGS = 200;

const MOST_SAMPLES = 3;
const LONGEST_SAMPLE = 40;
const LONGEST_HEADING = 100;
/** Fraction of a list's rows that counts as "most rows". */
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

/**
 * Divides a sheet's columns into lists that stand side by side: another column of names begins another list, together
 * with those columns before it whose headings repeat the headings before the first column of names.
 */
function blocksOf(
  names: readonly string[],
  mapped: readonly (Mapped | undefined)[],
): { first: number; until: number }[] {
  const known = columnsOf(names);
  const field = (at: number) => mapped[at] ?? known[at];
  const firstName = names.findIndex((_, at) => NAME_COLUMNS.includes(field(at)));
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

/** Nearest text above the headings of some columns, which is the title of a list. */
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
  const hasHeadings = names.some(isFilled);
  const known = hasHeadings ? fieldsOf(names, contents) : columnsByContent(contents);
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
    if (!mapped[index] && hasHeadings && heading === '' && texts.length > 0)
      return { ...column, left: 'no_heading' };
    if (mapped[index] || !column.field) return column;
    const fits = byItsValues(column.field, heading, texts, known);
    const left = leftBecause(fits, heading, texts, { isExport, taken });
    if (!left) taken.add(fits);
    return { ...column, field: left ? undefined : fits, ...(left && { left }) };
  });
}

/**
 * Fields of a list's columns by their headings. If no column has names, a column “guests” without numbers counts as the
 * names.
 */
function fieldsOf(
  names: readonly string[],
  contents: readonly (readonly string[])[],
): (Column | undefined)[] {
  const known = columnsOf(names);
  if (known.some((field) => NAME_COLUMNS.includes(field))) return known;
  const at = names.findIndex(mayBeNamesOrNumbers);
  const texts = contents[at] ?? [];
  const counts = texts.filter((text) => countPeople(text) !== undefined).length;
  return counts < texts.length * MOSTLY ? known.with(at, 'name') : known;
}

/**
 * Finds the event's question that each remaining column of a list answers. Questions with the same text are assigned in
 * their order.
 */
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
        NAME_COLUMNS.includes(fieldByKey.get(headingForm(cell)) ?? known[at]) || mayBeNamesOrNumbers(cell),
    );
    // A row with one known heading may be a guest's row that happens to contain that word. If the mapping names the
    // column of names only by letters or a number, a row of headings therefore needs more than one.
    const mayBe = isNamed || (worth > 1 && mapped.some((field) => NAME_COLUMNS.includes(field)));
    if (mayBe && worth > most) {
      best = row;
      most = worth;
    }
  }
  return best ?? headingsByLook(rows);
}

/** Number of a row's cells that are known headings or keys of the mapping. */
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

/**
 * Finds the row that looks like headings: the first of those rows that have the most cells, if it has no digit or email
 * address while a row below it has one.
 */
function headingsByLook(rows: readonly SheetRow[]): SheetRow | undefined {
  const isData = ({ cells }: SheetRow) => cells.some((cell) => /[\d@]/.test(cell));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.filter(isFilled).length));
  const first = rows.find(({ cells }) => cells.filter(isFilled).length === width);
  if (!first || isData(first)) return undefined;
  return rows.slice(rows.indexOf(first) + 1).some(isData) ? first : undefined;
}

/**
 * Recognizes lists that have the number of people in a column whose heading is “confirmed” or the like, and lists with
 * the name of the party in a column whose heading is “party”.
 */
function byItsValues(
  field: Column,
  heading: string,
  texts: readonly string[],
  known: readonly (Column | undefined)[],
): Column {
  if (field === 'party_size' && mayBePartyName(heading) && texts.length > 0 && !texts.some(hasNumber))
    return 'household';
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
  // Files exported by this server have a known layout, so their numbers need no guess.
  if (field === 'party_size' && !isExport && areRowNumbers(texts, heading)) return 'row_numbers';
  if (field === 'party_size' && texts.length > 1 && !texts.some(hasNumber)) return 'no_numbers';
  if (field === 'id' && !texts.some(isUuid)) return texts.length > 0 ? 'no_ids' : undefined;
  if (taken.has(field) && !TOGETHER.includes(field)) return 'second';
  return undefined;
}

const hasNumber = (text: string): boolean => /\p{Nd}/u.test(text) || countPeople(text) !== undefined;

function hasIds(rows: readonly (readonly string[])[], column: number): boolean {
  return rows.some((cells) => isUuid((cells[column] ?? '').trim()));
}

function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex(isFilled) + 1;
}
