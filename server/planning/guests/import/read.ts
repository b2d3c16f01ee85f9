import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { complaintTexts } from '../../../kernel/http/messages.ts';
import { LANGUAGES, type Language, type Words } from '../../../kernel/languages.ts';
import { guestFields } from '../fields.ts';
import { type GuestBody, readGuestBody } from '../guest-body.ts';
import { messages } from '../messages.ts';
import type { QuestionColumn } from '../question-columns.ts';
import type { Cell } from '../sheets/cells.ts';
import { csvRows } from '../sheets/csv.ts';
import { odsRows } from '../sheets/ods.ts';
import {
  columnLetters,
  detectFormat,
  isFilled,
  SHEET_LIMITS,
  SheetProblem,
  type SheetRow,
} from '../sheets/sheet.ts';
import { csvCells } from '../sheets/write-csv.ts';
import { xlsxRows } from '../sheets/xlsx.ts';
import { type Corrections, correctedRow, refuseUnknownColumns, refuseUnknownRows } from './corrections.ts';
import { COLUMNS, type Column } from './headings.ts';
import {
  countKnownHeadings,
  detectLayout,
  HEADINGS_WITHIN,
  hasNames,
  type Layout,
  type Mapping,
  ROWS_BELOW_HEADINGS,
} from './layout.ts';
import { normalizeName } from './names.ts';
import {
  answerCellsOf,
  type FilledCells,
  filledCellsOf,
  guestNameIn,
  isRepeatedHeadings,
  isTotalsRow,
  readRecord,
} from './record.ts';

/** Row of the file as a guest, or the problem with it. Contains only plain values, as it is sent by a worker thread. */
export interface ReadRow {
  /** Row number as the spreadsheet shows it. */
  row: number;
  name: string;
  guest: SheetGuest | { field: string; complaint: Complaint };
  /** Unreadable cells in known columns, such as `B3`. */
  unread?: readonly string[];
}

export interface SheetGuest extends GuestBody {
  id: string | undefined;
  /** Texts to append to the note. */
  addenda: string[];
  /** Cells with answers to questions, by question id. */
  answers?: Readonly<Record<string, string>>;
  /** Normalized name. */
  form: string;
}

export interface ReadOptions {
  mapping: Mapping;
  /** Questions of the event, which may have columns in the file. */
  questions?: readonly QuestionColumn[];
  corrections?: Corrections;
}

/** Rows to read once more, with corrections applied. */
export interface RowSelection {
  rows: readonly number[];
  /** Indexes of the columns to read. */
  columns: readonly number[];
}

/** Row number, and some cells of the row joined as a CSV line. */
export type RowLine = readonly [row: number, line: string];
/** Row number, and some cells of the row by column letters. */
export type RowCells = readonly [row: number, cells: Readonly<Record<string, string>>];

const LONGEST_SHOWN = 100;
const LONGEST_QUOTED = 60;
/** Maximum number of unreadable cells that a row lists. */
const MOST_UNREAD = 10;
const AT_ONCE = 500;
/** Number of characters sent in one message. */
const CHARACTERS_AT_ONCE = 2 ** 20;
/** Maximum length of a shown cell, and of all shown cells together, in UTF-16 code units. */
const LONGEST_CELL = 1_000;
const MOST_CHARACTERS = 2_000_000;

/**
 * Reads and checks a file row by row, without the database. Yields the layout first, then the rows in batches;
 * without a column of names there are no rows. Throws a SheetProblem for an unreadable file, and a FieldProblem for a
 * mapping that does not fit.
 */
export async function* readRows(
  path: string,
  { mapping, questions, corrections = {} }: ReadOptions,
): AsyncGenerator<Layout | ReadRow[], void> {
  const source = filledRows(path);
  try {
    const start: SheetRow[] = [];
    for (let next = await source.next(); !next.done; next = await source.next()) {
      start.push(next.value);
      if (start.length === HEADINGS_WITHIN + ROWS_BELOW_HEADINGS) break;
    }
    if (start.length === 0) throw new SheetProblem('empty');
    const layout = detectLayout(start, mapping, questions);
    yield layout;
    if (!hasNames(layout)) return;
    const { columns, headings } = layout;
    refuseUnknownColumns(corrections, columns);
    const seen = new Set<number>();
    const first = headings === null ? 0 : start.findIndex(({ row }) => row === headings) + 1;
    let rows: ReadRow[] = [];
    let count = 0;
    for await (const given of chained(start.slice(first), source)) {
      const { row, cells, unread: notRead = [] } = correctedRow(given, corrections);
      if (row in corrections) seen.add(row);
      const unread = notRead.filter((at) => columns[at]?.field || columns[at]?.question);
      if (!cells.some(isFilled) && !unread.some((at) => KNOWN_BY.has(columns[at]?.field))) continue;
      count += 1;
      if (count > SHEET_LIMITS.rows) throw new SheetProblem('too_many_rows');
      const filled = filledCellsOf(columns, cells);
      if (isRepeatedHeadings(columns, cells) || isTotalsRow(filled, cells)) continue;
      const places = unread.slice(0, MOST_UNREAD).map((at) => `${columns[at]?.letters}${row}`);
      const isNameless = unread.some((at) => NAMES.has(columns[at]?.field)) && guestNameIn(filled) === '';
      rows.push({
        ...(isNameless && !filled.has('id') && !filled.has('phone') && !filled.has('email')
          ? namelessRow(row, places)
          : readRow(row, filled, answerCellsOf(columns, cells))),
        ...(places.length > 0 && { unread: places }),
      });
      if (rows.length === AT_ONCE) {
        yield rows;
        rows = [];
      }
    }
    refuseUnknownRows(corrections, seen);
    yield rows;
  } finally {
    await source.return(undefined);
  }
}

