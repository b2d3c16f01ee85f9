import { notAsFormula } from './formula.ts';

const BOM = '\uFEFF';
const END = '\r\n';

/** A CSV file as Excel opens it: UTF-8 with its mark, CRLF, quoted where needed, and no cell taken for a formula. */
export async function* csvFile(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield BOM;
  for await (const row of rows) yield csvCells(row) + END;
}

/** The same of rows that are cells beside each other already. */
export function csvText(rows: readonly string[]): string {
  return BOM + rows.map((row) => row + END).join('');
}

export function csvCells(row: readonly string[]): string {
  return row.map(csvCell).join(',');
}

function csvCell(text: string): string {
  const safe = notAsFormula(text);
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
