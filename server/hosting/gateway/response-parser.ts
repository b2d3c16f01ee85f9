/** Head of a site's answer. `headers` in node's raw form: name, value, name, value. */
export interface ResponseHead {
  status: number;
  reason: string;
  headers: string[];
}

export interface ResponseEvents {
  onHead(head: ResponseHead): void;
  onBody(chunk: Buffer): void;
  /** Called when the site's answer is complete. `reusable`: the connection can take another request. */
  onEnd(reusable: boolean): void;
  /** Called when the site answers with status 101; the following bytes are no longer HTTP. */
  onUpgrade(head: ResponseHead, rest: Buffer): void;
}

/** Thrown if a site's answer is not valid HTTP/1.1. */
export class InvalidResponse extends Error {}

const LARGEST_HEAD = 64 * 1024;
const LARGEST_CHUNK_LINE = 1024;
const BEGINNING = Buffer.from('HTTP/1.');
const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);

type State = 'idle' | 'head' | 'length' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers';

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

  /** Parses the next bytes that the site has sent. Throws InvalidResponse. */
  feed(bytes: Buffer): void {
    let rest: Buffer | undefined = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : bytes;
    this.#pending = NOTHING;
    while (rest !== undefined && rest.length > 0) rest = this.#step(rest);
  }

  /** Called when the site's connection ends. Throws InvalidResponse if the last answer on it is incomplete. */
  end(): void {
    if (this.#state === 'until-close') this.#finish();
    else if (this.#state !== 'idle') throw new InvalidResponse('the connection ended before the answer did');
  }

  /**
   * Parses the next part of the answer, such as a line or a chunk. Returns the bytes after it; undefined if the part
   * has not arrived completely.
   */
  #step(bytes: Buffer): Buffer | undefined {
    switch (this.#state) {
      case 'idle':
        throw new InvalidResponse('bytes that nobody asked for');
      case 'head':
        return this.#readHead(bytes);
      case 'length':
      case 'chunk':
        return this.#readPart(bytes);
      case 'until-close':
        this.#passBody(bytes);
        return NOTHING;
      case 'chunk-size':
        return this.#readChunkSize(bytes);
      case 'chunk-end':
        return this.#readChunkEnd(bytes);
      case 'trailers':
        return this.#readTrailer(bytes);
    }
  }

  #readHead(bytes: Buffer): Buffer | undefined {
    const first = bytes.subarray(0, BEGINNING.length);
    if (!first.equals(BEGINNING.subarray(0, first.length))) throw new InvalidResponse('no HTTP/1.1');
    const end = this.#find(HEAD_END, bytes, LARGEST_HEAD);
    if (end === undefined) return undefined;
    const parsed = parseHead(bytes.toString('latin1', 0, end));
    const rest = bytes.subarray(end + 4);
    const { status } = parsed.head;
    if (status === 101) {
      this.#state = 'idle';
      this.#events.onUpgrade(parsed.head, rest);
      return NOTHING;
    }
    // Interim answers (1xx) are skipped; the client did not ask for them.
    if (status >= 200) this.#beginBody(parsed);
    return rest;
  }

  #beginBody({ head, framing, keepsAlive }: ParsedHead): void {
    const { status } = head;
    // A 205 with content is refused, because some clients read the bytes after its head as the next answer.
    this.#isEmpty = status === 205;
    if (this.#isEmpty && typeof framing === 'number' && framing > 0)
      throw new InvalidResponse('a 205 with content');
    const isBodiless = this.#method === 'HEAD' || status === 204 || status === 304;
    if (isBodiless) this.#state = 'idle';
    else if (framing === 'chunked') this.#state = 'chunk-size';
    else if (framing === undefined) this.#state = 'until-close';
    else {
      this.#state = 'length';
      this.#left = framing;
    }
    this.#isReusable = keepsAlive && this.#state !== 'until-close';
    this.#events.onHead(head);
    if (isBodiless || (this.#state === 'length' && this.#left === 0)) this.#finish();
  }

  #readPart(bytes: Buffer): Buffer {
    const part = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= part.length;
    this.#passBody(part);
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end';
      else this.#finish();
    }
    return bytes.subarray(part.length);
  }

  #readChunkSize(bytes: Buffer): Buffer | undefined {
    const end = this.#find(LINE_END, bytes, LARGEST_CHUNK_LINE);
    if (end === undefined) return undefined;
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(bytes.toString('latin1', 0, end)) ?? [];
    if (size === undefined) throw new InvalidResponse('a chunk without a size');
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'chunk';
    return bytes.subarray(end + 2);
  }

  #readChunkEnd(bytes: Buffer): Buffer | undefined {
    if (bytes.length < 2) {
      this.#pending = Buffer.from(bytes);
      return undefined;
    }
    if (bytes[0] !== 13 || bytes[1] !== 10) throw new InvalidResponse('a chunk longer than it said');
    this.#state = 'chunk-size';
    return bytes.subarray(2);
  }

  #readTrailer(bytes: Buffer): Buffer | undefined {
    const end = this.#find(LINE_END, bytes, LARGEST_HEAD);
    if (end === undefined) return undefined;
    if (end === 0) this.#finish();
    return bytes.subarray(end + 2);
  }

  #passBody(part: Buffer): void {
    if (this.#isEmpty) throw new InvalidResponse('a 205 with content');
    this.#events.onBody(part);
  }

  #finish(): void {
    this.#state = 'idle';
    this.#events.onEnd(this.#isReusable);
  }

  /**
   * Position of the bytes `mark`, such as a line's end, in `bytes`. If they have not arrived yet, the result is
   * undefined, and `bytes` is kept until more bytes arrive.
   */
  #find(mark: Buffer, bytes: Buffer, most: number): number | undefined {
    const at = bytes.indexOf(mark);
    if (at > most || (at === -1 && bytes.length > most)) throw new InvalidResponse('a line or head too long');
    if (at !== -1) return at;
    // The bytes are copied because the socket may overwrite them with what it reads next.
    this.#pending = Buffer.from(bytes);
    return undefined;
  }
}

