import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isSameTimeAndPlace,
  outdatedPeriods,
  type TimeAndPlace,
  type TimeAndPlaceChange,
  timeAndPlaceAt,
} from './time-and-place.ts';

/** History of one event: its first state, and changes, each at a later millisecond. */
const histories = fc
  .array(
    fc.record({
      field: fc.constantFrom('event_date', 'venue_name', 'venue_address'),
      to: fc.constantFrom('a', 'b', 'c'),
      later: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 8 },
  )
  .map((changes) => {
    const first: TimeAndPlace = { event_date: 'a', venue_name: 'a', venue_address: 'a' };
    const states = [{ at: 1, state: first }];
    const moves: TimeAndPlaceChange[] = [];
    for (const { field, to, later } of changes) {
      const last = states.at(-1) ?? { at: 1, state: first };
      const at = last.at + later;
      const from = (last.state as unknown as Record<string, string>)[field];
      if (from === to) continue;
      moves.push({ at, changes: { [field]: { from, to } } });
      states.push({ at, state: { ...last.state, [field]: to } });
    }
    return { states, moves };
  });

test('what was so at any time is known from what stands now and the history', () => {
  fc.assert(
    fc.property(histories, ({ states, moves }) => {
      const now = states.at(-1)?.state as TimeAndPlace;
      for (const { at, state } of states) assert.deepEqual(timeAndPlaceAt(now, moves, at), state);
    }),
  );
});

test('whoever was told something else than what holds is in a time that is outdated, and nobody else', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 45 }), ({ states, moves }, at) => {
      const now = states.at(-1)?.state as TimeAndPlace;
      const told = states.findLast((one) => one.at <= at)?.state as TimeAndPlace;
      const isOutdated = outdatedPeriods(now, moves).some(({ since, until }) => at >= since && at < until);
      assert.equal(isOutdated, !isSameTimeAndPlace(told, now));
    }),
  );
});
