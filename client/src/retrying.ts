import { secondsOf } from './errors.ts';
import { pause } from './pause.ts';

export interface Retries {
  /** In all, the first one counted. */
  tries?: number;
  /** Seconds. A server that asks for longer is not waited for: its answer is given back. */
  longest?: number;
}

/** Not now: the server did nothing. */
const NOT_NOW = [429, 503];
/** Besides: nobody knows what became of it. */
const UNKNOWN = 502;

/** A header for a POST that may be sent again, and does its work once: `createGuest({ client, headers: once(), … })`. */
export const once = (): { 'idempotency-key': string } => ({ 'idempotency-key': randomKey() });

/** Browsers have `randomUUID` only where there is TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * `fetch`, asked again where the server says that it can't now, or is not reached: after what its `Retry-After` says, else
 * after 0.3 s, 0.6, 1.2 …, each half of it by chance. A POST or PATCH only with an idempotency key. A PUT or DELETE that
 * can't tell its own first try from somebody else's change is sent again only where the server did nothing.
 */
export function retrying(ask: typeof fetch, { tries = 5, longest = 30 }: Retries = {}): typeof fetch {
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

/** Told after each try, those counted that are made again: what was answered, or what was thrown where nothing was. */
export type Tried = (request: Request, outcome: Response | Error) => void;

/** `fetch`, which tells of each try. */
export function watching(ask: typeof fetch, tried: Tried): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    try {
      const response = await ask(request);
      tried(request, response);
      return response;
    } catch (error) {
      if (error instanceof Error) tried(request, error);
      throw error;
    }
  };
}
