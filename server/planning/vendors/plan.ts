import { type Kysely, sql } from 'kysely';
import type { PlannedBooking } from './budget.ts';
import type { BookingStatus } from './fields.ts';
import type { KashrutLevel } from './kashrut.ts';
import { type Agorot, agorot } from './money.ts';
import type { WarnedBooking, WarnedEvent } from './warnings.ts';

/** An event's money, and all of its bookings with what the budget and the warnings look at. */
export interface Plan {
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
  ends_at: Date | null;
  kashrut_level: KashrutLevel | null;
  kashrut_expiry_date: string | null;
  payments: { amount: string; due_date: string | null; paid_date: string | null }[];
}

interface EventRow {
  budget: string | null;
  event_date: Date | null;
  kashrut_level: KashrutLevel;
  curfew: string;
}

/** Reads the plan of an event that is there, in one statement. Money comes as text: exact. */
export async function planOf(db: Kysely<unknown>, eventId: string): Promise<Plan> {
  const { rows } = await sql<EventRow & { booking: Row | null }>`
    select events.budget::text as budget, events.event_date, events.kashrut_level,
      to_char(events.noise_curfew_time, 'HH24:MI') as curfew, to_json(booked.*) as booking
    from events left join lateral (
      select bookings.id, bookings.vendor_id, coalesce(vendors.name, bookings.vendor_name) as vendor_name,
        vendors.kind, bookings.status, bookings.price::text as price, bookings.ends_at,
        vendors.kashrut_level, vendors.kashrut_expiry_date,
        (
          select coalesce(json_agg(json_build_object(
            'amount', amount::text, 'due_date', due_date, 'paid_date', paid_date
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
    budget: event.budget === null ? null : agorot(event.budget),
    event: {
      date: event.event_date?.toTemporalInstant() ?? null,
      kashrutLevel: event.kashrut_level,
      curfew: event.curfew,
    },
    bookings: rows.flatMap(({ booking }) => (booking ? [present(booking)] : [])),
  };
}

function present(row: Row): Plan['bookings'][number] {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    kind: row.kind,
    status: row.status,
    price: row.price === null ? null : agorot(row.price),
    payments: row.payments.map(({ amount, due_date, paid_date }) => ({
      amount: agorot(amount),
      dueDate: due_date,
      paidDate: paid_date,
    })),
    endsAt: row.ends_at && new Date(row.ends_at).toTemporalInstant(),
    certificate: {
      level: row.kashrut_level ?? 'none',
      expiry: row.kashrut_expiry_date ? Temporal.PlainDate.from(row.kashrut_expiry_date) : null,
    },
  };
}
