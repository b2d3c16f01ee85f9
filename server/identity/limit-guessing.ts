import type { onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';

/** An onRequest hook for routes where guessing pays: all of them together are counted by where a request comes from. */
export function limitGuessing({ strictLimit }: Server): onRequestAsyncHookHandler {
  return (request, reply) => strictLimit(request, reply, `guess:${networkOf(request)}`);
}
