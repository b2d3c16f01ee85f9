import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import { newId } from '../../kernel/identifiers.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { type CoOrganizer, MOST_CO_ORGANIZERS } from './contract.ts';
import type { CoOrganizerInput } from './fields.ts';
import type { SharedEventFacts } from './letter.ts';

type Row = Omit<CoOrganizer, 'created_at' | 'updated_at'> & {
  created_at: Date;
  updated_at: Date;
  version: number;
};

export interface StoredCoOrganizer {
  coOrganizer: CoOrganizer;
  version: number;
}

const columns = sql`id, email, access, created_at, updated_at, version`;

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

export async function listCoOrganizers(db: Kysely<unknown>, eventId: string): Promise<CoOrganizer[]> {
  const { rows } = await sql<Row>`
    select ${columns} from co_organizers where event_id = ${eventId} order by id`.execute(db);
  return rows.map((row) => present(row).coOrganizer);
}

/**
 * Adds a co-organizer. Returns `full` if the event has the maximum, `there` if the address is already a co-organizer.
 */
export async function addCoOrganizer(
  transaction: Kysely<unknown>,
  eventId: string,
  { email, access }: CoOrganizerInput,
  now: Temporal.Instant,
): Promise<StoredCoOrganizer | 'full' | 'there'> {
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from co_organizers where event_id = ${eventId}`.execute(transaction);
  const at = toParameter(now);
  if ((counted.rows[0]?.count ?? 0) >= MOST_CO_ORGANIZERS) return 'full';
  const { rows } = await sql<Row>`
    insert into co_organizers (id, event_id, email, access, created_at, updated_at)
    values (${newId()}, ${eventId}, ${email}, ${access}, ${at}, ${at})
    on conflict (event_id, email) do nothing
    returning ${columns}`.execute(transaction);
  return rows[0] ? present(rows[0]) : 'there';
}

/** Finds a co-organizer and locks the row until the transaction ends. */
export async function lockCoOrganizer(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<StoredCoOrganizer | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from co_organizers where event_id = ${eventId} and id = ${id} for update`.execute(
    transaction,
  );
  return rows[0] && present(rows[0]);
}

export async function changeAccess(
  transaction: Kysely<unknown>,
  id: string,
  access: CoOrganizer['access'],
  now: Temporal.Instant,
): Promise<StoredCoOrganizer> {
  const { rows } = await sql<Row>`
    update co_organizers set access = ${access}, updated_at = ${toParameter(now)}
    where id = ${id} returning ${columns}`.execute(transaction);
  if (!rows[0]) throw new Error('the locked co-organizer is gone');
  return present(rows[0]);
}

export async function removeCoOrganizer(transaction: Kysely<unknown>, id: string): Promise<void> {
  await sql`delete from co_organizers where id = ${id}`.execute(transaction);
}

function present({ version, created_at, updated_at, ...row }: Row): StoredCoOrganizer {
  return {
    coOrganizer: { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
    version,
  };
}
