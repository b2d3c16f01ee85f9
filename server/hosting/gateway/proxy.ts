import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Backend } from './backend.ts';
import type { Exchange, Receiver, UpstreamFailure } from './exchange.ts';
import { type Framing, requestHead, responseHeaders } from './headers.ts';
import type { RequestLimits } from './request-limits.ts';
import type { ResponseHead } from './response-head.ts';
import type { RequestFailure } from './retry-policy.ts';
import { discardRest, sendBody, watchPace } from './upload.ts';
import type { Upstream } from './upstream.ts';

/** Request to a site, with all facts that the gateway knows about it. */
export interface SiteRequest {
  request: IncomingMessage;
  response: ServerResponse;
  hostHeader: string;
  /** Host name of the request without the port, in lower case. */
  host: string;
  target: string;
  body: Framing;
  address: string;
  trusted: boolean;
  /** True if the gateway has checked the request's password for the site, which the site does not get. */
  hidesLogin?: boolean | undefined;
  /** True if a peer gateway serves the site and gets the request. */
  toPeer?: boolean | undefined;
  /** Value of a `Set-Cookie` header with the cookie that keeps a visitor on the same replica. */
  cookie?: string | undefined;
  limits: RequestLimits;
  /** Time until which the request may wait for a site that comes back, on the clock of `performance.now()`. */
  waitsUntil: number;
  /** Backend that was already tried for this request and failed. */
  tried?: Backend | undefined;
}

export interface ProxyParts {
  /** Time span, in milliseconds, over which an upload must keep the minimum rate. */
  paceMs: number;
  /**
   * Domains below which both the platform and sites have their host names, so that both could see each other's cookies.
   */
  ours: readonly string[];
  /** Called when the response of a request to a backend has ended, or its client has gone. */
  leave(backend: Backend, request: IncomingMessage): void;
  /** Answers a request to a site that gave no answer. The request has left the backend. */
  fail(siteRequest: SiteRequest, backend: Backend, failure: RequestFailure, error: Error): void;
}

/**
 * Minimum upload rate. Slower uploads would hold a site's request slot for nothing (ASP.NET's servers use the same
 * rate).
 */
const LEAST_BYTES_A_SECOND = 240;

/** Request passed to a site's server; the answer is streamed back, each at the pace of the slower side. */
export class ProxiedRequest implements Receiver {
  /** Called once when the request leaves its backend. */
  onRelease: (() => void) | undefined;
  readonly #siteRequest: SiteRequest;
  readonly #backend: Backend;
  readonly #parts: ProxyParts;
  readonly #exchange: Exchange;
  /** True once nothing more is sent to the client. */
  #isOver = false;
  /** True once the whole body of the request was sent to the site. */
  #isSent: boolean;
  /** Latest chunk of the answer. It waits for what follows it, so that a small answer leaves in a single write. */
  #pending: Buffer | undefined;
  readonly #onClose = (): void => {
    if (!this.#isOver) this.#exchange.abandon();
    this.#isOver = true;
    this.onRelease?.();
    this.#parts.leave(this.#backend, this.#siteRequest.request);
  };
  /** Listener while the client accepts no more of the answer. */
  #onDrain: (() => void) | undefined;

  constructor(siteRequest: SiteRequest, backend: Backend, upstream: Upstream, parts: ProxyParts) {
    const { request, response, body } = siteRequest;
    this.#siteRequest = siteRequest;
    this.#backend = backend;
    this.#parts = parts;
    this.#isSent = body === undefined;
    response.on('close', this.#onClose);
    const method = request.method ?? 'GET';
    this.#exchange = upstream.send({
      method,
      head: requestHead({
        method,
        target: siteRequest.target,
        headers: request.rawHeaders,
        host: siteRequest.hostHeader,
        address: siteRequest.address,
        trusted: siteRequest.trusted,
        body,
        toPeer: siteRequest.toPeer,
        hidesLogin: siteRequest.hidesLogin,
      }),
      hasBody: !this.#isSent,
      receiver: this,
      answerMs: siteRequest.limits.answerMs,
    });
    if (!this.#isSent) this.#sendBody();
  }

  /** Makes the request fail, unless its answer has begun. */
  giveUp(failure: UpstreamFailure | 'too_large', error: Error): void {
    if (this.#isOver || this.#siteRequest.response.headersSent) return;
    this.#exchange.abandon();
    this.onFailure(failure, error);
  }

  onHead(head: ResponseHead): void {
    try {
      this.#beginAnswer(head);
    } catch (error) {
      // node throws if a header of the site's answer has an invalid value, which the client should not see.
      this.#isOver = true;
      this.#exchange.abandon();
      this.#fail('broken', error as Error);
    }
  }

  onBody(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#pending) this.#write(this.#pending);
    this.#pending = chunk;
  }

  onFlush(): void {
    if (this.#isOver) return;
    if (this.#pending) this.#write(this.#pending);
    else this.#siteRequest.response.flushHeaders();
    this.#pending = undefined;
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { request, response } = this.#siteRequest;
    if (this.#pending) response.end(this.#pending);
    else response.end();
    if (!this.#isSent) discardRest(request);
  }

  onUpgrade(_head: ResponseHead, socket: Socket): void {
    socket.destroy();
    this.onFailure('broken', new Error('an upgrade that nobody asked for'));
  }

  onFailure(failure: UpstreamFailure | 'too_large', error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { response } = this.#siteRequest;
    // An answer that is already half sent can't be changed; the client notices the failure only if its connection is
    // cut.
    if (response.headersSent) return void response.destroy();
    const isUploadLate = failure === 'late' && !this.#isSent;
    this.#fail(isUploadLate ? 'upload_late' : failure, error);
  }

  onDrain(): void {
    this.#siteRequest.request.resume();
  }

  /** Takes the request away from its backend, so that another backend or the gateway itself can answer it. */
  #fail(failure: RequestFailure, error: Error): void {
    this.onRelease?.();
    this.#siteRequest.response.off('close', this.#onClose);
    this.#backend.leave();
    this.#parts.fail(this.#siteRequest, this.#backend, failure, error);
  }

  #write(chunk: Buffer): void {
    const { response } = this.#siteRequest;
    if (response.write(chunk)) return;
    this.#exchange.pause();
    if (this.#onDrain) return;
    this.#onDrain = () => this.#exchange.resume();
    response.on('drain', this.#onDrain);
  }

  #beginAnswer(head: ResponseHead): void {
    const { response, host, toPeer, cookie } = this.#siteRequest;
    const headers = responseHeaders(head, host, this.#parts.ours, toPeer);
    if (cookie !== undefined) headers.push('set-cookie', cookie);
    response.writeHead(head.status, head.reason, headers);
  }

  #sendBody(): void {
    const { request, response, body, limits } = this.#siteRequest;
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > limits.bodyBytes) this.giveUp('too_large', new Error('a body over the limit'));
    });
    const pace = {
      everyMs: this.#parts.paceMs,
      leastBytesASecond: LEAST_BYTES_A_SECOND,
      received: () => received,
      waits: () => request.isPaused(),
    };
    const endWatch = watchPace(pace, () => this.giveUp('late', new Error('a slow upload')));
    request.on('end', endWatch);
    response.on('close', endWatch);
    sendBody(request, this.#exchange, {
      chunked: body === 'chunked',
      isOver: () => this.#isOver,
      onSent: () => {
        this.#isSent = true;
      },
    });
  }
}
