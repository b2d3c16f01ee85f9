import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  FULL,
  fits,
  judge,
  movingUp,
  needs,
  type Room,
  roomLeft,
  type Standing,
  taken,
  without,
} from './room.ts';

interface Guest extends Standing {
  name: number;
  order: number;
}

const limits = fc.record({
  max_guests: fc.option(fc.integer({ min: 1, max: 12 })),
  venue_capacity: fc.option(fc.integer({ min: 1, max: 12 })),
  max_plus_ones_buffer: fc.integer({ min: 0, max: 5 }),
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
const parties = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 });

/** An event in memory that answers as seating.ts does. */
function hall(sizes: number[], limit: Parameters<typeof roomLeft>[0]) {
  const guests: Guest[] = sizes.map((party_size, name) => ({
    name,
    party_size,
    coming: 0,
    rsvp_status: 'pending',
    waiting: false,
    order: 0,
  }));
  let turn = 0;
  const sum = (count: (used: Room) => number) =>
    guests
      .map(taken)
      .map(count)
      .reduce((a, b) => a + b, 0);
  const room = (): Room =>
    roomLeft({ ...limit, people: sum((used) => used.people), plus_ones: sum((used) => used.plusOnes) });
  const line = () => guests.filter(({ waiting }) => waiting).sort((a, b) => a.order - b.order);
  const answer = ({
    guest,
    ...wish
  }: {
    guest: number;
    rsvp_status: Guest['rsvp_status'];
    coming: number;
  }) => {
    const one = guests[guest] as Guest;
    const verdict = judge(one, wish, one.party_size, room());
    if (verdict === FULL) return { full: true, moved: [] };
    if (verdict.waiting && !one.waiting) one.order = ++turn;
    Object.assign(one, verdict);
    const { moved } = movingUp(room(), line());
    for (const up of moved) Object.assign(up, { rsvp_status: 'confirmed', waiting: false });
    return { full: false, moved };
  };
  return { guests, room, line, answer };
}

test('whatever people answer, nobody sits where there is no place and nobody waits who would fit', () => {
  fc.assert(
    fc.property(parties, limits, fc.array(action, { maxLength: 40 }), (sizes, limit, actions) => {
      const event = hall(sizes, { ...limit, people: 0, plus_ones: 0 });
      for (const one of actions) {
        event.answer(one);
        const left = event.room();
        assert.ok(left.people >= 0, `${left.people} places left`);
        assert.ok(left.plusOnes >= 0, `${left.plusOnes} plus-ones left`);
        for (const guest of event.line()) {
          assert.equal(guest.rsvp_status, 'pending');
          assert.ok(!fits(left, guest), 'somebody waits who would fit');
        }
        for (const guest of event.guests) {
          if (guest.rsvp_status === 'declined') assert.equal(guest.coming, 0);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('those who wait for the same number of places move up in the order they came', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 3 }), (people, coming) => {
      const line = Array.from({ length: 8 }, (_, order) => ({ order, party_size: 3, coming }));
      const { moved, room } = movingUp({ people, plusOnes: 0 }, line);
      assert.deepEqual(
        moved.map(({ order }) => order),
        line.slice(0, Math.floor(people / coming)).map(({ order }) => order),
      );
      assert.equal(room.people, people - moved.length * coming);
    }),
  );
});

test('a party too large for what is left keeps its turn and lets smaller ones pass', () => {
  const line = [
    { name: 'large', party_size: 4, coming: 4 },
    { name: 'small', party_size: 1, coming: 1 },
  ];
  assert.deepEqual(
    movingUp({ people: 2, plusOnes: 0 }, line).moved.map(({ name }) => name),
    ['small'],
  );
});

test('whoever has places keeps them when there is no room for more, and can give some back even in an overfull hall', () => {
  const seated: Standing = { rsvp_status: 'confirmed', waiting: false, party_size: 2, coming: 3 };
  const overfull = { people: -2, plusOnes: -1 };
  assert.equal(judge(seated, { rsvp_status: 'confirmed', coming: 4 }, 2, overfull), FULL);
  const smaller = judge(seated, { rsvp_status: 'confirmed', coming: 2 }, 2, overfull);
  assert.deepEqual(smaller, { ...seated, coming: 2 });
  const again = judge(seated, { rsvp_status: 'confirmed', coming: 3 }, 2, overfull);
  assert.deepEqual(again, seated);
});

test('an invited party needs nothing of the plus-ones', () => {
  assert.ok(fits({ people: 2, plusOnes: -3 }, { party_size: 2, coming: 2 }));
  assert.ok(!fits({ people: 9, plusOnes: 0 }, { party_size: 2, coming: 3 }));
  assert.deepEqual(needs({ party_size: 2, coming: 5 }), { people: 5, plusOnes: 3 });
  assert.deepEqual(without({ people: 5, plusOnes: 3 }, { people: 2, plusOnes: 1 }), {
    people: 3,
    plusOnes: 2,
  });
});
