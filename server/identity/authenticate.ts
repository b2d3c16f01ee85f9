import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';
import { CommonRefusal } from '../kernel/refusal.ts';
import type { SessionReader } from './sessions/reader.ts';
import { type Caller, IdentityProviderAway, type TokenReader } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Reads the caller of a request from a bearer token or a browser's session. Throws IdentityProviderAway. */
export type OrganizerReader = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | undefined>;

export function createOrganizerReader(readToken: TokenReader, readSession: SessionReader): OrganizerReader {
  return async (request, reply) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const [, token = ''] = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization) ?? [];
      return token ? readToken(token) : undefined;
    }
    const { user } = (await readSession(request, reply)) ?? {};
    return user && { id: user.user_id, role: user.role, email: user.email.toLowerCase() };
  };
}

/**
 * Makes the onRequest hook that sets `request.caller`, before the body is read; it responds with 401 without a valid
 * credential.
 */
export function authenticateOrganizer(
  { app, limit }: Server,
  readOrganizer: OrganizerReader,
): onRequestAsyncHookHandler {
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null as unknown as Caller);
  return async (request, reply) => {
    const caller = await read(request, reply);
    if (!caller) {
      // Requests with a wrong token are counted too, by the client's network.
      await limit(request, reply, `address:${networkOf(request)}`);
      throw new CommonRefusal(401, 'unauthorized', { 'www-authenticate': 'Bearer' });
    }
    request.caller = caller;
    reply.header('cache-control', 'no-store');
    await limit(request, reply, `organizer:${caller.id}`);
  };

  async function read(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    try {
      return await readOrganizer(request, reply);
    } catch (error) {
      if (!(error instanceof IdentityProviderAway)) throw error;
      app.log.warn({ err: error }, 'the identity provider is unavailable');
      throw new CommonRefusal(503, 'unavailable');
    }
  }
}
