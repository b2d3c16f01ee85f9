import { readFirstBytes } from './head.ts';

/** Limits of an imported file (spreadsheet, CSV, contacts). Files beyond them are refused. */
export const SHEET_LIMITS = {
  fileBytes: 20 * 2 ** 20,
  /** Maximum number of filled rows in the file. */
  rows: 50_000,
  /** Maximum number of rows of a sheet, empty rows included; the limit of Excel. */
  sheetRows: 1_048_576,
  columns: 200,
  /** Maximum number of characters in the cells of one row; repeated, shared and merged cells count each time. */
  rowCharacters: 200_000,
  /**
   * Maximum number of characters in the cells of all rows, counted as for one row: as many as the largest CSV file can
   * have.
   */
  characters: 20 * 2 ** 20,
  /** Maximum size of the unpacked parts of the file that are read. A small file can unpack to any size. */
  unpackedBytes: 64 * 2 ** 20,
  parts: 5_000,
  /** Maximum number of sheets in a workbook. */
  sheets: 100,
  sharedTexts: 1_000_000,
  mergedCells: 100_000,
  /** Maximum number of characters in one cell; the limit of Excel. */
  cellCharacters: 32_767,
  /** Maximum number of characters of the file's XML between two tags or texts. */
  tagCharacters: 2 ** 20,
  depth: 20,
  /** Maximum number of cells of a row; the limit of Excel. Cells beyond `columns` are ignored. */
  rowCells: 16_384,
  /**
   * Maximum number of cells of a sheet, with empty cells, which cost little space in the file but as much time as
   * others.
   */
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

/** Thrown for a file that can't be read as a table, with the reason. */
export class SheetProblem extends Error {
  readonly complaint: SheetComplaint;

  constructor(complaint: SheetComplaint) {
    super(complaint);
    this.complaint = complaint;
  }
}

export interface SheetRow {
  /** Number of the row as spreadsheet programs show it. */
  row: number;
  cells: string[];
  /**
   * Indexes of the row's columns whose cell can't be read, because it has an error or a formula without a stored value.
   */
  unread?: readonly number[];
  /** Indexes of the row's columns at which a cell begins that is merged over several columns, as titles are. */
  wide?: readonly number[];
}

/** Beginning of a sheet of a workbook, when a file is read in pieces. The sheet's rows follow. */
export interface SheetStart {
  /** Name of the sheet, as on its tab; empty for files such as CSV, which have no sheets. */
  sheet: string;
  isHidden: boolean;
}

export type SheetPart = SheetStart | SheetRow;

export function isSheetStart(part: SheetPart): part is SheetStart {
  return 'sheet' in part;
}

export type SheetFormat = 'csv' | 'xlsx' | 'ods' | 'vcard';

/**
 * Detects the format of a file by its first bytes, whatever its name and declared type: a spreadsheet is a zip file,
 * anything else is text.
 */
export async function detectFormat(path: string): Promise<SheetFormat> {
  const head = await readFirstBytes(path, 128);
  if (head.length === 0) throw new SheetProblem('empty');
  const start = head.toString('latin1');
  // OpenDocument files begin with a zip entry that has the type, uncompressed (OpenDocument 1.3, part 2, 3.3).
  if (start.includes('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')) return 'ods';
  if (start.startsWith('PK\x03\x04')) return 'xlsx';
  // Magic bytes of an OLE container: an old .xls file or an encrypted new one.
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw new SheetProblem('old_excel');
  return /^(?:\xef\xbb\xbf)?\s*BEGIN:VCARD/i.test(start) ? 'vcard' : 'csv';
}

export function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}

/** Letters that spreadsheet programs show for a column's index: `A` for 0, `AB` for 27. */
export function columnLetters(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : columnLetters(Math.floor(column / 26) - 1) + columnLetters(column % 26);
}

/** Index, from 0, of the column with these letters; undefined if no column has them. */
export function columnIndexOf(letters: string): number | undefined {
  if (!/^[A-Z]{1,3}$/.test(letters)) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
