import { FieldProblem } from '../../../kernel/fields.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type GuestBody, readGuestBody } from '../input.ts';
import { messages } from '../messages.ts';
import { csvRows } from '../sheets/csv.ts';
import { formatOf, LIMITS, SheetProblem } from '../sheets/sheet.ts';
import { xlsxRows } from '../sheets/xlsx.ts';
import { columnsOf } from './headings.ts';
import { recordOf } from './record.ts';

/** A row of the file, read: what it says of a guest, or what is wrong with it. */
export interface ReadRow {
  /** As the spreadsheet counts: the headings are row 1, most often. */
  row: number;
  name: string;
  guest: GuestBody | FieldProblem;
}

export interface Table {
  rows: ReadRow[];
  /** Headings that name nothing we keep. */
  ignored: string[];
}

const HEADINGS_WITHIN = 50;
const MOST_IGNORED = 50;
const LONGEST_SHOWN = 100;

/** Reads and judges the whole of a file, row by row; nothing of it needs the database. Throws a SheetProblem or a Refusal. */
export async function readTable(path: string): Promise<Table> {
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
    throw new Refusal(400, 'no_name_column', messages.noNameColumn);
  }
  const rows: ReadRow[] = [];
  for await (const cells of source) {
    row += 1;
    if (row > LIMITS.rows + 1) throw new SheetProblem('too_many_rows');
    if (cells.some(isFilled)) rows.push(readRow(row, columns, cells));
  }
  const ignored = headings.filter((heading, index) => isFilled(heading) && !columns[index]);
  return {
    rows,
    ignored: ignored.slice(0, MOST_IGNORED).map((heading) => heading.slice(0, LONGEST_SHOWN)),
  };
}

function readRow(row: number, columns: ReturnType<typeof columnsOf>, cells: string[]): ReadRow {
  let name = '';
  try {
    const record = recordOf(columns, cells);
    name = String(record.name ?? '').slice(0, LONGEST_SHOWN);
    return { row, name, guest: readGuestBody(record) };
  } catch (error) {
    if (error instanceof FieldProblem) return { row, name, guest: error };
    throw error;
  }
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}
