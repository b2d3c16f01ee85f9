import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../../kernel/refusal.ts';
import { UNANSWERED } from '../capacity/allocation.ts';
import {
  addPlaces,
  type EventCapacity,
  placesTaken,
  type RsvpStatus,
  subtractPlaces,
} from '../capacity/capacity.ts';
import { NO_DETAILS } from '../fields.ts';
import { type DecisionNeeded, ImportPlan, type ImportStep, type ListedGuest } from './plan.ts';

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

/** Capacity of an event once the steps of a plan are written. */
function capacityAfter(capacity: EventCapacity, steps: readonly (ImportStep | string)[]): EventCapacity {
  let { freePlaces } = capacity;
  for (const step of steps) {
    if (typeof step === 'string' || !('answer' in step)) continue;
    const before = step.action === 'update' ? step.guest : UNANSWERED;
    const after = { ...before, ...step.details, ...step.answer };
    freePlaces = subtractPlaces(addPlaces(freePlaces, placesTaken(before)), placesTaken(after));
  }
  return { ...capacity, freePlaces };
}

test('a capacity that a plan says it would have seated all the same in, does', () => {
  let held = 0;
  fc.assert(
    fc.property(capacities, capacities, rows, (capacity, other, given) => {
      const draft = planned(capacity, given);
      if (draft.plan.isTight || !draft.plan.hasSameResultWith(capacityAfter(other, draft.steps))) return;
      held += 1;
      const again = planned(other, given);
      assert.deepEqual(again.steps, draft.steps);
      assert.equal(again.plan.freed, draft.plan.freed);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(held > 500, `only ${held} said so`);
});

const UNLIMITED: EventCapacity = {
  freePlaces: { people: Number.POSITIVE_INFINITY, plusOnes: Number.POSITIVE_INFINITY, plusOnesEach: null },
  waiting: 0,
  lastWaitingOrder: 0,
};
const [NOAMS, OLD, NEW] = ['+972501111111', '+972501112202', '+972501112299'];

const listed = (name: string, details: Partial<ListedGuest>): ListedGuest =>
  ({ ...NO_DETAILS, ...UNANSWERED, id: name, name, answers: {}, ...details }) as ListedGuest;

/** Result of a plan for one row after the others: the action with the guest's id, or the code of the refusal. */
function resultOf(plan: ImportPlan, ref: string, details: object, named: Parameters<ImportPlan['step']>[2]) {
  const { name } = details as { name: string };
  try {
    const step = plan.step(
      ref,
      { id: undefined, details: { ...details }, rsvp: {}, addenda: [], form: name },
      named,
    );
    return [step.action, 'guest' in step ? step.guest.id : undefined];
  } catch (error) {
    if (error instanceof Refusal) return [error.code, (error as DecisionNeeded).looksLike?.guest_id];
    throw error;
  }
}

test('a row with the name of a guest and another phone is asked about, unless a row above is that guest', () => {
  const guest = listed('זוג פרידמן', { phone: OLD, party_size: 2 });
  const named = { byName: [guest] };
  const row = { name: 'זוג פרידמן', phone: NEW, party_size: 2 };
  for (const [decision, expected] of [
    [undefined, ['other_contact', 'זוג פרידמן']],
    ['update', ['update', 'זוג פרידמן']],
    ['create', ['create', undefined]],
    ['skip', ['skip', undefined]],
  ] as const) {
    const plan = new ImportPlan(UNLIMITED, now, { duplicate: () => decision, familySize: () => undefined });
    assert.deepEqual(resultOf(plan, '2', row, named), expected, String(decision));
    const another = resultOf(plan, '3', { ...row, phone: NOAMS }, named);
    const isTaken = decision === 'update';
    assert.deepEqual(another, isTaken ? ['create', undefined] : expected, `another ${decision}`);
  }
});

test('a guest of the row’s name is a better match than another person with its phone', () => {
  const noam = listed('נועם כהן', { phone: NOAMS });
  const yossi = listed('יוסי מזרחי', { party_size: 4 });
  const byContact = new Map([[NOAMS, noam]]);
  const row = { name: 'יוסי מזרחי', phone: NOAMS, party_size: 4 };
  for (const [given, byName, decision, expected] of [
    [row, [yossi], undefined, ['keep', yossi.id]],
    [row, [{ ...yossi, phone: OLD }], undefined, ['keep', yossi.id]],
    [{ ...row, party_size: 5 }, [yossi], undefined, ['likely_double', yossi.id]],
    [{ ...row, party_size: 5 }, [yossi], 'update', ['update', yossi.id]],
    [{ ...row, other_phones: [NEW] }, [yossi], undefined, ['likely_double', yossi.id]],
    [row, [], undefined, ['other_name', noam.id]],
    [{ ...row, name: 'נועם' }, [listed('נועם', {})], undefined, ['update', noam.id]],
  ] as const) {
    const plan = new ImportPlan(UNLIMITED, now, { duplicate: () => decision, familySize: () => undefined });
    assert.deepEqual(resultOf(plan, '2', given, { byContact, byName }), expected, JSON.stringify(given));
  }
});
