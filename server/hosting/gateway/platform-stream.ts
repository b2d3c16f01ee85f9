import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

export interface PlatformStreamEvents {
  /** Called when node's server takes more of the request. */
  onReadable(): void;
  /** Called when the response to the present request has ended. */
  onAnswered(): void;
  /** Called when node's server has written its last response. */
  onEnd(): void;
}

type Written = (error?: Error | null) => void;

/**
 * Connection of a client as node's HTTP server sees it: it reads only the requests to the platform, whose bytes the
 * gateway passes on. What the server writes goes to the client directly; a second writable stream in between would cost
 * each response of the platform several microseconds.
 */
export class PlatformStream extends Duplex {
  /** Connection of the client. */
  readonly client: Socket;
  // The socket of a client that has gone does not know the client's address any more.
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  /** True if node's server has written something since the present request began. */
  hasWritten = false;
  /** True once node's server has written its last response. */
  isEnded = false;
  readonly #events: PlatformStreamEvents;
  #isDetached = false;

  constructor(client: Socket, events: PlatformStreamEvents) {
    super({ autoDestroy: false });
    this.client = client;
    this.remoteAddress = client.remoteAddress;
    this.remotePort = client.remotePort;
    this.#events = events;
  }

  get bytesRead(): number {
    return this.client.bytesRead;
  }

  override write(chunk: Buffer | string, encoding?: BufferEncoding | Written, written?: Written): boolean {
    this.hasWritten = true;
    // The gateway may have ended the connection meanwhile, because the rest of the request was invalid.
    if (!this.client.writable) return false;
    return this.client.write(chunk, encoding as BufferEncoding, written);
  }

  override cork(): void {
    this.client.cork();
  }

  override uncork(): void {
    this.client.uncork();
  }

  override end(chunk?: unknown, encoding?: unknown): this {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.write(chunk, encoding as BufferEncoding);
    if (!this.isEnded) {
      this.isEnded = true;
      this.#events.onEnd();
    }
    return this;
  }

  /** Time limits of connections are the gateway's matter. */
  setTimeout(): this {
    return this;
  }

  /** Notes the end of the response to the present request. */
  answered(): void {
    this.#events.onAnswered();
  }

  /** Ends this stream, but not the client's connection. */
  detach(): void {
    this.#isDetached = true;
    this.destroy();
  }

  /** Passes bytes of a request on. Returns false if node's server has to call `resume` before it takes more. */
  receive(bytes: Buffer): boolean {
    if (!this.readableFlowing || this.readableLength > 0) return this.push(bytes);
    // The usual way, without the buffer of this stream.
    this.emit('data', bytes);
    return !this.isPaused();
  }

  override resume(): this {
    super.resume();
    this.#events.onReadable();
    return this;
  }

  override _read(): void {
    this.#events.onReadable();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isDetached) this.client.destroy();
    callback(error);
  }
}
