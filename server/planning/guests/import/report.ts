import type { FieldProblem } from '../../../kernel/fields.ts';
import type { Language } from '../../../kernel/languages.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { messages } from '../messages.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import type { Layout } from './layout.ts';
import type { DuplicateDecision } from './plan.ts';
import type { Table } from './table.ts';

const MOST_IGNORED = 50;

/** Options of an import, and the language of its report. */
export interface ImportOptions {
  onProblem: 'refuse' | 'skip';
  decide(row: number): DuplicateDecision | undefined;
  /** Describes a refused row for the report. */
  describe(error: FieldProblem | Refusal): Pick<ImportRow, 'code' | 'field' | 'problem'>;
  language: Language;
}

/** Report on an import or a dry run. Without rows it only tells how the columns were read. */
export function importReportOf(
  rows: ImportRow[],
  { layout }: Table,
  { language }: ImportOptions,
  dryRun: boolean,
  toMend?: ImportReport['to_mend'],
): ImportReport {
  const count = (action: ImportRow['action']) => rows.filter((row) => row.action === action).length;
  return {
    dry_run: dryRun,
    created: count('create'),
    updated: count('update'),
    unchanged: count('keep'),
    refused: count('refuse'),
    asked: count('ask'),
    skipped: count('skip'),
    ...shownLayout(layout, language),
    rows,
    ...(toMend && { to_mend: toMend }),
  };
}

/** Recognized columns, and the mapping with which the file would be read in the same way. */
function shownLayout(
  { headings, columns }: Layout,
  language: Language,
): Pick<ImportReport, 'headings_row' | 'columns' | 'mapping' | 'ignored_columns'> {
  const named = columns.filter(({ heading }) => heading !== '');
  return {
    headings_row: headings,
    columns: columns.map(({ letters, heading, field, question, left, samples }) => ({
      column: letters,
      heading,
      field: field && field !== 'problem' ? field : null,
      ...(question && { question }),
      samples,
      ...(left && { left, left_because: messages.left[left][language] }),
    })),
    mapping: Object.fromEntries(
      columns
        .filter(({ field, question }) => field !== 'problem' && !question)
        .map(({ letters, field }) => [letters, field ?? 'ignore']),
    ),
    ignored_columns: named
      .filter(({ field, question }) => field === undefined && !question)
      .map(({ heading }) => heading)
      .slice(0, MOST_IGNORED),
  };
}
