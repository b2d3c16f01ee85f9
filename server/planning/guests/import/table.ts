import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { createThreads, ThreadExhausted, type ThreadLimits } from '../../../kernel/threads.ts';
import { type SheetComplaint, SheetProblem } from '../sheets/sheet.ts';
import { haveSheets, rowReference } from './corrections.ts';
import type { GuestList } from './guest-list.ts';
import { groupRows } from './households.ts';
import type { LeftRow, ReadOptions, ReadPart, ReadRow } from './read.ts';
import {
  type LineSelection,
  type RowCells,
  type RowLine,
  type RowPlace,
  type RowSelection,
  rowKey,
} from './reread.ts';

export interface Table {
  lists: readonly GuestList[];
  rows: ReadRow[];
  /** Rows within the lists of guests that are not guests. */
  left: readonly LeftRow[];
  /** True if the lists of guests in the file are on several sheets. */
  hasSheets: boolean;
  /** Reference of a row of the file, by which decisions and corrections name the row. */
  referenceOf(place: RowPlace): string;
  /**
   * Reads some rows of the file as CSV lines; `columns` has, for each list, its column indexes in the order of a line's
   * cells. Lines that were read before are cached; for the others the file is read again.
   */
  linesOf(rows: readonly RowPlace[], columns: LineSelection['columns']): Promise<ReadonlyMap<number, string>>;
  /** Reads the cells of some rows of the file, by row key and column letters, up to the limits for shown cells. */
  cellsOf(rows: readonly RowPlace[]): Promise<ReadonlyMap<number, RowCells[1]>>;
}

export type ReadingTask = { path: string } & (ReadOptions | RowSelection | LineSelection);

/** Messages from the worker thread that reads a file: the content, or the reason why it can't be read as a table. */
export type ReadMessage =
  | ReadPart
  | { lines: RowLine[] }
  | { cells: RowCells[] }
  | { complaint: SheetComplaint }
  | { problem: { field: string; complaint: Complaint } };

export type ReadTable = (path: string, options: ReadOptions) => Promise<Table>;

/**
 * Number of threads that read files at a time: a file made to be slow occupies one core and leaves another for
 * everybody else.
 */
const LIMITS: ThreadLimits = { atOnce: 2, waitMs: 30_000, runMs: 60_000, heapMb: 256 };

/**
 * Reads files in worker threads. The reader throws a SheetProblem for a file that is no table or exceeds the limits,
 * and a FieldProblem for a mapping that does not fit.
 */
export function createTableReader(): ReadTable {
  const run = createThreads<ReadingTask, ReadMessage>(
    new URL('./reading-thread.ts', import.meta.url),
    LIMITS,
  );
  const read = async (task: ReadingTask, onMessage: (message: ReadMessage) => void): Promise<void> => {
    let problem: Error | undefined;
    try {
      await run(task, (message) => {
        if ('complaint' in message) problem = new SheetProblem(message.complaint);
        else if ('problem' in message)
          problem = new FieldProblem(message.problem.field, message.problem.complaint);
        else onMessage(message);
      });
    } catch (error) {
      if (error instanceof ThreadExhausted) throw new SheetProblem('too_large');
      throw error;
    }
    if (problem) throw problem;
  };

  return async (path, options) => {
    const lists: GuestList[] = [];
    const rows: ReadRow[] = [];
    const left: LeftRow[] = [];
    const lines = new Map<number, string>();
    const corrections = options.corrections ?? {};
    await read({ path, ...options }, (message) => {
      if ('rows' in message) rows.push(...message.rows);
      else if ('lists' in message) lists.push(...message.lists);
      else if ('left' in message) left.push(...message.left);
    });
    const hasSheets = haveSheets(lists);
    const guests = groupRows(rows);
    return {
      lists,
      rows: guests,
      left,
      hasSheets,
      referenceOf({ list, row }) {
        const own = lists[list];
        return own ? rowReference(own, row, hasSheets) : String(row);
      },
      async linesOf(places, columns) {
        const missing = places.map(rowKey).filter((key) => !lines.has(key));
        if (missing.length === 0) return lines;
        await read({ path, lists, rows: missing, columns, corrections }, (message) => {
          if ('lines' in message) for (const [row, line] of message.lines) lines.set(row, line);
        });
        return lines;
      },
      async cellsOf(places) {
        const cells = new Map<number, RowCells[1]>();
        await read({ path, lists, rows: places.map(rowKey), corrections }, (message) => {
          if ('cells' in message) for (const [row, own] of message.cells) cells.set(row, own);
        });
        return cells;
      },
    };
  };
}
