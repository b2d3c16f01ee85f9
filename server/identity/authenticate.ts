import type { onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { CommonRefusal } from '../kernel/refusal.ts';
import { type Caller, IdentityProviderAway, type TokenReader } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Sets `request.caller` from the bearer token, before the body is read; 401 without a valid one. */
export function authenticateOrganizer(
  { app, limit }: Server,
  readToken: TokenReader,
): onRequestAsyncHookHandler {
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null as unknown as Caller);
  return async (request, reply) => {
    const [, token = ''] = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const caller = token && (await read(token));
    if (!caller) {
      // Wrong tokens are counted too, by where they come from.
      await limit(request, reply, `address:${request.ip}`);
      throw new CommonRefusal(401, 'unauthorized', { 'www-authenticate': 'Bearer' });
    }
    request.caller = caller;
    reply.header('cache-control', 'no-store');
    await limit(request, reply, `organizer:${caller.id}`);
  };

  async function read(token: string): Promise<Caller | undefined> {
    try {
      return await readToken(token);
    } catch (error) {
      if (!(error instanceof IdentityProviderAway)) throw error;
      app.log.warn({ err: error }, 'identity provider away');
      throw new CommonRefusal(503, 'unavailable');
    }
  }
}
