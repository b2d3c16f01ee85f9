import { type Kysely, sql } from 'kysely';
import { parameter } from '../../kernel/database/transaction.ts';

export interface ExampleEvent {
  event_id: string;
  vendor_ids: string[];
  /** As any event is: what came with it is still there. */
  is_deleted: boolean;
}

/** The example that an organizer has, or had until they deleted its event. */
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

/** Notes which event is an organizer's example; false where they have one. */
export async function noteExample(
  transaction: Kysely<unknown>,
  organizerId: string,
  eventId: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into example_events (organizer_id, event_id, vendor_ids) values (${organizerId}, ${eventId}, '{}')
    on conflict (organizer_id) do nothing`.execute(transaction);
  return numAffectedRows > 0n;
}

export async function noteVendors(
  transaction: Kysely<unknown>,
  organizerId: string,
  vendorIds: readonly string[],
): Promise<void> {
  await sql`
    update example_events set vendor_ids = ${[...vendorIds]}::uuid[]
    where organizer_id = ${organizerId}`.execute(transaction);
}

/** Forgets the example, and hides its vendors that no other event has booked. */
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
    update vendors set deleted_at = ${parameter(now)}, updated_at = ${parameter(now)}
    where id = any(${vendor_ids}::uuid[]) and deleted_at is null and not exists (
      select from bookings join events on events.id = bookings.event_id
      where bookings.vendor_id = vendors.id and bookings.event_id <> ${event_id}
        and bookings.deleted_at is null and events.deleted_at is null
    )`.execute(transaction);
}
