const BOM = '\uFEFF';

/** A CSV file as Excel opens it: UTF-8 with its mark, CRLF, quoted where needed, and no cell taken for a formula. */
export async function* csvFile(rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield BOM;
  for await (const row of rows) yield csvLine(row);
}

/** The same of rows that are at hand. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return BOM + rows.map(csvLine).join('');
}

function csvLine(row: readonly string[]): string {
  return `${row.map(csvCell).join(',')}\r\n`;
}

/** What begins like a formula gets an apostrophe in front (OWASP, "CSV Injection"); an import takes it off again. */
function csvCell(text: string): string {
  const safe = /^[\s']*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
