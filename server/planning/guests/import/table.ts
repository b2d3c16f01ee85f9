import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { createThreads, ThreadExhausted, type ThreadLimits } from '../../../kernel/threads.ts';
import { type SheetComplaint, SheetProblem } from '../sheets/sheet.ts';
import type { Layout } from './layout.ts';
import type { Line, LinesWanted, ReadOptions, ReadRow, RowCells } from './read.ts';

export interface Table {
  layout: Layout;
  rows: ReadRow[];
  /** Some rows as they stand in the file, which is read once more for those that were not asked for yet. */
  linesOf(wanted: LinesWanted): Promise<ReadonlyMap<number, string>>;
  /** The cells of some rows in the same way, by the letters of their columns, as far as they are to be shown. */
  cellsOf(wanted: LinesWanted): Promise<ReadonlyMap<number, RowCells[1]>>;
}

type Again = LinesWanted & Pick<ReadOptions, 'mends'>;
export type ReadingTask = { path: string } & (ReadOptions | Again | (Again & { isShown: true }));

/** What the thread says, one after the other: how the file is read, batches of rows or lines, or why there is no table. */
export type ReadMessage =
  | { layout: Layout }
  | { rows: ReadRow[] }
  | { lines: Line[] }
  | { cells: RowCells[] }
  | { complaint: SheetComplaint }
  | { problem: { field: string; complaint: Complaint } };

export type ReadTable = (path: string, options: ReadOptions) => Promise<Table>;

/** Two at a time: a file that is made to be slow takes a core, and another is left for everybody else. */
const LIMITS: ThreadLimits = { atOnce: 2, waitMs: 30_000, runMs: 60_000, heapMb: 256 };

/**
 * Reads whole files in threads of their own. Throws a SheetProblem for one that is no table, or that takes too much, and a
 * FieldProblem for a mapping that does not fit it.
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
    const { mends = {} } = options;
    let layout: Layout | undefined;
    await read({ path, ...options }, (message) => {
      if ('rows' in message) rows.push(...message.rows);
      else if ('layout' in message) layout = message.layout;
    });
    if (!layout) throw new Error('a thread ended without a word');
    return {
      layout,
      rows,
      async linesOf(wanted) {
        const missing = wanted.rows.filter((row) => !lines.has(row));
        if (missing.length === 0) return lines;
        await read({ path, ...wanted, rows: missing, mends }, (message) => {
          if ('lines' in message) for (const [row, line] of message.lines) lines.set(row, line);
        });
        return lines;
      },
      async cellsOf(wanted) {
        const cells = new Map<number, RowCells[1]>();
        await read({ path, ...wanted, mends, isShown: true }, (message) => {
          if ('cells' in message) for (const [row, own] of message.cells) cells.set(row, own);
        });
        return cells;
      },
    };
  };
}
