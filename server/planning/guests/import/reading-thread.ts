import { parentPort, workerData } from 'node:worker_threads';
import { FieldProblem } from '../../../kernel/fields.ts';
import { SheetProblem } from '../sheets/sheet.ts';
import { readCells, readLines, readRows } from './read.ts';
import type { ReadingTask, ReadMessage } from './table.ts';

// Worker thread started by table.ts. It reads the file named in `workerData`.

const say = (message: ReadMessage) => parentPort?.postMessage(message);

try {
  const task = workerData as ReadingTask;
  if ('isShown' in task) say({ cells: await readCells(task.path, task) });
  else if ('columns' in task) {
    for await (const lines of readLines(task.path, task)) say({ lines });
  } else {
    for await (const part of readRows(task.path, task)) {
      say(Array.isArray(part) ? { rows: part } : { layout: part });
    }
  }
} catch (error) {
  if (error instanceof SheetProblem) say({ complaint: error.complaint });
  else if (error instanceof FieldProblem)
    say({ problem: { field: error.field, complaint: error.complaint } });
  else throw error;
}
