import type { Socket } from 'node:net';
import type { ResponseHead } from './response-head.ts';

/** Reason why a site gave no answer, or only part of one. */
export type UpstreamFailure = 'unreachable' | 'broken' | 'late';

/** Receives the events of a request. After `onEnd`, `onUpgrade` or `onFailure`, no further event follows. */
export interface Receiver {
  onHead(head: ResponseHead): void;
  /**
   * Called with a piece of the answer's body. The receiver must copy bytes that it needs after `onFlush` has returned.
   */
  onBody(chunk: Buffer): void;
  /** Called when all bytes of the answer that have arrived so far were passed to `onBody`; never before `onHead`. */
  onFlush(): void;
  onEnd(): void;
  onUpgrade(head: ResponseHead, socket: Socket, rest: Buffer): void;
  onFailure(failure: UpstreamFailure, error: Error): void;
  /** Called when the site accepts more of the request's body again. */
  onDrain(): void;
}

export interface OutgoingRequest {
  method: string;
  head: string;
  /** True if the request has a body, which is sent by `write` and `finish`. */
  hasBody: boolean;
  receiver: Receiver;
  /** Time limit for the beginning of the answer, in milliseconds; absent: that of the server's connections. */
  answerMs?: number | undefined;
}

/** Connection to a site's server that carries this request and its answer; afterwards, it may carry another request. */
interface Carrier {
  readonly socket: Socket;
  current: Exchange | undefined;
}

const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

/** Open request to a site, and its answer. */
export class Exchange {
  readonly method: string;
  readonly head: string;
  readonly receiver: Receiver;
  readonly answerMs: number | undefined;
  readonly #hasBody: boolean;
  connection: Carrier | undefined;
  /** Time of the answer's first byte; interim answers count too. */
  firstByteAt: number | undefined;
  isAnswered = false;
  isBodySent: boolean;
  isRetried = false;

  constructor({ method, head, hasBody, receiver, answerMs }: OutgoingRequest) {
    this.method = method;
    this.head = head;
    this.receiver = receiver;
    this.answerMs = answerMs;
    this.#hasBody = hasBody;
    this.isBodySent = !hasBody;
  }

  /** True if the request can be sent again on another connection, should this one close. */
  isRepeatable(): boolean {
    return !this.#hasBody && !this.isRetried && REPEATABLE.has(this.method);
  }

  /**
   * Writes a part of the request's body. Returns false if the caller has to wait for `onDrain` before the next part.
   */
  write(chunk: Buffer | string): boolean {
    const socket = this.#socket();
    if (!socket) return true;
    return typeof chunk === 'string' ? socket.write(chunk, 'latin1') : socket.write(chunk);
  }

  /** Marks the request's body as complete. */
  finish(): void {
    this.isBodySent = true;
  }

  pause(): void {
    this.#socket()?.pause();
  }

  resume(): void {
    this.#socket()?.resume();
  }

  /** Cancels the request; nobody waits for its answer any more. */
  abandon(): void {
    const socket = this.#socket();
    if (!socket || !this.connection) return;
    this.connection.current = undefined;
    socket.destroy();
  }

  #socket(): Socket | undefined {
    return this.connection?.current === this ? this.connection.socket : undefined;
  }
}
