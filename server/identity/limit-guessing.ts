import type { onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';

/**
 * onRequest hook for routes where guessing pays: it counts requests to all of them together, by the client's network.
 */
export function limitGuessing({ strictLimit }: Server): onRequestAsyncHookHandler {
  return (request, reply) => strictLimit(request, reply, `guess:${networkOf(request)}`);
}
