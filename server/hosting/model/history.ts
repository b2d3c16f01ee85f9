import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';

/** Who makes a change of an application, and from which network address. */
export type Actor =
  | { kind: 'user'; accountId: string; token: string | null; address: string }
  /** Push hook of the repository's host; the address is null if the push was decided about later. */
  | { kind: 'push'; address: string | null }
  | { kind: 'operator' };

export const ACTORS = ['user', 'push', 'operator'] as const satisfies readonly Actor['kind'][];

/** What a change was about. */
export interface ChangeFacts {
  /** Name or id of the changed thing, such as a domain, a volume or a deployment. */
  subject?: string;
  /**
   * Changed fields; a change without any is not recorded. A secret's value is `SECRET`, never the secret itself.
   * Absent for changes that are no change of fields, such as a deployment.
   */
  changes?: FieldChanges;
}

export interface Change extends ChangeFacts {
  applicationId: string;
  /** Name of the preview that was changed; null for production and for the application as a whole. */
  preview: string | null;
  /** Operation of the API, by its `operationId`. */
  operation: string;
  by: Actor;
}

/** Stands for the value of a secret in a line of history. */
export const SECRET = 'set';

/** Lines of history that are stored for one application, and for how long. */
export const MOST_LINES = 10_000;
const STORED_FOR = { hours: 365 * 24 };

/** Adds a line to the history of an application, in the transaction of the change. */
export async function recordChange(
  transaction: Kysely<unknown>,
  { applicationId, preview, operation, by, subject, changes }: Change,
  now: Temporal.Instant,
): Promise<void> {
  if (changes && Object.keys(changes).length === 0) return;
  const accountId = by.kind === 'user' ? by.accountId : null;
  const token = by.kind === 'user' ? by.token : null;
  const address = by.kind === 'operator' ? null : by.address;
  await sql`
    insert into application_history
      (application_uuid, at, operation, preview, actor_kind, actor_email, actor_token, address, subject, changes)
    select ${applicationId}, ${toParameter(now)}, ${operation}, ${preview}, ${by.kind},
      (select email from users where account_id = ${accountId}::uuid), ${token}, ${address}, ${subject ?? null},
      ${changes ? JSON.stringify(changes) : null}::jsonb
    from applications where application_uuid = ${applicationId}`.execute(transaction);
}

/** Deletes lines of history that are older than a year, and the oldest of applications that have too many. */
export async function forgetOldHistory(
  db: Kysely<unknown>,
  now: Temporal.Instant,
  most = MOST_LINES,
): Promise<void> {
  await sql`
    delete from application_history where at < ${toParameter(now.subtract(STORED_FOR))}`.execute(db);
  await sql`
    delete from application_history old using (
      select application_uuid, (
        select id from application_history line where line.application_uuid = applications.application_uuid
        order by id desc offset ${most} limit 1
      ) as last_id
      from applications
    ) beyond
    where old.application_uuid = beyond.application_uuid and old.id <= beyond.last_id`.execute(db);
}
