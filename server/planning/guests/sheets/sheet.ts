import { headOf } from './head.ts';

/** What a file of rows may be at most; past it, it is refused rather than worked on. */
export const LIMITS = {
  fileBytes: 20 * 2 ** 20,
  rows: 50_000,
  columns: 200,
  rowCharacters: 200_000,
  /** Of what is read of an XLSX file, unpacked: a small file can unpack to anything. */
  unpackedBytes: 64 * 2 ** 20,
  parts: 5_000,
  sharedTexts: 1_000_000,
  /** What Excel itself lets a cell have. */
  cellCharacters: 32_767,
  /** Of XML, between one tag or text and the next. */
  tagCharacters: 2 ** 20,
  depth: 20,
  /** Also Excel's own; what is right of our columns is left out. */
  rowCells: 16_384,
} as const;

export type SheetComplaint =
  | 'broken'
  | 'undecodable'
  | 'old_excel'
  | 'too_many_rows'
  | 'too_large'
  | 'encrypted'
  | 'empty'
  | 'no_name_column';

/** A file that can't be read as a table, and why. */
export class SheetProblem extends Error {
  readonly complaint: SheetComplaint;

  constructor(complaint: SheetComplaint) {
    super(complaint);
    this.complaint = complaint;
  }
}

/** By its first bytes, whatever its name and declared type: a spreadsheet is a zip, anything else is text. */
export async function formatOf(path: string): Promise<'xlsx' | 'csv'> {
  const head = await headOf(path, 8);
  if (head.length === 0) throw new SheetProblem('empty');
  if (head.subarray(0, 4).toString('latin1') === 'PK\x03\x04') return 'xlsx';
  // The container of old .xls files, and of encrypted new ones.
  if (head.toString('hex') === 'd0cf11e0a1b11ae1') throw new SheetProblem('old_excel');
  return 'csv';
}
