import { parentPort, workerData } from 'node:worker_threads';
import { SheetProblem } from '../sheets/sheet.ts';
import { readRows } from './read.ts';
import type { ReadMessage } from './table.ts';

// What table.ts runs in a thread of its own: reads the file that `workerData` names.

const say = (message: ReadMessage) => parentPort?.postMessage(message);

try {
  const rows = readRows(String(workerData));
  for (let next = await rows.next(); ; next = await rows.next()) {
    if (next.done) {
      say({ ignored: next.value });
      break;
    }
    say({ rows: next.value });
  }
} catch (error) {
  if (!(error instanceof SheetProblem)) throw error;
  say({ complaint: error.complaint });
}
