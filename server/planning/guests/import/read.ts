import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { complaintTexts } from '../../../kernel/http/messages.ts';
import { LANGUAGES, type Language, type Words } from '../../../kernel/languages.ts';
import { toSingleLine } from '../../../kernel/one-line.ts';
import { guestFields, LENGTHS } from '../fields.ts';
import { type GuestBody, readGuestBody } from '../guest-body.ts';
import { messages } from '../messages.ts';
import type { Cell } from '../sheets/cells.ts';
import { isFilled, SHEET_LIMITS, SheetProblem, type SheetRow } from '../sheets/sheet.ts';
import { type Corrections, Corrector } from './corrections.ts';
import { answerCellsOf, type FilledCells, filledCellsOf } from './filled-cells.ts';
import type { GuestList } from './guest-list.ts';
import { COLUMNS, type Column } from './headings.ts';
import { type ListOptions, listsIn, sheetsIn } from './lists.ts';
import { refuseUnmatched } from './mapping.ts';
import { normalizeName } from './names.ts';
import { type RowLeftBecause, whyNoGuest } from './not-guests.ts';
import { isFamily, readPeopleInName } from './people-in-name.ts';
import type { Person } from './person.ts';
import { guestNameIn, readRecord } from './record.ts';

/**
 * Row of the file, read as a guest, or the problem with it. Contains only plain values, as a worker thread sends it.
 */
export interface ReadRow {
  /** Index, in the file, of the list that the row belongs to. */
  list: number;
  /** Number of the row as spreadsheet programs show it. */
  row: number;
  name: string;
  guest: SheetGuest | RefusedGuest;
  /** Addresses, such as `B3`, of the row's cells that can't be read, in columns with a known field. */
  unread?: readonly string[];
  /** Number of people that the guest's name states, and the name as it is written in the file. */
  fromName?: { written: string; people: number };
}

/** Problem with a row of the file; because of it the row is not read as a guest. */
export interface RefusedGuest {
  field: string;
  complaint: Complaint;
  placeTags?: readonly string[];
}

export interface SheetGuest extends GuestBody {
  id: string | undefined;
  /** Texts of the row that are appended to the guest's note. */
  addenda: string[];
  /** Cells of the row with answers to the event's questions, by question id. */
  answers?: Readonly<Record<string, string>>;
  /** Normalized name of the guest. */
  form: string;
  /** Tags by the guest's place in the file: the sheet, the list beside others, the title above. */
  placeTags?: readonly string[];
  /** Group that the row's person belongs to, such as a household. The people of a group become one guest. */
  group?: string;
  /** True for a row of an export of people, which repeats the guest for each person. */
  isPerson?: true;
  person?: Person;
  /** People of the guest's party, from the rows of the file that belong to the guest. */
  persons?: readonly Person[];
  /** True for a family if its row in the file gives no number of people. */
  isUncounted?: true;
}

/** Row within a list of guests that is not a guest, with the row's text. */
export interface LeftRow {
  list: number;
  row: number;
  because: RowLeftBecause;
  text: string;
}

/** Parts of a guest's place in the file from which tags can be made. */
export const TAG_SOURCES = ['sheet', 'list', 'section'] as const;
export type TagSource = (typeof TAG_SOURCES)[number];

export interface ReadOptions extends ListOptions {
  corrections?: Corrections;
  tagsFrom?: readonly TagSource[] | undefined;
  /** True if numbers in the guests' names are not read as numbers of people. */
  keepsNames?: boolean | undefined;
}

/** Content read from a file, sent in pieces. The lists of a sheet come before their rows. */
export type ReadPart = { lists: GuestList[] } | { rows: ReadRow[] } | { left: LeftRow[] };

const LONGEST_SHOWN = 100;
const LONGEST_QUOTED = 60;
/** Maximum number of unreadable cells that the report lists for a row. */
const MOST_UNREAD = 10;
const AT_ONCE = 500;
/** Maximum number of rows without a guest that the report shows with their text. */
const MOST_LEFT = 200;
/** Maximum length of a name in which a number of people is searched for, in UTF-16 code units. */
const LONGEST_NAME = 200;

