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

/** What comes more slowly holds a site's place for nothing (ASP.NET's servers take the same measure). */
const LEAST_BYTES_A_SECOND = 240;

/**
 * Calls back each `everyMs` in which a body came more slowly than any that goes on, and not because the site takes it
 * slowly. Gives what ends the watch.
 */
export function watchPace(request: IncomingMessage, everyMs: number, onSlow: () => void): () => void {
  let bytes = 0;
  let waited = false;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const look = setInterval(() => {
    const waits = request.isPaused();
    if (!waits && !waited && bytes < (everyMs / 1_000) * LEAST_BYTES_A_SECOND) onSlow();
    bytes = 0;
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
