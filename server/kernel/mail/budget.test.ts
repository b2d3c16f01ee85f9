import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { budgetTimes, DAY_MS, earliestTime, forecastOf, requestedTime, requestedTimes } from './budget.ts';

const NOW = 1_000 * DAY_MS;
const LONG_AGO = 0;

test('no window ever has more than the most, however the times came to be', () => {
  const given = fc.record({
    perDay: fc.integer({ min: 1, max: 12 }),
    age: fc.double({ min: 0, max: 3, noNaN: true }),
    delays: fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_MS }), fc.integer({ min: 0, max: 2 * DAY_MS })), {
      maxLength: 60,
    }),
  });
  fc.assert(
    fc.property(given, ({ perDay, age, delays }) => {
      const taken: number[] = [];
      let now = NOW;
      for (const [passed, wait] of delays) {
        now += passed;
        const times = budgetTimes({ perDay, since: NOW - age * DAY_MS, taken, service: 0 }, now);
        // Another rule may delay it further.
        taken.push(times.next() + wait);
        taken.sort((one, other) => one - other);
      }
      for (const [index, time] of taken.entries()) {
        const others = taken.slice(index).filter((other) => other - time < DAY_MS);
        assert.ok(others.length <= perDay, `${others.length} within a day`);
      }
    }),
  );
});

test('the first day has a quarter, and the rest goes when it is over', () => {
  const budget = { perDay: 2000, since: NOW - DAY_MS / 2, taken: [], requested: [], service: 0 };
  const forecast = forecastOf(budget, 600, NOW, Number.POSITIVE_INFINITY);
  assert.deepEqual(forecast, { now: 500, later: 100, last_at: NOW + DAY_MS / 2, beyond: 0 });
});

test('a day’s mails go at once, the next day’s a day later, and what would wait for over a week is not taken', () => {
  const budget = { perDay: 100, since: LONG_AGO, taken: [], requested: [], service: 0 };
  const forecast = forecastOf(budget, 1000, NOW, Number.POSITIVE_INFINITY);
  assert.deepEqual(forecast, { now: 100, later: 700, last_at: NOW + 7 * DAY_MS, beyond: 200 });
  const soon = forecastOf(budget, 1000, NOW, NOW + DAY_MS);
  assert.deepEqual(soon, { now: 100, later: 100, last_at: NOW + DAY_MS, beyond: 800 });
});

test('codes that anybody can ask for take no more than twenty of a day', () => {
  const budget = { perDay: 100, since: LONG_AGO, taken: [], requested: [], service: 3000 };
  assert.equal(forecastOf(budget, 100, NOW, Number.POSITIVE_INFINITY).now, 80);
  assert.equal(forecastOf({ ...budget, service: 5 }, 100, NOW, Number.POSITIVE_INFINITY).now, 95);
});

test('what visitors ask for takes half of a day at most, and of what the sender has taken nothing', () => {
  const gone = (budget: Parameters<typeof requestedTimes>[0]) => {
    const times = requestedTimes(budget, NOW, false);
    let count = 0;
    for (; times.next() <= NOW; count += 1) times.take(NOW);
    return count;
  };
  const budget = { perDay: 100, since: LONG_AGO, taken: [], requested: [], service: 0 };
  assert.equal(gone(budget), 50);
  assert.equal(gone({ ...budget, since: NOW }), 12);
  assert.equal(gone({ ...budget, taken: Array(70).fill(NOW) }), 30);
  const visited = Array(50).fill(NOW);
  assert.equal(gone({ ...budget, taken: visited, requested: visited }), 0);
  assert.equal(forecastOf({ ...budget, taken: visited, requested: visited }, 100, NOW, NOW).now, 50);
});

test('what visitors ask for goes slowly while too much of it is refused', () => {
  const budget = { perDay: 100, since: LONG_AGO, taken: [], requested: [NOW - 60_000], service: 0 };
  const times = requestedTimes(budget, NOW, true);
  const taken = Array.from({ length: 6 }, () => {
    const time = times.next();
    times.take(time);
    return time;
  });
  assert.deepEqual(taken, [NOW, NOW, NOW, NOW, NOW + 3_540_000, NOW + 3_600_000]);
});

test('nothing goes where nothing may', () => {
  assert.equal(earliestTime([], { most: 0, windowMs: 1, now: NOW }), Number.POSITIVE_INFINITY);
});

test('of what one asked for by an own act, the fourth within an hour waits', () => {
  assert.equal(requestedTime([NOW - 30, NOW - 20], 60, NOW), NOW);
  assert.equal(requestedTime([NOW - 30, NOW - 20, NOW - 10], 60, NOW), NOW + 30);
});
