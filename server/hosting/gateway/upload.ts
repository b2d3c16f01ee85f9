import type { Exchange } from './exchange.ts';
import type { BodyReceiver, IncomingRequest } from './incoming-request.ts';
import type { Framing } from './request-head.ts';

/**
 * Minimum upload rate. Slower uploads would hold a site's request slot for nothing (ASP.NET's servers use the same
 * rate).
 */
const LEAST_BYTES_A_SECOND = 240;

export interface UploadParts {
  request: IncomingRequest;
  framing: Framing;
  exchange: Exchange;
  /** Largest body, in bytes. */
  mostBytes: number;
  /** Time span, in milliseconds, over which the upload must keep the minimum rate. */
  paceMs: number;
  onTooLarge(): void;
  onSlow(): void;
}

/** Body of a request on its way to the site, at the pace of the slower side. */
export class Upload implements BodyReceiver {
  /** True once the whole body was sent to the site. */
  isSent = false;
  readonly #parts: UploadParts;
  #received = 0;
  /** True while the site accepts no more of the body. */
  #waits = false;
  /** True once the site needs no more of the body, for example because it has already answered. */
  #isOver = false;
  readonly #endWatch: () => void;

  constructor(parts: UploadParts) {
    this.#parts = parts;
    this.#endWatch = watchPace(
      {
        everyMs: parts.paceMs,
        leastBytesASecond: LEAST_BYTES_A_SECOND,
        received: () => this.#received,
        waits: () => this.#waits,
      },
      () => parts.onSlow(),
    );
  }

  /** Begins to read the body. */
  start(): void {
    this.#parts.request.readBody(this);
  }

  /** Called when the response has ended: the rest of the body is dropped. */
  end(): void {
    this.#isOver = true;
    this.#endWatch();
    if (this.#waits) this.resume();
  }

  resume(): void {
    this.#waits = false;
    this.#parts.request.resumeBody();
  }

  onContent(content: Buffer): void {
    const { exchange, framing, mostBytes, request } = this.#parts;
    this.#received += content.length;
    if (this.#received > mostBytes) this.#parts.onTooLarge();
    if (this.#isOver) return;
    const isChunked = framing === 'chunked';
    if (isChunked) exchange.write(`${content.length.toString(16)}\r\n`);
    const more = exchange.write(content);
    if (isChunked) exchange.write('\r\n');
    if (more) return;
    this.#waits = true;
    request.pauseBody();
  }

  onContentEnd(): void {
    this.#endWatch();
    if (this.#isOver) return;
    if (this.#parts.framing === 'chunked') this.#parts.exchange.write('0\r\n\r\n');
    this.isSent = true;
    this.#parts.exchange.finish();
  }
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
