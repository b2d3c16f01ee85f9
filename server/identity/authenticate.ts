import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';
import { repeatable } from '../kernel/http/slow-bodies.ts';
import { CommonRefusal, Refusal } from '../kernel/refusal.ts';
import { tokenMessages } from './access-tokens/messages.ts';
import { type AccessTokenReader, presentedIn } from './access-tokens/reader.ts';
import { expiredRefusal } from './developers.ts';
import type { SessionReader } from './sessions/reader.ts';
import { type Caller, IdentityProviderAway, type TokenReader } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Reason why a request has no caller. `unverified`: an API key whose mail address is not verified yet. */
export type NoCaller = 'unknown' | 'expired' | 'unverified';

/**
 * Reads the caller of a request from a bearer token, an API key or access token, or a browser's session. Throws
 * IdentityProviderAway, and a 403 for an access token that does not allow the request's route.
 */
export type OrganizerReader = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | NoCaller>;

export interface OrganizerReaders {
  readToken: TokenReader;
  readAccessToken: AccessTokenReader;
  readSession: SessionReader;
}

export function createOrganizerReader({
  readToken,
  readAccessToken,
  readSession,
}: OrganizerReaders): OrganizerReader {
  return async (request, reply) => {
    const presented = presentedIn(request.headers, 'authorization');
    if (presented === 'unknown') return 'unknown';
    if (presented === 'none') {
      const { user } = (await readSession(request, reply)) ?? {};
      return user ? callerOf(user) : 'unknown';
    }
    const { kind, text } = presented;
    if (kind === 'signed') return (await readToken(text)) ?? 'unknown';
    const found = await readAccessToken(request, reply, text);
    if (typeof found === 'string') return found;
    // All registrations of an address share one user_id, so only the verified one may act as that user.
    return found.user.verified ? { ...callerOf(found.user), grant: found.grant } : 'unverified';
  };
}

function callerOf({ user_id: id, role, email }: { user_id: string; role: string; email: string }): Caller {
  return { id, role, email: email.toLowerCase() };
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
  return repeatable(async (request, reply) => {
    const caller = await read(request, reply);
    if (typeof caller === 'string') {
      // Requests with a wrong token are counted too, by the client's network.
      await limit(request, reply, `address:${networkOf(request)}`);
      throw refusalOf(caller);
    }
    request.caller = caller;
    reply.header('cache-control', 'no-store');
    await limit(request, reply, `organizer:${caller.id}`);
  });

  async function read(request: FastifyRequest, reply: FastifyReply): Promise<Caller | NoCaller> {
    try {
      return await readOrganizer(request, reply);
    } catch (error) {
      if (!(error instanceof IdentityProviderAway)) throw error;
      app.log.warn({ err: error }, 'the identity provider is unavailable');
      throw new CommonRefusal(503, 'unavailable');
    }
  }
}

function refusalOf(reason: NoCaller): Refusal | CommonRefusal {
  if (reason === 'expired') return expiredRefusal('Bearer');
  if (reason === 'unverified') return new Refusal(403, 'unverified', tokenMessages.unverified);
  return new CommonRefusal(401, 'unauthorized', { 'www-authenticate': 'Bearer' });
}
