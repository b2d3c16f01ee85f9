import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { erasureDay, isDue } from './rules.ts';

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => Temporal.PlainDate.from(date.toISOString().slice(0, 10)));
const days = fc.nat(4000);

test('0 means the day after, and a year is a year after the event’s own day', () => {
  const event = Temporal.PlainDate.from('2027-06-15');
  assert.equal(erasureDay(event, 0)?.toString(), '2027-06-16');
  assert.equal(erasureDay(event, 1)?.toString(), '2027-06-17');
  assert.equal(isDue(event, 0, event), false);
  assert.equal(isDue(event, 0, event.add({ days: 1 })), true);
});

test('data is due from its day on, not a day earlier', () => {
  fc.assert(
    fc.property(day, days, (event, retention) => {
      const on = erasureDay(event, retention);
      assert.ok(on);
      assert.equal(isDue(event, retention, on), true);
      assert.equal(isDue(event, retention, on.subtract({ days: 1 })), false);
    }),
  );
});

test('more days never mean sooner, and what is due stays due', () => {
  fc.assert(
    fc.property(day, days, fc.nat(400), day, (event, retention, more, today) => {
      if (isDue(event, retention + more, today)) assert.ok(isDue(event, retention, today));
      if (isDue(event, retention, today)) assert.ok(isDue(event, retention, today.add({ days: more })));
    }),
  );
});

test('a policy of two billion days is never, not an error', () => {
  const event = Temporal.PlainDate.from('2027-06-15');
  assert.equal(erasureDay(event, 2 ** 31 - 1), null);
  assert.equal(isDue(event, 2 ** 31 - 1, event.add({ years: 1000 })), false);
});
