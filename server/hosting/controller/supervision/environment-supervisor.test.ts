import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from '../../../../test/support/behaviour.ts';
import { InMemoryRuntime } from '../../../../test/support/in-memory-runtime.ts';
import { FACTS, LOG } from '../../../../test/support/runtime.ts';
import { until } from '../../../../test/support/until.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { SiteRow } from '../../model/deployment-rows.ts';
import type { Launch } from '../../model/launch.ts';
import { LeaseLost } from '../../model/lease-fence.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { type Reason, type ReasonCode, reason } from '../../model/reasons/reason.ts';
import type { Slot } from '../../model/slots.ts';
import type { Capability } from '../../runtimes/capabilities.ts';
import type { InstanceState, NewInstance } from '../records/instances.ts';
import type { EnvironmentSupervisor } from './environment-supervisor.ts';
import { Instances } from './instances.ts';
import type { RunningInstance } from './running-instance.ts';
import { Supervisors, type SupervisorsParts } from './supervisors.ts';

const ENVIRONMENT = newId();
const ANSWERING: Behaviour = { answer: 'hello' };

type RecordedState = 'starting' | 'serving' | 'draining';

/** Records of one environment as the database would keep them, with what was noted about it. */
class MemoryRecords {
  readonly site: SiteRow = {
    environment_id: ENVIRONMENT,
    application_uuid: newId(),
    deployment_uuid: 'first',
    variables_sealed: '',
    state: 'live',
    restarts: 0,
    note: null,
    subdomain: 'demo',
    requested: {},
    plan: { processes: { web: 'serve' } },
    serving: [],
  };
  readonly states = new Map<string, { state: RecordedState; process: string; number: number }>();
  readonly downs: { slot: string; note: Reason; soon: boolean }[] = [];
  readonly replicaStates: InstanceState[] = [];
  /** Instances that a gateway still has requests for. */
  readonly busy = new Set<string>();
  failure: Error | undefined;

  readonly builds = { notePort: async () => {} };
  readonly instances = {
    begin: async ({ instance_id: id, process, number }: NewInstance) => {
      if (this.failure) throw this.failure;
      this.states.set(id, { state: 'starting', process, number });
    },
    noteTargets: async () => {},
    noteServing: async (row: SiteRow, slot: Slot, id: string) => {
      if (!this.#isDesired(row)) return false;
      this.#serve(slot, id);
      return true;
    },
    noteDown: async (row: SiteRow, { process, number }: Slot, down: { note: Reason; soon: boolean }) => {
      this.downs.push({ slot: `${process}.${number}`, ...down });
      return this.#isDesired(row);
    },
    noteReplicas: async (_: unknown, state: InstanceState) => void this.replicaStates.push(state),
    noteDraining: async (id: string) => this.#drain(id),
    noteAllDraining: async () => {
      for (const id of this.states.keys()) this.#drain(id);
    },
    isDrained: async (id: string) => !this.busy.has(id),
    hasTunnels: async () => false,
    remove: async (id: string) => void this.states.delete(id),
  };

  row(): SiteRow {
    const serving = [...this.states].flatMap(([id, { state, process, number }]) =>
      state === 'serving' ? { id, process, number } : [],
    );
    return { ...this.site, serving };
  }

  /** Makes a deployment's instances current, as a deployment does. */
  goLive(deploymentId: string, ids: readonly string[]): void {
    this.site.deployment_uuid = deploymentId;
    for (const id of ids) this.#serve({ process: 'web', number: 1 }, id);
  }

  #isDesired({ deployment_uuid: id }: SiteRow): boolean {
    return this.site.deployment_uuid === id && (this.site.state === 'live' || this.site.state === 'down');
  }

  #serve({ process, number }: Omit<Slot, 'environmentId'>, served: string): void {
    for (const [id, one] of this.states)
      if (one.process === process && one.number === number && one.state === 'serving') this.#drain(id);
    this.states.set(served, { state: 'serving', process, number });
  }

  #drain(id: string): void {
    const one = this.states.get(id);
    if (one?.state === 'serving') this.states.set(id, { ...one, state: 'draining' });
  }
}

interface World extends AsyncDisposable {
  runtime: InMemoryRuntime;
  records: MemoryRecords;
  supervisors: Supervisors;
  supervisor: EnvironmentSupervisor;
  /** Lines of the site's log. */
  lines: string[];
  /** Ends the lease term. */
  lease: AbortController;
  /** Ids of the instances that run, in order of their start. */
  running(): Promise<string[]>;
  /** Starts what is desired, and waits until it serves. */
  follow(): Promise<string>;
}

