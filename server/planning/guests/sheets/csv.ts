import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decodeFile, detectEncoding } from './encoding.ts';
import { removeFormulaGuard } from './formula.ts';
import { SHEET_LIMITS, type SheetPart, SheetProblem } from './sheet.ts';

const DELIMITERS = [',', ';', '\t'];
const LINES_LOOKED_AT = 20;

/**
 * Reads the rows of a CSV file in any usual encoding and with any usual delimiter. `worth` rates the cells of a line
 * as headings, which is the best way to tell delimiters apart.
 */
export async function* csvRows(
  path: string,
  worth: (cells: string[]) => number = () => 0,
): AsyncGenerator<SheetPart> {
  const encoding = await detectEncoding(path);
  const { delimiter, says } = delimiterOf(await startOf(decodeFile(path, encoding)), worth);
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: SHEET_LIMITS.rowCharacters,
    // If the first line is `sep=;`, it names the delimiter, as Excel writes it, and is no row of the table.
    from_line: says ? 2 : 1,
  });
  const text = Readable.from(decodeFile(path, encoding));
  text.on('error', (error) => parser.destroy(error));
  let row = 0;
  yield { sheet: '', isHidden: false };
  try {
    for await (const cells of text.pipe(parser)) {
      row += 1;
      yield { row, cells: (cells as string[]).slice(0, SHEET_LIMITS.columns).map(removeFormulaGuard) };
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new SheetProblem(error.code === 'CSV_MAX_RECORD_SIZE' ? 'row_too_large' : 'broken');
    throw error;
  } finally {
    text.destroy();
  }
}

async function startOf(text: AsyncIterable<string>): Promise<string[]> {
  let start = '';
  let lines: string[] = [];
  for await (const piece of text) {
    start += piece;
    lines = start.split(/\r\n|\r|\n/);
    if (lines.length > LINES_LOOKED_AT || start.length > SHEET_LIMITS.rowCharacters) break;
  }
  return lines.slice(0, LINES_LOOKED_AT);
}

/**
 * Finds the delimiter of a CSV file; Excel uses another one in some countries. It is the delimiter that the file names;
 * else the one that splits off the best headings; else the most frequent one in the first line that has any.
 */
function delimiterOf(
  lines: readonly string[],
  worth: (cells: string[]) => number,
): { delimiter: string; says: boolean } {
  const [, declared] = /^sep=([,;\t|])\s*$/i.exec(lines[0] ?? '') ?? [];
  if (declared) return { delimiter: declared, says: true };
  const first = lines.find((line) => DELIMITERS.some((delimiter) => line.includes(delimiter))) ?? '';
  const scoreOf = (delimiter: string) => [
    Math.max(0, ...lines.map((line) => worth(line.split(delimiter, SHEET_LIMITS.columns)))),
    first.split(delimiter).length,
  ];
  const delimiter = DELIMITERS.reduce((best, one) => (compare(scoreOf(one), scoreOf(best)) > 0 ? one : best));
  return { delimiter, says: false };
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
