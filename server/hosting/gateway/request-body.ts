import { InvalidMessage, isText, isToken } from './head-reader.ts';
import type { Framing } from './request-head.ts';

type State =
  | 'length'
  | 'size'
  | 'extension'
  | 'quoted'
  | 'size-end'
  | 'chunk'
  | 'chunk-cr'
  | 'chunk-lf'
  | 'trailer'
  | 'trailer-name'
  | 'trailer-value'
  | 'trailer-lf'
  | 'last-lf'
  | 'complete';

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
const COLON = 58;
const SPACE = 32;
const DELETE = 127;
const QUOTE = 34;
const EQUALS = 61;
const BACKSLASH = 92;
/** Maximum number of digits of a chunk's size. */
const MOST_DIGITS = 12;
/** Headers that no trailer may be: they would change how the request is read. */
const FRAMING_HEADERS = new Set(['content-length', 'transfer-encoding', 'host']);
/** Maximum number of bytes of all chunk extensions and trailers of a body; both are dropped. */
const MOST_EXTRA = 16 * 1024;

/**
 * Finds the end of one request's body, strictly (RFC 9112, section 7.1), byte by byte outside of the content: so every
 * byte that has arrived is read at once, wherever the body is cut.
 */
export class RequestBody {
  #state: State;
  /** Number of bytes of the content, or of the current chunk, that have not arrived yet. */
  #left: number;
  #digits = 0;
  #extra = 0;
  #trailerName = '';

  constructor(framing: Framing) {
    this.#state = framing === 'chunked' ? 'size' : framing ? 'length' : 'complete';
    this.#left = typeof framing === 'number' ? framing : 0;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /**
   * Reads the body from `at` on and passes its content to `onContent`. Returns the position after the last byte that
   * belongs to the body. Throws InvalidMessage.
   */
  read(bytes: Buffer, at: number, onContent: (content: Buffer) => void): number {
    let position = at;
    while (position < bytes.length && this.#state !== 'complete') {
      if (this.#state === 'length' || this.#state === 'chunk')
        position = this.#readContent(bytes, position, onContent);
      else {
        this.#state = this.#next(bytes[position] as number);
        position += 1;
      }
    }
    return position;
  }

  #readContent(bytes: Buffer, at: number, onContent: (content: Buffer) => void): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    if (this.#left === 0) this.#state = this.#state === 'length' ? 'complete' : 'chunk-cr';
    onContent(bytes.subarray(at, end));
    return end;
  }

  /** State after a byte that is no content. */
  #next(byte: number): State {
    switch (this.#state) {
      case 'size':
        return this.#afterSize(byte);
      case 'extension':
        if (byte === CR) return 'size-end';
        if (byte === QUOTE) return this.#keep(true, 'quoted');
        return this.#keep(isToken(byte) || byte === EQUALS || byte === SEMICOLON, 'extension');
      case 'quoted':
        if (byte === QUOTE) return this.#keep(true, 'extension');
        return this.#keep(byte >= SPACE && byte < DELETE && byte !== BACKSLASH, 'quoted');
      case 'size-end':
        if (byte !== LF) throw invalid();
        this.#digits = 0;
        return this.#left === 0 ? 'trailer' : 'chunk';
      case 'chunk-cr':
        return expect(byte === CR, 'chunk-lf');
      case 'chunk-lf':
        return expect(byte === LF, 'size');
      case 'trailer':
        this.#trailerName = '';
        return byte === CR ? 'last-lf' : this.#afterTrailerName(byte);
      case 'trailer-name':
        return this.#afterTrailerName(byte);
      case 'trailer-value':
        return byte === CR ? 'trailer-lf' : this.#keep(isText(byte), 'trailer-value');
      case 'trailer-lf':
        return expect(byte === LF, 'trailer');
      default:
        return expect(byte === LF, 'complete');
    }
  }

  #afterSize(byte: number): State {
    const digit = hexDigit(byte);
    if (digit !== undefined) {
      this.#digits += 1;
      this.#left = this.#left * 16 + digit;
      return expect(this.#digits <= MOST_DIGITS, 'size');
    }
    if (this.#digits === 0) throw invalid();
    return byte === CR ? 'size-end' : expect(byte === SEMICOLON, 'extension');
  }

  #afterTrailerName(byte: number): State {
    if (byte === COLON && this.#trailerName !== '')
      return this.#keep(!FRAMING_HEADERS.has(this.#trailerName.toLowerCase()), 'trailer-value');
    this.#trailerName += String.fromCharCode(byte);
    return this.#keep(isToken(byte), 'trailer-name');
  }

  /** Counts a byte of an extension or a trailer. */
  #keep(isValid: boolean, next: State): State {
    this.#extra += 1;
    return expect(isValid && this.#extra <= MOST_EXTRA, next);
  }
}

function expect(isValid: boolean, next: State): State {
  if (!isValid) throw invalid();
  return next;
}

function invalid(): InvalidMessage {
  return new InvalidMessage('invalid chunks');
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : undefined;
}
