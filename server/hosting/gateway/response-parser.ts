/** Head of a site's answer. `headers` in node's raw form: name, value, name, value. */
export interface ResponseHead {
  status: number;
  reason: string;
  headers: string[];
}

export interface ResponseEvents {
  onHead(head: ResponseHead): void;
  onBody(chunk: Buffer): void;
  /** Called when the answer is complete. `reusable`: the connection can take another request. */
  onEnd(reusable: boolean): void;
  /** Called for status 101; the following bytes are no longer HTTP. */
  onUpgrade(head: ResponseHead, rest: Buffer): void;
}

/** Thrown if a site's answer is not valid HTTP/1.1. */
export class InvalidResponse extends Error {}

export interface ResponseParser {
  /** Prepares for the answer to a request with this method. */
  begin(method: string): void;
  /** Parses the next bytes. Throws BrokenAnswer. */
  feed(bytes: Buffer): void;
  /** Called when the connection ends. Throws BrokenAnswer if the answer is incomplete. */
  end(): void;
}

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
export function createResponseParser(events: ResponseEvents): ResponseParser {
  let state: State = 'idle';
  let method = '';
  let pending = NOTHING;
  let left = 0;
  let reusable = false;
  let isEmpty = false;

  const finish = () => {
    state = 'idle';
    events.onEnd(reusable);
  };

  /** Position of `mark`, or undefined if it has not arrived; `bytes` is then stored for the next call. */
  const upTo = (mark: Buffer, bytes: Buffer, most: number): number | undefined => {
    const at = bytes.indexOf(mark);
    if (at > most || (at === -1 && bytes.length > most)) throw new InvalidResponse('a line or head too long');
    if (at !== -1) return at;
    // A copy is needed because the socket may reuse its memory.
    pending = Buffer.from(bytes);
    return undefined;
  };

  const readHead = (bytes: Buffer): Buffer | undefined => {
    const first = bytes.subarray(0, BEGINNING.length);
    if (!first.equals(BEGINNING.subarray(0, first.length))) throw new InvalidResponse('no HTTP/1.1');
    const end = upTo(HEAD_END, bytes, LARGEST_HEAD);
    if (end === undefined) return undefined;
    const { head, framing, keepsAlive } = parseHead(bytes.toString('latin1', 0, end));
    const rest = bytes.subarray(end + 4);
    if (head.status === 101) {
      state = 'idle';
      events.onUpgrade(head, rest);
      return NOTHING;
    }
    // Interim answers (1xx) are skipped; the client did not ask for them.
    if (head.status < 200) return rest;
    reusable = keepsAlive;
    // A 205 with content is refused, because some clients read the bytes after its head as the next answer.
    isEmpty = head.status === 205;
    if (isEmpty && typeof framing === 'number' && framing > 0)
      throw new InvalidResponse('a 205 with content');
    const bodiless = method === 'HEAD' || head.status === 204 || head.status === 304;
    if (bodiless) state = 'idle';
    else if (framing === 'chunked') state = 'chunk-size';
    else if (framing === undefined) state = 'until-close';
    else {
      state = 'length';
      left = framing;
    }
    if (state === 'until-close') reusable = false;
    events.onHead(head);
    if (bodiless || (state === 'length' && left === 0)) finish();
    return rest;
  };

  const passBody = (part: Buffer) => {
    if (isEmpty) throw new InvalidResponse('a 205 with content');
    events.onBody(part);
  };

  const readPart = (bytes: Buffer, then: () => void): Buffer => {
    const part = bytes.length > left ? bytes.subarray(0, left) : bytes;
    left -= part.length;
    passBody(part);
    if (left === 0) then();
    return bytes.subarray(part.length);
  };

  const step: Record<State, (bytes: Buffer) => Buffer | undefined> = {
    idle() {
      throw new InvalidResponse('bytes that nobody asked for');
    },
    head: readHead,
    length: (bytes) => readPart(bytes, finish),
    'until-close'(bytes) {
      passBody(bytes);
      return NOTHING;
    },
    'chunk-size'(bytes) {
      const end = upTo(LINE_END, bytes, LARGEST_CHUNK_LINE);
      if (end === undefined) return undefined;
      const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(bytes.toString('latin1', 0, end)) ?? [];
      if (size === undefined) throw new InvalidResponse('a chunk without a size');
      left = Number.parseInt(size, 16);
      state = left === 0 ? 'trailers' : 'chunk';
      return bytes.subarray(end + 2);
    },
    chunk: (bytes) =>
      readPart(bytes, () => {
        state = 'chunk-end';
      }),
    'chunk-end'(bytes) {
      if (bytes.length < 2) {
        pending = Buffer.from(bytes);
        return undefined;
      }
      if (bytes[0] !== 13 || bytes[1] !== 10) throw new InvalidResponse('a chunk longer than it said');
      state = 'chunk-size';
      return bytes.subarray(2);
    },
    trailers(bytes) {
      const end = upTo(LINE_END, bytes, LARGEST_HEAD);
      if (end === undefined) return undefined;
      if (end === 0) finish();
      return bytes.subarray(end + 2);
    },
  };

  return {
    begin(requestMethod) {
      state = 'head';
      method = requestMethod;
      pending = NOTHING;
    },
    feed(bytes) {
      let rest: Buffer | undefined = pending.length > 0 ? Buffer.concat([pending, bytes]) : bytes;
      pending = NOTHING;
      while (rest !== undefined && rest.length > 0) rest = step[state](rest);
    },
    end() {
      if (state === 'until-close') finish();
      else if (state !== 'idle') throw new InvalidResponse('the connection ended before the answer did');
    },
  };
}

interface ParsedHead {
  head: ResponseHead;
  framing: 'chunked' | number | undefined;
  keepsAlive: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Header value without characters that a client could read as the end of a line. */
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
    // Length check first: only names as long as those below need the comparison.
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
