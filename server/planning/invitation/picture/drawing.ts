import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DrawingMessage } from './drawing-process.ts';
import { complaintAbout } from './format.ts';
import { type Complaint, type Drawn, LIMITS } from './sizes.ts';

const PROCESS = fileURLToPath(new URL('./drawing-process.ts', import.meta.url));

/** A file that is no picture, or none that can be kept. */
export class PictureProblem extends Error {
  readonly complaint: Complaint;

  constructor(complaint: Complaint) {
    super(`a picture: ${complaint}`);
    this.complaint = complaint;
  }
}

/**
 * Makes what is kept of a picture, from a file of a stranger's. In a process of its own, which knows nothing of the server's:
 * a decoder that runs wild can be ended there and takes nobody along, and a server that is never sent a picture never
 * loads one. Throws a PictureProblem.
 */
export async function drawPicture(path: string): Promise<Drawn[]> {
  const complaint = await complaintAbout(path);
  if (complaint) throw new PictureProblem(complaint);
  const message = await drawApart(path);
  if ('complaint' in message) throw new PictureProblem(message.complaint);
  return message.drawn;
}

function drawApart(path: string): Promise<DrawingMessage> {
  const { promise, resolve } = Promise.withResolvers<DrawingMessage>();
  const child = fork(PROCESS, [path], {
    env: {},
    execArgv: ['--max-old-space-size=128'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    child.kill('SIGKILL');
  }, LIMITS.runMs);
  child.once('message', (message) => resolve(message as DrawingMessage));
  child.once('error', () => resolve({ complaint: 'broken' }));
  // Without a word: its decoder fell over the file, or took too long.
  child.once('exit', () => {
    clearTimeout(timer);
    resolve({ complaint: isSlow ? 'slow' : 'broken' });
  });
  return promise;
}