/**
 * Reads and checks a file row by row, without the database. Throws a SheetProblem for an unreadable file, and a
 * FieldProblem for options that do not fit it.
 */
export async function* readRows(path: string, options: ReadOptions): AsyncGenerator<ReadPart, void> {
  const { corrections = {}, mapping, sheets } = options;
  const corrector = new Corrector(corrections);
  const matched = new Set<string>();
  const all: GuestList[] = [];
  const names: string[] = [];
  const left: LeftRow[] = [];
  let count = 0;
  let rows: ReadRow[] = [];
  for await (const sheet of sheetsIn(path)) {
    names.push(sheet.sheet);
    const { lists, start } = await listsIn(sheet, options, matched);
    if (lists.length > 0) yield { lists };
    const readers = lists.map((list, index) => new ListReader(list, all.length + index, options));
    all.push(...lists);
    if (lists.every((list) => list.left)) continue;
    const headings = lists[0]?.headings ?? null;
    const first = headings === null ? 0 : start.findIndex(({ row }) => row === headings) + 1;
    for await (const given of chained(start.slice(first), sheet.rows)) {
      for (const reader of readers) {
        const read = reader.read(given, corrector);
        if (!read) continue;
        if ('because' in read) {
          if (left.length < MOST_LEFT) left.push(read);
          continue;
        }
        count += 1;
        if (count > SHEET_LIMITS.rows) throw new SheetProblem('too_many_rows');
        rows.push(read);
      }
      if (rows.length < AT_ONCE) continue;
      yield { rows };
      rows = [];
    }
  }
  if (all.length === 0) throw new SheetProblem('empty');
  refuseUnmatched(mapping, matched, all);
  refuseUnknownSheets(sheets, names);
  corrector.refuseUnused(all);
  yield { rows };
  yield { left };
}

function refuseUnknownSheets(sheets: readonly string[] | undefined, names: readonly string[]): void {
  const stranger = sheets?.findIndex((name) => !names.includes(name)) ?? -1;
  if (stranger >= 0) throw new FieldProblem(`sheets.${stranger}`, { kind: 'unknown', names: [...names] });
}

async function* chained(start: SheetRow[], rest: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  yield* start;
  yield* rest;
}

/** Reads the rows of one list of guests, and remembers the last title above a row. */
class ListReader {
  readonly #list: GuestList;
  readonly #index: number;
  readonly #options: ReadOptions;
  #section: string | undefined;

  constructor(list: GuestList, index: number, options: ReadOptions) {
    this.#list = list;
    this.#index = index;
    this.#options = options;
  }

