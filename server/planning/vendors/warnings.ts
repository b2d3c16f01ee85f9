import { type Closure, closureOn, lastWorkingDay } from '../calendar/working-days.ts';
import type { PlannedBooking } from './budget.ts';
import type { WarningCode } from './contract.ts';
import { curfewOf } from './curfew.ts';
import type { BookingStatus } from './fields.ts';
import { isValidOn, type KashrutLevel, satisfies } from './kashrut.ts';

/** When an event is. */
interface Timed {
  date: Temporal.Instant | null;
  lastsMinutes: number;
}

export interface WarnedEvent extends Timed {
  kashrutLevel: KashrutLevel;
  /** `HH:MM` */
  curfew: string;
}

/** When whose work is. */
interface Work {
  vendorId: string | null;
  kind: string | null;
  startsAt: Temporal.Instant | null;
  endsAt: Temporal.Instant | null;
}

export interface WarnedBooking extends Work {
  id: string;
  vendorName: string;
  status: BookingStatus;
  certificate: { level: KashrutLevel; expiry: Temporal.PlainDate | null };
}

/** What a single booking can be found to be; the rest is about the money. */
export type FindingCode = Extract<WarningCode, `kashrut_${string}` | 'past_curfew'>;

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

/** A booking of the same vendor for another event; `title`: where it may be told. */
export interface Elsewhere {
  title: string | null;
  event: Timed;
  booking: Work;
}

export interface DoubleBooking<B> {
  booking: B;
  /** At the same hours: the same event, another one, or one that can't be named. */
  also: 'here' | { title: string | null };
}

/** Bookings whose vendor has another one at the same hours. */
export function doubleBookings<B extends WarnedBooking>(
  event: WarnedEvent,
  bookings: readonly B[],
  elsewhere: readonly Elsewhere[],
): DoubleBooking<B>[] {
  const standing = bookings.flatMap((booking) => {
    const hours = booking.status === 'cancelled' ? undefined : hoursOf(booking, event);
    return hours && booking.vendorId !== null ? [{ booking, hours }] : [];
  });
  const others = elsewhere.flatMap(({ title, event: other, booking }) => {
    const hours = hoursOf(booking, other);
    return hours ? [{ title, vendorId: booking.vendorId, hours }] : [];
  });
  const here = Map.groupBy(standing, ({ booking }) => booking.vendorId);
  const there = Map.groupBy(others, ({ vendorId }) => vendorId);
  return standing.flatMap(({ booking, hours }) => {
    const ofVendor = here.get(booking.vendorId) ?? [];
    const earlier = ofVendor.slice(
      0,
      ofVendor.findIndex((one) => one.booking === booking),
    );
    const clashing = (there.get(booking.vendorId) ?? []).filter((other) => overlap(hours, other.hours));
    return [
      ...(earlier.some((one) => overlap(hours, one.hours)) ? [{ booking, also: 'here' as const }] : []),
      ...clashing.map(({ title }) => ({ booking, also: { title } })),
    ];
  });
}

/** Those who are there themselves while an event goes on, also where nobody wrote down their hours. */
const ARE_THERE = [
  'hall',
  'catering',
  'bar',
  'photographer',
  'videographer',
  'dj',
  'band',
  'rabbi',
  'security',
];

/** In milliseconds since 1970: many are compared. */
interface Hours {
  from: number;
  until: number;
}

/** When a vendor works: as was agreed on, else while the event goes on; undefined where that can't be said. */
function hoursOf({ kind, startsAt, endsAt }: Work, { date, lastsMinutes }: Timed): Hours | undefined {
  if (!startsAt && !endsAt && !ARE_THERE.includes(kind ?? '')) return undefined;
  const from = startsAt ?? date;
  const until = endsAt ?? date?.add({ minutes: lastsMinutes });
  if (!from || !until) return undefined;
  return { from: from.epochMilliseconds, until: until.epochMilliseconds };
}

function overlap(one: Hours, other: Hours): boolean {
  return one.from < other.until && other.from < one.until;
}

/** Bookings for which more was paid than they come to, as where fewer people come than was thought. */
export function paidAbovePrice<B extends Pick<PlannedBooking, 'status' | 'price' | 'payments'>>(
  bookings: readonly B[],
): B[] {
  return bookings.filter(({ status, price, payments }) => {
    const paid = payments.reduce((sum, { amount, paidDate }) => (paidDate ? sum + amount : sum), 0n);
    return status !== 'cancelled' && price !== null && paid > price;
  });
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
