import type { Language } from '../../../kernel/languages.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { messages } from '../messages.ts';
import { LIMITS } from '../sheets/sheet.ts';
import { csvCells, csvText } from '../sheets/write-csv.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { COLUMNS } from './headings.ts';
import type { Table } from './table.ts';

/**
 * The rows that were not taken, as they stood, with what is wrong with each: a file to be mended and sent again, with the
 * same mapping. undefined where all were taken; refused where it would be more than can be sent again.
 */
export async function toMend(
  rows: readonly ImportRow[],
  { layout: { columns }, linesOf }: Pick<Table, 'layout' | 'linesOf'>,
  language: Language,
): Promise<ImportReport['to_mend']> {
  const problems = rows.flatMap(({ row, action, problem = '' }) =>
    action === 'refuse' || action === 'ask' ? [{ row, problem: csvCells([problem]) }] : [],
  );
  if (problems.length === 0) return undefined;
  const kept = [...columns.keys()].filter((index) => columns[index]?.field !== 'problem');
  const headings = kept.map((index) => columns[index]?.heading || columns[index]?.letters || '');
  const lines = await linesOf({ rows: problems.map(({ row }) => row), columns: kept });
  const content = csvText([
    csvCells([...headings, COLUMNS.problem.label[language]]),
    ...problems.map(({ row, problem }) => `${lines.get(row) ?? ''},${problem}`),
  ]);
  if (content.length > LIMITS.characters) throw new Refusal(400, 'too_much_to_mend', messages.tooMuchToMend);
  return { name: 'to-mend.csv', content };
}
