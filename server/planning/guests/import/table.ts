import { createThreads, ThreadExhausted, type ThreadLimits } from '../../../kernel/threads.ts';
import { type SheetComplaint, SheetProblem } from '../sheets/sheet.ts';
import type { ReadRow } from './read.ts';

export interface Table {
  rows: ReadRow[];
  /** Headings that name nothing we keep. */
  ignored: string[];
}

/** What the thread says, one after the other: batches of rows, and in the end the headings or why there is no table. */
export type ReadMessage = { rows: ReadRow[] } | { ignored: string[] } | { complaint: SheetComplaint };

export type ReadTable = (path: string) => Promise<Table>;

/** Two at a time: a file that is made to be slow takes a core, and another is left for everybody else. */
const LIMITS: ThreadLimits = { atOnce: 2, waitMs: 30_000, runMs: 60_000, heapMb: 256 };

/** Reads whole files in threads of their own. Throws a SheetProblem for one that is no table, or that takes too much. */
export function createTableReader(): ReadTable {
  const read = createThreads<string, ReadMessage>(new URL('./reading-thread.ts', import.meta.url), LIMITS);
  return async (path) => {
    const rows: ReadRow[] = [];
    let ignored: string[] = [];
    let complaint: SheetComplaint | undefined;
    try {
      await read(path, (message) => {
        if ('rows' in message) rows.push(...message.rows);
        else if ('ignored' in message) ignored = message.ignored;
        else complaint = message.complaint;
      });
    } catch (error) {
      if (error instanceof ThreadExhausted) throw new SheetProblem('too_large');
      throw error;
    }
    if (complaint) throw new SheetProblem(complaint);
    return { rows, ignored };
  };
}
