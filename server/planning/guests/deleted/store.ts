import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../../kernel/database/pages.ts';
import { insertJsonRows } from '../../../kernel/database/rows.ts';
import { toParameter } from '../../../kernel/database/transaction.ts';
import { isUuid } from '../../../kernel/identifiers.ts';
import type { Page } from '../../../kernel/paging.ts';
import { deletionTimesOf, earliestRestorable } from '../../events/deleted/times.ts';
import type { EventWrite } from '../../events/write.ts';
import { promoteFromWaitingList } from '../capacity/waiting-list.ts';
import type { Contacts } from '../contacts.ts';
import type { Guest } from '../contract.ts';
import type { DeletedGuest } from './contract.ts';

/**
 * Tables with a `guest_id` whose rows are deleted and restored with the guest, in the order in which they refer to
 * each other.
 */
export const RELATED_TABLES = ['guest_links', 'round_guests', 'round_calls', 'calendar_entries'] as const;

type SnapshotRow = Readonly<Record<string, unknown>>;

/** Deleted guest with the rows of other tables that belonged to them. */
export type GuestSnapshot = Readonly<Record<(typeof RELATED_TABLES)[number], readonly SnapshotRow[]>> & {
  guest: Pick<
    Guest,
    | keyof Contacts
    | 'id'
    | 'rsvp_status'
    | 'coming'
    | 'coming_children'
    | 'waiting_since'
    | 'answers'
    | 'answered_via'
  > &
    SnapshotRow & { waiting_order: number | null; version: number };
  /** Ids of the open-link requests that were accepted as this guest. */
  requests: readonly string[];
};

/** Deletes guests of a locked event, notes each in the history, and gives their places to the waiting list. */
export async function deleteGuests(write: EventWrite, ids: readonly string[]): Promise<void> {
  const { transaction, now, note, runFollowers } = write;
  for (const id of ids) note('guest', id, 'deleted');
  await runFollowers();
  const theirs = RELATED_TABLES.map(
    (table) => sql`${sql.lit(table)}, (
      select coalesce(jsonb_agg(to_jsonb(theirs)), '[]') from ${sql.table(table)} theirs where theirs.guest_id = guests.id
    )`,
  );
  await sql`
    insert into deleted_guests (guest_id, event_id, deleted_at, kept)
    select id, event_id, ${toParameter(now)}, jsonb_build_object(
      'guest', to_jsonb(guests),
      'requests', (select coalesce(jsonb_agg(asked.id), '[]') from guest_requests asked where asked.guest_id = guests.id),
      ${sql.join(theirs)}
    )
    from guests where id = any(${ids}::uuid[])`.execute(transaction);
  await sql`delete from guests where id = any(${ids}::uuid[])`.execute(transaction);
  await promoteFromWaitingList(write);
}

/** Reads a page of the guests of an event who can be restored, the last deleted first, and their total number. */
export async function listDeletedGuests(
  db: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
  page: Page,
): Promise<{ guests: DeletedGuest[]; total: number }> {
  const source = {
    columns: sql`
      guest_id as id, kept->'guest'->>'name' as name, kept->'guest'->>'rsvp_status' as rsvp_status,
      (kept->'guest'->>'party_size')::integer as party_size, deleted_at`,
    from: sql`deleted_guests where event_id = ${eventId} and deleted_at > ${earliestRestorable(now)}`,
    order: sql`deleted_at desc, id`,
  };
  type Row = Omit<DeletedGuest, 'deleted_at' | 'until'> & { deleted_at: Date };
  const { rows, total } = await pageOfRows<Row>(db, source, page);
  const guests = rows.map((row) => ({ ...row, ...deletionTimesOf(row.deleted_at) }));
  return { guests, total };
}

/** Removes a guest from the table of deleted guests and returns them; undefined if the guest can't be restored. */
export async function takeDeletedGuest(
  { transaction, event, now }: EventWrite,
  id: string,
): Promise<GuestSnapshot | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<{ kept: GuestSnapshot }>`
    delete from deleted_guests where guest_id = ${id} and event_id = ${event.id} and deleted_at > ${earliestRestorable(now)}
    returning kept`.execute(transaction);
  return rows[0]?.kept;
}

/** Inserts the rows that belonged to a guest, after the guest was inserted again. */
export async function restoreRelatedRows(
  transaction: Kysely<unknown>,
  snapshot: GuestSnapshot,
): Promise<void> {
  const roundRows = await roundsToRestore(transaction, snapshot.round_guests);
  const rounds = new Set(roundRows.map(({ round_id }) => round_id));
  await insertJsonRows(transaction, 'guest_links', snapshot.guest_links);
  await insertJsonRows(transaction, 'round_guests', roundRows);
  const calls = snapshot.round_calls.filter(({ round_id }) => rounds.has(round_id));
  await insertJsonRows(transaction, 'round_calls', calls);
  if (snapshot.requests.length > 0) {
    await sql`
      update guest_requests set guest_id = ${snapshot.guest.id} where id = any(${snapshot.requests}::uuid[])`.execute(
      transaction,
    );
  }
}

/**
 * Rows of message rounds that are worth restoring with a guest. An automatic round that had not reached the guest has
 * been sent without them, so its row is left out. In rounds by hand and by phone the guest can still be contacted.
 */
async function roundsToRestore(
  transaction: Kysely<unknown>,
  roundRows: readonly SnapshotRow[],
): Promise<SnapshotRow[]> {
  const ids = roundRows.map(({ round_id }) => round_id);
  const { rows } = await sql<{ id: string; by_people: boolean }>`
    select id, channel in ('by_hand', 'phone') as by_people from rounds where id = any(${ids}::uuid[])`.execute(
    transaction,
  );
  const byPeople = new Map(rows.map((round) => [round.id, round.by_people]));
  return roundRows
    .filter(({ round_id, status }) => {
      const isByPeople = byPeople.get(String(round_id));
      return isByPeople !== undefined && (isByPeople || status !== 'waiting');
    })
    .map((row) => ({ ...row, taken_by: null, taken_until: null }));
}

/** Deletes guests for good who were deleted so long ago that they can't be restored any more. */
export async function purgeDeletedGuests(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
  await sql`delete from deleted_guests where deleted_at <= ${earliestRestorable(now)}`.execute(db);
}
