import { guardFormula } from './formula.ts';

const BOM = '\uFEFF';
const END = '\r\n';

/**
 * Writes a CSV file that Excel opens correctly: UTF-8 with a byte order mark, CRLF, quotes where needed, and no cell
 * that could be taken for a formula.
 */
export async function* csvFile(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield BOM;
  for await (const row of rows) yield csvCells(row) + END;
}

/** Makes a CSV file from rows that are already CSV lines. */
export function csvText(rows: readonly string[]): string {
  return BOM + rows.map((row) => row + END).join('');
}

export function csvCells(row: readonly string[]): string {
  return row.map(csvCell).join(',');
}

function csvCell(text: string): string {
  const safe = guardFormula(text);
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
