/** Head of a site's answer. `headers` in node's raw form: name, value, name, value. */
export interface ResponseHead {
  status: number;
  reason: string;
  headers: string[];
}

/** Thrown if a site's answer is not valid HTTP/1.1. */
export class InvalidResponse extends Error {}

export interface ParsedHead {
  head: ResponseHead;
  /** Length of the body in bytes; undefined: the body ends with the connection. */
  framing: 'chunked' | number | undefined;
  keepsAlive: boolean;
}

/** Classes of the characters of a head, as flags; every other character is refused. */
const TOKEN = 1;
const TEXT = 2;
const CLASSES = classesOfCharacters();

/** Parses the head of an answer, without its last two line ends. Throws InvalidResponse. */
export function parseResponseHead(text: string): ParsedHead {
  return new HeadParser(text).parse();
}

/** Parser of one head, character by character: regular expressions for each line would take three times as long. */
class HeadParser {
  readonly #text: string;
  readonly #headers: string[] = [];
  #length: string | undefined;
  #encoding: string | undefined;
  #keepsAlive = false;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedHead {
    const text = this.#text;
    let end = this.#lineEnd(0);
    const status = this.#status(end);
    const reason = text.slice(13, end);
    while (end < text.length) end = this.#readHeader(end + 2);
    const head = { status, reason, headers: this.#headers };
    return { head, framing: this.#framing(), keepsAlive: this.#keepsAlive };
  }

  /** Status in a line such as `HTTP/1.1 200 OK`, whose reason may be missing. */
  #status(end: number): number {
    const text = this.#text;
    const version = text.charCodeAt(7) - 48;
    const status =
      digit(text, 9) > 0 && digit(text, 9) < 6
        ? digit(text, 9) * 100 + digit(text, 10) * 10 + digit(text, 11)
        : Number.NaN;
    const isWhole = end === 12 || (end > 12 && text[12] === ' ');
    if (
      !text.startsWith('HTTP/1.') ||
      (version !== 0 && version !== 1) ||
      text[8] !== ' ' ||
      !isWhole ||
      Number.isNaN(status)
    )
      throw new InvalidResponse('no status line of HTTP/1.1');
    this.#keepsAlive = version === 1;
    return status;
  }

  /** Reads the header that starts at `start`; returns the position of its line's end. */
  #readHeader(start: number): number {
    const text = this.#text;
    let colon = start;
    while (colon < text.length && isOf(TOKEN, text, colon)) colon += 1;
    if (colon === start || text.charCodeAt(colon) !== COLON)
      throw new InvalidResponse('a header without a valid name');
    const end = this.#lineEnd(colon + 1);
    const name = text.slice(start, colon);
    const value = withoutSpace(text, colon + 1, end);
    this.#headers.push(name, value);
    // Only three header names matter here. Names of another length are skipped before the comparison, which saves time.
    const size = colon - start;
    if (size === 14 || size === 17 || size === 10) this.#note(name.toLowerCase(), value);
    return end;
  }

  /** Position of the end of the line that contains `at`. Throws for characters that a client could read as a line's end. */
  #lineEnd(at: number): number {
    const text = this.#text;
    let end = at;
    while (end < text.length && isOf(TEXT, text, end)) end += 1;
    const isEnd = end === text.length || (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF);
    if (!isEnd) throw new InvalidResponse('control characters in a head');
    return end;
  }

  #note(name: string, value: string): void {
    if (name === 'content-length') {
      if (this.#length !== undefined && this.#length !== value) throw new InvalidResponse('two lengths');
      this.#length = value;
    } else if (name === 'transfer-encoding') {
      const coding = value.toLowerCase();
      this.#encoding = this.#encoding === undefined ? coding : `${this.#encoding}, ${coding}`;
    } else if (name === 'connection') {
      if (/\bclose\b/i.test(value)) this.#keepsAlive = false;
      else if (/\bkeep-alive\b/i.test(value)) this.#keepsAlive = true;
    }
  }

  #framing(): ParsedHead['framing'] {
    const [length, encoding] = [this.#length, this.#encoding];
    if (encoding !== undefined) {
      if (encoding !== 'chunked') throw new InvalidResponse('a transfer coding other than chunked');
      if (length !== undefined) throw new InvalidResponse('both a length and a transfer coding');
      return 'chunked';
    }
    if (length === undefined) return undefined;
    if (!/^\d{1,15}$/.test(length)) throw new InvalidResponse('a length that is no number');
    return Number(length);
  }
}

const COLON = 58;
const CR = 13;
const LF = 10;
const SPACE = 32;
const TAB = 9;

/** True if the character at a position has a class. */
function isOf(flag: number, text: string, at: number): boolean {
  return ((CLASSES[text.charCodeAt(at)] as number) & flag) !== 0;
}

/** Digit at a position; not a number if there is none. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

/** Text between two positions without the spaces and tabs around it. */
function withoutSpace(text: string, from: number, until: number): string {
  let start = from;
  let end = until;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Classes of all characters of latin1 (RFC 9110, sections 5.5 and 5.6.2). */
function classesOfCharacters(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let code = 0; code < 256; code += 1) {
    const character = String.fromCharCode(code);
    if (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(character)) classes[code] = TOKEN | TEXT;
    else if (/[\t\x20-\x7e\x80-\xff]/.test(character)) classes[code] = TEXT;
  }
  return classes;
}
