import { type Language, languageNameOf } from '../../../kernel/languages.ts';
import { createPauses } from '../../../kernel/pauses.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { messages } from '../messages.ts';
import { SHEET_LIMITS } from '../sheets/sheet.ts';
import { csvCells, csvText } from '../sheets/write-csv.ts';
import type { ImportReport } from './contract.ts';
import type { GuestList } from './guest-list.ts';
import { COLUMNS, headingForm } from './headings.ts';
import type { PlacedRow } from './report.ts';
import { rowKey } from './reread.ts';
import type { Table } from './table.ts';

/** Adds the cells of rows that are refused or need a decision to the report, so that the user can correct them. */
export async function addCells(rows: PlacedRow[], { cellsOf }: Pick<Table, 'cellsOf'>): Promise<PlacedRow[]> {
  const left = rows.filter(isLeft);
  if (left.length === 0) return rows;
  const cells = await cellsOf(left.map(({ place }) => place));
  return rows.map((row) => {
    const own = isLeft(row) && cells.get(rowKey(row.place));
    return own ? { ...row, line: { ...row.line, cells: own } } : row;
  });
}

const isLeft = ({ line: { action } }: PlacedRow): boolean => action === 'refuse' || action === 'ask';

/**
 * Makes a CSV file of the rows that were not imported, with the reason in the last column, to correct and import.
 * Columns of several lists are united by their headings. Returns undefined if all rows were imported; throws a Refusal
 * if the file would exceed the limit of an import.
 */
export async function fileToCorrect(
  rows: readonly PlacedRow[],
  { lists, linesOf }: Pick<Table, 'lists' | 'linesOf'>,
  language: Language,
): Promise<ImportReport['to_mend']> {
  const left = rows.filter(isLeft);
  if (left.length === 0) return undefined;
  const { headings, columns } = unitedColumns(lists);
  const lines = await linesOf(
    left.map(({ place }) => place),
    columns,
  );
  // Rows lose their sheet, list and title in the file to correct, so the tags made from these are written into a
  // column.
  const hasTags = left.some(({ placeTags }) => placeTags.length > 0);
  const { tags, problem: reason } = COLUMNS;
  const written = [
    csvCells([...headings, ...(hasTags ? [tags.label[language]] : []), reason.label[language]]),
  ];
  const pause = createPauses();
  for (const { place, placeTags, line } of left) {
    const added = hasTags ? [tags.cell.write(placeTags, languageNameOf(language))] : [];
    const why = withoutApiNames(line.problem ?? '', line.field);
    written.push(`${lines.get(rowKey(place)) ?? ''},${csvCells([...added, why])}`);
    await pause();
  }
  const content = csvText(written);
  if (content.length > SHEET_LIMITS.characters)
    throw new Refusal(400, 'too_much_to_mend', messages.tooMuchToMend);
  return { name: 'to-mend.csv', content };
}

/** Notes for programs in a problem's text: `(doubles=skip)`, `(family_size)`, `(create)`. */
const API_NOTE = / \((?:[a-z_]+=[a-z]+|[a-z]+(?:_[a-z]+)+|create|update|skip|mapping)\)/g;

/** Text of a problem without the names of the API, which people who correct a spreadsheet do not know. */
export function withoutApiNames(problem: string, field: string | null | undefined): string {
  return problem.replace(field ? ` (${field})` : '', '').replaceAll(API_NOTE, '');
}

/** Headings of all lists that are read, without repetitions, and the index of each list's column under each heading. */
function unitedColumns(lists: readonly GuestList[]): { headings: string[]; columns: number[][] } {
  const headings: string[] = [];
  const forms: string[] = [];
  const places = lists.map(({ left, columns }) => {
    const own = new Map<number, number>();
    if (left) return own;
    for (const [at, { field, heading, letters }] of columns.entries()) {
      if (field === 'problem') continue;
      const form = headingForm(heading) || letters;
      let under = forms.findIndex((one, index) => one === form && !own.has(index));
      if (under < 0) {
        under = forms.push(form) - 1;
        headings.push(heading || letters);
      }
      own.set(under, at);
    }
    return own;
  });
  return { headings, columns: places.map((own) => headings.map((_, index) => own.get(index) ?? -1)) };
}