/** One environment with a runtime and records in memory. `behaviourOf` decides how each process behaves. */
function openWorld(
  behaviourOf: () => Behaviour = () => ANSWERING,
  changes: Partial<SupervisorsParts> & { capabilities?: readonly Capability[] } = {},
): World {
  const { capabilities, ...others } = changes;
  const runtime = new InMemoryRuntime({ behaviourOf, ...(capabilities && { capabilities }) });
  const records = new MemoryRecords();
  const lines: string[] = [];
  const lease = new AbortController();
  const instances = new Instances({
    runtime,
    bringVolumes: async () => {},
    limits: { memoryMb: 64, processes: 10, diskMb: 64 },
    write: (_, __, written) => void lines.push(...written),
    isLeaseHeld: async () => true,
    effect: (work) => work(),
    log: LOG,
  });
  instances.open();
  const supervisors = new Supervisors({
    instances,
    builder: { has: async () => true },
    records,
    site: async () => records.row(),
    logs: { write: { put: (_, __, written) => void lines.push(...written) } },
    log: LOG,
    clock: () => Temporal.Now.instant(),
    healthMs: 1_000,
    silentMs: 0,
    drainMs: 5_000,
    launchOf: async (row, { process, number }) => launch(row.deployment_uuid, { process, number }),
    ensureArtifact: async ({ artifact }) => artifact,
    switchTo: (_, __, write) => write(),
    term: lease.signal,
    ...others,
  });
  const supervisor = supervisors.of(ENVIRONMENT);
  const running = async () =>
    (await runtime.list()).flatMap(({ instance, ended }) => (ended ? [] : [instance]));
  return {
    runtime,
    records,
    supervisors,
    supervisor,
    lines,
    lease,
    running,
    async follow() {
      await supervisor.follow();
      await until(() => records.row().serving.length > 0);
      return records.row().serving[0]?.id ?? '';
    },
    async [Symbol.asyncDispose]() {
      await supervisors.close('immediate');
      instances.close();
      await runtime[Symbol.asyncDispose]();
    },
  };
}

function launch(deploymentId: string, changes: Partial<Launch> = {}): Launch {
  return {
    ...FACTS,
    ownerId: newId(),
    environmentId: ENVIRONMENT,
    applicationId: newId(),
    deploymentId,
    releaseId: newId(),
    source: 'commit',
    buildId: newId(),
    artifact: { kind: 'folder', below: '' },
    plan: { processes: { web: 'serve', worker: 'work' } },
    process: 'web',
    number: 1,
    replicas: 1,
    isOneOfSeveral: false,
    variables: {},
    healthPath: '/',
    volumes: [],
    sticky: false,
    ...changes,
  };
}

const BUILD_LOG = {
  hide: (line: string) => line,
  write() {},
  output() {},
  step: <T>(_: string, work: () => Promise<T>) => work(),
};
const startOf = (
  { supervisor }: World,
  launches: readonly Launch[],
  signal = new AbortController().signal,
): Promise<RunningInstance[]> => supervisor.startAll(launches, signal, BUILD_LOG);

async function deploy(world: World, deploymentId: string): Promise<string> {
  const launches = [launch(deploymentId)];
  const started = await startOf(world, launches);
  const ids = started.map(({ id }) => id);
  const write = async () => world.records.goLive(deploymentId, ids);
  await world.supervisor.promote(launch(deploymentId), { launches, started }, write);
  return ids[0] ?? '';
}

const hasCode = (code: ReasonCode) => (error: unknown) =>
  error instanceof RuntimeFailure && error.reason.code === code;

test('a promoted instance replaces the former one, which ends once its requests are answered', async () => {
  await using world = openWorld();
  const former = await world.follow();
  world.records.busy.add(former);
  const current = await deploy(world, 'second');
  assert.ok(world.supervisor.isServing);
  await sleep(250);
  assert.deepEqual(await world.running(), [former, current]);
  world.records.busy.delete(former);
  await until(async () => (await world.running()).length === 1);
  assert.deepEqual(await world.running(), [current]);
  assert.deepEqual([...world.records.states.keys()], [current]);
  assert.match(
    world.lines.join('\n'),
    /^the version of commit 4b825dc642cb serves now; this version is stopped$/m,
  );
  await world.supervisor.follow();
  assert.deepEqual(await world.running(), [current]);
});

test('a deployment that can’t be recorded ends its instances, and the former one stays', async () => {
  await using world = openWorld();
  const former = await world.follow();
  const launches = [launch('second')];
  const started = await startOf(world, launches);
  const failure = new LeaseLost();
  const promoted = world.supervisor.promote(launch('second'), { launches, started }, () =>
    Promise.reject(failure),
  );
  await assert.rejects(promoted, failure);
  assert.deepEqual(await world.running(), [former]);
  assert.deepEqual([...world.records.states.keys()], [former]);
});

