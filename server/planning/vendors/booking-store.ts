import { type Kysely, sql } from 'kysely';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { assignColumns, insertInto } from '../../kernel/database/rows.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { deletionTimesOf, earliestRestorable } from '../events/deleted/times.ts';
import { childrenCharged, platesCharged, totalPrice } from './booking-price.ts';
import { type Booking, type DeletedBooking, MOST_BOOKINGS } from './contract.ts';
import type { BookingInput, BookingStatus, ListedPayment } from './fields.ts';
import { messages } from './messages.ts';

export interface StoredBooking {
  booking: Booking;
  version: number;
}

type TimeField = 'starts_at' | 'ends_at' | 'created_at' | 'updated_at';
type Row = Omit<Booking, TimeField> & Record<TimeField, Date | null> & { version: number };

// SQL list of a booking's columns. They are listed one by one, because most need a conversion.
const columns = sql`
  bookings.id, bookings.event_id, bookings.vendor_id, coalesce(vendors.name, bookings.vendor_name) as vendor_name,
  vendors.kind as vendor_kind, bookings.status, bookings.price::float8 as price,
  bookings.price_per_plate::float8 as price_per_plate, bookings.price_per_child::float8 as price_per_child, bookings.plates, bookings.minimum_plates,
  ${platesCharged} as plates_charged, ${childrenCharged} as children_charged, (${totalPrice})::float8 as total, bookings.deposit::float8 as deposit,
  bookings.starts_at, bookings.ends_at, bookings.note, bookings.created_at, bookings.updated_at, bookings.version,
  (
    select coalesce(json_agg(json_build_object(
      'id', payment.id, 'amount', amount::float8, 'due_date', due_date, 'paid_date', paid_date, 'note', payment.note
    ) order by position), '[]')
    from booking_payments payment where payment.booking_id = bookings.id
  ) as payments`;

const withVendors = sql`
  bookings
  join event_tallies tally on tally.event_id = bookings.event_id
  left join vendors on vendors.id = bookings.vendor_id`;

/** Name of a vendor that belongs to one of `owners`; undefined if there is none. Locks the vendor against changes. */
export async function findBookableVendor(
  transaction: Kysely<unknown>,
  id: string,
  owners: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from vendors
    where id = ${id} and organizer_id in (${sql.join(owners)}) and deleted_at is null
    for share`.execute(transaction);
  return rows[0]?.name;
}

/** Adds a booking to a locked event; undefined if the event already has the maximum number of bookings. */
export async function addBooking(
  transaction: Kysely<unknown>,
  eventId: string,
  vendorName: string,
  input: BookingInput,
  now: Temporal.Instant,
): Promise<StoredBooking | undefined> {
  if (!(await hasRoomForBooking(transaction, eventId))) return undefined;
  const id = newId();
  const { payments, ...own } = input;
  const row = { ...own, vendor_name: vendorName, created_at: now, updated_at: now };
  await insertInto('bookings', { id, event_id: eventId, ...row }).execute(transaction);
  await addPayments(transaction, id, payments);
  return findBooking(transaction, eventId, id);
}

/** True if an event has fewer bookings than the maximum, so that one can be added. */
export async function hasRoomForBooking(transaction: Kysely<unknown>, eventId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from bookings
    where event_id = ${eventId} and deleted_at is null`.execute(transaction);
  return (rows[0]?.count ?? 0) < MOST_BOOKINGS;
}

/** Page of an event's bookings, the oldest first, and the number of all matching bookings. */
export async function listBookings(
  db: Kysely<unknown>,
  eventId: string,
  status: BookingStatus | undefined,
  page: Page,
): Promise<{ bookings: Booking[]; total: number }> {
  const matching = sql`bookings.event_id = ${eventId} and bookings.deleted_at is null
    ${status ? sql`and bookings.status = ${status}` : sql``}`;
  const source = { columns, from: sql`${withVendors} where ${matching}`, order: sql`id` };
  const { rows, total } = await pageOfRows<Row>(db, source, page);
  return { bookings: rows.map((row) => present(row).booking), total };
}

