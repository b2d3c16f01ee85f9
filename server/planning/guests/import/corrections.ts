import { FieldProblem, invalidField } from '../../../kernel/fields.ts';
import { messages } from '../messages.ts';
import { columnIndexOf, columnLetters, type SheetRow } from '../sheets/sheet.ts';
import type { GuestList } from './guest-list.ts';

/** Corrected cells, which replace the file's own, by the row's reference and then by the letters of the column. */
export type Corrections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Reference of a row: its number; with the letters of the list's first column if lists stand side by side; with the
 * sheet's name if the file has several sheets. `צד כלה!D12`.
 */
export function rowReference(
  { sheet, first }: Pick<GuestList, 'sheet' | 'first'>,
  row: number,
  hasSheets: boolean,
): string {
  return `${hasSheets ? `${sheet}!` : ''}${first > 0 ? columnLetters(first) : ''}${row}`;
}

/** True if the lists of guests in the file are on several sheets. */
export function haveSheets(lists: readonly Pick<GuestList, 'sheetIndex'>[]): boolean {
  return lists.some(({ sheetIndex }) => sheetIndex > 0);
}

/** Applies the user's corrections to the rows of an imported file while the rows are read. */
export class Corrector {
  readonly #corrections: Corrections;
  /** References of the user's corrections that fit a row of the file, with the index of the row's sheet. */
  readonly #used = new Map<string, { list: GuestList; isWithSheet: boolean }>();

  constructor(corrections: Corrections) {
    this.#corrections = corrections;
  }

  /**
   * A row of the file with the user's corrections of its cells. `isCorrected` is true also for a correction without
   * cells, by which the user says that the row is a guest.
   */
  corrected(given: SheetRow, list: GuestList): { row: SheetRow; isCorrected: boolean } {
    // References with and without the sheet's name are both tried: whether the file has another sheet is only known at
    // its end.
    for (const isWithSheet of [true, false]) {
      const reference = rowReference(list, given.row, isWithSheet);
      const own = this.#corrections[reference];
      if (!own || (!isWithSheet && list.sheetIndex > 0)) continue;
      this.#used.set(reference, { list, isWithSheet });
      return { row: withCells(given, own), isCorrected: true };
    }
    return { row: given, isCorrected: false };
  }

  /**
   * Refuses corrections in rows and columns that the file does not have: they are probably meant for another cell.
   * Called once all rows have been read.
   */
  refuseUnused(lists: readonly GuestList[]): void {
    const hasSheets = haveSheets(lists);
    for (const [reference, cells] of Object.entries(this.#corrections)) {
      const used = this.#used.get(reference);
      if (!used || (hasSheets && !used.isWithSheet))
        throw invalidField(`mends.${reference}`, messages.noSuchRow);
      const names = used.list.columns.map(({ letters }) => letters);
      const stranger = Object.keys(cells).find((letters) => !names.includes(letters));
      if (stranger !== undefined)
        throw new FieldProblem(`mends.${reference}.${stranger}`, { kind: 'unknown', names });
    }
  }
}

function withCells(given: SheetRow, corrected: Readonly<Record<string, string>>): SheetRow {
  const cells = [...given.cells];
  const columns = new Set<number>();
  for (const [letters, text] of Object.entries(corrected)) {
    const at = columnIndexOf(letters) ?? 0;
    while (cells.length < at) cells.push('');
    cells[at] = text;
    columns.add(at);
  }
  const { unread, ...row } = given;
  const left = unread?.filter((at) => !columns.has(at)) ?? [];
  return { ...row, cells, ...(left.length > 0 && { unread: left }) };
}
