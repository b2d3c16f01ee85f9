import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../../kernel/http/app.ts';
import { networkOf } from '../../kernel/http/client-address.ts';
import { repeatable } from '../../kernel/http/slow-bodies.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { identityMessages } from '../messages.ts';
import type { SessionReader } from './reader.ts';
import type { ActiveSession } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    bySession: ActiveSession;
  }
}

/** Makes the onRequest hook that sets `request.bySession`; it responds with 401 without a session. */
export function authenticateSession(server: Server, readSession: SessionReader): onRequestAsyncHookHandler {
  if (!server.app.hasRequestDecorator('bySession')) {
    server.app.decorateRequest('bySession', null as unknown as ActiveSession);
  }
  return repeatable(async (request, reply) => {
    const found = await readAndCount(server, readSession, request, reply);
    if (!found) {
      throw new Refusal(401, 'unauthorized', identityMessages.sessionNeeded, {
        headers: { 'www-authenticate': 'Session' },
      });
    }
    request.bySession = found;
  });
}

/** Reads the session of a request and counts the request against its user, or against the client's network. */
export async function readAndCount(
  server: Server,
  readSession: SessionReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ActiveSession | undefined> {
  const found = await readSession(request, reply);
  const whose = found ? `user:${found.user.account_id}` : `address:${networkOf(request)}`;
  await server.limit(request, reply, whose);
  return found;
}
