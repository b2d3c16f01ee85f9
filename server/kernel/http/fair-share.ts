import { finished, type Stream } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { CommonRefusal } from '../refusal.ts';
import type { App } from './app.ts';
import { EVENT_STREAM } from './event-stream.ts';

export interface Bounds {
  /** Requests of one caller that are at work at the same time. */
  most: number;
  mostWaiting: number;
  longestWaitMs: number;
}

const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * The embedded database has one connection, which transactions take in the order they come: nobody can hold half of it,
 * and whoever comes next waits for as many as stand before them. So few of one caller stand there at a time; more than
 * one, so that an upload on its way does not hold up the rest of what its caller does.
 */
const MOST_EMBEDDED = 4;

/** At most half of the connections, and at least one. */
export function shareOf(database: Pick<Database, 'kind'>, config: Pick<Config, 'databasePoolSize'>): Bounds {
  const most =
    database.kind === 'embedded' ? MOST_EMBEDDED : Math.max(1, Math.floor(config.databasePoolSize / 2));
  return { most, mostWaiting: MOST_WAITING, longestWaitMs: LONGEST_WAIT_MS };
}

/**
 * Lets so many requests of one caller work at a time, whichever side they are for; the next ones wait in their order.
 * A caller is who the request was counted for (`limitKey`), so no route that counts goes round it. A place is had once
 * the body is there and left when the handler is done: with the last byte of a file, with the first of an event
 * stream, which works for itself from then on.
 */
export function shareWork(app: App, bounds: Bounds): void {
  const share = createShare(bounds);
  const held = new WeakMap<FastifyRequest, () => void>();

  app.addHook('preHandler', async (request, reply) => {
    const caller = callerOf(request);
    if (caller) held.set(request, await share.enter(caller, untilGone(reply)));
  });
  // Not onResponse, which comes when a client hangs up: the work goes on, and its connection is still taken.
  app.addHook('onSend', async (request, reply, payload) => {
    const leave = held.get(request);
    held.delete(request);
    if (leave && isFile(reply, payload)) finished(payload, leave);
    else leave?.();
    return payload;
  });
}

/** Behind the kind of caller: a user's key and their token, a page and the API, are one and the same caller's. */
function callerOf({ limitKey }: FastifyRequest): string {
  return limitKey.slice(limitKey.indexOf(':') + 1);
}

function isFile(reply: FastifyReply, payload: unknown): payload is Stream & NodeJS.ReadableStream {
  if (String(reply.getHeader('content-type')).startsWith(EVENT_STREAM)) return false;
  return typeof (payload as { pipe?: unknown } | null)?.pipe === 'function';
}

/** Until the client has its answer, or is gone. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Counts who works and who waits, by caller. */
export function createShare({ most, mostWaiting, longestWaitMs }: Bounds) {
  const callers = new Map<string, { working: number; waiting: Set<() => void> }>();

  const leaver = (caller: string) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave(caller);
    };
  };
  const leave = (caller: string): void => {
    const known = callers.get(caller);
    if (!known) return;
    const [next] = known.waiting;
    if (next) next();
    else known.working -= 1;
    if (known.working === 0) callers.delete(caller);
  };

  /** What leaves the place again; undefined where there is none free. */
  const take = (caller: string): (() => void) | undefined => {
    const known = callers.get(caller) ?? { working: 0, waiting: new Set() };
    if (known.working >= most) return undefined;
    callers.set(caller, known);
    known.working += 1;
    return leaver(caller);
  };
  const wait = (caller: string, gone: AbortSignal): Promise<() => void> => {
    const { waiting } = callers.get(caller) ?? { waiting: new Set() };
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(next);
        clearTimeout(timer);
        reject(new CommonRefusal(429, 'too_many_requests'));
      };
      // The place goes from hand to hand, so nobody who comes later gets in between.
      const next = () => {
        waiting.delete(next);
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
        resolve(leaver(caller));
      };
      const timer = setTimeout(giveUp, longestWaitMs);
      if (waiting.size >= mostWaiting || gone.aborted) return giveUp();
      gone.addEventListener('abort', giveUp, { once: true });
      waiting.add(next);
    });
  };

  return {
    take,
    /**
     * What leaves the place again: a free one, else the next that is left, after those who wait already. A 429 where too
     * many do, or for too long, or `gone`.
     */
    async enter(caller: string, gone: AbortSignal): Promise<() => void> {
      return take(caller) ?? wait(caller, gone);
    },
  };
}
