import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DrawingMessage } from './drawing-process.ts';
import { complaintAbout } from './format.ts';
import { type DrawnPicture, PICTURE_LIMITS, type PictureComplaint } from './sizes.ts';

const PROCESS = fileURLToPath(new URL('./drawing-process.ts', import.meta.url));

/** Thrown for a file that is not a picture, or is a picture that can't be used. */
export class PictureProblem extends Error {
  readonly complaint: PictureComplaint;

  constructor(complaint: PictureComplaint) {
    super(`a picture: ${complaint}`);
    this.complaint = complaint;
  }
}

/**
 * Makes the stored sizes of an uploaded picture, which is not trusted. A child process does so, without the server's
 * environment: a decoder that hangs or crashes can be killed without harm, and a server without pictures never loads
 * the decoders. Throws a PictureProblem.
 */
export async function drawPicture(path: string): Promise<DrawnPicture[]> {
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
  }, PICTURE_LIMITS.runMs);
  child.once('message', (message) => resolve(message as DrawingMessage));
  child.once('error', () => resolve({ complaint: 'broken' }));
  // A child process that ends without a message crashed, or was killed because it took too long.
  child.once('exit', () => {
    clearTimeout(timer);
    resolve({ complaint: isSlow ? 'slow' : 'broken' });
  });
  return promise;
}
