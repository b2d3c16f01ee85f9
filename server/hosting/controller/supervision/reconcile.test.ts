import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slotGroupsOf, slotName } from '../../model/slots.ts';
import {
  type Action,
  type ActualEnvironment,
  type ActualSlot,
  type DesiredSite,
  reconcileEnvironment,
} from './reconcile.ts';

const site = (changes: Partial<DesiredSite> = {}): DesiredSite => ({
  deployment_uuid: 'new',
  state: 'live',
  plan: { processes: { web: 'serve', worker: 'work' } },
  requested: {},
  serving: [],
  ...changes,
});
const WEB_1 = { process: 'web', number: 1 };
const WORKER_1 = { process: 'worker', number: 1 };
const serving = (
  slot: { process: string; number: number },
  changes: Partial<ActualSlot & { state: 'serving' }> = {},
) => ({
  ...slot,
  state: 'serving' as const,
  instanceId: slotName(slot),
  deploymentId: 'new',
  replicas: 1,
  ...changes,
});
const registered = (...slots: { process: string; number: number }[]) =>
  slots.map((slot) => ({ id: slotName(slot), ...slot }));
const BOTH = registered(WEB_1, WORKER_1);
const starting = { ...WEB_1, state: 'starting' as const, isGivenUp: false };
const givenUp = { ...starting, isGivenUp: true };

interface Row {
  title: string;
  desired: DesiredSite | undefined;
  slots: readonly ActualSlot[];
  isPaused?: boolean;
  groupsReplicas?: boolean;
  actions: readonly Action[];
}

const TABLE: readonly Row[] = [
  {
    title: 'free slots are started',
    desired: site(),
    slots: [],
    actions: [
      { kind: 'start', slot: WEB_1 },
      { kind: 'start', slot: WORKER_1 },
    ],
  },
  {
    title: 'static files count as the first web',
    desired: site({ plan: { processes: {} } }),
    slots: [],
    actions: [{ kind: 'start', slot: WEB_1 }],
  },
  {
    title: 'instances of the current deployment stay',
    desired: site({ serving: BOTH }),
    slots: [serving(WEB_1), serving(WORKER_1)],
    actions: [],
  },
  {
    title: 'slots that are starting, given up or stopping are left alone',
    desired: site({ requested: { web: 2 } }),
    slots: [starting, { ...givenUp, number: 2 }, { ...WORKER_1, state: 'stopping' }],
    actions: [],
  },
  {
    title: 'superfluous instances are stopped, whatever else is true of them',
    desired: site({ requested: { web: 1, worker: 0 }, serving: registered(WEB_1) }),
    slots: [serving(WEB_1), serving({ ...WEB_1, number: 2 }), serving(WORKER_1, { deploymentId: 'former' })],
    actions: [
      { kind: 'stop', slot: { ...WEB_1, number: 2 } },
      { kind: 'stop', slot: WORKER_1 },
    ],
  },
  {
    title: 'a background process of the former release ends before its successor starts',
    desired: site({ serving: BOTH }),
    slots: [serving(WEB_1, { deploymentId: 'former' }), serving(WORKER_1, { deploymentId: 'former' })],
    actions: [{ kind: 'replace', slot: WORKER_1, order: 'stop-first' }],
  },
  {
    title: 'an instance that the database does not know is replaced at once',
    desired: site({ serving: registered(WORKER_1) }),
    slots: [serving(WEB_1), serving(WORKER_1)],
    actions: [{ kind: 'replace', slot: WEB_1, order: 'start-first' }],
  },
  {
    title: 'such an instance is only drained where its process runs as one group',
    desired: site({ requested: { web: 2 }, serving: BOTH }),
    slots: [serving(WEB_1, { replicas: 2 }), serving({ ...WEB_1, number: 2 }), serving(WORKER_1)],
    groupsReplicas: true,
    actions: [{ kind: 'drain', slot: { ...WEB_1, number: 2 } }],
  },
  {
    title: 'a group gets the requested number of replicas',
    desired: site({ requested: { web: 3 }, serving: BOTH }),
    slots: [serving(WEB_1), serving(WORKER_1)],
    groupsReplicas: true,
    actions: [{ kind: 'scale', slot: WEB_1, replicas: 3, isOneOfSeveral: true }],
  },
  {
    title: 'a stopped site is stopped',
    desired: site({ state: 'stopped', serving: BOTH }),
    slots: [serving(WEB_1), serving(WORKER_1)],
    actions: [{ kind: 'stop-site' }],
  },
  {
    title: 'a sleeping site gives its starts up',
    desired: site({ state: 'asleep' }),
    slots: [starting],
    actions: [{ kind: 'stop-site' }],
  },
  {
    title: 'a site that is gone is stopped',
    desired: undefined,
    slots: [serving(WEB_1)],
    actions: [{ kind: 'stop-site' }],
  },
  {
    title: 'nothing more is stopped while everything ends',
    desired: undefined,
    slots: [givenUp, { ...WORKER_1, state: 'stopping' }],
    actions: [],
  },
  {
    title: 'nothing is started or replaced while the environment is paused',
    desired: site(),
    slots: [serving(WORKER_1, { deploymentId: 'former' })],
    isPaused: true,
    actions: [],
  },
  {
    title: 'a stopped site is stopped also while it is paused',
    desired: site({ state: 'stopped' }),
    slots: [serving(WEB_1)],
    isPaused: true,
    actions: [{ kind: 'stop-site' }],
  },
];

for (const { title, desired, slots, isPaused = false, groupsReplicas = false, actions } of TABLE) {
  test(`reconciling: ${title}`, () => {
    assert.deepEqual(reconcileEnvironment(desired, { isPaused, slots }, groupsReplicas), actions);
  });
}

