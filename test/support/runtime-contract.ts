import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Builder } from '../../server/hosting/builds/builder.ts';
import { RuntimeFailure } from '../../server/hosting/model/reasons/failure.ts';
import type { CommandEnd, Instance, Runtime, StartOrder } from '../../server/hosting/runtimes/runtime.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { type Behaviour, behaviourVariables, scriptedSite } from './behaviour.ts';
import { buildStartOrder } from './containers.ts';
import { answerOf, originsOf } from './runtime.ts';
import { until } from './until.ts';

// Contract test of runtimes: all behaviour that the controller expects of every runtime.

/** Runtime under test, with a start order for a process that behaves as its variables say (`behaviourVariables`). */
export interface RuntimeUnderTest {
  runtime: Runtime;
  order: StartOrder;
  /**
   * Maximum number of milliseconds that the runtime may take to start a process; absent: the maximum for container
   * engines.
   */
  startMs?: number;
  /** Opens the same runtime again, as another server would; only for runtimes with the capability `outliving`. */
  reopen?: (() => Promise<{ runtime: Runtime } & AsyncDisposable>) | undefined;
}

/** Runs the contract test of runtimes for a runtime that needs no engine or cluster. */
export function testRuntimeContract(
  name: string,
  open: () => Promise<RuntimeUnderTest & AsyncDisposable>,
): void {
  test(`contract of runtimes: ${name}`, async (t) => {
    await using at = await open();
    await runtimeContract(t, at);
  });
}

/** Builds the scripted site with a runtime's builder and returns the order that starts the site. */
export async function scriptedOrder(at: { builder: Builder }): Promise<StartOrder> {
  return buildStartOrder(at, scriptedSite);
}

/** Runs the steps of the runtimes' contract test as subtests, in order. They leave no instances in the runtime. */
export async function runtimeContract(t: TestContext, at: RuntimeUnderTest): Promise<void> {
  for (const [name, step] of Object.entries(STEPS)) await t.test(name, () => step(at));
}

const NEVER = new AbortController().signal;
const PATIENCE_MS = 60_000;
const ENGINE_START_MS = 3_000;

