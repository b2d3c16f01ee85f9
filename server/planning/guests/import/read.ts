import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { complaints } from '../../../kernel/http/messages.ts';
import { LANGUAGES, type Language, type Words } from '../../../kernel/languages.ts';
import { guestFields } from '../fields.ts';
import { messages } from '../messages.ts';
import type { QuestionColumn } from '../question-columns.ts';
import { type GuestBody, readGuestBody } from '../said.ts';
import type { Cell } from '../sheets/cells.ts';
import { csvRows } from '../sheets/csv.ts';
import { odsRows } from '../sheets/ods.ts';
import { formatOf, isFilled, LIMITS, lettersOf, SheetProblem, type SheetRow } from '../sheets/sheet.ts';
import { csvCells } from '../sheets/write-csv.ts';
import { xlsxRows } from '../sheets/xlsx.ts';
import { COLUMNS, type Column } from './headings.ts';
import {
  HEADINGS_WITHIN,
  hasNames,
  type Layout,
  LOOKED_AT,
  layoutOf,
  type Mapping,
  worthAsHeadings,
} from './layout.ts';
import { type Mends, mendedRow, refuseNoColumn, refuseUnseen } from './mended.ts';
import { nameForm } from './names.ts';
import { answeredIn, type Given, givenIn, isHeadingsAgain, isTotal, nameIn, recordOf } from './record.ts';

/** A row of the file, read: what it says of a guest, or what is wrong with it. Plain values: it comes from another thread. */
export interface ReadRow {
  /** As the spreadsheet counts. */
  row: number;
  name: string;
  guest: SheetGuest | { field: string; complaint: Complaint };
  /** Cells of its fields that can't be read, as `B3`. */
  unread?: readonly string[];
}

export interface SheetGuest extends GuestBody {
  id: string | undefined;
  /** What goes into the note besides. */
  addenda: string[];
  /** Cells in which questions are answered, by the ids of these. */
  answers?: Readonly<Record<string, string>>;
  /** The name as it is compared. */
  form: string;
}

export interface ReadOptions {
  mapping: Mapping;
  /** Of the event, which may have columns as well. */
  questions?: readonly QuestionColumn[];
  mends?: Mends;
}

/** Rows that are to be read once more, as they stand there or were mended. */
export interface LinesWanted {
  rows: readonly number[];
  /** Of each row, by their places. */
  columns: readonly number[];
}

/** A row as it stands in the file: its number, and some of its cells beside each other as in a CSV. */
export type Line = readonly [row: number, line: string];
/** The same by the letters of their columns. */
export type RowCells = readonly [row: number, cells: Readonly<Record<string, string>>];

const LONGEST_SHOWN = 100;
const LONGEST_QUOTED = 60;
/** Of a row's cells that can't be read, how many it names. */
const MOST_UNREAD = 10;
const AT_ONCE = 500;
/** Of lines that are handed on together. */
const CHARACTERS_AT_ONCE = 2 ** 20;
/** Of a cell that is shown, and of all that are. */
const LONGEST_CELL = 1_000;
const MOST_CHARACTERS = 2_000_000;

/**
 * Reads and judges the whole of a file, row by row; nothing of it needs the database. Yields first how the file is read,
 * then the rows some at a time; of a file without names there are none. Throws a SheetProblem, and a FieldProblem for a
 * mapping that does not fit.
 */
export async function* readRows(
  path: string,
  { mapping, questions, mends = {} }: ReadOptions,
): AsyncGenerator<Layout | ReadRow[], void> {
  const source = filledRows(path);
  try {
    const start: SheetRow[] = [];
    for (let next = await source.next(); !next.done; next = await source.next()) {
      start.push(next.value);
      if (start.length === HEADINGS_WITHIN + LOOKED_AT) break;
    }
    if (start.length === 0) throw new SheetProblem('empty');
    const layout = layoutOf(start, mapping, questions);
    yield layout;
    if (!hasNames(layout)) return;
    const { columns, headings } = layout;
    refuseNoColumn(mends, columns);
    const seen = new Set<number>();
    const first = headings === null ? 0 : start.findIndex(({ row }) => row === headings) + 1;
    let rows: ReadRow[] = [];
    let count = 0;
    for await (const given of chained(start.slice(first), source)) {
      const { row, cells, unread: notRead = [] } = mendedRow(given, mends);
      if (row in mends) seen.add(row);
      const unread = notRead.filter((at) => columns[at]?.field || columns[at]?.question);
      if (!cells.some(isFilled) && !unread.some((at) => KNOWN_BY.has(columns[at]?.field))) continue;
      count += 1;
      if (count > LIMITS.rows) throw new SheetProblem('too_many_rows');
      const said = givenIn(columns, cells);
      if (isHeadingsAgain(columns, cells) || isTotal(said, cells)) continue;
      const places = unread.slice(0, MOST_UNREAD).map((at) => `${columns[at]?.letters}${row}`);
      const isNameless = unread.some((at) => NAMES.has(columns[at]?.field)) && nameIn(said) === '';
      rows.push({
        ...(isNameless && !said.has('id') && !said.has('phone') && !said.has('email')
          ? namelessRow(row, places)
          : readRow(row, said, answeredIn(columns, cells))),
        ...(places.length > 0 && { unread: places }),
      });
      if (rows.length === AT_ONCE) {
        yield rows;
        rows = [];
      }
    }
    refuseUnseen(mends, seen);
    yield rows;
  } finally {
    await source.return(undefined);
  }
}

