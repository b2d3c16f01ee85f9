import { connect, type Socket } from 'node:net';
import type { Exchange, UpstreamFailure } from './exchange.ts';
import { InvalidMessage } from './head-reader.ts';
import type { ResponseHead } from './response-head.ts';
import { type ResponseEvents, ResponseParser } from './response-parser.ts';

export interface UpstreamLimits {
  connectMs: number;
  /** Timeout for a site that sends no answer yet, and for the whole head of the answer from its first byte. */
  answerMs: number;
  /** Timeout for a site that stops sending in the middle of an answer. */
  streamMs: number;
}

/**
 * Object that owns all connections to one server of a site. It keeps idle connections for further requests, and sends a
 * failed request again.
 */
export interface ConnectionOwner {
  readonly limits: UpstreamLimits;
  /** Keeps a connection without a request for the next request; false if the connection has to be closed. */
  keep(connection: UpstreamConnection): boolean;
  /** Removes a connection that takes no further request. */
  forget(connection: UpstreamConnection): void;
  /** Sends a request again, on a new connection, because the site's server has closed the old one. */
  repeat(exchange: Exchange): void;
}

/** Connection to a site's server, with one request at a time. */
export class UpstreamConnection implements ResponseEvents {
  readonly socket: Socket;
  /** Open request on this connection; undefined while the connection is idle. */
  current: Exchange | undefined;
  /** Time since which the connection is idle; 0 before the first request has ended. */
  idleSince = 0;
  readonly #owner: ConnectionOwner;
  readonly #limits: UpstreamLimits;
  readonly #parser: ResponseParser;
  #isConnected = false;
  #isOver = false;
  #ignoresWriteErrors = false;

  constructor(address: { host: string; port: number; noDelay: boolean }, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#limits = owner.limits;
    this.socket = connect(address);
    this.#parser = new ResponseParser(this);
    this.socket.setTimeout(this.#limits.connectMs);
    this.#listen();
  }

  /** Sends a request; the connection must be new or idle. */
  begin(exchange: Exchange): void {
    this.current = exchange;
    exchange.connection = this;
    exchange.firstByteAt = undefined;
    this.#parser.begin(exchange.method);
    if (!exchange.isBodySent && !this.#ignoresWriteErrors) {
      this.#ignoresWriteErrors = true;
      letReadingDecide(this.socket);
    }
    if (this.#isConnected) this.#expectWithin(this.#answerMs());
    if (this.socket.isPaused()) this.socket.resume();
    this.socket.write(exchange.head, 'latin1');
  }

  onHead(head: ResponseHead): void {
    if (!this.current) return;
    this.current.isAnswered = true;
    this.current.receiver.onHead(head);
  }

  onBody(chunk: Buffer): void {
    this.current?.receiver.onBody(chunk);
  }

  onEnd(reusable: boolean): void {
    const exchange = this.current;
    this.current = undefined;
    if (reusable && exchange?.isBodySent && !this.#isOver && this.#owner.keep(this)) {
      this.idleSince = performance.now();
      this.#expectWithin(this.#limits.answerMs);
    } else {
      this.#isOver = true;
      this.#owner.forget(this);
      this.socket.destroy();
    }
    exchange?.receiver.onEnd();
  }

  onUpgrade(head: ResponseHead, rest: Buffer): void {
    const exchange = this.current;
    this.current = undefined;
    this.#isOver = true;
    this.#owner.forget(this);
    this.socket.setTimeout(0);
    for (const event of ['data', 'end', 'timeout', 'drain']) this.socket.removeAllListeners(event);
    exchange?.receiver.onUpgrade(head, this.socket, rest);
  }

  /** Ends the connection and fails its open request, without sending the request again. */
  giveUp(error: Error): void {
    if (this.current) this.current.isRetried = true;
    this.#fail('broken', error);
  }

  #listen(): void {
    const { socket } = this;
    socket.on('connect', () => {
      this.#isConnected = true;
      this.#expectWithin(this.#answerMs());
    });
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('drain', () => this.current?.receiver.onDrain());
    socket.on('end', () => this.#end());
    socket.on('timeout', () => this.#fail(this.#isConnected ? 'late' : 'unreachable', new Error('timeout')));
    socket.on('error', (error) => this.#fail(this.#isConnected ? 'broken' : 'unreachable', error));
    socket.on('close', () => this.#fail('broken', new InvalidMessage('closed')));
  }

  /** Time limit for the answer to the current request. */
  #answerMs(): number {
    return this.current?.answerMs ?? this.#limits.answerMs;
  }

  /**
   * Sets the time within which the server must send or take something. Between requests it stays as it is, because a
   * new timer for each request would cost more than the timeout itself.
   */
  #expectWithin(ms: number): void {
    if (this.socket.timeout !== ms) this.socket.setTimeout(ms);
  }

  #read(bytes: Buffer): void {
    const exchange = this.current;
    try {
      this.#parser.feed(bytes);
    } catch (error) {
      this.#fail('broken', error as Error);
      return;
    }
    // After the end of the answer, this connection may have begun the next request already.
    if (!exchange || this.current !== exchange) return;
    if (exchange.isAnswered) {
      this.#expectWithin(this.#limits.streamMs);
      exchange.receiver.onFlush();
      return;
    }
    // The socket's own timeout restarts with each byte and each interim answer, so a slowly trickling head needs this
    // check.
    exchange.firstByteAt ??= performance.now();
    if (performance.now() - exchange.firstByteAt > this.#answerMs()) this.#fail('late', new Error('timeout'));
  }

  #end(): void {
    try {
      this.#parser.end();
      this.#fail('broken', new InvalidMessage('closed'));
    } catch (error) {
      this.#fail('broken', error as Error);
    }
  }

  #fail(failure: UpstreamFailure, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#owner.forget(this);
    this.socket.destroy();
    const exchange = this.current;
    this.current = undefined;
    if (!exchange) return;
    // The server closed the connection while the request was on its way, so it has not seen the request.
    if (failure === 'broken' && !exchange.isAnswered && exchange.isRepeatable() && this.idleSince > 0) {
      exchange.isRetried = true;
      this.#owner.repeat(exchange);
    } else {
      exchange.receiver.onFailure(failure, error);
    }
  }
}

/**
 * A site that refuses an upload answers (413) and closes while the gateway still writes. node would treat the failed
 * write as the end of the socket and discard the unread answer. Write failures are therefore ignored; the reading side
 * finds the end after it has read the answer.
 */
function letReadingDecide(socket: Socket): void {
  const spare =
    (callback: (error?: Error | null) => void) =>
    (error?: NodeJS.ErrnoException | null): void =>
      callback(error?.code === 'EPIPE' || error?.code === 'ECONNRESET' ? null : error);
  const { _write: write, _writev: writev } = socket;
  socket._write = (chunk, encoding, callback) => write.call(socket, chunk, encoding, spare(callback));
  if (writev) socket._writev = (chunks, callback) => writev.call(socket, chunks, spare(callback));
}
