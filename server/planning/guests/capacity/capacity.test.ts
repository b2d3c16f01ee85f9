import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  allocatePlaces,
  bindingPlusOnes,
  choosePromoted,
  type FreePlaces,
  FULL,
  hasPlacesFor,
  type InvitedParty,
  largestPartyThatFits,
  type PlaceCount,
  placesGranted,
  placesLeft,
  placesNeeded,
  placesTaken,
  plusOnesAllowed,
  type RsvpState,
  subtractPlaces,
} from './capacity.ts';

interface Guest extends RsvpState {
  name: number;
  order: number;
}

const limits = fc.record({
  max_guests: fc.option(fc.integer({ min: 1, max: 12 })),
  venue_capacity: fc.option(fc.integer({ min: 1, max: 12 })),
  max_plus_ones_buffer: fc.integer({ min: 0, max: 5 }),
  plus_ones_each: fc.option(fc.integer({ min: 0, max: 3 })),
});
const action = fc.record({
  guest: fc.nat(7),
  rsvp_status: fc.constantFrom(
    'confirmed' as const,
    'confirmed' as const,
    'pending' as const,
    'declined' as const,
  ),
  coming: fc.integer({ min: 1, max: 6 }),
});
const parties = fc.array(
  fc.record({
    party_size: fc.integer({ min: 1, max: 4 }),
    max_plus_ones: fc.option(fc.integer({ min: 0, max: 3 })),
  }),
  { minLength: 8, maxLength: 8 },
);
/** Guest without a limit of their own for plus-ones. */
const anybody = { max_plus_ones: null };
/** Free places of an event without a limit of plus-ones for each guest. */
const free = (people: number, plusOnes: number): FreePlaces => ({ people, plusOnes, plusOnesEach: null });

/** Event in memory that allocates places as allocation.ts and waiting-list.ts do. */
function testEvent(invited: InvitedParty[], limit: Parameters<typeof placesLeft>[0]) {
  const guests: Guest[] = invited.map((party, name) => ({
    name,
    ...party,
    coming: 0,
    rsvp_status: 'pending',
    waiting: false,
    order: 0,
  }));
  let turn = 0;
  const sum = (count: (used: PlaceCount) => number) =>
    guests
      .map(placesTaken)
      .map(count)
      .reduce((a, b) => a + b, 0);
  const places = (): FreePlaces =>
    placesLeft({ ...limit, people: sum((used) => used.people), plus_ones: sum((used) => used.plusOnes) });
  const line = () => guests.filter(({ waiting }) => waiting).sort((a, b) => a.order - b.order);
  const answer = ({
    guest,
    ...request
  }: {
    guest: number;
    rsvp_status: Guest['rsvp_status'];
    coming: number;
  }) => {
    const one = guests[guest] as Guest;
    const state = allocatePlaces(one, request, one, places());
    if (state === FULL) return { full: true, promoted: [] };
    if (state.waiting && !one.waiting) one.order = ++turn;
    Object.assign(one, state);
    const { promoted } = choosePromoted(places(), line());
    for (const { name, coming } of promoted) {
      Object.assign(guests[name] as Guest, { rsvp_status: 'confirmed', waiting: false, coming });
    }
    return { full: false, promoted };
  };
  return { guests, places, line, answer };
}