/** Some rows of a file once more, some at a time. */
export async function* readLines(
  path: string,
  { rows, columns, mends }: LinesWanted & Pick<ReadOptions, 'mends'>,
): AsyncGenerator<Line[], void> {
  let lines: Line[] = [];
  let characters = 0;
  for await (const { row, cells } of rowsAgain(path, rows, mends)) {
    const line = csvCells(columns.map((column) => cells[column] ?? ''));
    lines.push([row, line]);
    characters += line.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    yield lines;
    lines = [];
    characters = 0;
  }
  yield lines;
}

/** The cells of some rows once more, as far as they are to be shown. */
export async function readCells(
  path: string,
  { rows, columns, mends }: LinesWanted & Pick<ReadOptions, 'mends'>,
): Promise<RowCells[]> {
  const shown: RowCells[] = [];
  let characters = 0;
  for await (const { row, cells } of rowsAgain(path, rows, mends)) {
    const own = columns
      .map((at) => [lettersOf(at), (cells[at] ?? '').trim()] as const)
      .filter(([, text]) => text.length <= LONGEST_CELL);
    characters += own.reduce((sum, [letters, text]) => sum + letters.length + text.length, 0);
    if (characters > MOST_CHARACTERS) break;
    shown.push([row, Object.fromEntries(own)]);
  }
  return shown;
}

async function* rowsAgain(
  path: string,
  rows: readonly number[],
  mends: Mends = {},
): AsyncGenerator<SheetRow> {
  const wanted = new Set(rows);
  for await (const row of filledRows(path)) {
    if (!wanted.delete(row.row)) continue;
    yield mendedRow(row, mends);
    if (wanted.size === 0) return;
  }
}

async function* chained(start: SheetRow[], rest: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  yield* start;
  yield* rest;
}

const READERS = {
  csv: (path: string) => csvRows(path, (cells) => worthAsHeadings(cells)),
  xlsx: xlsxRows,
  ods: odsRows,
};

async function* filledRows(path: string): AsyncGenerator<SheetRow> {
  const read = READERS[await formatOf(path)];
  let count = 0;
  let characters = 0;
  for await (const row of read(path)) {
    count += 1;
    if (count > LIMITS.sheetRows) throw new SheetProblem('too_many_rows');
    // A text that repeats is one in memory, until each row has its own of it.
    const own = row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (own > LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
    characters += own;
    if (characters > LIMITS.characters) throw new SheetProblem('text_too_large');
    if (row.unread || row.cells.some(isFilled)) yield row;
  }
}

const NAMES: ReadonlySet<Column | undefined> = new Set(['name', 'first_name', 'last_name'] as const);
/** What tells that a row is somebody, where nothing of it can be read. */
const KNOWN_BY: ReadonlySet<Column | undefined> = new Set([...NAMES, 'phone', 'email'] as const);

/** Somebody stands there, and it can't be read who. */
function namelessRow(row: number, places: readonly string[]): ReadRow {
  return {
    row,
    name: '',
    guest: { field: 'name', complaint: { kind: 'own', words: messages.unread(places) } },
  };
}

function readRow(row: number, given: Given, answers: SheetGuest['answers']): ReadRow {
  const name = nameIn(given).slice(0, LONGEST_SHOWN);
  try {
    const { id, fields, addenda } = recordOf(given);
    // What no note takes need not be handed on; beside the note that there is, it is judged once more.
    guestFields.note.type.read('note', addenda.join('\n'));
    const body = readGuestBody(fields);
    return {
      row,
      name,
      guest: { ...body, id, addenda, ...(answers && { answers }), form: nameForm(body.details.name ?? '') },
    };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const texts = (given.get(error.field as Column) ?? []).map(({ text }) => text);
    return { row, name, guest: { field: error.field, complaint: quoting(error, texts) } };
  }
}

/** The complaint in words that say what is accepted in cells, and quote what stands there. */
function quoting({ field, complaint }: FieldProblem, texts: readonly string[]): Complaint {
  const accepted = acceptedIn(field);
  const text = texts.join(' | ').replace(/\s+/g, ' ').toWellFormed();
  const quoted = text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;
  const words = LANGUAGES.map((language) => {
    const said = inCells(complaint, accepted?.[language], language);
    return [language, quoted ? `${said} ${messages.quoted[language](quoted)}` : said];
  });
  return { kind: 'own', words: Object.fromEntries(words) as Words };
}

function inCells(complaint: Complaint, accepted: readonly string[] | undefined, language: Language): string {
  const said = complaints[language](complaint);
  if (accepted && complaint.kind === 'choice') return messages.accepted[language](accepted);
  return accepted && complaint.kind === 'integer'
    ? `${said} ${messages.acceptedToo[language](accepted)}`
    : said;
}

function acceptedIn(field: string): Cell<never>['accepts'] {
  const cell: object | undefined = field in COLUMNS ? COLUMNS[field as Column].cell : undefined;
  return (cell as Partial<Cell<never>> | undefined)?.accepts;
}
