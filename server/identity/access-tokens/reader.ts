import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import type { Server } from '../../kernel/http/app.ts';
import { refusalBeyond, type SubjectPaths } from './scopes.ts';
import { looksLikeAccessToken } from './secrets.ts';
import type { AccessTokenStore, FoundToken } from './store.ts';

/**
 * Reads an access token of a request: `unknown` if nobody has it. Throws a 403 if the token does not allow the
 * request's route. Routes of organizers and of developers share this reader, so no route is reached without its check.
 */
export type AccessTokenReader = (
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
) => Promise<FoundToken | 'expired' | 'unknown'>;

export interface AccessTokenReaderParts {
  store: Pick<AccessTokenStore, 'use'>;
  paths: SubjectPaths;
  clock: Clock;
}

export function createAccessTokenReader(
  server: Server,
  { store, paths, clock }: AccessTokenReaderParts,
): AccessTokenReader {
  return async (request, reply, text) => {
    if (!looksLikeAccessToken(text)) return 'unknown';
    // The database is checked only for an access token, because a signed token is read without the database.
    await server.requireDatabase.call(server.app, request, reply);
    const found = (await store.use(text, clock())) ?? 'unknown';
    const refusal = typeof found === 'object' ? refusalBeyond(found.grant, request, paths) : undefined;
    if (typeof found === 'object' && refusal) {
      await server.limit(request, reply, `user:${found.user.account_id}`);
      throw refusal;
    }
    return found;
  };
}

/** Credential in a request's headers: an access token or API key (`access`), or a signed token (`signed`). */
export type Presented = { kind: 'access' | 'signed'; text: string } | 'none' | 'unknown';

/**
 * Finds the credential in `X-API-Key` and `Authorization: Bearer`, which both take access tokens and signed tokens. If
 * a request has both headers, the one named `first` counts.
 */
export function presentedIn(
  { 'x-api-key': key, authorization }: FastifyRequest['headers'],
  first: 'x-api-key' | 'authorization',
): Presented {
  const bearer = authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? '');
  const text = first === 'x-api-key' ? (key ?? bearer) : (bearer ?? key);
  if (text === undefined) return 'none';
  if (typeof text !== 'string' || text === '') return 'unknown';
  return { kind: looksLikeAccessToken(text) ? 'access' : 'signed', text };
}

const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;
