import type { Socket } from 'node:net';
import type { RequestHead } from './request-head.ts';

/** Receiver of a request's body. */
export interface BodyReceiver {
  onContent(content: Buffer): void;
  onContentEnd(): void;
}

/** Connection from which a request came. */
export interface RequestSource {
  readonly socket: Socket;
  /** Passes the body of the open request to `receiver`, from its first byte on. */
  readBody(receiver: BodyReceiver): void;
}

/** Request of a client to a site, or to the gateway itself. Its body waits until somebody reads it. */
export class IncomingRequest {
  readonly head: RequestHead;
  readonly #source: RequestSource;
  /** True once the whole body has arrived and was read. */
  isComplete: boolean;

  constructor(head: RequestHead, source: RequestSource) {
    this.head = head;
    this.#source = source;
    this.isComplete = !head.framing;
  }

  get method(): string {
    return this.head.method;
  }

  get socket(): Socket {
    return this.#source.socket;
  }

  /** Value of a header, by its name in lower case; several values are joined as in one message (RFC 9110, 5.3). */
  header(name: string): string | undefined {
    const { headers } = this.head;
    let found: string | undefined;
    for (let i = 0; i < headers.length; i += 2) {
      const other = headers[i] as string;
      if (other.length !== name.length || other.toLowerCase() !== name) continue;
      const value = headers[i + 1] as string;
      found = found === undefined ? value : `${found}${name === 'cookie' ? '; ' : ', '}${value}`;
    }
    return found;
  }

  readBody(receiver: BodyReceiver): void {
    this.#source.readBody(receiver);
  }

  pauseBody(): void {
    this.socket.pause();
  }

  resumeBody(): void {
    this.socket.resume();
  }
}