test('whatever people answer, nobody sits where there is no place and nobody waits who would fit', () => {
  fc.assert(
    fc.property(parties, limits, fc.array(action, { maxLength: 40 }), (sizes, limit, actions) => {
      const event = testEvent(sizes, { ...limit, people: 0, plus_ones: 0, held: 0 });
      for (const one of actions) {
        event.answer(one);
        const left = event.places();
        assert.ok(left.people >= 0, `${left.people} places left`);
        assert.ok(left.plusOnes >= 0, `${left.plusOnes} plus-ones left`);
        for (const guest of event.line()) {
          assert.equal(guest.rsvp_status, 'pending');
          assert.equal(placesGranted(left, guest), 0, 'somebody waits who would fit');
        }
        for (const guest of event.guests) {
          if (guest.rsvp_status === 'declined') assert.equal(guest.coming, 0);
          if (guest.rsvp_status !== 'confirmed') continue;
          const more = guest.coming - guest.party_size;
          const may = guest.max_plus_ones ?? limit.plus_ones_each ?? more;
          assert.ok(more <= may, 'somebody brings more than they may');
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('those who wait for the same number of places move up in the order they came', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 3 }), (people, coming) => {
      const line = Array.from({ length: 8 }, (_, order) => ({ order, ...anybody, party_size: 3, coming }));
      const { promoted, places } = choosePromoted(free(people, 0), line);
      assert.deepEqual(
        promoted.map(({ order }) => order),
        line.slice(0, Math.floor(people / coming)).map(({ order }) => order),
      );
      assert.equal(places.people, people - promoted.length * coming);
    }),
  );
});

test('a party too large for what is left keeps its turn and lets smaller ones pass', () => {
  const line = [
    { name: 'large', ...anybody, party_size: 4, coming: 4 },
    { name: 'small', ...anybody, party_size: 1, coming: 1 },
  ];
  assert.deepEqual(
    choosePromoted(free(2, 0), line).promoted.map(({ name }) => name),
    ['small'],
  );
});

test('whoever has places keeps them when there is no room for more, and can give some back even at an overbooked event', () => {
  const party = { ...anybody, party_size: 2 };
  const seated: RsvpState = { rsvp_status: 'confirmed', waiting: false, ...party, coming: 3 };
  const overfull = free(-2, -1);
  assert.equal(allocatePlaces(seated, { rsvp_status: 'confirmed', coming: 4 }, party, overfull), FULL);
  const smaller = allocatePlaces(seated, { rsvp_status: 'confirmed', coming: 2 }, party, overfull);
  assert.deepEqual(smaller, { ...seated, coming: 2 });
  const again = allocatePlaces(seated, { rsvp_status: 'confirmed', coming: 3 }, party, overfull);
  assert.deepEqual(again, seated);
});

test('an invited party needs nothing of the plus-ones', () => {
  assert.ok(hasPlacesFor(free(2, -3), { ...anybody, party_size: 2, coming: 2 }));
  assert.ok(!hasPlacesFor(free(9, 0), { ...anybody, party_size: 2, coming: 3 }));
  assert.deepEqual(placesNeeded({ party_size: 2, coming: 5 }), { people: 5, plusOnes: 3 });
  assert.deepEqual(subtractPlaces(free(5, 3), { people: 2, plusOnes: 1 }), free(3, 2));
});

test('a family keeps its places where there are none for the ones it would bring', () => {
  const family = { party_size: 12, max_plus_ones: null };
  const nobody: RsvpState = { rsvp_status: 'pending', waiting: false, ...family, coming: 0 };
  const yes = { rsvp_status: 'confirmed', coming: 13 } as const;
  const usedUp = free(378, 0);
  assert.deepEqual(allocatePlaces(nobody, yes, family, usedUp), {
    ...nobody,
    rsvp_status: 'confirmed',
    coming: 12,
  });
  assert.equal(largestPartyThatFits(usedUp, family), 12);
  // Eleven places are not enough for a family of twelve: invitations are not split.
  const waits = allocatePlaces(nobody, yes, family, free(11, 9));
  assert.deepEqual(waits, { ...nobody, waiting: true, coming: 13 });
  assert.equal(largestPartyThatFits(free(11, 9), family), 11);
  // A waiting party that asked for more people than fit is promoted without the additional ones.
  const { promoted, places } = choosePromoted(free(12, 0), [{ ...family, coming: 13 }]);
  assert.deepEqual([promoted[0]?.coming, places.people], [12, 0]);
});

test('one guest brings no more than they may, whatever the event has room for, unless the organizer knows', () => {
  const couple = { party_size: 2, max_plus_ones: 1 };
  const nobody: RsvpState = { rsvp_status: 'pending', waiting: false, ...couple, coming: 0 };
  const places = free(400, 20);
  assert.equal(largestPartyThatFits(places, couple), 3);
  const yes = (coming: number, over_limit = false) =>
    allocatePlaces(nobody, { rsvp_status: 'confirmed', coming, over_limit }, couple, places);
  assert.deepEqual(
    [yes(3), yes(22), yes(22, true)].map((state) => state !== FULL && state.coming),
    [3, 2, 22],
  );
  const full = free(0, 0);
  const known = allocatePlaces(
    nobody,
    { rsvp_status: 'confirmed', coming: 2, over_limit: true },
    couple,
    full,
  );
  assert.equal(known !== FULL && known.rsvp_status, 'confirmed');
});

test('the limit of plus-ones is the guest’s own, else the event’s for each guest, else what is free', () => {
  for (const [own, each, allowed, largest] of [
    [null, null, null, 7],
    [null, 0, 0, 2],
    [null, 1, 1, 3],
    [null, 9, 9, 7],
    [0, 1, 0, 2],
    [3, 1, 3, 5],
    [3, null, 3, 5],
    [9, 0, 9, 7],
  ] as const) {
    const couple = { party_size: 2, max_plus_ones: own };
    const places = { people: 50, plusOnes: 5, plusOnesEach: each };
    const row = `own ${own}, each ${each}`;
    assert.equal(plusOnesAllowed(couple, each), allowed, row);
    assert.equal(largestPartyThatFits(places, couple), largest, row);
    assert.ok(hasPlacesFor(places, { ...couple, coming: largest }), row);
    assert.ok(!hasPlacesFor(places, { ...couple, coming: largest + 1 }), row);
    assert.equal(placesGranted(places, { ...couple, coming: largest + 1 }), 2, row);
    // With limits of 9, the five free plus-ones are fewer.
    assert.equal(bindingPlusOnes(largest, couple, each), allowed === 9 ? null : allowed, row);
  }
});

test('guests keep the places that they got before a lower limit, and cannot get more', () => {
  const party = { party_size: 2, max_plus_ones: null };
  const came: RsvpState = { rsvp_status: 'confirmed', waiting: false, ...party, coming: 5 };
  const places = { people: 50, plusOnes: 20, plusOnesEach: 1 };
  const asking = (coming: number) =>
    allocatePlaces(came, { rsvp_status: 'confirmed', coming }, party, places);
  assert.deepEqual(asking(5), came);
  assert.equal(asking(6), FULL);
  assert.deepEqual(asking(4), { ...came, coming: 4 });
});
