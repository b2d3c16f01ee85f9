import { type Kysely, sql } from 'kysely';
import { toParameter } from '../../kernel/database/transaction.ts';

export interface ExampleEvent {
  event_id: string;
  vendor_ids: string[];
  /** True if the organizer deleted the event like any other event; the vendors that came with it still exist then. */
  is_deleted: boolean;
}

/** Finds an organizer's example event, also if the event was deleted. */
export async function findExample(
  db: Kysely<unknown>,
  organizerId: string,
): Promise<ExampleEvent | undefined> {
  const { rows } = await sql<ExampleEvent>`
    select event_id, vendor_ids, events.deleted_at is not null as is_deleted
    from example_events example join events on events.id = event_id
    where example.organizer_id = ${organizerId}`.execute(db);
  return rows[0];
}

/** Registers an event as the organizer's example event; false if the organizer has one already. */
export async function registerExample(
  transaction: Kysely<unknown>,
  organizerId: string,
  eventId: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into example_events (organizer_id, event_id, vendor_ids) values (${organizerId}, ${eventId}, '{}')
    on conflict (organizer_id) do nothing`.execute(transaction);
  return numAffectedRows > 0n;
}

export async function recordExampleVendors(
  transaction: Kysely<unknown>,
  organizerId: string,
  vendorIds: readonly string[],
): Promise<void> {
  await sql`
    update example_events set vendor_ids = ${[...vendorIds]}::uuid[]
    where organizer_id = ${organizerId}`.execute(transaction);
}

/**
 * Removes the record of the example event, and deletes the vendors that came with it and that no other event books.
 * These vendors get the event's time of deletion, by which they are restored together with the event.
 */
export async function forgetExample(
  transaction: Kysely<unknown>,
  organizerId: string,
  { event_id, vendor_ids }: ExampleEvent,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    delete from example_events where organizer_id = ${organizerId} and event_id = ${event_id}`.execute(
    transaction,
  );
  await sql`
    update vendors set updated_at = ${toParameter(now)}, deleted_at = (
      select deleted_at from events where events.id = ${event_id}
    )
    where id = any(${vendor_ids}::uuid[]) and deleted_at is null and not exists (
      select from bookings join events on events.id = bookings.event_id
      where bookings.vendor_id = vendors.id and bookings.event_id <> ${event_id}
        and bookings.deleted_at is null and events.deleted_at is null
    )`.execute(transaction);
}

/** Restores the vendors that were deleted together with an example event. Runs before the event itself is restored. */
export async function restoreExampleVendors(
  transaction: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update vendors set deleted_at = null, updated_at = ${toParameter(now)}
    from events
    where events.id = ${eventId} and vendors.deleted_at = events.deleted_at
      and vendors.id in (select vendor_id from bookings where event_id = ${eventId})`.execute(transaction);
}
