import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PlannedBooking, summarizeBudget } from './budget.ts';
import { BOOKING_STATUSES, VENDOR_KINDS } from './fields.ts';
import { parseAgorot, toShekels } from './money.ts';

const TODAY = '2027-01-10';

const agorotAmount = fc.bigInt({ min: 0n, max: 10n ** 9n });
const dayText = fc
  .date({ min: new Date('2026-12-01'), max: new Date('2027-02-20'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const booking: fc.Arbitrary<PlannedBooking> = fc.record({
  id: fc.uuid(),
  vendorName: fc.string(),
  kind: maybe(fc.constantFrom(...VENDOR_KINDS)),
  status: fc.constantFrom(...BOOKING_STATUSES),
  price: maybe(agorotAmount),
  payments: fc.array(
    fc.record({ id: fc.uuid(), amount: agorotAmount, dueDate: maybe(dayText), paidDate: maybe(dayText) }),
    {
      maxLength: 4,
    },
  ),
});
const bookings = fc.array(booking, { maxLength: 12 });

const inAgorot = (amount: number) => BigInt(Math.round(amount * 100));

test('money goes through text and back, exact to the agora', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (amount) => {
      const text = `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
      assert.equal(parseAgorot(text), amount);
      assert.equal(toShekels(amount), Number(text));
    }),
  );
  assert.equal(parseAgorot('-0.05'), -5n);
  assert.throws(() => parseAgorot('1e3'));
});

test('sums are exact where floating point is not', () => {
  const tenth = { ...sample('confirmed', 10n) };
  const { booked } = summarizeBudget(null, [tenth, { ...tenth, price: 20n }], TODAY);
  assert.equal(booked, 0.3);
});

test('the parts by kind add up to the whole', () => {
  fc.assert(
    fc.property(maybe(agorotAmount), bookings, (budget, all) => {
      const view = summarizeBudget(budget, all, TODAY);
      for (const name of ['planned', 'booked', 'paid'] as const) {
        const parts = view.by_kind.reduce((sum, part) => sum + inAgorot(part[name]), 0n);
        assert.equal(parts, inAgorot(view[name]), name);
      }
      assert.ok(view.booked <= view.planned);
      if (budget !== null && view.left !== null) {
        assert.equal(inAgorot(view.left) + inAgorot(view.booked), budget);
        assert.equal(view.over_budget, view.left < 0);
      }
    }),
  );
});

test('the order of bookings changes no sum, and a cancelled one adds only what was paid', () => {
  fc.assert(
    fc.property(bookings, (all) => {
      const { due_next: _, ...view } = summarizeBudget(1_000_000n, all, TODAY);
      const { due_next: __, ...reversed } = summarizeBudget(1_000_000n, all.toReversed(), TODAY);
      assert.deepEqual(reversed, view);
      const cancelled = all.map((one) => ({ ...one, status: 'cancelled' as const }));
      const after = summarizeBudget(1_000_000n, cancelled, TODAY);
      assert.deepEqual(
        [after.planned, after.booked, after.paid, after.owed, after.due_next],
        [0, 0, view.paid, 0, null],
      );
    }),
  );
});

test('due next is the earliest unpaid payment, overdue what should have been paid before today', () => {
  fc.assert(
    fc.property(bookings, (all) => {
      const open = all
        .filter(({ status }) => status !== 'cancelled')
        .flatMap(({ payments }) => payments)
        .filter(({ dueDate, paidDate }) => dueDate !== null && paidDate === null);
      const view = summarizeBudget(null, all, TODAY);
      const dates = open.map(({ dueDate }) => dueDate ?? '').sort();
      assert.equal(view.due_next?.due_date, dates[0]);
      const late = open.filter(({ dueDate }) => (dueDate ?? '') < TODAY);
      assert.equal(
        inAgorot(view.overdue),
        late.reduce((sum, { amount }) => sum + amount, 0n),
      );
      assert.equal(view.due_next?.overdue ?? false, late.length > 0);
    }),
  );
});

test('paying a deposit leaves the rest owed, paying too much owes nothing', () => {
  const paid = (amount: bigint) => [{ id: '1', amount, dueDate: null, paidDate: TODAY }];
  const owed = (payments: PlannedBooking['payments']) =>
    summarizeBudget(null, [{ ...sample('confirmed', 1000n), payments }], TODAY).owed;
  assert.equal(owed(paid(250n)), 7.5);
  assert.equal(owed(paid(2000n)), 0);
});

function sample(status: PlannedBooking['status'], price: bigint): PlannedBooking {
  return { id: '1', vendorName: 'א', kind: 'dj', status, price, payments: [] };
}
