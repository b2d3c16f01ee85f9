import type { Language } from '../../../kernel/languages.ts';
import { csvText } from '../sheets/write-csv.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { COLUMNS } from './headings.ts';
import type { Table } from './table.ts';

/**
 * The rows that were not taken, as they stood, with what is wrong with each: a file to be mended and sent again, with the
 * same mapping. undefined where all were taken.
 */
export function toMend(
  rows: readonly ImportRow[],
  { layout: { columns }, rows: read }: Table,
  language: Language,
): ImportReport['to_mend'] {
  const problems = new Map(
    rows.flatMap(({ row, action, problem = '' }) =>
      action === 'refuse' || action === 'ask' ? [[row, problem] as const] : [],
    ),
  );
  if (problems.size === 0) return undefined;
  const kept = [...columns.keys()].filter((index) => columns[index]?.field !== 'problem');
  const headings = kept.map((index) => columns[index]?.heading || columns[index]?.letters || '');
  const lines = read.flatMap(({ row, cells = [] }) => {
    const problem = problems.get(row);
    return problem === undefined ? [] : [[...kept.map((index) => cells[index] ?? ''), problem]];
  });
  return {
    name: 'to-mend.csv',
    content: csvText([[...headings, COLUMNS.problem.label[language]], ...lines]),
  };
}
