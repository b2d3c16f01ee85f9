import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Roles of the people with whom an application is shared, from the least to the most. Each allows everything that the
 * ones before it allow.
 */
export const SHARED_ROLES = ['look', 'deploy', 'administer'] as const;
export type SharedRole = (typeof SHARED_ROLES)[number];

/** Roles of everybody who has access to an application. `owner` allows everything. */
export const ROLES = [...SHARED_ROLES, 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** SQL for the role of an account in a row of `applications`; null for strangers and without an account. */
export function roleOf(accountId: string | undefined): RawBuilder<Role | null> {
  if (accountId === undefined) return sql`null::text`;
  return sql`
    case when applications.owner_id = ${accountId} then 'owner' else (
      select shared.role from application_people shared
        join users on users.verified and lower(users.email) = shared.email
      where shared.application_uuid = applications.application_uuid and users.account_id = ${accountId}
    ) end`;
}

/** SQL for the ids (`application_uuid`) of an account's own applications and of those shared with it. */
export function accessibleApplications(accountId: string): RawBuilder<unknown> {
  return sql`
    select application_uuid from applications where owner_id = ${accountId}
    union all
    select shared.application_uuid from application_people shared
      join users on users.verified and lower(users.email) = shared.email
    where users.account_id = ${accountId}`;
}

/** SQL for the accounts (`account_id`) that have access to an application. */
export function accountsWithAccess(applicationId: string): RawBuilder<unknown> {
  return sql`
    select owner_id as account_id from applications where application_uuid = ${applicationId}
    union all
    select users.account_id from application_people shared
      join users on users.verified and lower(users.email) = shared.email
    where shared.application_uuid = ${applicationId}`;
}

/**
 * Role of an account in an application: null for a stranger, undefined if the application does not exist.
 */
export async function findRole(
  db: Kysely<unknown>,
  accountId: string,
  applicationId: string,
): Promise<Role | null | undefined> {
  const { rows } = await sql<{ role: Role | null }>`
    select ${roleOf(accountId)} as role from applications
    where application_uuid = ${applicationId}`.execute(db);
  return rows[0]?.role;
}
