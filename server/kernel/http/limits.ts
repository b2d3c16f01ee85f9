import { CommonRefusal } from '../refusal.ts';
import type { App, Limit } from './app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose allowance the request is taken from: a credential, or a client address. */
    limitKey: string;
  }
}

/**
 * Counts a request against `key`, of which `max` go through in `windowMs`; past the limit it throws a 429. The count is kept by each server for itself:
 * it protects a process, so what several servers let through together is not exact, and need not be.
 */
export function createLimit(app: App, { max: most, windowMs }: { max: number; windowMs: number }): Limit {
  const take = app.createRateLimit({
    max: most,
    timeWindow: windowMs,
    keyGenerator: (request) => request.limitKey,
  });
  return async (request, reply, key) => {
    request.limitKey = key;
    const taken = await take(request);
    if (taken.isAllowed) return;
    const { max, remaining, ttlInSeconds, isExceeded } = taken;
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
