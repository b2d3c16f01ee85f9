import { FieldProblem, invalidField } from '../../../kernel/fields.ts';
import { messages } from '../messages.ts';
import { columnIndexOf, type SheetRow } from '../sheets/sheet.ts';

/** Corrected cells, which replace the file's own, by row number and then by the letters of the column. */
export type Corrections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Refuses corrections in columns that the file does not have: they are probably meant for another cell. */
export function refuseUnknownColumns(
  corrections: Corrections,
  columns: readonly { letters: string }[],
): void {
  const names = columns.map(({ letters }) => letters);
  for (const [row, cells] of Object.entries(corrections)) {
    const stranger = Object.keys(cells).find((letters) => !names.includes(letters));
    if (stranger !== undefined)
      throw new FieldProblem(`mends.${row}.${stranger}`, { kind: 'unknown', names });
  }
}

/** Refuses corrections in rows that the file does not have. Called once all rows have been read. */
export function refuseUnknownRows(corrections: Corrections, seen: ReadonlySet<number>): void {
  const stranger = Object.keys(corrections).find((row) => !seen.has(Number(row)));
  if (stranger !== undefined) throw invalidField(`mends.${stranger}`, messages.noSuchRow);
}

export function correctedRow(given: SheetRow, corrections: Corrections): SheetRow {
  const own = corrections[given.row];
  if (!own) return given;
  const { row, unread } = given;
  const cells = [...given.cells];
  const corrected = new Set<number>();
  for (const [letters, text] of Object.entries(own)) {
    const at = columnIndexOf(letters) ?? 0;
    while (cells.length < at) cells.push('');
    cells[at] = text;
    corrected.add(at);
  }
  const left = unread?.filter((at) => !corrected.has(at)) ?? [];
  return { row, cells, ...(left.length > 0 && { unread: left }) };
}
