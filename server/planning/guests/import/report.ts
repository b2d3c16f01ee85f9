import type { FieldProblem } from '../../../kernel/fields.ts';
import type { Language } from '../../../kernel/languages.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { messages } from '../messages.ts';
import type { ImportReport, ImportRow } from './contract.ts';
import { haveSheets } from './corrections.ts';
import { type GuestList, hasNames } from './guest-list.ts';
import type { Decisions } from './plan.ts';
import type { RowPlace } from './reread.ts';
import type { Table } from './table.ts';

const MOST_IGNORED = 50;

/** Options of an import of guests, and the language of the import's report. */
export interface ImportOptions {
  onProblem: 'refuse' | 'skip';
  decisions: Decisions & {
    /** True for a row of the file that the user leaves out, even if the row has problems. */
    skips(ref: string): boolean;
  };
  /** Describes, for the report, why a row of the file is refused. */
  describe(error: FieldProblem | Refusal): Pick<ImportRow, 'code' | 'field' | 'problem'>;
  language: Language;
}

/** Line of the import's report, and the place of its row in the file. */
export interface PlacedRow {
  place: RowPlace;
  /** Tags for the guest that are made from the row's place in the file. */
  placeTags: readonly string[];
  line: ImportRow;
}

/** Report on an import or a dry run. Without rows it only tells how the lists and columns were read. */
export function importReportOf(
  rows: readonly PlacedRow[],
  { lists, left, rows: read, referenceOf }: Table,
  { language }: Pick<ImportOptions, 'language'>,
  dryRun: boolean,
  toMend?: ImportReport['to_mend'],
): ImportReport {
  const counts = new Map<ImportRow['action'], number>();
  for (const { line } of rows) counts.set(line.action, (counts.get(line.action) ?? 0) + 1);
  const count = (action: ImportRow['action']) => counts.get(action) ?? 0;
  const hasSheets = haveSheets(lists);
  return {
    dry_run: dryRun,
    created: count('create'),
    updated: count('update'),
    unchanged: count('keep'),
    refused: count('refuse'),
    asked: count('ask'),
    skipped: count('skip'),
    lists: lists.map((list, index) => ({
      sheet: list.sheet,
      headings_row: list.headings,
      ...(list.title !== undefined && { title: list.title }),
      columns: columnsOf(list, hasSheets, language),
      rows: read.filter((row) => row.list === index).length,
      sections: left.filter((row) => row.list === index && row.because === 'section').map(({ text }) => text),
      ...(list.left && { left: list.left, left_because: messages.listLeft[list.left][language] }),
    })),
    mapping: mappingOf(lists, hasSheets),
    left_rows: left.map(({ list, row, because, text }) => ({
      row,
      ref: referenceOf({ list, row }),
      list,
      left: because,
      left_because: messages.rowLeft[because][language],
      text,
    })),
    ignored_columns: ignoredColumns(lists),
    rows: rows.map(({ line }) => line),
    ...(toMend && { to_mend: toMend }),
  };
}

function columnsOf(
  { sheet, columns }: GuestList,
  hasSheets: boolean,
  language: Language,
): ImportReport['lists'][number]['columns'] {
  return columns.map(({ letters, heading, field, question, left, samples }) => ({
    column: letters,
    key: columnKey(sheet, letters, hasSheets),
    heading,
    field: field && field !== 'problem' ? field : null,
    ...(question && { question }),
    samples,
    ...(left && { left, left_because: messages.left[left][language] }),
  }));
}

/** Mapping of columns to fields with which the import would read the file in the same way. */
function mappingOf(lists: readonly GuestList[], hasSheets: boolean): ImportReport['mapping'] {
  // Lists without a column of names are shown, so that the organizer can say which column has the names.
  const shown = lists.some((list) => !list.left) ? lists.filter(hasNames) : lists;
  return Object.fromEntries(
    shown.flatMap(({ sheet, columns }) =>
      columns
        .filter(({ field, question }) => field !== 'problem' && !question)
        .map(({ letters, field }) => [columnKey(sheet, letters, hasSheets), field ?? 'ignore']),
    ),
  );
}

function columnKey(sheet: string, letters: string, hasSheets: boolean): string {
  return hasSheets ? `${sheet}!${letters}` : letters;
}

function ignoredColumns(lists: readonly GuestList[]): string[] {
  const headings = lists
    .filter(({ left }) => !left)
    .flatMap(({ columns }) => columns)
    .filter(
      ({ heading, field, question, left }) =>
        field === undefined && !question && (heading !== '' || left === 'no_heading'),
    )
    .map(({ heading, letters }) => heading || letters);
  return [...new Set(headings)].slice(0, MOST_IGNORED);
}