test('instances of a deployment start together, or none', async () => {
  const behaviours: Behaviour[] = [
    { answer: 'hello', readyAfterMs: 800 },
    { exit: 1, exitAfterMs: 50 },
  ];
  await using world = openWorld(() => behaviours.shift() ?? ANSWERING);
  const both = [launch('first'), launch('first', { number: 2 })];
  await assert.rejects(startOf(world, both), hasCode('ended_before_healthy'));
  assert.deepEqual(await world.running(), []);
  assert.equal(world.records.states.size, 0);
});

test('a deployment that is cancelled ends what it has started', async () => {
  await using world = openWorld(() => ({ answer: 'hello', readyAfterMs: 800 }));
  const cancel = new AbortController();
  const starting = startOf(world, [launch('first')], cancel.signal);
  await until(async () => (await world.running()).length === 1);
  const why = new Error('cancelled');
  cancel.abort(why);
  await assert.rejects(starting, why);
  assert.deepEqual(await world.running(), []);
});

test('a slot that can’t be started is tried again after a growing delay, with the reason in the log', async () => {
  let tries = 0;
  await using world = openWorld(() => {
    tries += 1;
    return tries < 3 ? { lines: ['no database'], exit: 3 } : ANSWERING;
  });
  await world.supervisor.follow();
  await until(() => world.supervisor.isServing);
  assert.equal(tries, 3);
  const delays = world.lines.flatMap((line) => /; starting it again in (\S+) s$/.exec(line)?.[1] ?? []);
  assert.deepEqual(delays, ['0.5', '1']);
  const why = world.records.downs.map(({ slot, soon, note }) => [slot, soon, note.code]);
  // Requests don't wait for a slot that has not served yet.
  assert.deepEqual(why, [
    ['web.1', false, 'site_ended'],
    ['web.1', false, 'site_ended'],
  ]);
  assert.match(JSON.stringify(world.records.downs[0]?.note), /"ended_before_healthy".*"no database"/);
});

test('an engine that is away is no failure of the site', async () => {
  await using world = openWorld();
  world.runtime.failure = new RuntimeFailure(reason('engine_away', { error: 'connect ECONNREFUSED' }));
  await world.supervisor.follow();
  const line =
    'the site could not be started again: the container engine does not respond; it stays down until that is fixed';
  await until(() => world.lines.includes(line));
  world.runtime.failure = undefined;
});

test('an instance that ends by itself is started again, and requests wait for it', async () => {
  await using world = openWorld();
  const first = await world.follow();
  await world.runtime.end(first, reason('exited', { code: 1 }));
  await until(() => world.records.downs.length === 1);
  assert.equal(world.supervisor.isServing, false);
  await until(() => world.supervisor.isServing);
  const [second] = await world.running();
  assert.notEqual(second, first);
  assert.equal(world.records.downs[0]?.soon, true);
  assert.deepEqual([...world.records.states.keys()], [second]);
  assert.ok(world.lines.includes('the site exited with code 1; starting it again in 0.5 s'));
});

test('an instance that answers nothing any more is ended and started again', async () => {
  await using world = openWorld(() => ANSWERING, { silentMs: 300 });
  const silent = createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const targets = [{ kind: 'server' as const, origin }];
  world.supervisor.adopt(launch('first'), { id: 'hangs', targets, ended: new Promise(() => {}) });
  await until(() => world.records.downs.length === 1);
  silent.close();
  assert.match(JSON.stringify(world.records.downs[0]?.note), /"silent"/);
  await until(() => world.supervisor.isServing);
  assert.equal((await world.running()).length, 1);
});

test('static files that are gone are restored', async () => {
  let isThere = false;
  const artifact = { kind: 'files' as const };
  await using world = openWorld(() => ANSWERING, {
    silentMs: 60,
    builder: { has: async () => isThere },
    launchOf: async ({ deployment_uuid: id }) => launch(id, { artifact }),
    ensureArtifact: async () => {
      isThere = true;
      return artifact;
    },
  });
  world.supervisor.adoptFiles(newId(), launch('first', { artifact }));
  assert.ok(world.supervisor.isServing);
  await until(() => world.records.row().serving.length === 1);
  assert.deepEqual(
    world.records.downs.map(({ note }) => JSON.stringify(note.params.how).includes('files_gone')),
    [true],
  );
  assert.deepEqual(world.runtime.calls, []);
});

