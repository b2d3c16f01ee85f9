import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Server } from '../kernel/http/app.ts';
import { networkOf } from '../kernel/http/client-address.ts';
import { repeatable } from '../kernel/http/slow-bodies.ts';
import { isUuid } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import { alreadyAdmitted, type KeyOwner } from '../kernel/writes/idempotency.ts';
import { tokenMessages } from './access-tokens/messages.ts';
import { type AccessTokenReader, presentedIn } from './access-tokens/reader.ts';
import type { Grant } from './access-tokens/scopes.ts';
import { identityMessages } from './messages.ts';
import type { SessionReader } from './sessions/reader.ts';
import type { User, UserStore } from './store.ts';
import type { TokenReader } from './tokens.ts';

/** User whom a credential identifies. */
export interface Developer {
  /**
   * Id of the account that owns everything that the user creates; the `user_id` is common to all registrations of a
   * mail address.
   */
  accountId: string;
  verified: boolean;
  /** Rights of the API key or access token; undefined for a user who signed in by mail. */
  grant: Grant | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    developer: Developer;
  }
}

/**
 * Credential of a request: no credential, a credential that belongs to no user, an expired access token, a valid signed
 * token of somebody who is no user here, or the user of a valid credential.
 */
export type Credential = 'none' | 'unknown' | 'expired' | 'not_a_user' | Developer;

/**
 * Reads the credential of a request: an API key or access token, or the signed token or session of a user who signed in
 * here by mail. Throws a 403 for an access token that does not allow the request's route.
 */
export type DeveloperReader = (request: FastifyRequest, reply: FastifyReply) => Promise<Credential>;

export interface DeveloperReaders {
  store: Pick<UserStore, 'findVerified'>;
  /**
   * Reads only tokens that this server signed: an outside identity provider can't say who is a user here.
   */
  readOwnToken: TokenReader;
  readAccessToken: AccessTokenReader;
  readSession: SessionReader;
}

export function createDeveloperReader({
  store,
  readOwnToken,
  readAccessToken,
  readSession,
}: DeveloperReaders): DeveloperReader {
  return async (request, reply) => {
    const presented = presentedIn(request.headers, 'x-api-key');
    if (presented === 'unknown') return 'unknown';
    if (presented === 'none') {
      const found = await readSession(request, reply);
      return found ? signedIn(found.user) : 'none';
    }
    const { kind, text } = presented;
    if (kind === 'access') {
      const found = await readAccessToken(request, reply, text);
      if (typeof found === 'string') return found;
      const { account_id: accountId, verified } = found.user;
      return { accountId, verified, grant: found.grant };
    }
    const caller = await readOwnToken(text);
    if (!caller) return 'unknown';
    const user = isUuid(caller.id) ? await store.findVerified(caller.id) : undefined;
    return user ? signedIn(user) : 'not_a_user';
  };
}

function signedIn({ account_id: accountId }: Pick<User, 'account_id'>): Developer {
  return { accountId, verified: true, grant: undefined };
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
  return repeatable(async (request, reply) => {
    const credential = await readDeveloper(request, reply);
    await limitCredential(server, request, reply, credential);
    if (typeof credential === 'string') throw credentialRefusal(credential);
    request.developer = credential;
    reply.header('cache-control', 'no-store');
  });
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

/** Refusal of a request without a valid credential; it says what is wrong with the credential and what to send. */
export function credentialRefusal(credential: Exclude<Credential, Developer>): Refusal {
  if (credential === 'expired') return expiredRefusal('ApiKey');
  if (credential === 'not_a_user') {
    return new Refusal(401, 'not_a_user', tokenMessages.notAUser, {
      headers: { 'www-authenticate': 'ApiKey' },
    });
  }
  return keyNeededRefusal();
}

export function expiredRefusal(scheme: 'ApiKey' | 'Bearer'): Refusal {
  return new Refusal(401, 'token_expired', tokenMessages.expired, {
    headers: { 'www-authenticate': scheme },
  });
}
