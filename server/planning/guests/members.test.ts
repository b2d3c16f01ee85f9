import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FieldProblem } from '../../kernel/fields.ts';
import { applyAnswer, guestWithRsvp, UNANSWERED } from './capacity/allocation.ts';
import { DIETS, type Member, NO_DETAILS } from './fields.ts';
import { readGuestChanges } from './input.ts';
import {
  countAfter,
  countMembers,
  fitComing,
  identifyMembers,
  type PartyCount,
  usualChildren,
  usualPeople,
} from './members.ts';

/** Members from words: `a` comes, `-b` does not, `C` is a child; `:` begins the meal. */
function members(words: string): Member[] {
  return words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [, absent, id = '', meal] = /^(-?)(\w+)(?::(\w+))?$/.exec(word) ?? [];
      return {
        id: id.toLowerCase(),
        name: id.toLowerCase(),
        child: id !== id.toLowerCase(),
        meal: (meal as Member['meal']) ?? null,
        allergies: null,
        coming: absent === '',
      };
    });
}

test('a count that the body leaves out follows the members', () => {
  const rows: [PartyCount, number, string, string, number, string][] = [
    ['coming', 4, '', 'a b', 4, 'names for two of four change nothing'],
    ['coming', 1, 'a', 'a b', 2, 'nobody without a name is left to be the second'],
    ['coming', 4, 'a b', 'a', 3, 'one of four is removed'],
    ['coming', 4, 'a b', 'a -b', 3, 'one of four does not come'],
    ['coming', 3, 'a -b', 'a b', 4, 'they come after all'],
    ['coming', 2, 'a b', 'a c', 2, 'one instead of another'],
    ['coming_children', 2, 'a b', 'a B', 2, 'one of two children gets a name'],
    ['coming_children', 0, 'a b', 'a B', 1, 'nobody knew of the child'],
    ['coming_children', 2, 'a B', 'a -B', 1, 'a child stays at home'],
    ['coming_children', 2, 'a B', 'a b', 1, 'it is no child'],
    ['vegan', 1, 'a b', 'a:vegan b', 1, 'the vegan gets a name'],
    ['vegan', 1, 'a:vegan b', 'a:vegan b:vegan', 2, 'one more vegan'],
    ['vegan', 2, 'a:vegan b', 'a:kosher b', 1, 'another meal'],
    ['kosher', 0, 'a:vegan b', 'a:kosher b', 1, 'the other meal'],
    ['vegan', 1, 'a:vegan b', '-a:vegan b', 0, 'the meal of somebody at home'],
  ];
  for (const [count, number, before, after, expected, why] of rows)
    assert.equal(countAfter(count, number, members(before), members(after)), expected, why);
});

test('members fit an answer that gives numbers alone', () => {
  const rows: [string, number, number | undefined, boolean, string][] = [
    ['a b C', 3, undefined, false, 'a b C'],
    ['a b C', 2, undefined, false, 'a b -C'],
    ['a b C', 3, 0, false, 'a b -C'],
    ['a C b', 2, 0, false, 'a -C b'],
    ['a -b C', 2, undefined, true, 'a -b C'],
    ['a -b C', 3, undefined, true, 'a b C'],
    ['a -b', 3, undefined, false, 'a -b'],
    ['', 3, 1, true, ''],
  ];
  for (const [before, coming, children, isRaised, after] of rows)
    assert.deepEqual(fitComing(members(before), { coming, children, isRaised }), members(after), before);
});

test('a yes without numbers is for the party without members who do not come', () => {
  const rows: [number, string, number][] = [
    [4, '', 4],
    [4, 'a b', 4],
    [4, 'a -b', 3],
    [1, 'a b', 2],
    [2, '-a -b', 1],
  ];
  for (const [size, list, expected] of rows) assert.equal(usualPeople(size, members(list)), expected, list);
});

test('children among those who come are the members who are children, and those who remain after the adults', () => {
  const rows: [number, number, number, string, number][] = [
    [4, 4, 2, '', 2],
    [3, 4, 2, '', 1],
    [2, 4, 2, '', 0],
    [3, 4, 2, 'a -b C D', 2],
    [3, 4, 2, 'a C', 1],
    [4, 4, 2, 'a C', 2],
    [5, 4, 2, 'a b', 2],
  ];
  for (const [coming, party_size, party_children, list, expected] of rows)
    assert.equal(
      usualChildren(coming, { party_size, party_children, members: members(list) }),
      expected,
      `${coming} ${list}`,
    );
});

test('a member keeps the id, a new one gets one, and an unknown id or one that comes twice is refused', () => {
  const stored = members('a b');
  const [first, second] = identifyMembers(
    [...members('b'), { ...members('c')[0], id: '' } as Member],
    stored,
  );
  assert.equal(first?.id, 'b');
  assert.match(second?.id ?? '', /^[a-z2-9]{6}$/);
  for (const [list, field] of [
    ['x', 'members[0].id'],
    ['a b a', 'members[2].id'],
  ] as const)
    assert.throws(() => identifyMembers(members(list), stored), { field } as object);
});

const person = fc.record({
  name: fc.constantFrom('א', 'ב', null),
  child: fc.boolean(),
  meal: fc.constantFrom(null, 'vegan' as const, 'kosher' as const),
  coming: fc.boolean(),
});
const change = fc.record(
  {
    members: fc.array(person, { maxLength: 5 }),
    keep: fc.integer({ min: 0, max: 3 }),
    rsvp_status: fc.constantFrom('confirmed', 'declined', 'maybe'),
    coming: fc.integer({ min: 1, max: 6 }),
    coming_children: fc.integer({ min: 0, max: 3 }),
    party_size: fc.integer({ min: 1, max: 5 }),
    vegan: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: [] },
);

test('whatever is sent in whatever order, there are never more members than a count says', () => {
  const places = { people: 7, plusOnes: 2, plusOnesEach: null };
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let guest = guestWithRsvp({
        guest: { ...NO_DETAILS, ...UNANSWERED, name: 'x' } as never,
        waiting_order: null,
      });
      for (const { keep = 0, members: more, ...body } of changes) {
        const list = more && { members: [...guest.members.slice(0, keep), ...more] };
        try {
          const input = readGuestChanges({ ...body, ...list }, guest);
          const capacity = { freePlaces: places, waiting: 0, lastWaitingOrder: 0 };
          const applied = applyAnswer(guest, input, 'organizer', capacity, Temporal.Now.instant());
          if (applied === 'full') continue;
          const after = { ...guest, ...input.details, ...applied.columns };
          guest = { ...after, waiting: after.waiting_order !== null } as typeof guest;
        } catch (error) {
          assert.ok(error instanceof FieldProblem, String(error));
        }
        const counts: PartyCount[] = guest.coming > 0 ? ['coming', 'coming_children', ...DIETS] : [...DIETS];
        for (const count of counts)
          assert.ok(countMembers(guest.members, count) <= guest[count], `${count}: ${JSON.stringify(guest)}`);
        assert.ok(guest.coming_children <= guest.coming);
        assert.equal(new Set(guest.members.map(({ id }) => id)).size, guest.members.length);
      }
    }),
    { numRuns: 2_000 },
  );
});
