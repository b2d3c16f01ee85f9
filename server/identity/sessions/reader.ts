import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { cookiesNamed, type PlatformCookie } from '../../kernel/http/cookies.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { sameSecret } from '../../kernel/same-secret.ts';
import { messages } from '../messages.ts';
import { isFromOwnPage, isReading, wrongOrigin } from './own-page.ts';
import { looksLikeToken } from './secrets.ts';
import type { BySession, SessionStore } from './store.ts';

/**
 * Whose session a request comes by; undefined where it comes by none that lives. Throws a 403 where another page than ours
 * had the browser send it: an organizer's routes and a developer's have this one look at both.
 */
export type SessionReader = (request: FastifyRequest, reply: FastifyReply) => Promise<BySession | undefined>;

export interface ReaderParts {
  store: SessionStore;
  cookie: PlatformCookie;
  csrfTokenOf(sessionId: string): string;
  https: boolean;
  clock: Clock;
}

export function createSessionReader(server: Server, parts: ReaderParts): SessionReader {
  const { store, cookie, csrfTokenOf, https, clock } = parts;

  const refusalOf = (request: FastifyRequest, { session }: BySession): Refusal | undefined => {
    if (!isFromOwnPage(request, { https })) return wrongOrigin();
    const { 'x-csrf-token': given } = request.headers;
    const right = csrfTokenOf(session.id);
    if (isReading(request) || (typeof given === 'string' && sameSecret(given, right))) return undefined;
    return new Refusal(403, 'csrf_token', messages.csrfToken);
  };

  return async (request, reply) => {
    const token = sessionTokenOf(request, cookie);
    if (token === undefined) return undefined;
    // Tokens are read without the database, so that their routes ask for it later.
    await server.requireDatabase.call(server.app, request, reply);
    const found = await store.use(token, clock());
    if (!found) return undefined;
    keepForOwnPage(reply);
    const refusal = refusalOf(request, found);
    if (refusal) {
      // Counted apart: another page that has a browser ask and ask uses up its own allowance, not that of the user.
      await server.limit(request, reply, `forged:${found.session.id}`);
      throw refusal;
    }
    return found;
  };
}

/** What may be a session's token: of a request without another credential that has the cookie once. */
export function sessionTokenOf({ headers }: FastifyRequest, { name }: PlatformCookie): string | undefined {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) return undefined;
  // Of two, one was planted by a host beside ours, and nothing tells which: who took the wrong one would work, without
  // knowing it, in a stranger's account.
  const [token = '', ...others] = cookiesNamed(headers.cookie, name);
  return others.length === 0 && looksLikeToken(token) ? token : undefined;
}

/** No cache keeps the answer, and no other page gets to see it, as a picture or a script either. */
export function keepForOwnPage(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.headers({
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    vary: vary === undefined ? 'Cookie' : `${vary}, Cookie`,
  });
}
