import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { contactsOf } from '../events/access.ts';
import { EVENT_TITLE } from '../events/title.ts';

/** Payment to a vendor that has a due date and is not paid yet. */
export interface DuePayment {
  id: string;
  event_id: string;
  booking_id: string;
  vendor_name: string;
  /** Title of the event for which the payment is due. */
  title: string;
  amount: number;
  due_date: string;
  /** Number of times that the booking was changed so far. Calendar programs keep the entry with the highest number. */
  sequence: number;
  updated_at: Date;
}

const MOST = 2_000;

/**
 * Unpaid payments of the bookings of the events in `eventIds`, by due date: those due after `after` and up to `until`.
 * Payments of cancelled bookings, and of events that are shared with the caller without contacts, are left out.
 */
export async function listDuePayments(
  db: Kysely<unknown>,
  caller: Pick<Caller, 'id' | 'email'>,
  eventIds: RawBuilder<unknown>,
  { after, until }: { after: Temporal.PlainDate; until?: Temporal.PlainDate },
): Promise<DuePayment[]> {
  const { rows } = await sql<DuePayment>`
    select payment.id, events.id as event_id, bookings.id as booking_id,
      coalesce(vendors.name, bookings.vendor_name) as vendor_name, ${EVENT_TITLE} as title,
      payment.amount::float8 as amount, to_char(payment.due_date, 'YYYY-MM-DD') as due_date,
      bookings.version as sequence, bookings.updated_at
    from bookings
    join events on events.id = bookings.event_id and events.status <> 'cancelled'
    join booking_payments payment on payment.booking_id = bookings.id
    left join vendors on vendors.id = bookings.vendor_id
    where bookings.event_id in ${eventIds} and bookings.deleted_at is null and bookings.status <> 'cancelled'
      and ${contactsOf(caller)} and payment.paid_date is null and payment.due_date > ${after.toString()}::date
      ${until ? sql`and payment.due_date <= ${until.toString()}::date` : sql``}
    order by payment.due_date, payment.id limit ${MOST}`.execute(db);
  return rows;
}
