import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Cap, createOpenStreams } from './open-streams.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Events in their written form, until the signal. Whoever lost a stream says in Last-Event-ID where to go on. */
export type Events = (signal: AbortSignal) => AsyncIterable<string>;

export interface StreamOptions {
  /** The stream ends after this long, in milliseconds: a client connects again, and shows again that it may. */
  longestMs: number;
  /**
   * Whether the client may still be told, asked before it is, where it was not just now, and with each comment: who signed out,
   * or from whom something was taken back, is told no more.
   */
  still(): Promise<boolean>;
  /** What was asked so long ago at most counts as just now: what comes in bursts is not asked about for each part. */
  justNowMs?: number;
  /** A comment this often keeps proxies from ending a quiet stream. */
  beatMs?: number;
  /** How long a client that does not read what it is told is waited for before it is let go. */
  patienceMs?: number;
}

const RETRY_MS = 2_000;
const JUST_NOW_MS = 1_000;
const BEAT_MS = 15_000;
const PATIENCE_MS = 60_000;

export interface EventStreams {
  /**
   * Answers with a stream of the events that `begin` gives; what `begin` throws is answered as any error is. The stream
   * counts against `caps` from before `begin` on, and is a 429 past one of them.
   */
  open(
    reply: FastifyReply,
    caps: readonly Cap[],
    options: StreamOptions,
    begin: () => Events | Promise<Events>,
  ): Promise<never>;
  /** Ends every stream, and each that is still to begin. */
  close(): void;
}

/** The one writer of event streams: who may have how many, their headers, their end. */
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
        // Nobody reads what a HEAD would be told.
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
 * A body of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). The next event is
 * asked for when the client has room for it: what waits for a slow one is one event and the buffers of a connection.
 */
export function writeEvents(
  events: Events,
  closing: AbortSignal,
  { longestMs, still, justNowMs = JUST_NOW_MS, beatMs = BEAT_MS, patienceMs = PATIENCE_MS }: StreamOptions,
): Readable {
  const body = new PassThrough();
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, closing]);
  const end = setTimeout(() => over.abort(), longestMs);
  // When the stream begins, the request itself has been let in.
  let asked = performance.now();
  /** Ends the stream of whoever may be told no more. */
  const askAgain = async () => {
    asked = performance.now();
    if (!(await still())) over.abort();
  };
  const fail = (error: unknown) => {
    if (!signal.aborted) body.destroy(error as Error);
  };
  const beat = setInterval(() => {
    if (!body.writableNeedDrain) body.write(':\n\n');
    askAgain().catch(fail);
  }, beatMs);
  // Whoever sends it listens too, but only once the answer has begun.
  body.on('error', () => {});
  body.once('close', () => {
    clearTimeout(end);
    clearInterval(beat);
    over.abort();
  });
  /** Lets go of a client that takes nothing; gives what calls that off. */
  const waitFor = () => {
    const patience = setTimeout(() => body.destroy(), patienceMs);
    const calledOff = () => clearTimeout(patience);
    body.once('close', calledOff);
    return calledOff;
  };

  const write = async () => {
    body.write(`retry: ${RETRY_MS}\n\n`);
    for await (const event of events(signal)) {
      if (performance.now() - asked >= justNowMs) await askAgain();
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

/** One event. Every line of `data` is one of the event's, whatever ends it. */
export function event(data: string, { id, name }: { id?: string | number; name?: string } = {}): string {
  const head = `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${head}${lines.join('')}\n`;
}
