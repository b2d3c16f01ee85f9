import type { Booking, BookingChanges } from 'simcha-client';
import { dayAfter, dayOf, timeOfDay } from '../../../lib/dates.ts';

/** What was agreed with a vendor, as a form has it: days and times apart, and nothing typed is ''. */
export type BookingValues = {
  status: Booking['status'];
  pricing: 'fixed' | 'plate';
  price: number | string;
  price_per_plate: number | string;
  plates: number | string;
  minimum_plates: number | string;
  deposit: number | string;
  /** When the work begins; when it ends, where no beginning is known. */
  day: string | null;
  from: string;
  until: string;
  /** Of the end, where it is not `day` or, for an earlier hour, the day after. */
  until_day: string | null;
  note: string;
};

export const emptyBooking: BookingValues = {
  status: 'pending',
  pricing: 'fixed',
  price: '',
  price_per_plate: '',
  plates: '',
  minimum_plates: '',
  deposit: '',
  day: null,
  from: '',
  until: '',
  until_day: null,
  note: '',
};

/** `eventDay`: on which the hours are, where nothing is known of them yet. */
export function valuesOf(booking: Booking, eventDay: string | null): BookingValues {
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

/** Work that ends at an earlier hour than it begins goes on past midnight. */
export function usualEnd({ day, from, until }: Pick<BookingValues, 'day' | 'from' | 'until'>): string | null {
  if (!day || !until) return null;
  return from && until <= from ? dayAfter(day, 1) : day;
}

const given = (value: number | string): number | null => (value === '' ? null : Number(value));

/** All that the form says, for the API. Without an offset it is wall time in Israel. */
export function bodyOf(values: BookingValues) {
  const { day, from, until, until_day: untilDay, pricing } = values;
  const isByPlate = pricing === 'plate';
  const endsOn = untilDay ?? usualEnd(values);
  return {
    status: values.status,
    price: given(values.price),
    price_per_plate: isByPlate ? given(values.price_per_plate) : null,
    plates: isByPlate ? given(values.plates) : null,
    minimum_plates: isByPlate ? given(values.minimum_plates) : null,
    deposit: given(values.deposit),
    starts_at: day && from ? `${day}T${from}` : null,
    ends_at: endsOn && until ? `${endsOn}T${until}` : null,
    note: values.note.trim() || null,
  };
}

/** What a form changes of what it was made of; what is the same is not sent, so that it can't undo somebody else's change. */
export function changesOf(values: BookingValues, before: BookingValues): BookingChanges {
  const same = bodyOf(before);
  const changed = Object.entries(bodyOf(values)).filter(
    ([name, value]) => value !== same[name as keyof typeof same],
  );
  return Object.fromEntries(changed);
}

/** The field of the form that the server's is. */
export function fieldOfBooking(field: string): string {
  if (field === 'starts_at') return 'from';
  return field === 'ends_at' ? 'until' : field;
}
