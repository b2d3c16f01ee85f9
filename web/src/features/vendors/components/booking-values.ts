import type { Booking, BookingChanges } from 'simcha-client';
import { dayAfter, dayOf, timeOfDay } from '../../../lib/dates.ts';

/** Values of the booking form: days and times are separate, and an empty field is ''. */
export type BookingValues = {
  status: Booking['status'];
  pricing: 'fixed' | 'plate';
  price: number | string;
  price_per_plate: number | string;
  price_per_child: number | string;
  plates: number | string;
  minimum_plates: number | string;
  deposit: number | string;
  /** Day on which the vendor's working hours start, or end if the start is unknown. */
  day: string | null;
  from: string;
  until: string;
  /**
   * Day on which the vendor's working hours end. Null if it is the usual day: `day`, or the day after it if the end has
   * an earlier hour than the start.
   */
  until_day: string | null;
  note: string;
};

export const emptyBooking: BookingValues = {
  status: 'pending',
  pricing: 'fixed',
  price: '',
  price_per_plate: '',
  price_per_child: '',
  plates: '',
  minimum_plates: '',
  deposit: '',
  day: null,
  from: '',
  until: '',
  until_day: null,
  note: '',
};

/**
 * Values of the form for a stored booking. `eventDay` is shown as the day of the working hours if the booking has none.
 */
export function bookingValuesOf(booking: Booking, eventDay: string | null): BookingValues {
  const { starts_at: start, ends_at: end } = booking;
  const known = start ?? end;
  const day = known ? dayOf(known) : eventDay;
  const from = start ? timeOfDay(start, 'en') : '';
  const until = end ? timeOfDay(end, 'en') : '';
  const endsOn = end ? dayOf(end) : null;
  const isUsual = endsOn === null || endsOn === usualEnd({ day, from, until });
  return {
    status: booking.status,
    pricing: booking.price_per_plate === null ? 'fixed' : 'plate',
    price: booking.price ?? '',
    price_per_plate: booking.price_per_plate ?? '',
    price_per_child: booking.price_per_child ?? '',
    plates: booking.plates ?? '',
    minimum_plates: booking.minimum_plates ?? '',
    deposit: booking.deposit ?? '',
    day,
    from,
    until,
    until_day: isUsual ? null : endsOn,
    note: booking.note ?? '',
  };
}

/**
 * Usual day on which a vendor's working hours end: the day of the start, or the day after it if the end has no later
 * hour than the start.
 */
export function usualEnd({ day, from, until }: Pick<BookingValues, 'day' | 'from' | 'until'>): string | null {
  if (!day || !until) return null;
  return from && until <= from ? dayAfter(day, 1) : day;
}

const given = (value: number | string): number | null => (value === '' ? null : Number(value));

/** Request body with all values of the booking form. Times without an offset are local time in Israel. */
export function bookingBodyOf(values: BookingValues) {
  const { day, from, until, until_day: untilDay, pricing } = values;
  const isByPlate = pricing === 'plate';
  const endsOn = untilDay ?? usualEnd(values);
  return {
    status: values.status,
    price: given(values.price),
    price_per_plate: isByPlate ? given(values.price_per_plate) : null,
    price_per_child: isByPlate ? given(values.price_per_child) : null,
    plates: isByPlate ? given(values.plates) : null,
    minimum_plates: isByPlate ? given(values.minimum_plates) : null,
    deposit: given(values.deposit),
    starts_at: day && from ? `${day}T${from}` : null,
    ends_at: endsOn && until ? `${endsOn}T${until}` : null,
    note: values.note.trim() || null,
  };
}

/**
 * Fields of the booking form that differ from `before`. Unchanged fields are not sent, so that they can't undo somebody
 * else's change.
 */
export function bookingChangesOf(values: BookingValues, before: BookingValues): BookingChanges {
  const same = bookingBodyOf(before);
  const changed = Object.entries(bookingBodyOf(values)).filter(
    ([name, value]) => value !== same[name as keyof typeof same],
  );
  return Object.fromEntries(changed);
}

/** Name of the booking form's field for a field of the API. */
export function fieldOfBooking(field: string): string {
  if (field === 'starts_at') return 'from';
  return field === 'ends_at' ? 'until' : field;
}
