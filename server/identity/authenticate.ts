import type { onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { RETRY_AFTER_SECONDS } from '../kernel/http/errors.ts';
import { type Caller, IdentityProviderAway, type TokenReader } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Sets `request.caller` from the bearer token, before the body is read; 401 without a valid one. */
export function authenticateOrganizer(
  { app, limit, speaker }: Server,
  readToken: TokenReader,
): onRequestAsyncHookHandler {
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null as unknown as Caller);
  return async (request, reply) => {
    const [, token = ''] = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const caller = token && (await read(token, request.url));
    if (!caller) {
      // Wrong tokens are counted too, by where they come from.
      await limit(request, reply, `address:${request.ip}`);
      throw speaker.refusal(request.url, 401, 'unauthorized', { 'www-authenticate': 'Bearer' });
    }
    request.caller = caller;
    reply.header('cache-control', 'no-store');
    await limit(request, reply, `organizer:${caller.id}`);
  };

  async function read(token: string, url: string): Promise<Caller | undefined> {
    try {
      return await readToken(token);
    } catch (error) {
      if (!(error instanceof IdentityProviderAway)) throw error;
      app.log.warn({ err: error }, 'identity provider away');
      throw speaker.refusal(url, 503, 'unavailable', { 'retry-after': RETRY_AFTER_SECONDS });
    }
  }
}