interface ParsedHead {
  head: ResponseHead;
  framing: 'chunked' | number | undefined;
  keepsAlive: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Pattern for a header value without characters that a client could read as the end of a line. */
const TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

function parseHead(text: string): ParsedHead {
  let at = text.indexOf('\r\n');
  const [, version, status, reason = ''] = STATUS_LINE.exec(at === -1 ? text : text.slice(0, at)) ?? [];
  if (status === undefined) throw new InvalidResponse('no status line of HTTP/1.1');
  const headers: string[] = [];
  let length: string | undefined;
  let encoding: string | undefined;
  let keepsAlive = version === '1';
  while (at !== -1) {
    const start = at + 2;
    at = text.indexOf('\r\n', start);
    const end = at === -1 ? text.length : at;
    const colon = text.indexOf(':', start);
    if (colon <= start || colon > end) throw new InvalidResponse('a header without a name');
    const name = text.slice(start, colon);
    if (!TOKEN.test(name)) throw new InvalidResponse('a header name that is none');
    const value = text.slice(colon + 1, end).trim();
    if (!TEXT.test(value)) throw new InvalidResponse('a header with control characters');
    headers.push(name, value);
    // Only three header names matter here. Names of another length are skipped before the comparison, which saves time.
    const size = name.length;
    if (size !== 14 && size !== 17 && size !== 10) continue;
    const plain = name.toLowerCase();
    if (plain === 'content-length') {
      if (length !== undefined && length !== value) throw new InvalidResponse('two lengths');
      length = value;
    } else if (plain === 'transfer-encoding') {
      encoding = encoding === undefined ? value.toLowerCase() : `${encoding}, ${value.toLowerCase()}`;
    } else if (plain === 'connection') {
      if (/\bclose\b/i.test(value)) keepsAlive = false;
      else if (/\bkeep-alive\b/i.test(value)) keepsAlive = true;
    }
  }
  const head = { status: Number(status), reason, headers };
  if (encoding !== undefined) {
    if (encoding !== 'chunked') throw new InvalidResponse('a transfer coding other than chunked');
    if (length !== undefined) throw new InvalidResponse('both a length and a transfer coding');
    return { head, framing: 'chunked', keepsAlive };
  }
  if (length === undefined) return { head, framing: undefined, keepsAlive };
  if (!/^\d{1,15}$/.test(length)) throw new InvalidResponse('a length that is no number');
  return { head, framing: Number(length), keepsAlive };
}