const processes = fc.constantFrom('web', 'worker', 'mailer');
const requested = fc.dictionary(processes, fc.integer({ min: 0, max: 3 }));
const slotStates = fc.oneof(
  fc.record({
    state: fc.constant('serving' as const),
    deploymentId: fc.constantFrom('new', 'former'),
    replicas: fc.integer({ min: 1, max: 3 }),
    isRegistered: fc.boolean(),
  }),
  fc.record({ state: fc.constant('starting' as const), isGivenUp: fc.boolean() }),
  fc.record({ state: fc.constant('stopping' as const) }),
);
const situations = fc
  .record({
    state: fc.constantFrom('live', 'down', 'stopped', 'asleep', 'gone'),
    plan: fc.option(
      fc.subarray(['web', 'worker', 'mailer']).map((names) => ({
        processes: Object.fromEntries(names.map((name) => [name, 'run'])),
      })),
    ),
    requested,
    slots: fc.uniqueArray(
      fc.record({ process: processes, number: fc.integer({ min: 1, max: 3 }), now: slotStates }),
      { selector: slotName, maxLength: 6 },
    ),
    isPaused: fc.boolean(),
    groupsReplicas: fc.boolean(),
  })
  .map(({ state, plan, requested, slots, isPaused, groupsReplicas }) => {
    const actual: ActualEnvironment = {
      isPaused,
      slots: slots.map(({ now, ...slot }): ActualSlot => {
        if (now.state !== 'serving') return { ...slot, ...now };
        const { deploymentId, replicas } = now;
        return serving(slot, { deploymentId, replicas: groupsReplicas ? replicas : 1 });
      }),
    };
    const known = slots.filter(({ now }) => now.state === 'serving' && now.isRegistered);
    const row = { deployment_uuid: 'new', plan, requested, serving: registered(...known) };
    const desired = state === 'gone' ? undefined : { ...row, state: state as DesiredSite['state'] };
    return { desired, actual, groupsReplicas };
  });

const isSame = (one: { process: string; number: number }, other: { process: string; number: number }) =>
  slotName(one) === slotName(other);

/** State right after the actions have begun, as EnvironmentSupervisor carries them out. */
function apply(actual: ActualEnvironment, actions: readonly Action[]): ActualEnvironment {
  let slots = [...actual.slots];
  const set = (slot: { process: string; number: number }, now?: ActualSlot) => {
    slots = [...slots.filter((one) => !isSame(one, slot)), ...(now ? [now] : [])];
  };
  for (const action of actions) {
    if (action.kind === 'stop-site') {
      slots = slots.flatMap((one) => {
        if (one.state === 'serving') return [];
        return one.state === 'starting' ? { ...one, isGivenUp: true } : one;
      });
      continue;
    }
    const { slot } = action;
    const before = slots.find((one) => isSame(one, slot));
    if (action.kind === 'stop' || action.kind === 'drain') set(slot);
    else if (action.kind === 'scale' && before?.state === 'serving')
      set(slot, { ...before, replicas: action.replicas });
    else if (action.kind === 'replace' && action.order === 'stop-first')
      set(slot, { ...slot, state: 'stopping' });
    else set(slot, { ...slot, state: 'starting', isGivenUp: false });
  }
  return { ...actual, slots };
}

test('reconciling a second time needs no action', () => {
  fc.assert(
    fc.property(situations, ({ desired, actual, groupsReplicas }) => {
      const after = apply(actual, reconcileEnvironment(desired, actual, groupsReplicas));
      assert.deepEqual(reconcileEnvironment(desired, after, groupsReplicas), []);
    }),
  );
});

test('each slot has one action at most, and none while it is starting or stopping', () => {
  fc.assert(
    fc.property(situations, ({ desired, actual, groupsReplicas }) => {
      const actions = reconcileEnvironment(desired, actual, groupsReplicas);
      const slots = actions.flatMap((action) => (action.kind === 'stop-site' ? [] : slotName(action.slot)));
      assert.equal(new Set(slots).size, slots.length);
      const busy = actual.slots.filter(({ state }) => state !== 'serving').map(slotName);
      assert.deepEqual(
        slots.filter((slot) => busy.includes(slot)),
        [],
      );
    }),
  );
});

test('nothing of a paused environment is started', () => {
  fc.assert(
    fc.property(situations, ({ desired, actual, groupsReplicas }) => {
      const actions = reconcileEnvironment(desired, { ...actual, isPaused: true }, groupsReplicas);
      assert.ok(actions.every(({ kind }) => kind === 'stop-site'));
    }),
  );
});

test('all instances of a resting site end, and nothing of it starts', () => {
  fc.assert(
    fc.property(
      situations,
      fc.constantFrom('stopped', 'asleep'),
      ({ desired, actual, groupsReplicas }, state) => {
        const actions = reconcileEnvironment(desired && { ...desired, state }, actual, groupsReplicas);
        const { slots } = apply(actual, actions);
        assert.ok(
          slots.every((one) => one.state === 'stopping' || (one.state === 'starting' && one.isGivenUp)),
        );
      },
    ),
  );
});

test('every slot of a running site is taken afterwards, and every instance that serves is registered and desired', () => {
  fc.assert(
    fc.property(situations, ({ desired, actual, groupsReplicas }) => {
      fc.pre(
        desired !== undefined && (desired.state === 'live' || desired.state === 'down') && !actual.isPaused,
      );
      const { slots } = apply(actual, reconcileEnvironment(desired, actual, groupsReplicas));
      const taken = slots.map(slotName);
      for (const group of slotGroupsOf(desired, groupsReplicas)) assert.ok(taken.includes(slotName(group)));
      const ids = desired.serving.map(({ id }) => id);
      for (const one of slots) if (one.state === 'serving') assert.ok(ids.includes(one.instanceId));
    }),
  );
});
