import { type Closure, closureOn, lastWorkingDay } from '../calendar/working-days.ts';
import type { PlannedBooking } from './budget.ts';
import type { WarningCode } from './contract.ts';
import { curfewOf } from './curfew.ts';
import type { BookingStatus } from './fields.ts';
import { isValidOn, type KashrutLevel, satisfies } from './kashrut.ts';

export interface WarnedEvent {
  date: Temporal.Instant | null;
  kashrutLevel: KashrutLevel;
  /** `HH:MM` */
  curfew: string;
}

export interface WarnedBooking {
  id: string;
  vendorId: string | null;
  vendorName: string;
  kind: string | null;
  status: BookingStatus;
  endsAt: Temporal.Instant | null;
  certificate: { level: KashrutLevel; expiry: Temporal.PlainDate | null };
}

/** What a single booking can be found to be; the rest is about the money. */
export type FindingCode = Exclude<WarningCode, 'payment_overdue' | 'payment_on_closed_day' | 'over_budget'>;

export interface Finding {
  code: FindingCode;
  booking: WarnedBooking;
}

const SERVE_FOOD = ['catering', 'cakes'];
const MAKE_NOISE = ['dj', 'band'];

/** What does not fit between an event and its bookings that still stand. */
export function findingsOf(event: WarnedEvent, bookings: readonly WarnedBooking[], zone: string): Finding[] {
  return bookings
    .filter(({ status }) => status !== 'cancelled')
    .flatMap((booking) =>
      [...kashrutFindings(event, booking, zone), ...noiseFindings(event, booking, zone)].map((code) => ({
        code,
        booking,
      })),
    );
}

function kashrutFindings(
  { date, kashrutLevel }: WarnedEvent,
  { kind, certificate: { level, expiry } }: WarnedBooking,
  zone: string,
): FindingCode[] {
  if (!SERVE_FOOD.includes(kind ?? '') || kashrutLevel === 'none') return [];
  if (level === 'none') return ['kashrut_missing'];
  const findings: FindingCode[] = [];
  if (!satisfies(level, kashrutLevel)) findings.push('kashrut_too_low');
  if (date && expiry && !isValidOn(expiry, date.toZonedDateTimeISO(zone).toPlainDate())) {
    findings.push('kashrut_expires');
  }
  return findings;
}

function noiseFindings(
  { date, curfew }: WarnedEvent,
  { kind, endsAt }: WarnedBooking,
  zone: string,
): FindingCode[] {
  if (!MAKE_NOISE.includes(kind ?? '') || !date || !endsAt) return [];
  return Temporal.Instant.compare(endsAt, curfewOf(date, curfew, zone)) > 0 ? ['past_curfew'] : [];
}

export interface ClosedDayPayment<B> {
  booking: B;
  dueDate: string;
  closure: Closure;
  lastWorkingDay: string;
}

/** Days that are looked up in the calendar, the next ones: each costs a moment in which nobody else is served. */
const MOST_DAYS = 400;

/** Payments still to be made that are due, today or later, on a day when banks are closed. */
export function closedDayPayments<B extends Pick<PlannedBooking, 'status' | 'payments'>>(
  bookings: readonly B[],
  today: string,
): ClosedDayPayment<B>[] {
  const due = bookings
    .filter(({ status }) => status !== 'cancelled')
    .flatMap((booking) =>
      booking.payments.flatMap(({ dueDate, paidDate }) =>
        dueDate === null || paidDate !== null || dueDate < today ? [] : [{ booking, dueDate }],
      ),
    );
  const days = [...new Set(due.map(({ dueDate }) => dueDate))].sort().slice(0, MOST_DAYS);
  const closed = new Map(
    days.flatMap((dueDate) => {
      const day = Temporal.PlainDate.from(dueDate);
      const closure = closureOn(day);
      return closure ? [[dueDate, { closure, lastWorkingDay: lastWorkingDay(day).toString() }] as const] : [];
    }),
  );
  return due.flatMap((payment) => {
    const found = closed.get(payment.dueDate);
    return found ? [{ ...payment, ...found }] : [];
  });
}
