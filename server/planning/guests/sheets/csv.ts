import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decoded, encodingOf } from './encoding.ts';
import { LIMITS, SheetProblem } from './sheet.ts';

const DELIMITERS = [',', ';', '\t'];

/** The rows of a CSV file, in whatever encoding and with whatever of the usual delimiters it was written. */
export async function* csvRows(path: string): AsyncGenerator<string[]> {
  const encoding = await encodingOf(path);
  const delimiter = await delimiterOf(decoded(path, encoding));
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LIMITS.rowCharacters,
  });
  const text = Readable.from(decoded(path, encoding));
  text.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of text.pipe(parser)) {
      yield (row as string[]).slice(0, LIMITS.columns).map(withoutGuard);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new SheetProblem('broken');
    throw error;
  } finally {
    text.destroy();
  }
}

/** What an export put before a text to keep it from being a formula is no part of it. */
function withoutGuard(cell: string): string {
  return cell.replace(/^'(?=[\s']*[=+\-@\t\r])/, '');
}

/** Excel writes the delimiter of its country: whichever of the usual ones the first line has most of. */
async function delimiterOf(text: AsyncIterable<string>): Promise<string> {
  let start = '';
  for await (const piece of text) {
    start += piece;
    if (/[\r\n]/.test(start) || start.length > LIMITS.rowCharacters) break;
  }
  const [line = ''] = start.replace(/^\uFEFF/, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}
