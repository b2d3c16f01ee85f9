import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KASHRUT_LEVELS } from '../events/fields.ts';
import { curfewOf } from './curfew.ts';
import type { BookingStatus } from './fields.ts';
import { isValidOn, meetsLevel } from './kashrut.ts';
import {
  closedDayPayments,
  doubleBookings,
  findBookingConflicts,
  type OtherBooking,
  paidAbovePrice,
  type WarnedBooking,
  type WarnedEvent,
} from './warnings.ts';

const ZONE = 'Asia/Jerusalem';
const level = fc.constantFrom(...KASHRUT_LEVELS);
const instant = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).toInstant();

test('levels of kashrut are a total order from none up to chalav_yisrael', () => {
  fc.assert(
    fc.property(level, level, level, (a, b, c) => {
      assert.ok(meetsLevel(a, a));
      assert.ok(meetsLevel(a, b) || meetsLevel(b, a));
      if (meetsLevel(a, b) && meetsLevel(b, a)) assert.equal(a, b);
      if (meetsLevel(a, b) && meetsLevel(b, c)) assert.ok(meetsLevel(a, c));
      assert.ok(meetsLevel(a, 'none') && meetsLevel('chalav_yisrael', a));
    }),
  );
  assert.ok(!meetsLevel('regular', 'mehadrin'));
});

test('a certificate is valid through its last day', () => {
  const day = Temporal.PlainDate.from('2027-06-15');
  assert.deepEqual(
    [-1, 0, 1].map((days) => isValidOn(day.add({ days }), day)),
    [false, true, true],
  );
});

test('the curfew is of the night the event belongs to', () => {
  const curfew = (start: string, time: string) =>
    curfewOf(instant(start), time, ZONE).toZonedDateTimeISO(ZONE).toPlainDateTime().toString();
  assert.equal(curfew('2027-06-15T19:30', '23:00'), '2027-06-15T23:00:00');
  assert.equal(curfew('2027-06-15T19:30', '01:00'), '2027-06-16T01:00:00');
  assert.equal(curfew('2027-06-16T00:30', '23:00'), '2027-06-15T23:00:00');
  assert.equal(curfew('2027-06-15T10:00', '23:00'), '2027-06-15T23:00:00');
  assert.equal(curfew('2027-06-15T23:30', '23:00'), '2027-06-15T23:00:00');
});

test('the curfew lies within a day of the start, at its own hour, over clock changes too', () => {
  const start = fc
    .date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()));
  // 02:00–02:59 does not exist on the night the clocks go forward.
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .filter(([hour]) => hour !== 2)
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  fc.assert(
    fc.property(start, time, (from, curfew) => {
      const at = curfewOf(from, curfew, ZONE);
      assert.equal(at.toZonedDateTimeISO(ZONE).toPlainTime().toString().slice(0, 5), curfew);
      assert.ok(Math.abs(at.since(from).total('hours')) <= 25);
    }),
  );
});

const event: WarnedEvent = {
  date: instant('2027-06-15T19:30'),
  lastsMinutes: 300,
  kashrutLevel: 'mehadrin',
  curfew: '23:00',
};
const caterer: WarnedBooking = {
  id: '1',
  vendorId: '2',
  vendorName: 'הגפן',
  kind: 'catering',
  status: 'confirmed',
  startsAt: null,
  endsAt: null,
  certificate: { level: 'mehadrin', expiry: Temporal.PlainDate.from('2027-06-15') },
};
const codes = (of: WarnedEvent, ...bookings: WarnedBooking[]) =>
  findBookingConflicts(of, bookings, ZONE).map(({ code }) => code);

test('a caterer needs a certificate that is high and long enough', () => {
  const with_ = (certificate: Partial<WarnedBooking['certificate']>) => ({
    ...caterer,
    certificate: { ...caterer.certificate, ...certificate },
  });
  assert.deepEqual(codes(event, caterer), []);
  assert.deepEqual(codes(event, with_({ level: 'none' })), ['kashrut_missing']);
  assert.deepEqual(codes(event, with_({ level: 'regular' })), ['kashrut_too_low']);
  const lapsed = { expiry: Temporal.PlainDate.from('2027-06-14') };
  assert.deepEqual(codes(event, with_(lapsed)), ['kashrut_expires']);
  assert.deepEqual(codes(event, with_({ level: 'regular', ...lapsed })), [
    'kashrut_too_low',
    'kashrut_expires',
  ]);
  assert.deepEqual(codes({ ...event, kashrutLevel: 'none' }, with_({ level: 'none' })), []);
  assert.deepEqual(codes(event, { ...with_({ level: 'none' }), status: 'cancelled' }), []);
  assert.deepEqual(codes(event, { ...with_({ level: 'none' }), kind: 'flowers' }), []);
  assert.deepEqual(codes({ ...event, date: null }, with_(lapsed)), []);
});

