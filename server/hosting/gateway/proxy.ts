import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHeaders, type Framing, requestHead } from './headers.ts';
import type { AnswerHead } from './response-parser.ts';
import type { Backend } from './routing-table.ts';
import { leaveUnread, sendBody, watchPace } from './upload.ts';
import type { Exchange, Failure, Receiver, Upstream } from './upstream.ts';

/** A request to a site, judged: what the gateway knows of it. */
export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  /** The `Host` as it came. */
  hostHeader: string;
  /** The same as a plain name. */
  host: string;
  target: string;
  body: Framing;
  address: string;
  trusted: boolean;
  /** The site is another server's, whose gateway it goes to. */
  toFellow?: boolean | undefined;
  /** A `Set-Cookie` of ours for the visitor. */
  cookie?: string | undefined;
  /** Until then it may wait for a site that is coming back: `performance.now()`. */
  waitsUntil: number;
  /** Ends what the request has with the door that it was given to: it goes on to another, or is answered here. */
  leaveDoor?: () => Backend;
  /** The door that broke under it before. */
  tried?: Backend | undefined;
}

export interface ProxyParts {
  /** How long an upload may come more slowly than any that goes on. */
  paceMs: number;
  /** Domains that sites and the platform share names under. */
  ours: readonly string[];
  /** Answers in place of a site that did not. */
  fail(visit: Visit, failure: Failure | 'upload_late', error: Error): void;
}

/** What comes more slowly holds a site's place for nothing (ASP.NET's servers take the same measure). */
const LEAST_BYTES_A_SECOND = 240;

/**
 * Passes a request on to a site's server, and its answer back; both as streams, at the pace of the slower side. Gives what
 * has it fail unless its answer has begun.
 */
export function passOn(
  visit: Visit,
  upstream: Upstream,
  { ours, paceMs, fail }: ProxyParts,
): (failure: Failure, error: Error) => void {
  const { request, response, host, body } = visit;
  const method = request.method ?? 'GET';
  let over = false;
  let sent = body === undefined;
  // The latest piece waits for what follows it, so that a small answer leaves in one go.
  let pending: Buffer | undefined;

  const write = (chunk: Buffer) => {
    if (!response.write(chunk)) exchange.pause();
  };
  const receiver: Receiver = {
    onHead(head) {
      try {
        start(head);
      } catch (error) {
        // node refuses a header that no client should see.
        over = true;
        exchange.abandon();
        fail(visit, 'broken', error as Error);
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
      if (!sent) leaveUnread(request);
    },
    onUpgrade(_head, socket) {
      socket.destroy();
      receiver.onFailure('broken', new Error('an upgrade that nobody asked for'));
    },
    onFailure(failure, error) {
      if (over) return;
      over = true;
      // Half an answer can't be mended; cutting it off is the one way to say that it is half.
      if (response.headersSent) return void response.destroy();
      response.off('close', onClose).off('drain', onDrain);
      fail(visit, failure === 'late' && !sent ? 'upload_late' : failure, error);
    },
    onDrain: () => void request.resume(),
  };
  const start = (head: AnswerHead) => {
    const headers = answerHeaders(head, host, ours, visit.toFellow);
    if (visit.cookie !== undefined) headers.push('set-cookie', visit.cookie);
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
      target: visit.target,
      headers: request.rawHeaders,
      host: visit.hostHeader,
      address: visit.address,
      trusted: visit.trusted,
      body,
      toFellow: visit.toFellow,
    }),
    hasBody: !sent,
    receiver,
  });
  const giveUp = (failure: Failure, error: Error) => {
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
