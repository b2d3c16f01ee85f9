import { parentPort, workerData } from 'node:worker_threads';
import { FieldProblem } from '../../../kernel/fields.ts';
import { SheetProblem } from '../sheets/sheet.ts';
import { readRows } from './read.ts';
import { readCells, readLines } from './reread.ts';
import type { ReadingTask, ReadMessage } from './table.ts';

// Worker thread that reads the file named in `workerData`. Started by table.ts.

const send = (message: ReadMessage) => parentPort?.postMessage(message);

try {
  const task = workerData as ReadingTask;
  if ('columns' in task) {
    for await (const lines of readLines(task.path, task)) send({ lines });
  } else if ('lists' in task) send({ cells: await readCells(task.path, task) });
  else for await (const part of readRows(task.path, task)) send(part);
} catch (error) {
  if (error instanceof SheetProblem) send({ complaint: error.complaint });
  else if (error instanceof FieldProblem)
    send({ problem: { field: error.field, complaint: error.complaint } });
  else throw error;
}
