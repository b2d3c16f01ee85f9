import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Checks again whether the request's caller may make it, and throws if not; null if the route has no such check.
     * Handlers that read a body themselves call it afterwards.
     */
    checkAgain: (() => Promise<void>) | null;
  }
}

/** Time after which the caller's rights may have changed, in milliseconds since the request began. */
const SLOW_MS = 1_000;

/**
 * Repeats the check of a request's caller if its body took long to arrive: meanwhile a token may have been revoked, or a
 * person removed.
 */
export function checkAgainAfterSlowBodies(app: App): void {
  app.decorateRequest('checkAgain', null);
  app.addHook('preHandler', (request, reply, done) => {
    if (!request.checkAgain || reply.elapsedTime < SLOW_MS) done();
    else request.checkAgain().then(() => done(), done);
  });
}

/** Makes an onRequest hook that checks a request's caller, and that can be repeated by `checkAgain`. */
export function repeatable(check: onRequestAsyncHookHandler): onRequestAsyncHookHandler {
  return async function (request: FastifyRequest, reply) {
    await check.call(this, request, reply);
    request.checkAgain = async () => {
      await check.call(this, request, reply);
    };
  };
}
