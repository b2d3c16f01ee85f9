import { CommonRefusal } from '../refusal.ts';
import type { App, Limit } from './app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Key by which the request is counted for rate limits: a credential, or a client address. */
    limitKey: string;
  }
}

/**
 * Counts a request against `key`, with up to `max` requests in `windowMs`; throws a 429 beyond that. Each server counts
 * for itself: the limit protects a process, so the total of several servers need not be exact.
 */
export function createLimit(app: App, { max: most, windowMs }: { max: number; windowMs: number }): Limit {
  const take = app.createRateLimit({
    max: most,
    timeWindow: windowMs,
    keyGenerator: (request) => request.limitKey,
  });
  return async (request, reply, key) => {
    request.limitKey = key;
    const result = await take(request);
    if (result.isAllowed) return;
    const { max, remaining, ttlInSeconds, isExceeded } = result;
    reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': ttlInSeconds,
    });
    if (isExceeded) {
      throw new CommonRefusal(429, 'too_many_requests', { 'retry-after': String(ttlInSeconds) });
    }
  };
}
