import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyAnswer } from './allocation.ts';
import { eventCapacityOf, FULL, placesLeft, placesTaken } from './capacity.ts';
import { type Hold, holdPlaces, rsvpOfHold } from './hold.ts';

const NOW = Temporal.Instant.from('2027-06-01T10:00Z');
const limits = { max_guests: 10, venue_capacity: null, max_plus_ones_buffer: 0, plus_ones_each: null };
const capacity = (people: number, held = 0, lastInLine = 0) =>
  eventCapacityOf({ ...limits, people, plus_ones: 0, held, waiting: 0, last_in_line: lastInLine });

test('places that are held are free for nobody else', () => {
  for (const [people, held, left] of [
    [0, 0, 10],
    [4, 3, 3],
    [7, 3, 0],
    [10, 2, -2],
  ] as const) {
    assert.equal(placesLeft({ ...limits, people, plus_ones: 0, held }).people, left);
  }
});

test('a registration holds its places, or a turn on the waiting list, which it keeps when it is sent again', () => {
  const table: [wanted: number, people: number, held: number, last: number, turn: number | null, Hold][] = [
    [2, 0, 0, 0, null, { held: 2, waiting_order: null }],
    [2, 6, 2, 0, null, { held: 2, waiting_order: null }],
    [2, 6, 3, 0, null, { held: 2, waiting_order: 1 }],
    [1, 10, 0, 7, null, { held: 1, waiting_order: 8 }],
    [1, 10, 0, 7, 5, { held: 1, waiting_order: 5 }],
    [1, 9, 0, 7, 5, { held: 1, waiting_order: null }],
  ];
  for (const [wanted, people, held, last, turn, hold] of table)
    assert.deepEqual(holdPlaces(wanted, capacity(people, held, last), turn), hold);
});

test('who confirms gets what was held, whatever happened to the limits meanwhile', () => {
  const table: [Hold, people: number, held: number, confirmed: boolean, turn: number | null][] = [
    [{ held: 2, waiting_order: null }, 4, 2, true, null],
    [{ held: 2, waiting_order: null }, 8, 2, true, null],
    [{ held: 2, waiting_order: null }, 12, 2, true, null],
    [{ held: 2, waiting_order: 3 }, 10, 0, false, 3],
  ];
  for (const [hold, people, held, isConfirmed, turn] of table) {
    const answer = { rsvp_status: 'confirmed', coming: hold.held } as const;
    const before = rsvpOfHold(hold);
    assert.deepEqual(placesTaken(before).people, hold.waiting_order === null ? hold.held : 0);
    const details = { party_size: hold.held, max_plus_ones: 0 };
    const applied = applyAnswer(before, { details, answer }, 'open_link', capacity(people, held, 9), NOW);
    assert.ok(applied !== FULL);
    const { rsvp_status, coming, waiting_order } = applied.columns;
    assert.deepEqual(
      [rsvp_status, coming, waiting_order, applied.hasFreedPlaces],
      [isConfirmed ? 'confirmed' : 'pending', hold.held, turn, false],
    );
  }
});