test('nothing of a paused environment is started until it continues', async () => {
  await using world = openWorld();
  await world.follow();
  await world.supervisor.pause();
  assert.deepEqual(await world.running(), []);
  assert.equal(world.supervisor.isRunning, false);
  assert.ok(world.lines.includes('the site is stopped'));
  await world.supervisor.follow();
  await sleep(100);
  assert.deepEqual(await world.running(), []);
  // The deployment itself starts its instances meanwhile.
  const current = await deploy(world, 'second');
  await world.supervisor.resume();
  assert.deepEqual(await world.running(), [current]);
});

test('an instance that ends just before a pause is not started again during it', async () => {
  await using world = openWorld();
  const first = await world.follow();
  await world.runtime.end(first, reason('exited', { code: 1 }));
  await until(() => !world.supervisor.isServing);
  await world.supervisor.pause();
  await sleep(700);
  assert.deepEqual(await world.running(), []);
  await world.supervisor.resume();
  await until(() => world.supervisor.isServing);
});

test('a stopped site ends, and starts again when it is live', async () => {
  await using world = openWorld();
  await world.follow();
  world.records.site.state = 'stopped';
  await world.supervisor.follow();
  await until(async () => (await world.running()).length === 0);
  assert.equal(world.supervisor.isRunning, false);
  await until(() => world.supervisor.isIdle);
  world.records.site.state = 'live';
  await world.follow();
  assert.equal((await world.running()).length, 1);
});

test('a background process of a former release ends before its successor starts', async () => {
  await using world = openWorld(() => ({}));
  const { site } = world.records;
  site.plan = { processes: { worker: 'work' } };
  const former = await world.follow();
  site.deployment_uuid = 'second';
  await world.supervisor.follow();
  await until(() => world.runtime.calls.length === 3);
  const [current] = await world.running();
  assert.deepEqual(world.runtime.calls, [`start ${former}`, `stop ${former}`, `start ${current}`]);
});

test('superfluous instances end once the gateways know', async () => {
  await using world = openWorld();
  const { site } = world.records;
  site.requested = { web: 2 };
  await world.supervisor.follow();
  await until(() => world.records.row().serving.length === 2);
  site.requested = { web: 1 };
  const second = world.records.row().serving.find(({ number }) => number === 2)?.id ?? '';
  world.records.busy.add(second);
  await world.supervisor.follow();
  assert.equal(world.records.states.get(second)?.state, 'draining');
  assert.equal((await world.running()).length, 2);
  world.records.busy.delete(second);
  await until(async () => !(await world.running()).includes(second));
  assert.equal((await world.running()).length, 1);
});

test('replicas that a runtime restarts by itself are followed, scaled and recorded', async () => {
  const capabilities = [
    'folders',
    'images',
    'volumes',
    'layers',
    'tasks',
    'network',
    'outliving',
    'replicas',
  ] as const;
  await using world = openWorld(() => ANSWERING, { capabilities });
  const { site, replicaStates } = world.records;
  const id = await world.follow();
  await until(() => replicaStates.length > 0);
  assert.deepEqual(replicaStates.at(-1)?.numbers, [1]);
  site.requested = { web: 2 };
  await world.supervisor.follow();
  await until(() => replicaStates.at(-1)?.numbers.length === 2);
  await world.runtime.end(id, reason('exited', { code: 1 }), 2);
  await until(() =>
    replicaStates.some(({ changes }) => changes.some(({ number, ended }) => number === 2 && ended)),
  );
  await until(() => replicaStates.at(-1)?.numbers.length === 2);
  assert.deepEqual(world.records.downs, []);
});

test('a lost lease ends everything quickly, without waiting for requests', async () => {
  await using world = openWorld();
  const first = await world.follow();
  world.records.busy.add(first);
  world.lease.abort(new LeaseLost());
  const began = performance.now();
  await world.supervisors.close('immediate');
  assert.ok(performance.now() - began < 1_500);
  assert.deepEqual(await world.running(), []);
  assert.ok(world.lines.some((line) => line.startsWith('this server stops the site')));
});

test('a returned lease lets requests finish first', async () => {
  await using world = openWorld();
  const first = await world.follow();
  world.records.busy.add(first);
  const closing = world.supervisors.close('graceful');
  await sleep(300);
  assert.equal(world.records.states.get(first)?.state, 'draining');
  assert.deepEqual(await world.running(), [first]);
  world.records.busy.delete(first);
  await closing;
  assert.deepEqual(await world.running(), []);
});

test('instances that outlive their server go on, and are adopted', async () => {
  await using world = openWorld();
  const first = await world.follow();
  await world.supervisors.close('detached');
  assert.deepEqual(await world.running(), [first]);
});
