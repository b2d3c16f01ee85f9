import { InvalidMessage } from './head-reader.ts';
import { type ParsedHead, parseResponseHead, type ResponseHead } from './response-head.ts';

export interface ResponseEvents {
  onHead(head: ResponseHead): void;
  onBody(chunk: Buffer): void;
  /** Called when the site's answer is complete. `reusable`: the connection can take another request. */
  onEnd(reusable: boolean): void;
  /** Called when the site answers with status 101; the following bytes are no longer HTTP. */
  onUpgrade(head: ResponseHead, rest: Buffer): void;
}

const LARGEST_HEAD = 64 * 1024;
const LARGEST_CHUNK_LINE = 1024;
const BEGINNING = Buffer.from('HTTP/1.');
const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);

type State =
  | 'idle'
  | 'head'
  | 'length'
  | 'until-close'
  | 'chunk-size'
  | 'chunk'
  | 'chunk-end'
  | 'trailers'
  | 'complete';

/**
 * Parses the answers on one connection to a site, strictly (RFC 9112): lines end in CRLF, no folded headers, a single
 * length. Anything ambiguous closes the connection, so that bytes of one answer are never taken for the next answer.
 */
export class ResponseParser {
  readonly #events: ResponseEvents;
  #state: State = 'idle';
  /** Method of the request whose answer is parsed. */
  #method = '';
  /** Received bytes of an incomplete line or head of the answer. */
  #pending: Buffer = NOTHING;
  /** Number of bytes that have not arrived yet of the answer's body, or of the current chunk of a chunked body. */
  #left = 0;
  #isReusable = false;
  /** True if the answer's status allows no content. */
  #isEmpty = false;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  /** Prepares this parser for the answer to a request with the given method. */
  begin(method: string): void {
    this.#state = 'head';
    this.#method = method;
    this.#pending = NOTHING;
  }

  /**
   * Parses the next bytes that the site has sent. Throws InvalidMessage. The answer ends only when all bytes have been
   * read: `onEnd` may begin the next request, whose answer can't be among bytes that came before it.
   */
  feed(bytes: Buffer): void {
    const all = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    this.#pending = NOTHING;
    let at = 0;
    while (at < all.length) {
      const next = this.#step(all, at);
      if (next === undefined) {
        // The bytes are copied because the socket may overwrite them with what it reads next.
        this.#pending = Buffer.from(all.subarray(at));
        return;
      }
      at = next;
      if (this.#state === 'complete') this.#finish({ isLast: at === all.length });
    }
  }

  /** Called when the site's connection ends. Throws InvalidMessage if the last answer on it is incomplete. */
  end(): void {
    if (this.#state === 'until-close') this.#finish({ isLast: true });
    else if (this.#state !== 'idle') throw new InvalidMessage('the connection ended before the answer did');
  }

  /**
   * Parses the next part of the answer from `at` on, such as a line or a chunk. Returns the position after it;
   * undefined if the part has not arrived completely.
   */
  #step(bytes: Buffer, at: number): number | undefined {
    switch (this.#state) {
      case 'idle':
      case 'complete':
        throw new InvalidMessage('bytes that nobody asked for');
      case 'head':
        return this.#readHead(bytes, at);
      case 'length':
      case 'chunk':
        return this.#readPart(bytes, at);
      case 'until-close':
        this.#passBody(bytes, at, bytes.length);
        return bytes.length;
      case 'chunk-size':
        return this.#readChunkSize(bytes, at);
      case 'chunk-end':
        return this.#readChunkEnd(bytes, at);
      case 'trailers':
        return this.#readTrailer(bytes, at);
    }
  }

  #readHead(bytes: Buffer, at: number): number | undefined {
    const end = findMark(HEAD_END, bytes, at, LARGEST_HEAD);
    if (end === undefined) {
      const first = bytes.subarray(at, at + BEGINNING.length);
      if (!first.equals(BEGINNING.subarray(0, first.length))) throw new InvalidMessage('no HTTP/1.1');
      return undefined;
    }
    const parsed = parseResponseHead(bytes.toString('latin1', at, end));
    const { status } = parsed.head;
    if (status === 101) {
      this.#state = 'idle';
      this.#events.onUpgrade(parsed.head, bytes.subarray(end + 4));
      return bytes.length;
    }
    // Interim answers (1xx) are skipped; the client did not ask for them.
    if (status >= 200) this.#beginBody(parsed);
    return end + 4;
  }

  #beginBody({ head, framing, keepsAlive }: ParsedHead): void {
    const { status } = head;
    // A 205 with content is refused, because some clients read the bytes after its head as the next answer.
    this.#isEmpty = status === 205;
    if (this.#isEmpty && typeof framing === 'number' && framing > 0)
      throw new InvalidMessage('a 205 with content');
    const isBodiless = this.#method === 'HEAD' || status === 204 || status === 304;
    if (isBodiless || framing === 0) this.#state = 'complete';
    else if (framing === 'chunked') this.#state = 'chunk-size';
    else if (framing === undefined) this.#state = 'until-close';
    else {
      this.#state = 'length';
      this.#left = framing;
    }
    this.#isReusable = keepsAlive && this.#state !== 'until-close';
    this.#events.onHead(head);
  }

  #readPart(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    this.#passBody(bytes, at, end);
    if (this.#left === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'complete';
    return end;
  }

  #readChunkSize(bytes: Buffer, at: number): number | undefined {
    const end = findMark(LINE_END, bytes, at, LARGEST_CHUNK_LINE);
    if (end === undefined) return undefined;
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(bytes.toString('latin1', at, end)) ?? [];
    if (size === undefined) throw new InvalidMessage('a chunk without a size');
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'chunk';
    return end + 2;
  }

  #readChunkEnd(bytes: Buffer, at: number): number | undefined {
    if (bytes.length - at < 2) return undefined;
    if (bytes[at] !== 13 || bytes[at + 1] !== 10) throw new InvalidMessage('a chunk longer than it said');
    this.#state = 'chunk-size';
    return at + 2;
  }

  #readTrailer(bytes: Buffer, at: number): number | undefined {
    const end = findMark(LINE_END, bytes, at, LARGEST_HEAD);
    if (end === undefined) return undefined;
    if (end === at) this.#state = 'complete';
    return end + 2;
  }

  #passBody(bytes: Buffer, at: number, end: number): void {
    if (this.#isEmpty) throw new InvalidMessage('a 205 with content');
    this.#events.onBody(bytes.subarray(at, end));
  }

  /** Ends the answer. `isLast`: no bytes of its connection are left, which otherwise takes no further request. */
  #finish({ isLast }: { isLast: boolean }): void {
    this.#state = 'idle';
    this.#events.onEnd(this.#isReusable && isLast);
  }
}

/**
 * Position of the next bytes `mark`, such as a line's end, from `at` on; undefined if they have not arrived yet. Throws
 * if they are further than `most` bytes away.
 */
function findMark(mark: Buffer, bytes: Buffer, at: number, most: number): number | undefined {
  const found = bytes.indexOf(mark, at);
  if (found - at > most || (found === -1 && bytes.length - at > most))
    throw new InvalidMessage('a line or head too long');
  return found === -1 ? undefined : found;
}
