import { type Complaint, FieldProblem } from '../../../kernel/fields.ts';
import { createThreads, ThreadExhausted, type ThreadLimits } from '../../../kernel/threads.ts';
import { type SheetComplaint, SheetProblem } from '../sheets/sheet.ts';
import type { Layout } from './layout.ts';
import type { ReadOptions, ReadRow } from './read.ts';

export interface Table {
  layout: Layout;
  rows: ReadRow[];
}

export interface ReadingTask extends ReadOptions {
  path: string;
}

/** What the thread says, one after the other: how the file is read, batches of rows, or why there is no table. */
export type ReadMessage =
  | { layout: Layout }
  | { rows: ReadRow[] }
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
  const read = createThreads<ReadingTask, ReadMessage>(
    new URL('./reading-thread.ts', import.meta.url),
    LIMITS,
  );
  return async (path, options) => {
    const rows: ReadRow[] = [];
    let layout: Layout | undefined;
    let problem: Error | undefined;
    try {
      await read({ path, ...options }, (message) => {
        if ('rows' in message) rows.push(...message.rows);
        else if ('layout' in message) layout = message.layout;
        else if ('complaint' in message) problem = new SheetProblem(message.complaint);
        else problem = new FieldProblem(message.problem.field, message.problem.complaint);
      });
    } catch (error) {
      if (error instanceof ThreadExhausted) throw new SheetProblem('too_large');
      throw error;
    }
    if (problem) throw problem;
    if (!layout) throw new Error('a thread ended without a word');
    return { layout, rows };
  };
}
