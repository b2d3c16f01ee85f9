import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';
import { isUuid } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import { alreadyAdmitted, type KeyOwner } from '../kernel/writes/idempotency.ts';
import { looksLikeApiKey } from './api-keys.ts';
import { identityMessages } from './messages.ts';
import type { SessionReader } from './sessions/reader.ts';
import type { Developer, User, UserStore } from './store.ts';
import type { TokenReader } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    developer: Developer;
  }
}

/** Credential of a request: no credential, a credential that belongs to no user, or the user of a valid credential. */
export type Credential = 'none' | 'unknown' | Developer;

/**
 * Reads the credential of a request: `X-API-Key`, or the bearer token or session of a user who signed in here by mail.
 */
export type DeveloperReader = (request: FastifyRequest, reply: FastifyReply) => Promise<Credential>;

/**
 * Makes the function that reads the developer of a request. `readOwnToken` accepts only tokens that this server signed:
 * an outside identity provider can't say who is a user here.
 */
export function createDeveloperReader(
  store: UserStore,
  readOwnToken: TokenReader,
  readSession: SessionReader,
): DeveloperReader {
  return async (request, reply) => {
    const { headers } = request;
    const key = headers['x-api-key'];
    if (key !== undefined) {
      const developer = typeof key === 'string' && looksLikeApiKey(key) && (await store.developerOf(key));
      return developer || 'unknown';
    }
    if (headers.authorization === undefined) {
      const found = await readSession(request, reply);
      return found ? signedIn(found.user) : 'none';
    }
    const [, token] = /^Bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization) ?? [];
    if (!token) return 'unknown';
    const caller = await readOwnToken(token);
    const user = caller && isUuid(caller.id) ? await store.findVerified(caller.id) : undefined;
    return user ? signedIn(user) : 'unknown';
  };
}

function signedIn({ account_id: accountId }: Pick<User, 'account_id'>): Developer {
  return { accountId, verified: true, keyId: undefined };
}

/**
 * Makes the onRequest hook that sets `request.developer`; it responds with 401 without a valid key. It queries the
 * database, so `requireDatabase` must run before it.
 */
export function authenticateDeveloper(
  server: Server,
  readDeveloper: DeveloperReader,
): onRequestAsyncHookHandler {
  decorateDeveloper(server);
  return async (request, reply) => {
    const credential = await readDeveloper(request, reply);
    await limitCredential(server, request, reply, credential);
    if (typeof credential === 'string') throw keyNeededRefusal();
    request.developer = credential;
    reply.header('cache-control', 'no-store');
  };
}

/** Counts a request against the limit of its user or, without a valid credential, of the client's network. */
export function limitCredential(
  { limit }: Server,
  request: FastifyRequest,
  reply: Parameters<Server['limit']>[1],
  credential: Credential,
): Promise<void> {
  const whose =
    typeof credential === 'string' ? `address:${networkOf(request)}` : `user:${credential.accountId}`;
  return limit(request, reply, whose);
}

/**
 * Owner under whom a developer's `Idempotency-Key` is stored. Organizers are stored under the subject of their token,
 * so the two can't be mixed up. Access needs no further check: the route's hooks have checked the credential, and
 * whether an application is the developer's own.
 */
export function keyOwnerOf({ accountId }: Developer): KeyOwner {
  return alreadyAdmitted(`developer ${accountId}`);
}

export function decorateDeveloper({ app }: Server): void {
  if (!app.hasRequestDecorator('developer')) app.decorateRequest('developer', null as unknown as Developer);
}

export function keyNeededRefusal(): Refusal {
  return new Refusal(401, 'unauthorized', identityMessages.keyNeeded, {
    headers: { 'www-authenticate': 'ApiKey' },
  });
}
