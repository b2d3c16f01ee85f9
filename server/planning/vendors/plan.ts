import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { accessOf } from '../events/access.ts';
import { durationMinutes } from '../events/duration.ts';
import { EVENT_TITLE } from '../events/title.ts';
import { totalPrice } from './booking-price.ts';
import type { PlannedBooking } from './budget.ts';
import type { BookingStatus } from './fields.ts';
import type { KashrutLevel } from './kashrut.ts';
import { type Agorot, parseAgorot } from './money.ts';
import type { OtherBooking, WarnedBooking, WarnedEvent } from './warnings.ts';

/** Event, its budget and all its bookings. The budget's overview and the warnings are computed from them. */
export interface BookingPlan {
  budget: Agorot | null;
  event: WarnedEvent;
  bookings: (PlannedBooking & WarnedBooking)[];
}

interface Row {
  id: string;
  vendor_id: string | null;
  vendor_name: string;
  kind: string | null;
  status: BookingStatus;
  price: string | null;
  starts_at: string | null;
  ends_at: string | null;
  kashrut_level: KashrutLevel | null;
  kashrut_expiry_date: string | null;
  payments: { id: string; amount: string; due_date: string | null; paid_date: string | null }[];
}

interface EventRow {
  budget: string | null;
  event_date: Date | null;
  lasts_minutes: number;
  kashrut_level: KashrutLevel;
  curfew: string;
}

/** Reads an event's budget and bookings in one statement. Amounts are read as text, so that they stay exact. */
export async function readBookingPlan(db: Kysely<unknown>, eventId: string): Promise<BookingPlan> {
  const { rows } = await sql<EventRow & { booking: Row | null }>`
    select events.budget::text as budget, events.event_date, ${durationMinutes} as lasts_minutes, events.kashrut_level,
      to_char(events.noise_curfew_time, 'HH24:MI') as curfew, to_json(booked.*) as booking
    from events
    join event_tallies tally on tally.event_id = events.id
    left join invitations invitation on invitation.event_id = events.id
    left join lateral (
      select bookings.id, bookings.vendor_id, coalesce(vendors.name, bookings.vendor_name) as vendor_name,
        vendors.kind, bookings.status, (${totalPrice})::text as price, bookings.starts_at, bookings.ends_at,
        vendors.kashrut_level, vendors.kashrut_expiry_date,
        (
          select coalesce(json_agg(json_build_object(
            'id', booking_payments.id, 'amount', amount::text, 'due_date', due_date, 'paid_date', paid_date
          ) order by position), '[]')
          from booking_payments where booking_id = bookings.id
        ) as payments
      from bookings left join vendors on vendors.id = bookings.vendor_id
      where bookings.event_id = events.id and bookings.deleted_at is null
    ) booked on true
    where events.id = ${eventId}
    order by booked.id`.execute(db);
  const event = rows[0];
  if (!event) throw new Error('the event is gone');
  return {
    budget: event.budget === null ? null : parseAgorot(event.budget),
    event: {
      date: event.event_date?.toTemporalInstant() ?? null,
      lastsMinutes: event.lasts_minutes,
      kashrutLevel: event.kashrut_level,
      curfew: event.curfew,
    },
    bookings: rows.flatMap(({ booking }) => (booking ? [present(booking)] : [])),
  };
}

function present(row: Row): BookingPlan['bookings'][number] {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    kind: row.kind,
    status: row.status,
    price: row.price === null ? null : parseAgorot(row.price),
    payments: row.payments.map(({ id, amount, due_date, paid_date }) => ({
      id,
      amount: parseAgorot(amount),
      dueDate: due_date,
      paidDate: paid_date,
    })),
    startsAt: instantOf(row.starts_at),
    endsAt: instantOf(row.ends_at),
    certificate: {
      level: row.kashrut_level ?? 'none',
      expiry: row.kashrut_expiry_date ? Temporal.PlainDate.from(row.kashrut_expiry_date) : null,
    },
  };
}

interface ElsewhereRow {
  vendor_id: string;
  kind: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
  event_date: Date;
  lasts_minutes: number;
  title: string | null;
}

/** Maximum number of days between the beginnings of two events that can overlap: an event may last a month. */
const NEAR_DAYS = 40;
const MOST_ELSEWHERE = 2_000;

/**
 * Bookings of the event's vendors for other events at about the same time. They have the titles only of events that the
 * caller may read.
 */
export async function findOtherBookings(
  db: Kysely<unknown>,
  eventId: string,
  caller: Caller,
): Promise<OtherBooking[]> {
  const near = sql`make_interval(days => ${NEAR_DAYS})`;
  const { rows } = await sql<ElsewhereRow>`
    select other.vendor_id, vendors.kind, other.starts_at, other.ends_at, events.event_date,
      ${durationMinutes} as lasts_minutes, case when ${accessOf(caller)} is not null then ${EVENT_TITLE} end as title
    from (
      select distinct bookings.vendor_id, this.event_date
      from bookings join events this on this.id = bookings.event_id
      where bookings.event_id = ${eventId} and bookings.deleted_at is null and bookings.status <> 'cancelled'
    ) here
    join bookings other on other.vendor_id = here.vendor_id and other.event_id <> ${eventId}
      and other.deleted_at is null and other.status <> 'cancelled'
    join vendors on vendors.id = other.vendor_id
    join events on events.id = other.event_id and events.deleted_at is null and events.status <> 'cancelled'
      and events.event_date between here.event_date - ${near} and here.event_date + ${near}
    left join invitations invitation on invitation.event_id = events.id
    order by events.event_date, other.id limit ${MOST_ELSEWHERE}`.execute(db);
  return rows.map((row) => ({
    title: row.title,
    event: { date: row.event_date.toTemporalInstant(), lastsMinutes: row.lasts_minutes },
    booking: {
      vendorId: row.vendor_id,
      kind: row.kind,
      startsAt: row.starts_at?.toTemporalInstant() ?? null,
      endsAt: row.ends_at?.toTemporalInstant() ?? null,
    },
  }));
}

/** Parses a time from JSON that the database made, in which times are text. */
function instantOf(time: string | null): Temporal.Instant | null {
  return time === null ? null : new Date(time).toTemporalInstant();
}
