import type { Socket } from 'node:net';
import type { Backend } from './backend.ts';
import type { Exchange, Receiver, UpstreamFailure } from './exchange.ts';
import { requestHead, responseHeaders } from './headers.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import type { Framing } from './request-head.ts';
import type { RequestLimits } from './request-limits.ts';
import type { ResponseHead } from './response-head.ts';
import type { RequestFailure } from './retry-policy.ts';
import { Upload } from './upload.ts';
import type { Upstream } from './upstream.ts';

/** Request to a site, with all facts that the gateway knows about it. */
export interface SiteRequest {
  request: IncomingRequest;
  response: OutgoingResponse;
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
  leave(backend: Backend, request: IncomingRequest): void;
  /** Answers a request to a site that gave no answer. The request has left the backend. */
  fail(siteRequest: SiteRequest, backend: Backend, failure: RequestFailure, error: Error): void;
}

/** Request passed to a site's server; the answer is streamed back, each at the pace of the slower side. */
export class ProxiedRequest implements Receiver {
  /** Called once when the request leaves its backend. */
  onRelease: (() => void) | undefined;
  readonly #siteRequest: SiteRequest;
  readonly #backend: Backend;
  readonly #parts: ProxyParts;
  readonly #exchange: Exchange;
  /** Body of the request on its way to the site; undefined if there is none. */
  readonly #upload: Upload | undefined;
  /** True once nothing more is sent to the client. */
  #isOver = false;
  /** Latest chunk of the answer. It waits for what follows it, so that a small answer leaves in a single write. */
  #pending: Buffer | undefined;
  readonly #onClose = (): void => {
    if (!this.#isOver) this.#exchange.abandon();
    this.#isOver = true;
    this.#upload?.end();
    this.onRelease?.();
    this.#parts.leave(this.#backend, this.#siteRequest.request);
  };

  constructor(siteRequest: SiteRequest, backend: Backend, upstream: Upstream, parts: ProxyParts) {
    const { request, response, body, limits } = siteRequest;
    this.#siteRequest = siteRequest;
    this.#backend = backend;
    this.#parts = parts;
    response.onClose(this.#onClose);
    const { method } = request;
    this.#exchange = upstream.send({
      method,
      head: requestHead({
        method,
        target: siteRequest.target,
        headers: request.head.headers,
        host: siteRequest.hostHeader,
        address: siteRequest.address,
        trusted: siteRequest.trusted,
        body,
        toPeer: siteRequest.toPeer,
        hidesLogin: siteRequest.hidesLogin,
      }),
      hasBody: body !== undefined,
      receiver: this,
      answerMs: limits.answerMs,
    });
    if (body === undefined) return;
    this.#upload = new Upload({
      request,
      framing: body,
      exchange: this.#exchange,
      mostBytes: limits.bodyBytes,
      paceMs: parts.paceMs,
      onTooLarge: () => this.giveUp('too_large', new Error('a body over the limit')),
      onSlow: () => this.giveUp('late', new Error('a slow upload')),
    });
    this.#upload.start();
  }

  /** Makes the request fail, unless its answer has begun. */
  giveUp(failure: UpstreamFailure | 'too_large', error: Error): void {
    if (this.#isOver || this.#siteRequest.response.hasBegun) return;
    this.#exchange.abandon();
    this.onFailure(failure, error);
  }

  onHead(head: ResponseHead): void {
    const { response, host, toPeer, cookie } = this.#siteRequest;
    const headers = responseHeaders(head, host, this.#parts.ours, toPeer);
    if (cookie !== undefined) headers.push('set-cookie', cookie);
    response.writeHead(head.status, headers, head.reason);
  }

  onBody(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#pending) this.#write(this.#pending);
    this.#pending = chunk;
  }

  onFlush(): void {
    if (this.#isOver) return;
    if (this.#pending) this.#write(this.#pending);
    else this.#siteRequest.response.flush();
    this.#pending = undefined;
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#siteRequest.response.end(this.#pending);
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
    if (response.hasBegun) {
      response.destroy();
      return;
    }
    const isUploadLate = failure === 'late' && this.#upload?.isSent === false;
    this.#fail(isUploadLate ? 'upload_late' : failure, error);
  }

  onDrain(): void {
    this.#upload?.resume();
  }

  /** Takes the request away from its backend, so that another backend or the gateway itself can answer it. */
  #fail(failure: RequestFailure, error: Error): void {
    this.#upload?.end();
    this.onRelease?.();
    this.#siteRequest.response.offClose(this.#onClose);
    this.#backend.leave();
    this.#parts.fail(this.#siteRequest, this.#backend, failure, error);
  }

  #write(chunk: Buffer): void {
    const { response } = this.#siteRequest;
    if (response.write(chunk)) return;
    this.#exchange.pause();
    response.onDrain ??= () => this.#exchange.resume();
  }
}
