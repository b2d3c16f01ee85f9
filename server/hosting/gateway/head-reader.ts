/** Thrown if a message is not valid HTTP/1.1, or could be read in two ways. */
export class InvalidMessage extends Error {
  /** Code that node's own parser gives to the same mistake; it chooses the answer to an invalid request. */
  readonly code: InvalidMessageCode;

  constructor(message: string, code: InvalidMessageCode = 'HPE_INVALID') {
    super(message);
    this.code = code;
  }
}

export type InvalidMessageCode =
  | 'HPE_INVALID'
  | 'HPE_INVALID_URL'
  | 'HPE_HEADER_OVERFLOW'
  | 'ERR_HTTP_REQUEST_TIMEOUT';

/** Classes of the characters of a head, as flags; every other character is refused. */
const TOKEN = 1;
const TEXT = 2;
const CLASSES = classesOfCharacters();

/**
 * Reader of the lines of one head, without its last two line ends, strictly (RFC 9112): lines end in CRLF, headers are
 * not folded, and no space comes before a colon. It goes character by character: regular expressions for each line
 * would take three times as long.
 */
export abstract class HeadReader {
  /** Headers in node's raw form: name, value, name, value. */
  readonly headers: string[] = [];
  protected readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Notes a header that matters for the message itself. `name` as received. */
  protected abstract note(name: string, value: string): void;

  /** Reads the headers that follow the line which ends at `end`. */
  protected readHeaders(end: number): void {
    let at = end;
    while (at < this.text.length) at = this.#readHeader(at + 2);
  }

  /** Reads the header that starts at `start`; returns the position of its line's end. */
  #readHeader(start: number): number {
    const { text } = this;
    const colon = tokenEnd(text, start);
    if (colon === start || text.charCodeAt(colon) !== COLON)
      throw new InvalidMessage('a header without a valid name');
    const end = lineEnd(text, colon + 1);
    const name = text.slice(start, colon);
    const value = withoutSpace(text, colon + 1, end);
    this.headers.push(name, value);
    this.note(name, value);
    return end;
  }
}

const COLON = 58;
const CR = 13;
const LF = 10;
const SPACE = 32;
const TAB = 9;

/** Position of the end of the line that contains `at`. Throws for characters that another reader could take for one. */
export function lineEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isOf(TEXT, text, end)) end += 1;
  const isEnd = end === text.length || (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF);
  if (!isEnd) throw new InvalidMessage('control characters in a head');
  return end;
}

/** Position of the first character from `at` on that no token may contain. */
export function tokenEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isOf(TOKEN, text, end)) end += 1;
  return end;
}

/** True if the character at a position has a class. */
function isOf(flag: number, text: string, at: number): boolean {
  return ((CLASSES[text.charCodeAt(at)] as number) & flag) !== 0;
}

/** True for bytes of a token, such as a header's name. */
export function isToken(byte: number): boolean {
  return ((CLASSES[byte] as number) & TOKEN) !== 0;
}

/** True for bytes of a header's value. */
export function isText(byte: number): boolean {
  return CLASSES[byte] !== 0;
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
