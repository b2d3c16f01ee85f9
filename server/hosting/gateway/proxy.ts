import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Framing, requestHead, responseHeaders } from './headers.ts';
import type { ResponseHead } from './response-parser.ts';
import type { RequestFailure } from './retry-policy.ts';
import type { Backend } from './routing-table.ts';
import { discardRest, sendBody, watchPace } from './upload.ts';
import type { Exchange, Receiver, Upstream, UpstreamFailure } from './upstream.ts';

/** A request to a site, with everything that the gateway knows about it. */
export interface SiteRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** `Host` header as received. */
  hostHeader: string;
  /** Host name without the port, in lower case. */
  host: string;
  target: string;
  body: Framing;
  address: string;
  trusted: boolean;
  /** True if a peer gateway serves the site and gets the request. */
  toPeer?: boolean | undefined;
  /** `Set-Cookie` value with the replica cookie. */
  cookie?: string | undefined;
  /** End of the time that the request may wait for a returning site, on the clock of `performance.now()`. */
  waitsUntil: number;
  /** Releases the request from its backend, so that it can go to another backend or be answered here. */
  releaseBackend?: () => Backend;
  /** Backend that failed under this request before. */
  tried?: Backend | undefined;
}

export interface ProxyParts {
  /** Time span, in milliseconds, over which an upload must keep the minimum rate. */
  paceMs: number;
  /** Domains that sites and the platform share. */
  ours: readonly string[];
  /** Answers in place of a site that gave no answer. */
  fail(siteRequest: SiteRequest, failure: RequestFailure, error: Error): void;
}

/**
 * Minimum upload rate. Slower uploads would hold a site's request slot for nothing (ASP.NET's servers use the same
 * rate).
 */
const LEAST_BYTES_A_SECOND = 240;

/**
 * Passes a request to a site's server and streams the answer back, each at the pace of the slower side. Returns a
 * function that makes the request fail, unless its answer has begun.
 */
export function proxyRequest(
  siteRequest: SiteRequest,
  upstream: Upstream,
  { ours, paceMs, fail }: ProxyParts,
): (failure: UpstreamFailure, error: Error) => void {
  const { request, response, host, body } = siteRequest;
  const method = request.method ?? 'GET';
  let over = false;
  let sent = body === undefined;
  // The latest chunk waits for what follows it, so that a small answer leaves in a single write.
  let pending: Buffer | undefined;

  const write = (chunk: Buffer) => {
    if (!response.write(chunk)) exchange.pause();
  };
  const receiver: Receiver = {
    onHead(head) {
      try {
        start(head);
      } catch (error) {
        // node throws for header values that no client should see.
        over = true;
        exchange.abandon();
        fail(siteRequest, 'broken', error as Error);
      }
    },
    onBody(chunk) {
      if (over) return;
      if (pending) write(pending);
      pending = chunk;
    },
    onFlush() {
      if (over) return;
      if (pending) write(pending);
      else response.flushHeaders();
      pending = undefined;
    },
    onEnd() {
      if (over) return;
      over = true;
      if (pending) response.end(pending);
      else response.end();
      if (!sent) discardRest(request);
    },
    onUpgrade(_head, socket) {
      socket.destroy();
      receiver.onFailure('broken', new Error('an upgrade that nobody asked for'));
    },
    onFailure(failure, error) {
      if (over) return;
      over = true;
      // A half-sent answer can't be repaired; cutting the connection is the only way to signal it.
      if (response.headersSent) return void response.destroy();
      response.off('close', onClose).off('drain', onDrain);
      fail(siteRequest, failure === 'late' && !sent ? 'upload_late' : failure, error);
    },
    onDrain: () => void request.resume(),
  };
  const start = (head: ResponseHead) => {
    const headers = responseHeaders(head, host, ours, siteRequest.toPeer);
    if (siteRequest.cookie !== undefined) headers.push('set-cookie', siteRequest.cookie);
    response.writeHead(head.status, head.reason, headers);
  };

  const onClose = () => {
    if (!over) exchange.abandon();
    over = true;
  };
  const onDrain = () => exchange.resume();
  response.on('close', onClose).on('drain', onDrain);
  const exchange: Exchange = upstream.send({
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
    }),
    hasBody: !sent,
    receiver,
  });
  const giveUp = (failure: UpstreamFailure, error: Error) => {
    if (over || response.headersSent) return;
    exchange.abandon();
    receiver.onFailure(failure, error);
  };
  if (sent) return giveUp;

  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  const pace = {
    everyMs: paceMs,
    leastBytesASecond: LEAST_BYTES_A_SECOND,
    received: () => received,
    waits: () => request.isPaused(),
  };
  const endWatch = watchPace(pace, () => giveUp('late', new Error('a slow upload')));
  request.on('end', endWatch);
  response.on('close', endWatch);
  sendBody(request, exchange, {
    chunked: body === 'chunked',
    isOver: () => over,
    onSent() {
      sent = true;
    },
  });
  return giveUp;
}
