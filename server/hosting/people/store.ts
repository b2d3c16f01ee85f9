import { type Kysely, sql } from 'kysely';
import { type Person as SharedPerson, SharedWith } from '../../identity/sharing/shared-with.ts';
import type { SharedRole } from '../model/people.ts';
import { MOST_PEOPLE, type Person } from './contract.ts';

export const people = new SharedWith<'role', SharedRole>({
  table: 'application_people',
  subject: 'application_uuid',
  rights: 'role',
  most: MOST_PEOPLE,
});

/** Locks an application until the transaction ends, while its people change; false if it does not exist. */
export async function lockPeople(transaction: Kysely<unknown>, applicationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from applications where application_uuid = ${applicationId} for no key update`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Adds to people whether their address is still waiting for somebody to sign in with it. */
export async function withPending(
  db: Kysely<unknown>,
  shared: readonly SharedPerson<'role', SharedRole>[],
): Promise<Person[]> {
  const { rows } = await sql<{ email: string }>`
    select lower(email) as email from users
    where verified and lower(email) = any(${shared.map(({ email }) => email)}::text[])`.execute(db);
  const users = new Set(rows.map(({ email }) => email));
  return shared.map((person) => ({ ...person, pending: !users.has(person.email) }));
}
