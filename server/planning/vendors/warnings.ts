import { type Closure, closureOn, lastWorkingDay } from '../calendar/working-days.ts';
import type { PlannedBooking } from './budget.ts';
import type { WarningCode } from './contract.ts';
import { curfewOf } from './curfew.ts';
import type { BookingStatus } from './fields.ts';
import { isValidOn, type KashrutLevel, meetsLevel } from './kashrut.ts';

interface EventTime {
  date: Temporal.Instant | null;
  lastsMinutes: number;
}

export interface WarnedEvent extends EventTime {
  kashrutLevel: KashrutLevel;
  /** Hour from which loud music is forbidden, as `HH:MM`. */
  curfew: string;
}

/** Hours at which a vendor works at an event. */
interface WorkingHours {
  vendorId: string | null;
  kind: string | null;
  startsAt: Temporal.Instant | null;
  endsAt: Temporal.Instant | null;
}

export interface WarnedBooking extends WorkingHours {
  id: string;
  vendorName: string;
  status: BookingStatus;
  certificate: { level: KashrutLevel; expiry: Temporal.PlainDate | null };
}

/** Codes of warnings that are about one booking alone. The other codes are about money, or about several bookings. */
export type BookingConflictCode = Extract<WarningCode, `kashrut_${string}` | 'past_curfew'>;

export interface BookingConflict {
  code: BookingConflictCode;
  booking: WarnedBooking;
}

const SERVE_FOOD = ['catering', 'cakes'];
const MAKE_NOISE = ['dj', 'band'];

/**
 * Conflicts between an event and its bookings, such as a caterer whose kashrut is too lenient; cancelled bookings don't
 * count.
 */
export function findBookingConflicts(
  event: WarnedEvent,
  bookings: readonly WarnedBooking[],
  zone: string,
): BookingConflict[] {
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
): BookingConflictCode[] {
  if (!SERVE_FOOD.includes(kind ?? '') || kashrutLevel === 'none') return [];
  if (level === 'none') return ['kashrut_missing'];
  const findings: BookingConflictCode[] = [];
  if (!meetsLevel(level, kashrutLevel)) findings.push('kashrut_too_low');
  if (date && expiry && !isValidOn(expiry, date.toZonedDateTimeISO(zone).toPlainDate())) {
    findings.push('kashrut_expires');
  }
  return findings;
}

function noiseFindings(
  { date, curfew }: WarnedEvent,
  { kind, endsAt }: WarnedBooking,
  zone: string,
): BookingConflictCode[] {
  if (!MAKE_NOISE.includes(kind ?? '') || !date || !endsAt) return [];
  return Temporal.Instant.compare(endsAt, curfewOf(date, curfew, zone)) > 0 ? ['past_curfew'] : [];
}

/** Booking of the same vendor for another event; `title` is null if the caller may not read that event. */
export interface OtherBooking {
  title: string | null;
  event: EventTime;
  booking: WorkingHours;
}

export interface DoubleBooking<B> {
  booking: B;
  /**
   * Event of the second booking that the vendor has for these hours: `here` if both bookings are for the same event.
   * The title is null if the caller may not read that event.
   */
  also: 'here' | { title: string | null };
}

/** Bookings of an event whose vendor is also booked elsewhere for the same hours. */
export function doubleBookings<B extends WarnedBooking>(
  event: WarnedEvent,
  bookings: readonly B[],
  elsewhere: readonly OtherBooking[],
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

/** Kinds of vendors who are present during the whole event, even if their booking records no hours. */
const PRESENT_KINDS = [
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

/** Period of time. Its ends are milliseconds since 1970, because numbers are fast to compare. */
interface Hours {
  from: number;
  until: number;
}

/**
 * Working hours of a vendor: the hours agreed in the booking, else those of the event; undefined if neither is known.
 */
function hoursOf(
  { kind, startsAt, endsAt }: WorkingHours,
  { date, lastsMinutes }: EventTime,
): Hours | undefined {
  if (!startsAt && !endsAt && !PRESENT_KINDS.includes(kind ?? '')) return undefined;
  const from = startsAt ?? date;
  const until = endsAt ?? date?.add({ minutes: lastsMinutes });
  if (!from || !until) return undefined;
  return { from: from.epochMilliseconds, until: until.epochMilliseconds };
}

function overlap(one: Hours, other: Hours): boolean {
  return one.from < other.until && other.from < one.until;
}

/** Bookings for which more was paid than their price, for instance because fewer people come than expected. */
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

/**
 * Maximum number of days for which the calendar is asked whether banks are open; payments on later days are not
 * checked. Each checked day takes processor time, during which the server responds to nobody.
 */
const MOST_DAYS = 400;

/** Unpaid payments that are due, today or later, on a day when banks are closed. */
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