  /** Reads the list's part of a sheet's row; undefined if the row has no cells in the list. */
  read(given: SheetRow, corrector: Corrector): ReadRow | LeftRow | undefined {
    const { columns, left, first } = this.#list;
    if (left) return undefined;
    const { row: corrected, isCorrected } = corrector.corrected(given, this.#list);
    const { row, cells, unread: notRead = [], wide } = partOf(corrected, first, columns.length);
    const unread = notRead.filter((at) => columns[at]?.field || columns[at]?.question);
    if (!cells.some(isFilled) && !unread.some((at) => KNOWN_BY.has(columns[at]?.field))) return undefined;
    const filled = filledCellsOf(columns, cells);
    // If the user corrected the row, it is a guest.
    const because = isCorrected
      ? undefined
      : whyNoGuest(this.#list, { cells, ...(wide && { wide }) }, filled);
    if (because) return this.#leftRow(row, because, cells);
    const places = unread.slice(0, MOST_UNREAD).map((at) => `${columns[at]?.letters}${row}`);
    const isNameless = unread.some((at) => NAMES.has(columns[at]?.field)) && guestNameIn(filled) === '';
    return {
      list: this.#index,
      row,
      ...(isNameless && !filled.has('id') && !filled.has('phone') && !filled.has('email')
        ? namelessRow(places)
        : this.#guestIn(filled, answerCellsOf(columns, cells))),
      ...(places.length > 0 && { unread: places }),
    };
  }

  /** Row that is not a guest. If it is a title, it applies to the rows below it, up to the next title or total. */
  #leftRow(row: number, because: RowLeftBecause, cells: readonly string[]): LeftRow {
    const text = cells
      .filter(isFilled)
      .map((cell) => cell.trim())
      .join(' · ')
      .slice(0, LONGEST_SHOWN);
    if (because === 'section') this.#section = text.replace(/\s*:$/, '');
    if (because === 'total') this.#section = undefined;
    return { list: this.#index, row, because, text };
  }

  #guestIn(filled: FilledCells, answers: SheetGuest['answers']): Omit<ReadRow, 'list' | 'row'> {
    const isPerson = this.#list.columns.some(({ field }) => field === 'person');
    const read = readGuest(filled, answers, isPerson);
    const placeTags = this.#placeTags();
    const guest = { ...read.guest, ...(placeTags.length > 0 && { placeTags }) };
    if (!('details' in guest)) return { ...read, guest };
    const { name, party_size } = guest.details;
    if (name === undefined || party_size !== undefined || name.length > LONGEST_NAME)
      return { ...read, guest };
    const told = this.#options.keepsNames ? undefined : readPeopleInName(name);
    if (!told) return { ...read, guest: isFamily(name) ? { ...guest, isUncounted: true } : guest };
    const children = told.children !== undefined && { party_children: told.children };
    const details = { ...guest.details, name: told.name, party_size: told.people, ...children };
    return {
      ...read,
      name: told.name,
      guest: { ...guest, details, form: normalizeName(told.name) },
      fromName: { written: name, people: told.people },
    };
  }

  #placeTags(): string[] {
    const texts = { sheet: this.#list.sheet, list: this.#list.title, section: this.#section };
    const sources = this.#options.tagsFrom ?? [];
    return [...new Set(sources.flatMap((source) => tagOf(texts[source] ?? '') || []))];
  }
}

/**
 * Tag made from a title in the list, shortened if it is longer than a tag can be; empty if nothing in it is visible.
 */
function tagOf(title: string): string {
  const line = toSingleLine(title);
  return line.length > LENGTHS.tag ? `${line.slice(0, LENGTHS.tag - 1).toWellFormed()}…` : line;
}

/** Part of a sheet's row that belongs to a list. Its columns are counted from the list's first column. */
export function partOf({ row, cells, unread, wide }: SheetRow, first: number, width: number): SheetRow {
  const own = (columns: readonly number[] | undefined) =>
    columns?.map((at) => at - first).filter((at) => at >= 0 && at < width);
  const [ownUnread = [], ownWide = []] = [own(unread), own(wide)];
  return {
    row,
    cells: cells.slice(first, first + width),
    ...(ownUnread.length > 0 && { unread: ownUnread }),
    ...(ownWide.length > 0 && { wide: ownWide }),
  };
}

const NAMES: ReadonlySet<Column | undefined> = new Set(['name', 'first_name', 'last_name'] as const);
/** Columns that identify a row as a guest even if all its cells in them are unreadable. */
const KNOWN_BY: ReadonlySet<Column | undefined> = new Set([...NAMES, 'phone', 'email'] as const);

/** Guest made from a row whose cells with the name can't be read. */
function namelessRow(places: readonly string[]): Pick<ReadRow, 'name' | 'guest'> {
  return { name: '', guest: { field: 'name', complaint: { kind: 'own', words: messages.unread(places) } } };
}

function readGuest(
  given: FilledCells,
  answers: SheetGuest['answers'],
  isPerson: boolean,
): Pick<ReadRow, 'name' | 'guest'> {
  const name = guestNameIn(given).slice(0, LONGEST_SHOWN);
  try {
    const { id, fields, addenda, group, person } = readRecord(given, isPerson);
    // A note that is too long is refused here, before the row is sent on. It is checked again together with the stored
    // note.
    guestFields.note.type.read('note', addenda.join('\n'));
    const body = readGuestBody(fields);
    return {
      name,
      guest: {
        ...body,
        id,
        addenda,
        ...(answers && { answers }),
        ...(group !== undefined && { group }),
        ...(isPerson && { isPerson }),
        ...(person && { person }),
        form: normalizeName(body.details.name ?? ''),
      },
    };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const texts = (given.get(error.field as Column) ?? []).map(({ text }) => text);
    return { name, guest: { field: error.field, complaint: quoting(error, texts) } };
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
