import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../../kernel/refusal.ts';
import type { RsvpStatus } from '../capacity/room.ts';
import { type Hall, UNANSWERED } from '../capacity/standing.ts';
import { createPlan, type Known } from './plan.ts';

const now = Temporal.Instant.from('2026-11-22T00:00:00Z');

const places = fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constant(Number.POSITIVE_INFINITY));
const halls: fc.Arbitrary<Hall> = fc.record({
  room: fc.record({ people: places, plusOnes: fc.integer({ min: -2, max: 6 }) }),
  waiting: fc.nat(2),
  lastInLine: fc.nat(3),
});
const status = fc.constantFrom<RsvpStatus>('confirmed', 'pending', 'declined');
interface Row {
  said: { status?: RsvpStatus; coming?: number };
  stored: { rsvp_status: RsvpStatus; coming: number } | null;
}
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    said: fc.oneof(
      fc.record({ status: fc.constant('confirmed' as const), coming: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ status }),
      fc.constant({}),
    ),
    stored: fc.option(fc.record({ rsvp_status: status, coming: fc.integer({ min: 1, max: 3 }) })),
  }),
  { maxLength: 8 },
);

/** Actions that a plan for an event with this capacity chooses for the rows, or the code of its refusal. */
function planned(hall: Hall, given: readonly Row[]) {
  const plan = createPlan(hall, now);
  const steps = given.map(({ said, stored }, index) => {
    const guest = stored && {
      ...UNANSWERED,
      ...stored,
      coming: stored.rsvp_status === 'confirmed' ? stored.coming : 0,
      id: `guest ${index}`,
      name: `guest ${index}`,
    };
    try {
      return plan.step(
        index,
        { id: undefined, details: { name: `guest ${index}` }, said, addenda: [], form: `guest ${index}` },
        { byPhone: (guest ?? undefined) as Known | undefined, byEmail: undefined },
      );
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  });
  return { plan, steps };
}

test('a hall that a plan says it would have seated all the same in, does', () => {
  let held = 0;
  fc.assert(
    fc.property(halls, halls, rows, (hall, other, given) => {
      const draft = planned(hall, given);
      if (!draft.plan.wouldSeat(other)) return;
      held += 1;
      const again = planned(other, given);
      assert.deepEqual(again.steps, draft.steps);
      assert.equal(again.plan.freed, draft.plan.freed);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(held > 500, `only ${held} said so`);
});
