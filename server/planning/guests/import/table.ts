import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { createThreads, ThreadExhausted, type ThreadLimits } from '../../../kernel/threads.ts';
import { type SheetComplaint, SheetProblem } from '../sheets/sheet.ts';
import type { Layout } from './layout.ts';
import type { ReadOptions, ReadRow, RowCells, RowLine, RowSelection } from './read.ts';

export interface Table {
  layout: Layout;
  rows: ReadRow[];
  /** Reads some rows as CSV lines. Lines that were read before are cached; for the others the file is read again. */
  linesOf(selection: RowSelection): Promise<ReadonlyMap<number, string>>;
  /** Reads the cells of some rows by column letters, up to the limits for shown cells. */
  cellsOf(selection: RowSelection): Promise<ReadonlyMap<number, RowCells[1]>>;
}

type Again = RowSelection & Pick<ReadOptions, 'corrections'>;
export type ReadingTask = { path: string } & (ReadOptions | Again | (Again & { isShown: true }));

/**
 * Messages of the worker thread: first the layout, then batches of rows or lines; or the reason why there is no
 * table.
 */
export type ReadMessage =
  | { layout: Layout }
  | { rows: ReadRow[] }
  | { lines: RowLine[] }
  | { cells: RowCells[] }
  | { complaint: SheetComplaint }
  | { problem: { field: string; complaint: Complaint } };

export type ReadTable = (path: string, options: ReadOptions) => Promise<Table>;

/** Two threads at a time: a file made to be slow occupies one core and leaves another for everybody else. */
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
    const rows: ReadRow[] = [];
    const lines = new Map<number, string>();
    const { corrections = {} } = options;
    let layout: Layout | undefined;
    await read({ path, ...options }, (message) => {
      if ('rows' in message) rows.push(...message.rows);
      else if ('layout' in message) layout = message.layout;
    });
    if (!layout) throw new Error('a thread ended without a word');
    return {
      layout,
      rows,
      async linesOf(selection) {
        const missing = selection.rows.filter((row) => !lines.has(row));
        if (missing.length === 0) return lines;
        await read({ path, ...selection, rows: missing, corrections }, (message) => {
          if ('lines' in message) for (const [row, line] of message.lines) lines.set(row, line);
        });
        return lines;
      },
      async cellsOf(selection) {
        const cells = new Map<number, RowCells[1]>();
        await read({ path, ...selection, corrections, isShown: true }, (message) => {
          if ('cells' in message) for (const [row, own] of message.cells) cells.set(row, own);
        });
        return cells;
      },
    };
  };
}