test('music may go on to the curfew and not a minute longer', () => {
  const dj = (endsAt: string): WarnedBooking => ({ ...caterer, kind: 'dj', endsAt: instant(endsAt) });
  assert.deepEqual(codes(event, dj('2027-06-15T23:00')), []);
  assert.deepEqual(codes(event, dj('2027-06-15T23:01')), ['past_curfew']);
  assert.deepEqual(codes(event, dj('2027-06-16T00:30')), ['past_curfew']);
  assert.deepEqual(codes({ ...event, curfew: '01:00' }, dj('2027-06-16T00:30')), []);
  assert.deepEqual(codes({ ...event, date: null }, dj('2027-06-16T00:30')), []);
  assert.deepEqual(codes(event, { ...dj('2027-06-16T00:30'), kind: 'rabbi' }), []);
});

test('a payment due when banks are closed is told until its day is over, paid or cancelled', () => {
  const booking = (payment: object, status: BookingStatus = 'pending') => ({
    status,
    payments: [{ id: '1', amount: 1n, dueDate: '2027-10-11', paidDate: null, ...payment }],
  });
  const told = (one: ReturnType<typeof booking>, today = '2027-10-01') =>
    closedDayPayments([one], today).map(({ dueDate, closure, lastWorkingDay }) => [
      dueDate,
      closure.occasion,
      lastWorkingDay,
    ]);
  const yomKippur = ['2027-10-11', 'yom_kippur', '2027-10-07'];
  assert.deepEqual(told(booking({})), [yomKippur]);
  assert.deepEqual(told(booking({}), '2027-10-11'), [yomKippur]);
  assert.deepEqual(told(booking({}), '2027-10-12'), [], 'it is overdue then');
  assert.deepEqual(told(booking({ paidDate: '2027-10-10' })), []);
  assert.deepEqual(told(booking({ dueDate: null })), []);
  assert.deepEqual(told(booking({ dueDate: '2027-10-15' })), [], 'a Friday');
  assert.deepEqual(told(booking({}, 'cancelled')), []);
});

test('a vendor is told of who has another booking at the same hours, here or elsewhere', () => {
  const dj: WarnedBooking = { ...caterer, id: 'dj', kind: 'dj', vendorId: 'avi' };
  const at = (date: string, work: Partial<OtherBooking['booking']> = {}): OtherBooking => ({
    title: date,
    event: { date: instant(date), lastsMinutes: 300 },
    booking: { vendorId: 'avi', kind: 'dj', startsAt: null, endsAt: null, ...work },
  });
  const told = (bookings: WarnedBooking[], elsewhere: OtherBooking[] = []) =>
    doubleBookings(event, bookings, elsewhere).map(({ booking, also }) => [
      booking.id,
      also === 'here' ? also : also.title,
    ]);
  assert.deepEqual(told([dj], [at('2027-06-15T20:00')]), [['dj', '2027-06-15T20:00']]);
  assert.deepEqual(told([dj], [at('2027-06-16T00:30'), at('2027-06-15T10:00')]), [], 'one after the other');
  assert.deepEqual(told([dj], [at('2027-06-15T20:00', { vendorId: 'other' })]), []);
  assert.deepEqual(told([{ ...dj, status: 'cancelled' }], [at('2027-06-15T20:00')]), []);
  const early = { startsAt: instant('2027-06-15T10:00'), endsAt: instant('2027-06-15T19:30') };
  assert.deepEqual(told([dj], [at('2027-06-15T20:00', early)]), [], 'their own hours count');
  assert.deepEqual(told([dj, { ...dj, id: 'again' }]), [['again', 'here']]);
  assert.deepEqual(told([dj, { ...dj, id: 'morning', ...early }]), []);
  const flowers = { ...dj, kind: 'flowers' };
  assert.deepEqual(told([flowers], [at('2027-06-15T20:00', { kind: 'flowers' })]), [], 'they come and go');
  assert.deepEqual(
    told([
      { ...dj, vendorId: null },
      { ...dj, vendorId: null },
    ]),
    [],
  );
});

test('more paid than a booking comes to is told, and what is only due is not', () => {
  const booking = (paid: bigint, price: bigint | null, status: BookingStatus = 'confirmed') => ({
    status,
    price,
    payments: [
      { id: '1', amount: paid, dueDate: null, paidDate: '2027-01-01' },
      { id: '2', amount: 100n, dueDate: '2027-06-01', paidDate: null },
    ],
  });
  const those = [booking(10n, 10n), booking(11n, 10n), booking(11n, null), booking(11n, 10n, 'cancelled')];
  assert.deepEqual(paidAbovePrice(those), [those[1]]);
});
