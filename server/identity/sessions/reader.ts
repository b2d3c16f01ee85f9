import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { cookiesNamed, type PlatformCookie } from '../../kernel/http/cookies.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isSameSecret } from '../../kernel/same-secret.ts';
import { identityMessages } from '../messages.ts';
import { isFromOwnPage, isReading, wrongOrigin } from './own-page.ts';
import { looksLikeToken } from './secrets.ts';
import type { ActiveSession, SessionStore } from './store.ts';

/**
 * Reads the session of a request; undefined if it has no valid one. Throws a 403 if a page other than ours made the
 * browser send the request. Routes of organizers and of developers share this reader.
 */
export type SessionReader = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<ActiveSession | undefined>;

export interface ReaderParts {
  store: SessionStore;
  cookie: PlatformCookie;
  csrfTokenOf(sessionId: string): string;
  https: boolean;
  clock: Clock;
}

export function createSessionReader(server: Server, parts: ReaderParts): SessionReader {
  const { store, cookie, csrfTokenOf, https, clock } = parts;

  const refusalOf = (request: FastifyRequest, { session }: ActiveSession): Refusal | undefined => {
    if (!isFromOwnPage(request, { https })) return wrongOrigin();
    const { 'x-csrf-token': given } = request.headers;
    const right = csrfTokenOf(session.id);
    if (isReading(request) || (typeof given === 'string' && isSameSecret(given, right))) return undefined;
    return new Refusal(403, 'csrf_token', identityMessages.csrfToken);
  };

  return async (request, reply) => {
    const token = sessionTokenOf(request, cookie);
    if (token === undefined) return undefined;
    // Only requests with a session are refused while the database is not ready: a signed token is read without it.
    await server.requireDatabase.call(server.app, request, reply);
    const found = await store.use(token, clock());
    if (!found) return undefined;
    keepForOwnPage(reply);
    const refusal = refusalOf(request, found);
    if (refusal) {
      // Forged requests have a count of their own: another page that makes a browser send requests uses up this limit,
      // not the user's.
      await server.limit(request, reply, `forged:${found.session.id}`);
      throw refusal;
    }
    return found;
  };
}

/**
 * Session token of a request. It is read from the cookie, if the cookie occurs only once and the request has no other
 * credential.
 */
export function sessionTokenOf({ headers }: FastifyRequest, { name }: PlatformCookie): string | undefined {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) return undefined;
  // Two session cookies mean that a neighbouring host set one of them. They can't be told apart, and with the wrong one
  // the user would unknowingly work in a stranger's account.
  const [token = '', ...others] = cookiesNamed(headers.cookie, name);
  return others.length === 0 && looksLikeToken(token) ? token : undefined;
}

/** Forbids caching of the response, and reading it from other pages, including as an image or a script. */
export function keepForOwnPage(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.headers({
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    vary: vary === undefined ? 'Cookie' : `${vary}, Cookie`,
  });
}
