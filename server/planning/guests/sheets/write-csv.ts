import { createPauses } from '../../../kernel/pauses.ts';
import { guardFormula } from './formula.ts';

const BOM = '\uFEFF';
const END = '\r\n';
/** Number of characters that are sent at once. */
const BLOCK = 2 ** 14;

/**
 * Writes a CSV file that Excel opens correctly: UTF-8 with a byte order mark, CRLF, quotes where needed, and no cell
 * that could be taken for a formula.
 */
export async function* csvFile(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  const pause = createPauses();
  let block = BOM;
  for await (const row of rows) {
    block += csvCells(row) + END;
    await pause();
    if (block.length < BLOCK) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Makes a CSV file from rows that are already CSV lines. */
export function csvText(rows: readonly string[]): string {
  return BOM + rows.map((row) => row + END).join('');
}

export function csvCells(row: readonly string[]): string {
  return row.map(csvCell).join(',');
}

function csvCell(text: string): string {
  if (text === '') return '';
  const safe = guardFormula(text);
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
