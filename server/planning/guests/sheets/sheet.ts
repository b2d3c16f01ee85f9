import { headOf } from './head.ts';

/** What a file of rows may be at most; past it, it is refused rather than worked on. */
export const LIMITS = {
  fileBytes: 20 * 2 ** 20,
  /** Of those that have something in them. */
  rows: 50_000,
  /** Excel's own, empty ones with them. */
  sheetRows: 1_048_576,
  columns: 200,
  /** Of what a row's cells hold, each time that they are repeated, shared or merged. */
  rowCharacters: 200_000,
  /** The same of all rows: as many as the largest CSV can have. */
  characters: 20 * 2 ** 20,
  /** Of what is read of a spreadsheet, unpacked: a small file can unpack to anything. */
  unpackedBytes: 64 * 2 ** 20,
  parts: 5_000,
  sharedTexts: 1_000_000,
  mergedCells: 100_000,
  /** What Excel itself lets a cell have. */
  cellCharacters: 32_767,
  /** Of XML, between one tag or text and the next. */
  tagCharacters: 2 ** 20,
  depth: 20,
  /** Also Excel's own; what is right of our columns is left out. */
  rowCells: 16_384,
  /** Empty ones with them, which take next to nothing of a file and as much time as others. */
  sheetCells: 2_000_000,
} as const;

export type SheetComplaint =
  | 'broken'
  | 'undecodable'
  | 'old_excel'
  | 'too_many_rows'
  | 'too_large'
  | 'row_too_large'
  | 'text_too_large'
  | 'encrypted'
  | 'empty';

/** A file that can't be read as a table, and why. */
export class SheetProblem extends Error {
  readonly complaint: SheetComplaint;

  constructor(complaint: SheetComplaint) {
    super(complaint);
    this.complaint = complaint;
  }
}

export interface SheetRow {
  /** As people see it beside the row. */
  row: number;
  cells: string[];
  /** Columns in which there is an error, or a formula without its value: something that stands there, and can't be read. */
  unread?: readonly number[];
}

export type SheetFormat = 'csv' | 'xlsx' | 'ods';

/** By its first bytes, whatever its name and declared type: a spreadsheet is a zip, anything else is text. */
export async function formatOf(path: string): Promise<SheetFormat> {
  const head = await headOf(path, 128);
  if (head.length === 0) throw new SheetProblem('empty');
  const start = head.toString('latin1');
  // OpenDocument 1.3, part 2, 3.3: the type is the first entry of the zip, as it is.
  if (start.includes('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')) return 'ods';
  if (start.startsWith('PK\x03\x04')) return 'xlsx';
  // The container of old .xls files, and of encrypted new ones.
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw new SheetProblem('old_excel');
  return 'csv';
}

export function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}

/** The letters of a column as spreadsheets show them: `A` is 0, `AB` is 27. */
export function lettersOf(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : lettersOf(Math.floor(column / 26) - 1) + lettersOf(column % 26);
}

/** The column that letters name, counted from 0. */
export function columnNamed(letters: string): number | undefined {
  if (!/^[A-Z]{1,3}$/.test(letters)) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
