import type { onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';

/**
 * Hook for routes where guessing a secret pays: it counts the requests to all of these routes together, by the client's
 * network.
 */
export function limitGuessing({ strictLimit }: Server): onRequestAsyncHookHandler {
  return (request, reply) => strictLimit(request, reply, `guess:${networkOf(request)}`);
}
