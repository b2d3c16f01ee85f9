import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../../kernel/refusal.ts';
import { UNANSWERED } from '../capacity/allocation.ts';
import type { EventCapacity, RsvpStatus } from '../capacity/capacity.ts';
import { NO_DETAILS } from '../fields.ts';
import { ImportPlan, type ListedGuest } from './plan.ts';

const now = Temporal.Instant.from('2026-11-22T00:00:00Z');

const places = fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constant(Number.POSITIVE_INFINITY));
const capacities: fc.Arbitrary<EventCapacity> = fc.record({
  freePlaces: fc.record({
    people: places,
    plusOnes: fc.integer({ min: -2, max: 6 }),
    plusOnesEach: fc.option(fc.nat(2)),
  }),
  waiting: fc.nat(2),
  lastWaitingOrder: fc.nat(3),
});
const status = fc.constantFrom<RsvpStatus>('confirmed', 'pending', 'declined');
interface Row {
  rsvp: { status?: RsvpStatus; coming?: number };
  stored: { rsvp_status: RsvpStatus; coming: number } | null;
}
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    rsvp: fc.oneof(
      fc.record({ status: fc.constant('confirmed' as const), coming: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ status }),
      fc.constant({}),
    ),
    stored: fc.option(fc.record({ rsvp_status: status, coming: fc.integer({ min: 1, max: 3 }) })),
  }),
  { maxLength: 8 },
);

/** Actions that a plan for an event with this capacity chooses for the rows, or the code of its refusal. */
function planned(capacity: EventCapacity, given: readonly Row[]) {
  const plan = new ImportPlan(capacity, now);
  const steps = given.map(({ rsvp, stored }, index) => {
    const guest = stored && {
      ...NO_DETAILS,
      ...UNANSWERED,
      ...stored,
      coming: stored.rsvp_status === 'confirmed' ? stored.coming : 0,
      id: `guest ${index}`,
      name: `guest ${index}`,
    };
    try {
      return plan.step(
        String(index),
        { id: undefined, details: { name: `guest ${index}` }, rsvp, addenda: [], form: `guest ${index}` },
        { byId: (guest ?? undefined) as ListedGuest | undefined },
      );
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  });
  return { plan, steps };
}

test('a capacity that a plan says it would have seated all the same in, does', () => {
  let held = 0;
  fc.assert(
    fc.property(capacities, capacities, rows, (capacity, other, given) => {
      const draft = planned(capacity, given);
      if (!draft.plan.hasSameResultWith(other)) return;
      held += 1;
      const again = planned(other, given);
      assert.deepEqual(again.steps, draft.steps);
      assert.equal(again.plan.freed, draft.plan.freed);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(held > 500, `only ${held} said so`);
});
