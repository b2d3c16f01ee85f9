import { type Kysely, sql } from 'kysely';
import { SharedWith, type StoredPerson } from '../../identity/sharing/shared-with.ts';
import type { SharedAccess } from '../events/access.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { MOST_CO_ORGANIZERS } from './contract.ts';
import type { SharedEventFacts } from './letter.ts';

export type StoredCoOrganizer = StoredPerson<'access', SharedAccess>;

export const coOrganizers = new SharedWith<'access', SharedAccess>({
  table: 'co_organizers',
  subject: 'event_id',
  rights: 'access',
  most: MOST_CO_ORGANIZERS,
});

/** Facts about an event for the invitation mail. The event must exist. */
export async function findSharedEventFacts(
  transaction: Kysely<unknown>,
  eventId: string,
): Promise<SharedEventFacts> {
  const { rows } = await sql<SharedEventFacts>`
    select ${EVENT_TITLE} as title, language_pref from events where id = ${eventId}`.execute(transaction);
  if (!rows[0]) throw new Error('the locked event is gone');
  return rows[0];
}
