import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayAfter, nextTry, TRIED_FOR_HOURS } from './retry-times.ts';

const BEGUN = Temporal.Instant.from('2026-11-29T08:00:00Z');
const giveUpAt = BEGUN.add({ hours: TRIED_FOR_HOURS });

test('delays grow from seconds to hours, and chance only makes them longer', () => {
  const delays = Array.from({ length: 12 }, (_, index) => delayAfter(index + 1, 0));
  assert.deepEqual(
    delays,
    delays.toSorted((one, other) => one - other),
  );
  assert.equal(delays[0], 5_000);
  assert.equal(delays.at(-1), 8 * 3_600_000);
  assert.equal(delayAfter(1, 1), 6_000);
});

test('a delivery is tried for three days, some fifteen times, and no later', () => {
  let at: Temporal.Instant | undefined = BEGUN;
  const times: Temporal.Instant[] = [];
  for (; at; at = nextTry({ tries: times.length, giveUpAt }, at, 0.5)) times.push(at);
  assert.ok(times.length >= 13 && times.length <= 20, String(times.length));
  const last = BEGUN.until(times.at(-1) as Temporal.Instant).total('hours');
  assert.ok(last > 60 && last <= TRIED_FOR_HOURS, String(last));
});

test('a delivery whose time is over is not tried again', () => {
  assert.equal(nextTry({ tries: 1, giveUpAt }, giveUpAt, 0), undefined);
});