/** Finds a booking of an event. A caller who will change the booking must have locked the event. */
async function findBooking(
  db: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<StoredBooking | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from ${withVendors}
    where bookings.id = ${id} and bookings.event_id = ${eventId} and bookings.deleted_at is null`.execute(db);
  return rows[0] && present(rows[0]);
}

/** Finds a booking of an event; throws a 404 if the event has no such booking. */
export async function requireBooking(
  db: Kysely<unknown>,
  eventId: string,
  id: string,
): Promise<StoredBooking> {
  const found = isUuid(id) ? await findBooking(db, eventId, id) : undefined;
  if (!found) throw new Refusal(404, 'not_found', messages.noSuchBooking);
  return found;
}

/** Changes a booking. The caller gives `vendorName` only if the booking's vendor changes. */
export async function changeBooking(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
  input: BookingInput,
  vendorName: string | undefined,
  now: Temporal.Instant,
): Promise<StoredBooking> {
  const { payments, ...own } = input;
  const row = {
    ...own,
    ...(vendorName !== undefined && { vendor_name: vendorName }),
    updated_at: now,
  };
  await sql`
    update bookings set ${assignColumns(row)}
    where id = ${id} and event_id = ${eventId}`.execute(transaction);
  await sql`delete from booking_payments where booking_id = ${id}`.execute(transaction);
  await addPayments(transaction, id, payments);
  const changed = await findBooking(transaction, eventId, id);
  if (!changed) throw new Error('the booking of the locked event is gone');
  return changed;
}

/** Deleted bookings of an event that can still be restored, the latest deletion first. */
export async function listDeletedBookings(
  db: Kysely<unknown>,
  eventId: string,
  now: Temporal.Instant,
  page: Page,
): Promise<{ bookings: DeletedBooking[]; total: number }> {
  const source = {
    columns: sql`${columns}, bookings.deleted_at`,
    from: sql`${withVendors} where bookings.event_id = ${eventId} and bookings.deleted_at > ${earliestRestorable(now)}`,
    order: sql`deleted_at desc, id`,
  };
  const { rows, total } = await pageOfRows<Row & { deleted_at: Date }>(db, source, page);
  const bookings = rows.map(({ deleted_at, ...row }) => ({
    ...present(row as Row).booking,
    ...deletionTimesOf(deleted_at),
  }));
  return { bookings, total };
}

/** Restores a deleted booking of a locked event; undefined if the booking can't be restored. */
export async function restoreBooking(
  transaction: Kysely<unknown>,
  eventId: string,
  id: string,
  now: Temporal.Instant,
): Promise<StoredBooking | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql`
    update bookings set deleted_at = null, updated_at = ${toParameter(now)}
    where id = ${id} and event_id = ${eventId} and deleted_at > ${earliestRestorable(now)} returning id`.execute(
    transaction,
  );
  return rows.length > 0 ? findBooking(transaction, eventId, id) : undefined;
}

/** Deletes a booking softly, so that it can be restored. */
export async function removeBooking(
  transaction: Kysely<unknown>,
  id: string,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update bookings set deleted_at = ${toParameter(now)}, updated_at = ${toParameter(now)}
    where id = ${id}`.execute(transaction);
}

async function addPayments(
  transaction: Kysely<unknown>,
  bookingId: string,
  payments: readonly ListedPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const rows = payments.map(
    ({ id, amount, due_date, paid_date, note }, position) =>
      sql`(${id ?? newId()}, ${bookingId}, ${position}, ${amount}, ${due_date}, ${paid_date}, ${note})`,
  );
  await sql`
    insert into booking_payments (id, booking_id, position, amount, due_date, paid_date, note)
    values ${sql.join(rows)}`.execute(transaction);
}

function present({ version, starts_at, ends_at, created_at, updated_at, ...row }: Row): StoredBooking {
  return {
    booking: {
      ...row,
      starts_at: starts_at?.toISOString() ?? null,
      ends_at: ends_at?.toISOString() ?? null,
      created_at: created_at?.toISOString() ?? '',
      updated_at: updated_at?.toISOString() ?? '',
    },
    version,
  };
}
