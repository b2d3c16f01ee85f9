import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';

export interface UploadParts {
  chunked: boolean;
  /**
   * True if the rest of the request's body need not be sent to the site, for example because the site has already
   * answered.
   */
  isOver(): boolean;
  onSent(): void;
}

/** Sends a request's body to the site, at the pace of the slower side. */
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
  /** Number of bytes of the request's body received so far. */
  received(): number;
  /** True while the sender has to wait, because the receiver does not accept more of the body. */
  waits(): boolean;
}

/**
 * Calls `onSlow` after each period of `everyMs` in which the body arrived below the minimum rate. Returns a function
 * that stops the check.
 */
export function watchPace(pace: Pace, onSlow: () => void): () => void {
  const { everyMs, leastBytesASecond } = pace;
  let before = pace.received();
  let waited = false;
  const timer = setInterval(() => {
    const bytes = pace.received() - before;
    const waits = pace.waits();
    if (!waits && !waited && bytes < (everyMs / 1_000) * leastBytesASecond) onSlow();
    before += bytes;
    waited = waits;
  }, everyMs);
  return () => clearInterval(timer);
}

const LINGER_MS = 5_000;

/**
 * Reads and discards the rest of an upload for a while, after the site answered early. A client that is cut off while
 * it writes may never read the answer.
 */
export function discardRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.on('close', () => clearTimeout(timer));
  request.resume();
}
