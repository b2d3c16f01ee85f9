import { isFilled, type SheetRow } from '../sheets/sheet.ts';
import { csvCells } from '../sheets/write-csv.ts';
import { type Corrections, Corrector } from './corrections.ts';
import type { GuestList } from './guest-list.ts';
import { sheetsIn } from './lists.ts';
import { partOf } from './read.ts';

/** Place of a row: the index of its list in the file, and its number. */
export interface RowPlace {
  list: number;
  row: number;
}

/** Number that identifies a row of a list in the file. A sheet has at most 2^20 rows. */
export function rowKey({ list, row }: RowPlace): number {
  return list * 2 ** 21 + row;
}

/** Rows of the file to be read once more, with the user's corrections applied. */
export interface RowSelection {
  /** Keys of the rows to read, as `rowKey` makes them. */
  rows: readonly number[];
  lists: readonly GuestList[];
  corrections?: Corrections;
}

export interface LineSelection extends RowSelection {
  /**
   * Column indexes, for each list of the file, in the order of the cells of a CSV line; -1 for a column that the list
   * lacks.
   */
  columns: readonly (readonly number[])[];
}

/** Key of a row of the file, and the row's cells joined as a CSV line. */
export type RowLine = readonly [row: number, line: string];
/** Key of a row of the file, and the row's cells by column letters. */
export type RowCells = readonly [row: number, cells: Readonly<Record<string, string>>];

/** Number of characters after which the worker thread sends the lines it has read. */
const CHARACTERS_AT_ONCE = 2 ** 20;
/** Maximum length of a cell in the import's report, and of all its cells together, in UTF-16 code units. */
const LONGEST_CELL = 1_000;
const MOST_CHARACTERS = 2_000_000;

/** Reads some rows of a file again and yields their lines in batches. */
export async function* readLines(path: string, selection: LineSelection): AsyncGenerator<RowLine[], void> {
  let lines: RowLine[] = [];
  let characters = 0;
  for await (const { list, row, cells } of rowsAgain(path, selection)) {
    const line = csvCells((selection.columns[list] ?? []).map((column) => cells[column] ?? ''));
    lines.push([rowKey({ list, row }), line]);
    characters += line.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    yield lines;
    lines = [];
    characters = 0;
  }
  yield lines;
}

/**
 * Reads the cells of some rows of the file again: cells of known columns, and other filled cells, up to the limits for
 * shown cells.
 */
export async function readCells(path: string, selection: RowSelection): Promise<RowCells[]> {
  const shown: RowCells[] = [];
  let characters = 0;
  for await (const { list, row, cells } of rowsAgain(path, selection)) {
    const own = (selection.lists[list]?.columns ?? []).flatMap(({ letters, field, question }, at) => {
      const text = (cells[at] ?? '').trim();
      const isShown = field === 'problem' ? false : Boolean(field || question || isFilled(text));
      return isShown && text.length <= LONGEST_CELL ? [[letters, text] as const] : [];
    });
    characters += own.reduce((sum, [letters, text]) => sum + letters.length + text.length, 0);
    if (characters > MOST_CHARACTERS) break;
    shown.push([rowKey({ list, row }), Object.fromEntries(own)]);
  }
  return shown;
}

async function* rowsAgain(
  path: string,
  { rows, lists, corrections = {} }: RowSelection,
): AsyncGenerator<RowPlace & Pick<SheetRow, 'cells'>> {
  const missing = new Set(rows);
  const corrector = new Corrector(corrections);
  for await (const sheet of sheetsIn(path)) {
    const own = [...lists.entries()].filter(([, { sheetIndex }]) => sheetIndex === sheet.sheetIndex);
    for await (const given of sheet.rows) {
      for (const [index, list] of own) {
        if (!missing.delete(rowKey({ list: index, row: given.row }))) continue;
        const { row, cells } = partOf(corrector.corrected(given, list).row, list.first, list.columns.length);
        yield { list: index, row, cells };
      }
      if (missing.size === 0) return;
    }
  }
}
