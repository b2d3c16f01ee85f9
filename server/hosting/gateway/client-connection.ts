import type { Socket } from 'node:net';
import { type AddressedRequest, parseAddressee } from './addressee.ts';
import { InvalidMessage } from './head-reader.ts';
import { type BodyReceiver, IncomingRequest, type RequestSource } from './incoming-request.ts';
import { OutgoingResponse, type ResponseSink } from './outgoing-response.ts';
import { PlatformStream } from './platform-stream.ts';
import { RequestBody } from './request-body.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';

/** Time limits of connections, in milliseconds. */
export interface ConnectionLimits {
  /** Time for a whole head, and for the first byte on a new connection. */
  headMs: number;
  /** Time between a response and the next request. */
  idleMs: number;
}

/** Recipient of the requests on a port's connections. */
export interface PortHandler {
  readonly limits: ConnectionLimits;
  /** Decides who gets a request. `addressed`: undefined if the request contradicts itself. */
  recipientOf(head: RequestHead, addressed: AddressedRequest | undefined): 'gateway' | 'platform' | 'tunnel';
  answer(request: IncomingRequest, response: OutgoingResponse, addressed: AddressedRequest | undefined): void;
  /** Opens a WebSocket; the socket belongs to the handler from now on. `early`: bytes that came with the request. */
  upgrade(request: IncomingRequest, socket: Socket, early: Buffer, addressed: AddressedRequest): void;
  /** Gives a connection with requests to the platform to node's HTTP server. */
  connectPlatform(stream: PlatformStream): void;
  /** Answers what is no valid request, and ends the connection. */
  refuse(error: InvalidMessage, socket: Socket): void;
  /** Called when the connection has closed or was given to `upgrade`. */
  onEnd(connection: ClientConnection): void;
}

/**
 * `idle`: no byte of a request has arrived. `head`: a part of a head has arrived. `answering`: a request is open; its
 * body may still arrive. `platform`: the platform has the request. `closing`: the last response was sent, further input
 * is dropped. `ended`: the socket has closed or belongs to a WebSocket.
 */
type State = 'idle' | 'head' | 'answering' | 'platform' | 'closing' | 'ended';

const HEAD_END = Buffer.from('\r\n\r\n');
const LARGEST_HEAD = 16 * 1024;
/** Bytes that wait at most until the response to the present request has ended, or its body is read. */
const MOST_UNREAD = 64 * 1024;
const CR = 13;
const LF = 10;

/**
 * Time for which the rest of an upload is read and dropped after its response. A client that is cut off while it writes
 * may never read the response.
 */
const LINGER_MS = 5_000;

/** Time after which a client that takes nothing of its last response is cut off. */
const STALLED_MS = 300_000;

const DROPPED: BodyReceiver = { onContent() {}, onContentEnd() {} };

/** Connection of a client: reads its requests strictly, one at a time, and gives each to its recipient. */
export class ClientConnection implements RequestSource, ResponseSink {
  readonly socket: Socket;
  readonly #port: PortHandler;
  #state: State = 'idle';
  /** Time since which the connection waits for a request or the rest of its head. */
  #waitsSince = performance.now();
  #limitMs: number;
  /** Bytes that were received and not read yet. */
  #unread: Buffer | undefined;
  #isReading = false;
  #request: IncomingRequest | undefined;
  #response: OutgoingResponse | undefined;
  #body: RequestBody | undefined;
  #bodyReceiver: BodyReceiver | undefined;
  /** Connection to node's HTTP server; kept for further requests to the platform. */
  #platform: PlatformStream | undefined;
  #isPlatformAnswered = false;
  /** True if the platform's present request is the last on the connection. */
  #isLastForPlatform = false;
  #lingering: NodeJS.Timeout | undefined;
  readonly #onData = (bytes: Buffer): void => this.#receive(bytes);
  readonly #onEnd = (): void => this.#endInput();
  readonly #onDrain = (): void => this.#drain();
  readonly #onTimeout = (): void => void this.socket.destroy();
  readonly #onClose = (): void => this.#finish();

