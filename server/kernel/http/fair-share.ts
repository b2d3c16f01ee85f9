import { finished, type Stream } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { CommonRefusal } from '../refusal.ts';
import type { App } from './app.ts';
import { EVENT_STREAM } from './event-stream.ts';

export interface ShareLimits {
  /** Maximum number of requests of one caller that are in progress at once. */
  most: number;
  mostWaiting: number;
  longestWaitMs: number;
}

const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Maximum number of requests of one caller at once on the embedded database. It has one connection, which serves
 * transactions in order of arrival. So each transaction of a caller delays those of all others, and the maximum must be
 * small. It is more than one, so that a caller's upload doesn't block the same caller's other requests.
 */
const MOST_EMBEDDED = 4;

/** Maximum number of one caller's requests at once: half of the database's connections, but at least one. */
export function shareLimitsOf(
  database: Pick<Database, 'kind'>,
  config: Pick<Config, 'databasePoolSize'>,
): ShareLimits {
  const most =
    database.kind === 'embedded' ? MOST_EMBEDDED : Math.max(1, Math.floor(config.databasePoolSize / 2));
  return { most, mostWaiting: MOST_WAITING, longestWaitMs: LONGEST_WAIT_MS };
}

/** Functions that free the places of requests in progress. */
const held = new WeakMap<FastifyRequest, () => void>();

/** Frees the place of a request that from now on mostly waits, so that it delays no other request of its caller. */
export function freePlace(request: FastifyRequest): void {
  held.get(request)?.();
  held.delete(request);
}

/**
 * Limits how many requests of one caller are in progress at once, on both sides of the product; further ones wait in
 * order. The caller is the one for whom the request was counted (`limitKey`), so every counted route is limited. A
 * request takes its place once its body has arrived and frees it when the handler is done: with the last byte of a
 * file, or with the first of an event stream, which no longer needs a place.
 */
export function limitConcurrency(app: App, bounds: ShareLimits): void {
  const share = createCallerQueue(bounds);

  app.addHook('preHandler', (request, reply, done) => {
    const caller = callerOf(request);
    if (!caller) return done();
    const hold = (leave: () => void) => {
      held.set(request, leave);
      done();
    };
    const leave = share.take(caller);
    if (leave) hold(leave);
    else share.enter(caller, abortedOnClose(reply)).then(hold, done);
  });
  // A request's place among the running requests is not freed in the hook onResponse: that hook also runs when a client
  // disconnects, while the request's work goes on and still uses its database connection.
  app.addHook('onSend', (request, reply, payload, done) => {
    const leave = held.get(request);
    held.delete(request);
    if (leave && isFile(reply, payload)) finished(payload, leave);
    else leave?.();
    done();
  });
}

/**
 * Key that stands for a request's caller, without the kind of credential: a user's API key, token and session count as
 * one caller.
 */
function callerOf({ limitKey }: FastifyRequest): string {
  return limitKey.slice(limitKey.indexOf(':') + 1);
}

function isFile(reply: FastifyReply, payload: unknown): payload is Stream & NodeJS.ReadableStream {
  if (String(reply.getHeader('content-type')).startsWith(EVENT_STREAM)) return false;
  return typeof (payload as { pipe?: unknown } | null)?.pipe === 'function';
}

/** Reason of all aborted signals: without it each abort would make an error, which takes long. */
const CLOSED = new Error('the client has its response, or has disconnected');

/** Signal that is aborted when the client has its whole response or has disconnected. */
export function abortedOnClose({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort(CLOSED));
  return gone.signal;
}

/** Creates a queue of requests that limits the running and waiting requests of each caller. */
export function createCallerQueue({ most, mostWaiting, longestWaitMs }: ShareLimits) {
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
    const state = callers.get(caller);
    if (!state) return;
    const [next] = state.waiting;
    if (next) next();
    else state.working -= 1;
    if (state.working === 0) callers.delete(caller);
  };

  /** Takes a free place for a caller's request; the result frees it again. Undefined if no place is free. */
  const take = (caller: string): (() => void) | undefined => {
    const state = callers.get(caller) ?? { working: 0, waiting: new Set() };
    if (state.working >= most) return undefined;
    callers.set(caller, state);
    state.working += 1;
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
      // A place that a finished request frees passes directly to the next waiting request, so that no later request can
      // take it.
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
     * Takes a place for a caller's request, or waits for one; the result frees it again. Throws a 429 if too many
     * requests wait, after too long a wait, or if `gone` is aborted.
     */
    async enter(caller: string, gone: AbortSignal): Promise<() => void> {
      return take(caller) ?? wait(caller, gone);
    },
  };
}
