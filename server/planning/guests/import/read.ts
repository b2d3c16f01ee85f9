import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { type GuestBody, readGuestBody } from '../input.ts';
import { csvRows } from '../sheets/csv.ts';
import { formatOf, LIMITS, SheetProblem } from '../sheets/sheet.ts';
import { xlsxRows } from '../sheets/xlsx.ts';
import { columnsOf } from './headings.ts';
import { recordOf } from './record.ts';

/** A row of the file, read: what it says of a guest, or what is wrong with it. Plain values: it comes from another thread. */
export interface ReadRow {
  /** As the spreadsheet counts: the headings are row 1, most often. */
  row: number;
  name: string;
  guest: GuestBody | { field: string; complaint: Complaint };
}

const HEADINGS_WITHIN = 50;
const MOST_IGNORED = 50;
const LONGEST_SHOWN = 100;
const AT_ONCE = 500;

/**
 * Reads and judges the whole of a file, row by row; nothing of it needs the database. Yields the rows some at a time
 * and returns the headings that name nothing we keep. Throws a SheetProblem.
 */
export async function* readRows(path: string): AsyncGenerator<ReadRow[], string[]> {
  const source = (await formatOf(path)) === 'xlsx' ? xlsxRows(path) : csvRows(path);
  let row = 0;
  let headings: string[] | undefined;
  while (!headings) {
    const { value, done } = await source.next();
    row += 1;
    if (done || row > HEADINGS_WITHIN) throw new SheetProblem('empty');
    if (value.some(isFilled)) headings = value;
  }
  const columns = columnsOf(headings);
  if (!columns.some((column) => column === 'name' || column === 'first_name' || column === 'last_name')) {
    await source.return(undefined);
    throw new SheetProblem('no_name_column');
  }
  let rows: ReadRow[] = [];
  for await (const cells of source) {
    row += 1;
    if (row > LIMITS.rows + 1) throw new SheetProblem('too_many_rows');
    if (cells.some(isFilled)) rows.push(readRow(row, columns, cells));
    if (rows.length === AT_ONCE) {
      yield rows;
      rows = [];
    }
  }
  yield rows;
  const ignored = headings.filter((heading, index) => isFilled(heading) && !columns[index]);
  return ignored.slice(0, MOST_IGNORED).map((heading) => heading.slice(0, LONGEST_SHOWN));
}

function readRow(row: number, columns: ReturnType<typeof columnsOf>, cells: string[]): ReadRow {
  let name = '';
  try {
    const record = recordOf(columns, cells);
    name = String(record.name ?? '').slice(0, LONGEST_SHOWN);
    return { row, name, guest: readGuestBody(record) };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const { field, complaint } = error;
    return { row, name, guest: { field, complaint } };
  }
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}