  constructor(socket: Socket, port: PortHandler) {
    this.socket = socket;
    this.#port = port;
    this.#limitMs = port.limits.headMs;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('timeout', this.#onTimeout);
    socket.on('close', this.#onClose);
    socket.on('error', ignoreError);
  }

  /** Closes the connection if it waits for a request for too long. */
  endIfLate(now: number): void {
    const isLate = now - this.#waitsSince > this.#limitMs;
    if (isLate && this.#state === 'idle') this.#close();
    if (isLate && this.#state === 'head')
      this.#refuse(new InvalidMessage('the head took too long', 'ERR_HTTP_REQUEST_TIMEOUT'));
  }

  endIfIdle(): void {
    if (this.#state === 'idle' || this.#state === 'head') this.#close();
  }

  readBody(receiver: BodyReceiver): void {
    this.#bodyReceiver = receiver;
    if (this.#request?.head.expectsContinue && !this.#unread && !this.#response?.hasBegun)
      this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    this.#continue();
  }

  onResponseEnd(): void {
    if (this.#state !== 'answering') return;
    if (this.socket.timeout) this.socket.setTimeout(0);
    if (!this.#body || this.#body.isComplete) this.#endRequest();
    else if (!this.#response?.keepsAlive) this.#close();
    else {
      this.#lingering = setTimeout(() => this.socket.destroy(), LINGER_MS);
      this.readBody(DROPPED);
    }
  }

  #receive(bytes: Buffer): void {
    const unread = this.#unread;
    this.#unread = undefined;
    this.#read(unread ? Buffer.concat([unread, bytes]) : bytes);
  }

  /** Reads on after something has changed for which received bytes had to wait. */
  #continue(): void {
    if (this.#isReading || this.#state === 'ended') return;
    if (this.socket.isPaused()) this.socket.resume();
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread) this.#read(unread);
  }

  #read(bytes: Buffer): void {
    let at = 0;
    this.#isReading = true;
    try {
      while (at < bytes.length) {
        const next = this.#step(bytes, at);
        if (next === undefined) {
          this.#keep(bytes.subarray(at));
          break;
        }
        at = next;
      }
    } catch (error) {
      if (!(error instanceof InvalidMessage)) throw error;
      this.#refuse(Object.assign(error, { rawPacket: bytes, bytesParsed: at }));
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads the next part from `at` on. Returns the position after it; undefined if it has to wait. */
  #step(bytes: Buffer, at: number): number | undefined {
    switch (this.#state) {
      case 'idle':
      case 'head':
        return this.#readHead(bytes, at);
      case 'answering':
        return this.#readBody(bytes, at);
      case 'platform':
        return this.#passBody(bytes, at);
      default:
        return bytes.length;
    }
  }

  #keep(unread: Buffer): void {
    this.#unread = unread;
    if (unread.length > MOST_UNREAD) this.socket.pause();
  }

  #readHead(bytes: Buffer, at: number): number | undefined {
    // A client that has gone asks for nothing more.
    if (!this.socket.writable) return bytes.length;
    // The client must read its earlier responses before it gets another one.
    if (this.socket.writableNeedDrain) return undefined;
    // An empty line before a request is skipped (RFC 9112, section 2.2).
    if (bytes[at] === CR && bytes[at + 1] === LF) return at + 2;
    const end = bytes.indexOf(HEAD_END, at);
    if (end === -1 || end - at > LARGEST_HEAD) {
      checkBeginning(bytes, at);
      if (this.#state === 'idle') {
        this.#state = 'head';
        this.#waitsSince = performance.now();
        this.#limitMs = this.#port.limits.headMs;
      }
      return undefined;
    }
    const head = parseRequestHead(bytes.toString('latin1', at, end));
    const next = end + HEAD_END.length;
    return this.#begin(head, bytes, at, next);
  }

  /** Gives a request to its recipient. Returns the position after what was read of `bytes`. */
  #begin(head: RequestHead, bytes: Buffer, at: number, next: number): number {
    const addressed = parseAddressee(head);
    const recipient = this.#port.recipientOf(head, addressed);
    this.#body = head.framing === undefined ? undefined : new RequestBody(head.framing);
    if (recipient === 'platform') {
      this.#state = 'platform';
      this.#isPlatformAnswered = false;
      this.#isLastForPlatform = head.minor === 0;
      if (this.#platform) this.#platform.hasWritten = false;
      this.#passToPlatform(bytes.subarray(at, next));
      return next;
    }
    const request = new IncomingRequest(head, this);
    if (recipient === 'tunnel' && addressed) {
      this.#release();
      this.#port.upgrade(request, this.socket, bytes.subarray(next), addressed);
      return bytes.length;
    }
    this.#state = 'answering';
    this.#request = request;
    this.#response = new OutgoingResponse(request, this);
    this.#port.answer(request, this.#response, addressed);
    return next;
  }

  #readBody(bytes: Buffer, at: number): number | undefined {
    const receiver = this.#bodyReceiver;
    const body = this.#body;
    if (!receiver || !body || body.isComplete) return undefined;
    const next = body.read(bytes, at, (content) => receiver.onContent(content));
    if (body.isComplete && this.#request) {
      this.#request.isComplete = true;
      receiver.onContentEnd();
      if (this.#response?.isClosed) this.#endRequest();
    }
    return next;
  }

  /** Passes the part of a body from `at` on to the platform, which reads its frames itself. */
  #passBody(bytes: Buffer, at: number): number | undefined {
    const body = this.#body;
    if (!body || body.isComplete) return undefined;
    const next = body.read(bytes, at, () => {});
    this.#passToPlatform(bytes.subarray(at, next));
    if (this.#isPlatformAnswered) this.#endPlatformRequest();
    return next;
  }

  #passToPlatform(bytes: Buffer): void {
    const stream = this.#platform ?? this.#connectPlatform();
    if (!stream.receive(bytes)) this.socket.pause();
  }

  #connectPlatform(): PlatformStream {
    const stream = new PlatformStream(this.socket, {
      onReadable: () => this.#continue(),
      onAnswered: () => this.#endPlatformResponse(),
      onEnd: () => this.#close(),
    });
    this.#platform = stream;
    this.#port.connectPlatform(stream);
    return stream;
  }

  #endPlatformResponse(): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    if (this.#state !== 'platform' || this.#isPlatformAnswered) {
      // A response to a request that the gateway has not passed on would be taken for that to another request.
      this.socket.destroySoon();
      return;
    }
    this.#isPlatformAnswered = true;
    this.#endPlatformRequest();
  }

