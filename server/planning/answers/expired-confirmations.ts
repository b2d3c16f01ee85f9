import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';
import type { EventWrite, EventWriter } from '../events/write.ts';
import { promoteFromWaitingList } from '../guests/capacity/waiting-list.ts';

/** Number of events whose expired requests are removed in one run, so that a run ends soon. */
const EVENTS_AT_ONCE = 500;
/** SQL condition: a request exists that nobody confirmed in time. */
export const hasExpiredRequests = sql<boolean>`
  exists (select from request_confirmations where expires_at <= now())`;

/**
 * Removes requests that nobody confirmed in time, and gives the places that were held for them to the waiting list. The
 * places stay held until then, so that nobody gets one before the next in turn.
 */
export async function removeExpiredRequests(
  { db, writer }: { db: Kysely<unknown>; writer: EventWriter },
  now: Temporal.Instant,
): Promise<void> {
  const { rows } = await sql<{ event_id: string }>`
    select distinct event_id from request_confirmations where expires_at <= ${toParameter(now)}
    limit ${EVENTS_AT_ONCE}`.execute(db);
  for (const { event_id: eventId } of rows) {
    const enter = (transaction: Kysely<unknown>) => lockEvent(transaction, eventId);
    await writer.enter({ eventId, by: { kind: 'system' }, enter }, (write) => removeExpired(write, now));
  }
}

/**
 * Frees all places and turns that are held for unconfirmed requests, and gives the places to the waiting list: none of
 * the requests is accepted automatically any more.
 */
export async function releaseHolds(write: EventWrite<{ id: string }>): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update request_confirmations set held = null, waiting_order = null
    where event_id = ${write.event.id} and held is not null`.execute(write.transaction);
  if (numAffectedRows > 0n) await promoteFromWaitingList(write);
}

async function removeExpired(
  write: EventWrite<{ id: string; is_open: boolean }>,
  now: Temporal.Instant,
): Promise<void> {
  const { rows } = await sql<{ held: number | null }>`
    delete from request_confirmations where event_id = ${write.event.id} and expires_at <= ${toParameter(now)}
    returning held`.execute(write.transaction);
  if (write.event.is_open && rows.some(({ held }) => held !== null)) await promoteFromWaitingList(write);
}

async function lockEvent(
  transaction: Kysely<unknown>,
  eventId: string,
): Promise<{ id: string; is_open: boolean }> {
  const { rows } = await sql<{ is_open: boolean }>`
    select status = 'published' and deleted_at is null as is_open from events
    where id = ${eventId} for no key update`.execute(transaction);
  return { id: eventId, is_open: rows[0]?.is_open ?? false };
}
