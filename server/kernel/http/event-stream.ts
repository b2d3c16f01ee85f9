import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Cap, createOpenStreams } from './open-streams.ts';

export const EVENT_STREAM = 'text/event-stream';

/**
 * Events of the stream in their text form, until the signal is aborted. A client that lost its stream continues after
 * its Last-Event-ID.
 */
export type Events = (signal: AbortSignal) => AsyncIterable<string>;

export interface StreamOptions {
  /** Lifetime of an event stream in milliseconds; after it the client connects again and is authorized again. */
  longestMs: number;
  /**
   * True if the client may still receive events. Checked with each comment of the stream, and before an event unless it
   * was just checked: a client that signed out or lost its access receives no more.
   */
  isStillAllowed(): Promise<boolean>;
  /**
   * Milliseconds during which a client's access is not checked again, so that a burst of events needs only one check.
   */
  recheckAfterMs?: number;
  /** Milliseconds between two comments in an event stream. They keep proxies from closing a quiet stream. */
  heartbeatMs?: number;
  /** Milliseconds after which a client that does not read its event stream is disconnected. */
  slowClientMs?: number;
}

const RETRY_MS = 2_000;
const RECHECK_AFTER_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const SLOW_CLIENT_MS = 60_000;

export interface EventStreams {
  /**
   * Responds with a stream of the events that `begin` gives. An error of `begin` gets an ordinary error response. Open
   * streams are limited by `caps`: beyond one of these maximums the response is a 429, and `begin` is not called.
   */
  open(
    reply: FastifyReply,
    caps: readonly Cap[],
    options: StreamOptions,
    begin: () => Events | Promise<Events>,
  ): Promise<never>;
  /** Ends all event streams at once, and later streams as soon as they begin. */
  close(): void;
}

/** Creates the object that writes all event streams: it limits their number, sets their headers and ends them. */
export function createEventStreams(): EventStreams {
  const closing = new AbortController();
  const take = createOpenStreams();
  return {
    async open(reply, caps, options, begin) {
      const leave = take(caps);
      try {
        const events = await begin();
        reply
          .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
          .type(`${EVENT_STREAM}; charset=utf-8`);
        const body = writeEvents(events, closing.signal, options);
        body.once('close', leave);
        // The response to a HEAD request has no body.
        if (reply.request.method === 'HEAD') body.destroy();
        return reply.send(body.destroyed ? '' : body) as never;
      } catch (error) {
        leave();
        throw error;
      }
    },
    close: () => closing.abort(),
  };
}

/**
 * Body of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). The next event is
 * fetched only when the client has room for it, so that at most one event and the connection's buffers wait for a slow
 * client.
 */
export function writeEvents(
  events: Events,
  closing: AbortSignal,
  {
    longestMs,
    isStillAllowed,
    recheckAfterMs = RECHECK_AFTER_MS,
    heartbeatMs = HEARTBEAT_MS,
    slowClientMs = SLOW_CLIENT_MS,
  }: StreamOptions,
): Readable {
  const body = new PassThrough();
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, closing]);
  const end = setTimeout(() => ending.abort(), longestMs);
  // The client's access was checked when its request arrived, which counts as the stream's first check.
  let checkedAt = performance.now();
  /** Checks again whether the client is still authorized, and ends the event stream if not. */
  const checkAgain = async () => {
    checkedAt = performance.now();
    if (!(await isStillAllowed())) ending.abort();
  };
  const fail = (error: unknown) => {
    if (!signal.aborted) body.destroy(error as Error);
  };
  const heartbeat = setInterval(() => {
    if (!body.writableNeedDrain) body.write(':\n\n');
    checkAgain().catch(fail);
  }, heartbeatMs);
  // The framework listens for errors of the stream only once the response has begun, so an earlier error needs this
  // listener.
  body.on('error', () => {});
  body.once('close', () => {
    clearTimeout(end);
    clearInterval(heartbeat);
    ending.abort();
  });
  /** Disconnects a client that does not read its event stream in time; calling the result prevents that. */
  const waitFor = () => {
    const timer = setTimeout(() => body.destroy(), slowClientMs);
    const cancel = () => clearTimeout(timer);
    body.once('close', cancel);
    return cancel;
  };

  const write = async () => {
    body.write(`retry: ${RETRY_MS}\n\n`);
    for await (const event of events(signal)) {
      if (performance.now() - checkedAt >= recheckAfterMs) await checkAgain();
      if (signal.aborted) return;
      if (body.write(event)) continue;
      const read = waitFor();
      await once(body, 'drain', { signal });
      read();
    }
  };
  write()
    .catch(fail)
    .finally(() => {
      if (body.destroyed) return;
      waitFor();
      body.end();
    });
  return body;
}

/** Text of one event in an event stream. `data` is split at any kind of line break. */
export function formatEvent(
  data: string,
  { id, name }: { id?: string | number; name?: string } = {},
): string {
  const head = `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${head}${lines.join('')}\n`;
}