  /** Waits for the next request, once the platform has answered and the whole body was passed to it. */
  #endPlatformRequest(): void {
    if (this.#state !== 'platform' || (this.#body && !this.#body.isComplete)) return;
    // The client may go on only if node's server does.
    if (this.#platform?.isEnded) return;
    if (this.#isLastForPlatform) this.#close();
    else this.#becomeIdle();
  }

  #endRequest(): void {
    clearTimeout(this.#lingering);
    if (this.#response?.keepsAlive && this.socket.writable) this.#becomeIdle();
    else this.#close();
  }

  #becomeIdle(): void {
    this.#state = 'idle';
    this.#request = undefined;
    this.#response = undefined;
    this.#body = undefined;
    this.#bodyReceiver = undefined;
    this.#waitsSince = performance.now();
    this.#limitMs = this.#port.limits.idleMs;
    this.#continue();
  }

  /** Ends the connection after the last response. */
  #close(): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    const isInputWhole = (this.#state === 'head' || !this.#unread) && (!this.#body || this.#body.isComplete);
    this.#state = 'closing';
    this.#unread = undefined;
    this.socket.setTimeout(STALLED_MS);
    if (isInputWhole) {
      this.socket.destroySoon();
      return;
    }
    // Closing a socket with unread input would reset the connection, and the client may lose the response.
    this.socket.end();
    this.socket.resume();
    this.#lingering = setTimeout(() => this.socket.destroy(), LINGER_MS);
  }

  #refuse(error: InvalidMessage): void {
    const hasAnswer = this.#state === 'platform' ? this.#platform?.hasWritten : this.#response?.hasBegun;
    this.#state = 'closing';
    this.#unread = undefined;
    if (hasAnswer) this.socket.destroy();
    else this.#port.refuse(error, this.socket);
    this.#response?.close();
  }

  /** The client sends nothing more. As with node's server, it waits for no response either. */
  #endInput(): void {
    // Node's server answers half a request with a 400, but not once its response has begun.
    if (this.#state === 'platform' && this.#platform && !this.#platform.hasWritten) this.#platform.push(null);
    else this.socket.destroySoon();
  }

  #drain(): void {
    this.#platform?.emit('drain');
    this.#response?.onDrain?.();
    if (this.#state === 'idle' && this.#unread) this.#continue();
  }

  /** Lets the socket go to a WebSocket. */
  #release(): void {
    const { socket } = this;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('drain', this.#onDrain);
    socket.off('timeout', this.#onTimeout);
    socket.off('close', this.#onClose);
    // The socket must buffer what arrives until the WebSocket reads it, and notice meanwhile if the client goes.
    (socket as { readableFlowing: boolean | null }).readableFlowing = null;
    this.#state = 'ended';
    this.#platform?.detach();
    this.#port.onEnd(this);
  }

  #finish(): void {
    this.#state = 'ended';
    this.#unread = undefined;
    clearTimeout(this.#lingering);
    this.#port.onEnd(this);
    this.#response?.close();
    this.#platform?.destroy();
  }
}

/** Refuses what can't be the beginning of a request, before the rest of it arrives. */
function checkBeginning(bytes: Buffer, at: number): void {
  if (bytes.length - at > LARGEST_HEAD) throw new InvalidMessage('a head too large', 'HPE_HEADER_OVERFLOW');
  const first = bytes[at] as number;
  const isLetter = first >= 65 && first <= 90;
  if (!isLetter && first !== CR) throw new InvalidMessage('no request');
  for (let lf = bytes.indexOf(LF, at); lf !== -1; lf = bytes.indexOf(LF, lf + 1))
    if (bytes[lf - 1] !== CR) throw new InvalidMessage('a line that ends in LF alone');
}

function ignoreError(): void {}
