import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../kernel/refusal.ts';
import { tokenMessages } from './messages.ts';

/**
 * Scopes of access tokens. `full` allows everything that its user may do; each of the others allows the operations in
 * its list in `operations.ts` and no others.
 */
export const SCOPES = ['full', 'read', 'deploy', 'env', 'guests', 'messages', 'door'] as const;
export type Scope = (typeof SCOPES)[number];
export type LimitedScope = Exclude<Scope, 'full'>;

/** Rights of a request that was sent with an access token. */
export interface Grant {
  tokenId: string;
  /** Name that the user gave the token. */
  name: string;
  scopes: readonly Scope[];
  /** Event to which the token is restricted; null if it is not restricted to an event. */
  eventId: string | null;
  /** Application to which the token is restricted; null if it is not restricted to an application. */
  applicationId: string | null;
  /** Time when the token expires; null if it does not expire. */
  expiresAt: string | null;
}

/** Beginnings of the routes about one event and about one application, as patterns of the router. */
export interface SubjectPaths {
  event: string;
  application: string;
}

export function isRestricted({ eventId, applicationId }: Grant): boolean {
  return eventId !== null || applicationId !== null;
}

/**
 * Returns the refusal of a request whose access token has no scope for the request's route; undefined if it has one. A
 * route that no scope lists needs the scope `full`. A token that is restricted to one event or application is checked
 * against it elsewhere: where access to that event or application is checked.
 */
export function refusalBeyond(
  grant: Grant,
  { routeOptions: { schema, url = '' } }: Pick<FastifyRequest, 'routeOptions'>,
  paths: SubjectPaths,
): Refusal | undefined {
  const { scopes: allowing = ['full'] } = schema ?? {};
  if (grant.scopes.includes('full') || allowing.length === 0) return undefined;
  if (!grant.scopes.some((scope) => allowing.includes(scope))) {
    const words = tokenMessages.scopeMissing(grant.scopes, allowing);
    return new Refusal(403, 'scope_missing', words);
  }
  if (!isRestricted(grant)) return undefined;
  const path = grant.eventId === null ? paths.application : paths.event;
  if (url === path || url.startsWith(`${path}/`)) return undefined;
  return tokenRestricted();
}

/** Refusal of a request about something else than the event or application to which its access token is restricted. */
export function tokenRestricted(): Refusal {
  return new Refusal(403, 'token_restricted', tokenMessages.restricted);
}
