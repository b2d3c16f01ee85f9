import { METHODS } from 'node:http';
import { HeadReader, InvalidMessage, lineEnd, tokenEnd } from './head-reader.ts';
import { PASSED_ON } from './header-kinds.ts';

/** Length of a request's body: `chunked`, a number of bytes, or undefined without a body. */
export type Framing = 'chunked' | number | undefined;

export interface RequestHead {
  method: string;
  /** Request target as received. */
  target: string;
  /** Minor version of HTTP/1: 1, or 0 for an old client. */
  minor: 0 | 1;
  /** Headers in node's raw form: name, value, name, value. */
  headers: string[];
  /** `Host` header; undefined only with HTTP/1.0. */
  host: string | undefined;
  framing: Framing;
  /** True if the client allows another request on the connection. */
  keepsAlive: boolean;
  /** True if the client waits for a 100 before it sends the body. */
  expectsContinue: boolean;
  wantsWebSocket: boolean;
  /** True if the request says that a peer gateway has passed it on. */
  isPassedOn: boolean;
}

/** Maximum number of headers of a request. */
const MOST_HEADERS = 200;

const METHOD_NAMES = new Set(METHODS.filter((method) => method !== 'CONNECT'));

/** Parses the head of a request, without its last two line ends. Throws InvalidMessage. */
export function parseRequestHead(text: string): RequestHead {
  return new RequestHeadReader(text).parse();
}

class RequestHeadReader extends HeadReader {
  #host: string | undefined;
  #length: string | undefined;
  #encoding: string | undefined;
  #connection: string | undefined;
  #expectation: string | undefined;
  #upgrade: string | undefined;
  #isPassedOn = false;

  parse(): RequestHead {
    const { text, headers } = this;
    const methodEnd = tokenEnd(text, 0);
    const end = lineEnd(text, methodEnd);
    const targetEnd = end - VERSION.length - 2;
    const method = text.slice(0, methodEnd);
    const minor = text.charCodeAt(end - 1) - 48;
    if (
      !METHOD_NAMES.has(method) ||
      text[methodEnd] !== ' ' ||
      targetEnd <= methodEnd + 1 ||
      !text.startsWith(` ${VERSION}`, targetEnd) ||
      (minor !== 0 && minor !== 1)
    )
      throw new InvalidMessage('no request line of HTTP/1.1');
    const target = text.slice(methodEnd + 1, targetEnd);
    if (!/^[!"$-~]+$/.test(target))
      throw new InvalidMessage('a target with invalid characters', 'HPE_INVALID_URL');
    // `*` is the target of `OPTIONS` for a whole server.
    if (target === '*' && method !== 'OPTIONS') throw new InvalidMessage('a target that is no path');
    this.readHeaders(end);
    if (headers.length > 2 * MOST_HEADERS)
      throw new InvalidMessage('too many headers', 'HPE_HEADER_OVERFLOW');
    if (this.#host === undefined && minor === 1) throw new InvalidMessage('no host');
    const framing = this.#framing(minor);
    return {
      method,
      target,
      minor,
      headers,
      host: this.#host,
      framing,
      keepsAlive: this.#keepsAlive(minor),
      expectsContinue: this.#expectsContinue(minor),
      wantsWebSocket: method === 'GET' && minor === 1 && framing === undefined && this.#wantsWebSocket(),
      isPassedOn: this.#isPassedOn,
    };
  }

  protected note(name: string, value: string): void {
    // Names of other lengths are skipped before the comparison, which saves time.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') this.#host = single(this.#host, value);
        break;
      case 6:
        if (name.toLowerCase() === 'expect') this.#expectation = single(this.#expectation, value);
        break;
      case 7:
        if (name.toLowerCase() === 'upgrade') this.#upgrade = value;
        break;
      case 10:
        if (name.toLowerCase() === 'connection')
          this.#connection = this.#connection === undefined ? value : `${this.#connection},${value}`;
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') this.#length = single(this.#length, value);
        break;
      case 16:
        if (name.toLowerCase() === PASSED_ON) this.#isPassedOn = true;
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') this.#encoding = single(this.#encoding, value);
        break;
    }
  }

  #framing(minor: number): Framing {
    const [length, encoding] = [this.#length, this.#encoding];
    if (encoding !== undefined) {
      if (encoding.toLowerCase() !== 'chunked' || minor === 0)
        throw new InvalidMessage('a transfer coding other than chunked');
      if (length !== undefined) throw new InvalidMessage('both a length and a transfer coding');
      return 'chunked';
    }
    if (length === undefined) return undefined;
    if (!/^\d{1,15}$/.test(length)) throw new InvalidMessage('a length that is no number');
    return Number(length);
  }

  /** Connections of HTTP/1.0 end with their first answer, whatever the client asks. */
  #keepsAlive(minor: number): boolean {
    return minor === 1 && !lists(this.#connection, 'close');
  }

  /** True if the client asks for a WebSocket, and says so to the next server alone (RFC 9110, section 7.8). */
  #wantsWebSocket(): boolean {
    return /^websocket$/i.test(this.#upgrade ?? '') && lists(this.#connection, 'upgrade');
  }

  #expectsContinue(minor: number): boolean {
    if (this.#expectation === undefined || minor === 0) return false;
    if (this.#expectation.toLowerCase() !== '100-continue')
      throw new InvalidMessage('an unknown expectation');
    return true;
  }
}

const VERSION = 'HTTP/1.';

/** True if the header `Connection` lists this option. */
function lists(connection: string | undefined, option: string): boolean {
  if (connection === undefined || connection === 'keep-alive') return false;
  return connection.split(',').some((one) => one.trim().toLowerCase() === option);
}

/** Value of a header that a request may have only once. */
function single(before: string | undefined, value: string): string {
  if (before !== undefined) throw new InvalidMessage('two values of a header that can have only one');
  return value;
}
