import { secondsOf } from './errors.ts';
import { pause } from './pause.ts';

export interface Retries {
  /** Maximum number of tries for a call, including the first. */
  tries?: number;
  /**
   * Longest delay before the next try, in seconds. If the server asks for a longer one, the caller gets the server's
   * response at once.
   */
  longest?: number;
}

/** HTTP statuses of a server that can't handle the request now and has done nothing. */
const NOT_NOW = [429, 503];
/** Status with which a proxy says that it got no response from the server: the request may have been carried out. */
const UNKNOWN = 502;

/**
 * Header `Idempotency-Key`, with which a POST may be repeated and does its work once: `createGuest({ client, headers:
 * idempotencyKey(), … })`.
 */
export const idempotencyKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': randomKey() });

/** Makes a random idempotency key without `randomUUID`, which browsers offer only on pages with TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * Wraps `fetch` so that it repeats a request if the server is busy or can't be reached: after the server's
 * `Retry-After`, else after 0.3 s, 0.6, 1.2 …, each shortened by up to half at random. A POST or PATCH is repeated only
 * with an idempotency key. Some PUT and DELETE requests could take their own first try for somebody else's change; they
 * are repeated only if the server did nothing.
 */
export function withRetries(ask: typeof fetch, { tries = 5, longest = 30 }: Retries = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const sort = repeatable(request);
    for (let tried = 1; ; tried += 1) {
      const isLast = tried >= tries || sort === 'never';
      const delay = (2 ** (tried - 1) * 300 * (1 + Math.random())) / 2;
      try {
        const response = await ask(isLast ? request : request.clone());
        const isLater =
          NOT_NOW.includes(response.status) || (response.status === UNKNOWN && sort === 'always');
        const seconds = secondsOf(response.headers.get('retry-after'));
        if (!isLater || isLast || (seconds ?? 0) > longest) return response;
        await response.body?.cancel();
        await pause(Math.min(seconds === undefined ? delay : seconds * 1000, longest * 1000), request.signal);
      } catch (error) {
        if (isLast || sort !== 'always' || request.signal.aborted) throw error;
        await pause(Math.min(delay, longest * 1000), request.signal);
      }
    }
  };
}

function repeatable({ method, headers }: Request): 'always' | 'where nothing was done' | 'never' {
  if (method === 'GET' || method === 'HEAD' || headers.has('idempotency-key')) return 'always';
  if (method === 'DELETE' || (method === 'PUT' && headers.has('if-match'))) return 'where nothing was done';
  return method === 'PUT' ? 'always' : 'never';
}

/** Function called after each try of a request, with the response, or with the error if there was none. */
export type OnAttempt = (request: Request, outcome: Response | Error) => void;

/** Wraps `fetch` so that it calls `onAttempt` after each try of a request. */
export function observeAttempts(ask: typeof fetch, onAttempt: OnAttempt): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    try {
      const response = await ask(request);
      onAttempt(request, response);
      return response;
    } catch (error) {
      if (error instanceof Error) onAttempt(request, error);
      throw error;
    }
  };
}