const STEPS: Readonly<Record<string, (at: RuntimeUnderTest) => Promise<void>>> = {
  async 'a claimed runtime stays claimed'({ runtime }) {
    assert.deepEqual([runtime.claim(), runtime.claim()], [true, true]);
  },

  async 'an instance is started once by its name, answers, and is listed with its labels'({
    runtime,
    order,
  }) {
    const own = scripted(order, { answer: 'hello' });
    const started = await runtime.start(own);
    assert.deepEqual([started.instance, started.labels], [own.instance, own.labels]);
    const [origin = ''] = originsOf(started);
    assert.equal(await answerOf({ targets: [{ kind: 'server', origin }] }), 'hello');
    assert.deepEqual(originsOf(await runtime.start(own)), [origin]);
    const listed = await runtime.list();
    assert.deepEqual(
      listed.map(({ instance, labels }) => ({ instance, labels })),
      [{ instance: own.instance, labels: own.labels }],
    );
    assert.deepEqual(listed.flatMap(originsOf), [origin]);
    const ports = await runtime.listening?.(own.instance);
    if (ports) assert.deepEqual(ports, [started.port]);
    const usage = await runtime.usage?.(own.instance);
    if (usage) assert.ok(usage.memoryBytes > 0 && usage.processorMs >= 0, JSON.stringify(usage));
    await runtime.stop(own.instance, 0);
    assert.deepEqual(await runtime.list(), []);
  },

  async 'an instance may listen later than it starts'({ runtime, order }) {
    const own = scripted(order, { answer: 'late', readyAfterMs: 500 });
    const [origin = ''] = originsOf(await runtime.start(own));
    assert.equal(await answerOf({ targets: [{ kind: 'server', origin }] }), 'late');
    await runtime.stop(own.instance, 0);
  },

  async 'a stopped instance is asked to end, and what it writes then is read'({ runtime, order }) {
    const own = scripted(order, { lines: ['up'], lastLines: ['bye'] });
    await runtime.start(own);
    const lines: string[] = [];
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reading = readLines(runtime, own.instance, lines, signal);
    await until(() => lines.includes('up'));
    await runtime.stop(own.instance, 20_000);
    await reading;
    assert.deepEqual(lines, ['up', 'bye']);
    assert.deepEqual(await runtime.list(), []);
    await runtime.stop(own.instance, 0);
    const forgotten: string[] = [];
    await readLines(runtime, own.instance, forgotten, AbortSignal.timeout(1_000));
    assert.deepEqual(forgotten, []);
  },

  async 'an instance that ignores the request is ended after its grace'({ runtime, order }) {
    const own = scripted(order, { lines: ['up'], ignoresStop: true });
    await runtime.start(own);
    await untilWritten(runtime, own.instance, 'up');
    const began = performance.now();
    await runtime.stop(own.instance, 1_000);
    assert.ok(performance.now() - began >= 900, 'the grace has passed');
    assert.deepEqual(await runtime.list(), []);
  },

  async 'an end is told by events and by the list; several replicas are started again'({
    runtime,
    order,
    startMs = ENGINE_START_MS,
  }) {
    const own = scripted(order, { lines: ['first', 'second'], exit: 3, exitAfterMs: startMs });
    await using events = collectEvents(runtime);
    const started = await runtime.start(own);
    assert.equal(started.replicas.length, 1);
    const expected = { code: 'exited', params: { code: 3 } };
    if (runtime.capabilities.has('replicas')) {
      const downs = () =>
        events.of(own.instance).flatMap(({ replicas }) => replicas.flatMap(({ down }) => down ?? []));
      await until(() => downs().length > 0);
      assert.deepEqual(downs()[0], expected);
      const names = () =>
        new Set(
          events
            .of(own.instance)
            .flatMap(({ replicas }) => replicas.flatMap(({ name, down }) => (down ? [] : name))),
        );
      await until(() => names().size > 1);
    } else {
      await until(() => events.of(own.instance).some(({ ended }) => ended));
      const last = events.of(own.instance).at(-1);
      assert.deepEqual([last?.replicas, last?.ended], [[], expected]);
      assert.deepEqual(
        (await runtime.list()).map(({ ended }) => ended),
        [expected],
      );
      const written = await Array.fromAsync(
        runtime.logs(own.instance, { signal: AbortSignal.timeout(PATIENCE_MS) }),
      );
      assert.deepEqual(
        written.flatMap(({ lines }) => lines),
        ['first', 'second'],
      );
      const since = written.at(-1)?.at;
      assert.deepEqual(await Array.fromAsync(runtime.logs(own.instance, { since, signal: NEVER })), []);
    }
    await runtime.stop(own.instance, 0);
    assert.deepEqual(await runtime.list(), []);
  },

  async 'an aborted start starts nothing'({ runtime, order }) {
    const own = scripted(order, { answer: 'never' });
    const signal = AbortSignal.abort(new Error('cancelled'));
    await assert.rejects(runtime.start(own, signal), /^Error: cancelled$/);
    assert.deepEqual(await runtime.list(), []);
  },

  async 'a command runs to its end, or to its time limit'({ runtime, order }) {
    if (!runtime.capabilities.has('tasks')) return;
    const run = async (behaviour: Behaviour, seconds: number): Promise<[CommandEnd, string[]]> => {
      const { replicas: _, listens: __, ...task } = scripted(order, behaviour);
      const lines: string[] = [];
      const output = (some: readonly string[]) => lines.push(...some);
      const { succeeded, how } = await runtime.run({ ...task, seconds }, { output, signal: NEVER });
      return [{ succeeded, how }, lines];
    };
    const exited = (code: number) => ({ code: 'exited', params: { code } });
    const limit = PATIENCE_MS / 1_000;
    assert.deepEqual(await run({ lines: ['done'], exit: 0 }, limit), [
      { succeeded: true, how: exited(0) },
      ['done'],
    ]);
    assert.deepEqual(await run({ exit: 4 }, limit), [{ succeeded: false, how: exited(4) }, []]);
    const [late] = await run({}, 1);
    assert.deepEqual(late, { succeeded: false, how: { code: 'too_slow', params: { seconds: 1 } } });
    assert.deepEqual(await runtime.list(), []);
  },

  async 'an order beyond the capabilities is refused'({ runtime, order }) {
    const beyond = {
      replicas: { replicas: 2 },
      images: { artifact: { kind: 'image', image: 'registry/site:1', below: '' } },
      folders: { artifact: { kind: 'folder', below: '' } },
      volumes: { mounts: [{ volume: 'uploads', at: '/data' }] },
    } as const;
    for (const [capability, changed] of Object.entries(beyond)) {
      if (runtime.capabilities.has(capability as keyof typeof beyond)) continue;
      await assert.rejects(runtime.start({ ...scripted(order, {}), ...changed } as StartOrder), (error) => {
        assert.ok(error instanceof RuntimeFailure);
        assert.deepEqual(error.reason, { code: 'runtime_lacks', params: { capability } });
        return true;
      });
    }
    assert.deepEqual(await runtime.list(), []);
  },

  async 'replicas are added and removed while an instance runs'({ runtime, order }) {
    if (!runtime.capabilities.has('replicas')) return;
    const own = { ...scripted(order, { answer: 'one of several' }), replicas: 2 };
    const started = await runtime.start(own);
    assert.deepEqual(
      started.replicas.map(({ number }) => number),
      [1, 2],
    );
    assert.equal(new Set(started.replicas.map(({ name }) => name)).size, 2);
    for (const replicas of [1, 3]) {
      await runtime.scale?.(own.instance, replicas);
      await until(async () => (await runtime.list())[0]?.replicas.length === replicas);
    }
    await runtime.stop(own.instance, 0);
    await runtime.scale?.(own.instance, 2);
    assert.deepEqual(await runtime.list(), []);
  },

  async 'an instance outlives its server, and the next one finds it'({ runtime, order, reopen }) {
    if (!reopen) return;
    const own = scripted(order, { answer: 'still here' });
    const origins = originsOf(await runtime.start(own));
    {
      await using next = await reopen();
      assert.deepEqual(
        (await next.runtime.list()).map((one) => [one.instance, one.labels, originsOf(one)]),
        [[own.instance, own.labels, origins]],
      );
    }
    assert.equal(await answerOf({ targets: [{ kind: 'server', origin: origins[0] ?? '' }] }), 'still here');
    await runtime.stop(own.instance, 0);
  },

  async 'an environment is kept until it is forgotten'({ runtime, order }) {
    const { applicationId, environmentId } = order.labels;
    const own = scripted(order, {});
    await runtime.start(own);
    await runtime.stop(own.instance, 0);
    assert.deepEqual(await runtime.retainedEnvironments(), [{ applicationId, environmentId }]);
    await runtime.forget({ applicationId, environmentId }, AbortSignal.timeout(PATIENCE_MS));
    assert.deepEqual(await runtime.retainedEnvironments(), []);
  },
};

/** Order to start a new instance whose process follows the given behaviour. */
function scripted(order: StartOrder, behaviour: Behaviour): StartOrder {
  return { ...order, instance: newId(), variables: { ...order.variables, ...behaviourVariables(behaviour) } };
}

async function readLines(
  runtime: Runtime,
  instance: string,
  lines: string[],
  signal: AbortSignal,
): Promise<void> {
  for await (const written of runtime.logs(instance, { signal })) lines.push(...written.lines);
}

async function untilWritten(runtime: Runtime, instance: string, line: string): Promise<void> {
  for await (const { lines } of runtime.logs(instance, { signal: AbortSignal.timeout(PATIENCE_MS) }))
    if (lines.includes(line)) return;
  assert.fail(`the line was not written: ${line}`);
}

/** Collects all events of a runtime from the time of the call. */
function collectEvents(runtime: Runtime) {
  const over = new AbortController();
  const states: Instance[] = [];
  const listening = (async () => {
    for await (const state of runtime.events(over.signal)) states.push(state);
  })();
  return {
    of: (id: string) => states.filter(({ instance }) => instance === id),
    async [Symbol.asyncDispose]() {
      over.abort();
      await listening;
    },
  };
}
