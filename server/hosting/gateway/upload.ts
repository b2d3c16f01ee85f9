import type { IncomingMessage } from 'node:http';
import type { Exchange } from './upstream.ts';

export interface UploadParts {
  chunked: boolean;
  /** True once nothing more is to be sent. */
  isOver(): boolean;
  onSent(): void;
}

/** Sends a request's body on, at the pace of the slower side. */
export function sendBody(
  request: IncomingMessage,
  exchange: Exchange,
  { chunked, isOver, onSent }: UploadParts,
): void {
  request.on('data', (chunk: Buffer) => {
    if (isOver()) return;
    if (chunked) exchange.write(`${chunk.length.toString(16)}\r\n`);
    const more = exchange.write(chunk);
    if (chunked) exchange.write('\r\n');
    if (!more) request.pause();
  });
  request.on('end', () => {
    if (isOver()) return;
    if (chunked) exchange.write('0\r\n\r\n');
    onSent();
    exchange.finish();
  });
}

export interface Pace {
  everyMs: number;
  leastBytesASecond: number;
}

/**
 * Calls back each `everyMs` in which a body came more slowly than any that goes on, and not because it is taken slowly. Gives
 * what ends the watch.
 */
export function watchPace(
  request: IncomingMessage,
  { everyMs, leastBytesASecond }: Pace,
  onSlow: () => void,
): () => void {
  const { socket } = request;
  let before = socket.bytesRead;
  let waited = false;
  const look = setInterval(() => {
    const bytes = socket.bytesRead - before;
    // All of it is here, or as much as is taken before somebody reads on.
    const waits = request.complete || request.readableLength >= request.readableHighWaterMark;
    if (!waits && !waited && bytes < (everyMs / 1_000) * leastBytesASecond) onSlow();
    before += bytes;
    waited = waits;
  }, everyMs);
  return () => clearInterval(look);
}

const LINGER_MS = 5_000;

/**
 * The site answered before it had the whole upload. The rest is read and thrown away for a while, for a client that
 * is cut off while it writes may never read the answer.
 */
export function leaveUnread(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.on('close', () => clearTimeout(timer));
  request.resume();
}
