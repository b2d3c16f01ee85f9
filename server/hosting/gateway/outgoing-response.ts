import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RawHeaders } from './headers.ts';
import type { IncomingRequest } from './incoming-request.ts';

/** Headers of a response: in node's raw form, or by names. */
export type ResponseHeaders = RawHeaders | Readonly<Record<string, string | number>>;

/** Connection to which a response goes. */
export interface ResponseSink {
  readonly socket: Socket;
  /** Called when the whole response was given to the socket. */
  onResponseEnd(): void;
}

/** Idle time of connections that the header `Keep-Alive` tells clients, in seconds. */
export const KEEP_ALIVE_SECONDS = 72;

const KEEPS_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n`;
const CLOSES = 'Connection: close\r\n\r\n';
/** Largest piece that is joined to its head as text, so that both leave in a single write without another buffer. */
const LARGEST_COPY = 15 * 1024;

/**
 * Response to one request. Its head waits for the first piece of the body, and both leave in a single write. A response
 * without a length is sent in chunks.
 */
export class OutgoingResponse {
  /** True if the client may send another request after this response. */
  keepsAlive: boolean;
  /** Status of the response; 0 until `writeHead`. */
  status = 0;
  /** True once the response has ended or its client has gone. */
  isClosed = false;
  /** Called when the client accepts more of the body again. */
  onDrain: (() => void) | undefined;
  readonly #request: IncomingRequest;
  readonly #sink: ResponseSink;
  /** Headers that were set before `writeHead`, by names in lower case. */
  #ownHeaders: Map<string, string> | undefined;
  /** Head that was not sent yet. */
  #head = '';
  #framing: 'none' | 'whole' | 'chunked' = 'whole';
  readonly #closeListeners: (() => void)[] = [];

  constructor(request: IncomingRequest, sink: ResponseSink) {
    this.#request = request;
    this.#sink = sink;
    this.keepsAlive = request.head.keepsAlive;
  }

  get hasBegun(): boolean {
    return this.status !== 0;
  }

  get hasHeaders(): boolean {
    return this.#ownHeaders !== undefined;
  }

  /** Sets a header, by its name in lower case. A header of the same name in `writeHead` takes precedence. */
  setHeader(name: string, value: string): void {
    checkValue(name, value);
    this.#ownHeaders ??= new Map();
    this.#ownHeaders.set(name, value);
  }

  hasHeader(name: string): boolean {
    return this.#ownHeaders?.has(name) === true;
  }

  /** Calls `listener` when the response has ended or its client has gone. */
  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  offClose(listener: () => void): void {
    const at = this.#closeListeners.indexOf(listener);
    if (at !== -1) this.#closeListeners.splice(at, 1);
  }

  writeHead(status: number, headers: ResponseHeaders, reason = STATUS_CODES[status] ?? ''): void {
    const raw = Array.isArray(headers) ? (headers as RawHeaders) : checkedHeaders(headers);
    this.status = status;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    let hasLength = false;
    let hasDate = false;
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i] as string;
      head += `${name}: ${raw[i + 1]}\r\n`;
      if (name.length === 4 && name.toLowerCase() === 'date') hasDate = true;
      if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true;
    }
    if (this.#ownHeaders) head += this.#ownLines(raw);
    if (!hasDate) head += `Date: ${currentDate()}\r\n`;
    const isBodiless = this.#request.method === 'HEAD' || status === 204 || status === 304;
    if (isBodiless) this.#framing = 'none';
    else if (!hasLength) {
      // A client of HTTP/1.0 knows no chunks: its response ends with the connection.
      if (this.#request.head.minor === 0) this.keepsAlive = false;
      else {
        this.#framing = 'chunked';
        head += 'Transfer-Encoding: chunked\r\n';
      }
    }
    this.#head = head + (this.keepsAlive ? KEEPS_ALIVE : CLOSES);
  }

  /** Sends what was written so far. */
  flush(): void {
    if (this.#head === '') return;
    const head = this.#head;
    this.#head = '';
    if (!this.isClosed) this.#sink.socket.write(head, 'latin1');
  }

  /** Writes a piece of the body. Returns false if the caller has to wait for `onDrain` before the next one. */
  write(chunk: Buffer): boolean {
    if (this.isClosed || chunk.length === 0) return true;
    if (this.#framing === 'none') {
      this.flush();
      return true;
    }
    const isChunked = this.#framing === 'chunked';
    return this.#send(isChunked ? sizeLine(chunk) : '', chunk, isChunked ? '\r\n' : '');
  }

  /** Ends the response, with a last piece of its body. */
  end(body?: Buffer | string): void {
    if (this.isClosed) return;
    const last = typeof body === 'string' ? Buffer.from(body) : body;
    const isChunked = this.#framing === 'chunked';
    if (last && last.length > 0 && this.#framing !== 'none')
      this.#send(isChunked ? sizeLine(last) : '', last, isChunked ? '\r\n0\r\n\r\n' : '');
    else if (isChunked) this.#sink.socket.write(`${this.#takeHead()}0\r\n\r\n`, 'latin1');
    else this.flush();
    this.close();
    this.#sink.onResponseEnd();
  }

  /** Cuts the connection if the client takes nothing for this long, in milliseconds, until the response has ended. */
  limitStalls(ms: number): void {
    this.#sink.socket.setTimeout(ms);
  }

  /** Cuts the connection: the client notices that the response is not whole. */
  destroy(): void {
    this.#sink.socket.destroy();
  }

  /** Resolves when the client accepts more, or has gone. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.offClose(done);
        this.onDrain = undefined;
        resolve();
      };
      this.onDrain = done;
      this.onClose(done);
    });
  }

  /** Called when the response has ended or its connection has closed. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.#closeListeners.splice(0)) listener();
  }

  /** Writes the head, if it was not sent yet, and a piece of the body between two texts, in a single write if it is small. */
  #send(before: string, chunk: Buffer, after: string): boolean {
    const { socket } = this.#sink;
    const text = this.#takeHead() + before;
    if (text === '' && after === '') return socket.write(chunk);
    if (chunk.length <= LARGEST_COPY)
      return socket.write(`${text}${chunk.toString('latin1')}${after}`, 'latin1');
    socket.cork();
    socket.write(text, 'latin1');
    socket.write(chunk);
    const isReady = after === '' ? !socket.writableNeedDrain : socket.write(after, 'latin1');
    socket.uncork();
    return isReady;
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }

  #ownLines(raw: RawHeaders): string {
    let lines = '';
    for (const [name, value] of this.#ownHeaders ?? []) {
      const isReplaced = raw.some((one, index) => index % 2 === 0 && one.toLowerCase() === name);
      if (!isReplaced) lines += `${name}: ${value}\r\n`;
    }
    return lines;
  }
}

/** Headers in raw form. Headers of a site in raw form were checked when they were read. */
function checkedHeaders(headers: ResponseHeaders): string[] {
  const raw: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    checkValue(name, String(value));
    raw.push(name, String(value));
  }
  return raw;
}

function checkValue(name: string, value: string): void {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new Error(`invalid characters in the header ${name}`);
}

function sizeLine(chunk: Buffer): string {
  return `${chunk.length.toString(16)}\r\n`;
}

let dateSecond = 0;
let dateText = '';

/** Date for the header `Date`, made once a second. */
function currentDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1_000).toUTCString();
  }
  return dateText;
}
