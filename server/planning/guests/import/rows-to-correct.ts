import type { Language } from '../../../kernel/languages.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { messages } from '../messages.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import { csvCells, csvText } from '../sheets/write-csv.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { COLUMNS } from './headings.ts';
import type { Table } from './table.ts';

/** Adds the cells of rows that are refused or need a decision, so that they can be corrected. */
export async function addCells(
  rows: ImportRow[],
  { layout: { columns }, cellsOf }: Pick<Table, 'layout' | 'cellsOf'>,
): Promise<ImportRow[]> {
  const leftRows = rows.filter(isLeft).map(({ row }) => row);
  if (leftRows.length === 0) return rows;
  const read = [...columns.keys()].filter((at) => {
    const { field, question } = columns[at] ?? {};
    return question !== undefined || (field !== undefined && field !== 'problem');
  });
  const cells = await cellsOf({ rows: leftRows, columns: read });
  return rows.map((row) => {
    const own = isLeft(row) && cells.get(row.row);
    return own ? { ...row, cells: own } : row;
  });
}

const isLeft = ({ action }: ImportRow): boolean => action === 'refuse' || action === 'ask';

/**
 * Makes a CSV file of the rows that were not imported, with the reason in the last column, to correct and import with
 * the same mapping. Returns undefined if all rows were imported; throws a Refusal if the file would exceed the limit
 * of an import.
 */
export async function fileToCorrect(
  rows: readonly ImportRow[],
  { layout: { columns }, linesOf }: Pick<Table, 'layout' | 'linesOf'>,
  language: Language,
): Promise<ImportReport['to_mend']> {
  const problems = rows
    .filter(isLeft)
    .map(({ row, problem = '' }) => ({ row, problem: csvCells([problem]) }));
  if (problems.length === 0) return undefined;
  const shownColumns = [...columns.keys()].filter((index) => columns[index]?.field !== 'problem');
  const headings = shownColumns.map((index) => columns[index]?.heading || columns[index]?.letters || '');
  const lines = await linesOf({ rows: problems.map(({ row }) => row), columns: shownColumns });
  const content = csvText([
    csvCells([...headings, COLUMNS.problem.label[language]]),
    ...problems.map(({ row, problem }) => `${lines.get(row) ?? ''},${problem}`),
  ]);
  if (content.length > SHEET_LIMITS.characters)
    throw new Refusal(400, 'too_much_to_mend', messages.tooMuchToMend);
  return { name: 'to-mend.csv', content };
}
