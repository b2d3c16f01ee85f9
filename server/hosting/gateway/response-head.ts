import { HeadReader, InvalidMessage, lineEnd } from './head-reader.ts';

/** Head of a site's answer. `headers` in node's raw form: name, value, name, value. */
export interface ResponseHead {
  status: number;
  reason: string;
  headers: string[];
}

export interface ParsedHead {
  head: ResponseHead;
  /** Length of the body in bytes; undefined: the body ends with the connection. */
  framing: 'chunked' | number | undefined;
  keepsAlive: boolean;
}

/** Parses the head of an answer, without its last two line ends. Throws InvalidMessage. */
export function parseResponseHead(text: string): ParsedHead {
  return new ResponseHeadReader(text).parse();
}

class ResponseHeadReader extends HeadReader {
  #length: string | undefined;
  #encoding: string | undefined;
  #keepsAlive = false;

  parse(): ParsedHead {
    const end = lineEnd(this.text, 0);
    const status = this.#status(end);
    const reason = this.text.slice(13, end);
    this.readHeaders(end);
    const head = { status, reason, headers: this.headers };
    return { head, framing: this.#framing(), keepsAlive: this.#keepsAlive };
  }

  protected note(name: string, value: string): void {
    // Names of another length are skipped before the comparison, which saves time.
    const size = name.length;
    if (size !== 14 && size !== 17 && size !== 10) return;
    const plain = name.toLowerCase();
    if (plain === 'content-length') {
      if (this.#length !== undefined && this.#length !== value) throw new InvalidMessage('two lengths');
      this.#length = value;
    } else if (plain === 'transfer-encoding') {
      const coding = value.toLowerCase();
      this.#encoding = this.#encoding === undefined ? coding : `${this.#encoding}, ${coding}`;
    } else if (plain === 'connection') {
      if (/\bclose\b/i.test(value)) this.#keepsAlive = false;
      else if (/\bkeep-alive\b/i.test(value)) this.#keepsAlive = true;
    }
  }

  /** Status in a line such as `HTTP/1.1 200 OK`, whose reason may be missing. */
  #status(end: number): number {
    const { text } = this;
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
      throw new InvalidMessage('no status line of HTTP/1.1');
    this.#keepsAlive = version === 1;
    return status;
  }

  #framing(): ParsedHead['framing'] {
    const [length, encoding] = [this.#length, this.#encoding];
    if (encoding !== undefined) {
      if (encoding !== 'chunked') throw new InvalidMessage('a transfer coding other than chunked');
      if (length !== undefined) throw new InvalidMessage('both a length and a transfer coding');
      return 'chunked';
    }
    if (length === undefined) return undefined;
    if (!/^\d{1,15}$/.test(length)) throw new InvalidMessage('a length that is no number');
    return Number(length);
  }
}

/** Digit at a position; not a number if there is none. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