/** Reads some rows of a file again and yields their lines in batches. */
export async function* readLines(
  path: string,
  { rows, columns, corrections }: RowSelection & Pick<ReadOptions, 'corrections'>,
): AsyncGenerator<RowLine[], void> {
  let lines: RowLine[] = [];
  let characters = 0;
  for await (const { row, cells } of rowsAgain(path, rows, corrections)) {
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

/** Reads the cells of some rows again, up to the limits for shown cells. */
export async function readCells(
  path: string,
  { rows, columns, corrections }: RowSelection & Pick<ReadOptions, 'corrections'>,
): Promise<RowCells[]> {
  const shown: RowCells[] = [];
  let characters = 0;
  for await (const { row, cells } of rowsAgain(path, rows, corrections)) {
    const own = columns
      .map((at) => [columnLetters(at), (cells[at] ?? '').trim()] as const)
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
  corrections: Corrections = {},
): AsyncGenerator<SheetRow> {
  const missing = new Set(rows);
  for await (const row of filledRows(path)) {
    if (!missing.delete(row.row)) continue;
    yield correctedRow(row, corrections);
    if (missing.size === 0) return;
  }
}

async function* chained(start: SheetRow[], rest: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  yield* start;
  yield* rest;
}

const READERS = {
  csv: (path: string) => csvRows(path, (cells) => countKnownHeadings(cells)),
  xlsx: xlsxRows,
  ods: odsRows,
};

async function* filledRows(path: string): AsyncGenerator<SheetRow> {
  const read = READERS[await detectFormat(path)];
  let count = 0;
  let characters = 0;
  for await (const row of read(path)) {
    count += 1;
    if (count > SHEET_LIMITS.sheetRows) throw new SheetProblem('too_many_rows');
    // A repeated text is in memory only once until it is copied to each row, so the limits are checked before that.
    const own = row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (own > SHEET_LIMITS.rowCharacters) throw new SheetProblem('row_too_large');
    characters += own;
    if (characters > SHEET_LIMITS.characters) throw new SheetProblem('text_too_large');
    if (row.unread || row.cells.some(isFilled)) yield row;
  }
}

const NAMES: ReadonlySet<Column | undefined> = new Set(['name', 'first_name', 'last_name'] as const);
/** Columns that show that a row is a guest even if all its cells are unreadable. */
const KNOWN_BY: ReadonlySet<Column | undefined> = new Set([...NAMES, 'phone', 'email'] as const);

/** Row of a guest whose name can't be read. */
function namelessRow(row: number, places: readonly string[]): ReadRow {
  return {
    row,
    name: '',
    guest: { field: 'name', complaint: { kind: 'own', words: messages.unread(places) } },
  };
}

function readRow(row: number, given: FilledCells, answers: SheetGuest['answers']): ReadRow {
  const name = guestNameIn(given).slice(0, LONGEST_SHOWN);
  try {
    const { id, fields, addenda } = readRecord(given);
    // An overlong note is refused here, before it is sent on. It is checked again together with the stored note.
    guestFields.note.type.read('note', addenda.join('\n'));
    const body = readGuestBody(fields);
    return {
      row,
      name,
      guest: {
        ...body,
        id,
        addenda,
        ...(answers && { answers }),
        form: normalizeName(body.details.name ?? ''),
      },
    };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const texts = (given.get(error.field as Column) ?? []).map(({ text }) => text);
    return { row, name, guest: { field: error.field, complaint: quoting(error, texts) } };
  }
}

/** Rewrites a complaint for people who look at a spreadsheet: it lists the accepted values and quotes the cell. */
function quoting({ field, complaint }: FieldProblem, texts: readonly string[]): Complaint {
  const accepted = acceptedIn(field);
  const text = texts.join(' | ').replace(/\s+/g, ' ').toWellFormed();
  const quoted = text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;
  const words = LANGUAGES.map((language) => {
    const sentence = inCells(complaint, accepted?.[language], language);
    return [language, quoted ? `${sentence} ${messages.quoted[language](quoted)}` : sentence];
  });
  return { kind: 'own', words: Object.fromEntries(words) as Words };
}

function inCells(complaint: Complaint, accepted: readonly string[] | undefined, language: Language): string {
  const sentence = complaintTexts[language](complaint);
  if (accepted && complaint.kind === 'choice') return messages.accepted[language](accepted);
  return accepted && complaint.kind === 'integer'
    ? `${sentence} ${messages.acceptedToo[language](accepted)}`
    : sentence;
}

function acceptedIn(field: string): Cell<never>['accepts'] {
  const cell: object | undefined = field in COLUMNS ? COLUMNS[field as Column].cell : undefined;
  return (cell as Partial<Cell<never>> | undefined)?.accepts;
}
