import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { invalidField } from '../../kernel/fields.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';
import type { Developer } from '../developers.ts';
import type { UserStore } from '../store.ts';
import type { Caller } from '../tokens.ts';
import { tokenMessages } from './messages.ts';
import type { SubjectPaths } from './scopes.ts';

/** Checks of events and applications to which access tokens can be restricted, and the paths of their routes. */
export interface TokenSubjects {
  /** Beginnings of the routes about one event and about one application. */
  paths: SubjectPaths;
  isReadableEvent(caller: Caller, eventId: string): Promise<boolean>;
  isReadableApplication(accountId: string, applicationId: string): Promise<boolean>;
  /**
   * Records, in the transaction of the change, that a developer's request changed something of theirs that is
   * restricted to an application.
   */
  recordChange(
    transaction: Kysely<unknown>,
    request: FastifyRequest,
    change: { applicationId: string; subject: string; changes?: FieldChanges },
  ): Promise<void>;
}

/** Event or application to which something of a user's is restricted, such as a token. */
export interface Restriction {
  application_id: string | null;
  event_id: string | null;
}

/** Requires that the developer has access to the event or application of a restriction. */
export async function requireReadableSubject(
  { users, subjects }: { users: Pick<UserStore, 'find'>; subjects: TokenSubjects },
  { accountId }: Developer,
  { application_id: applicationId, event_id: eventId }: Restriction,
): Promise<void> {
  if (applicationId !== null && !(await subjects.isReadableApplication(accountId, applicationId))) {
    throw invalidField('application_id', tokenMessages.noSuchApplication);
  }
  if (eventId === null) return;
  const user = await users.find(accountId);
  const caller = user?.verified && { id: user.user_id, role: user.role, email: user.email.toLowerCase() };
  if (!caller || !(await subjects.isReadableEvent(caller, eventId))) {
    throw invalidField('event_id', tokenMessages.noSuchEvent);
  }
}

/** Records a change of something that is restricted to an application; does nothing if it is not. */
export async function recordRestricted(
  { recordChange }: Pick<TokenSubjects, 'recordChange'>,
  transaction: Kysely<unknown>,
  request: FastifyRequest,
  { application_id: applicationId }: Pick<Restriction, 'application_id'>,
  facts: { subject: string; changes?: FieldChanges },
): Promise<void> {
  if (applicationId !== null) await recordChange(transaction, request, { applicationId, ...facts });
}
