import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { Effect } from '../builds/builder.ts';
import { ownImageVariables, siteVariables } from '../builds/facts.ts';
import { createRedactor } from '../logs/redaction.ts';
import { sanitizedOutput } from '../logs/sanitized-output.ts';
import type { BackendLocation } from '../model/backend-location.ts';
import type { Launch } from '../model/launch.ts';
import { WEB } from '../model/plan.ts';
import type { Quote } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { createHeapWatch } from '../model/reasons/heap.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { HOME_CONTENT } from '../model/site-folders.ts';
import { createReplayBuffer, type ReplayBuffer } from '../runtimes/replay-buffer.ts';
import type {
  CommandEnd,
  Instance,
  Order,
  Replica,
  RunOptions,
  Runtime,
  StartOrder,
} from '../runtimes/runtime.ts';
import type { Limits } from '../sandbox/sandbox.ts';
import type { VolumeMigration } from '../volumes/volume-migration.ts';
import { linePrefix } from './environment-log.ts';
import type { RunningInstance } from './running-instance.ts';

export interface InstancesParts {
  runtime: Runtime;
  /** Has what an order mounts where it runs, whatever had it before. */
  bring: ReturnType<VolumeMigration['forLease']>['bring'];
  limits: Limits;
  /** Takes what a site writes: lines that came together, `at` milliseconds since 1970. */
  write: (environmentId: string, at: number, lines: readonly string[]) => void;
  /** Whether it is still for us to end what nobody wants. */
  holds: () => Promise<boolean>;
  effect: Effect;
  log: Logger;
}

interface Attended {
  ended: PromiseWithResolvers<Reason>;
  /** The runtime has said that it runs: it is missed when it is not among the others any more. */
  isUp: boolean;
  /** Resolves when all it wrote is told. */
  told: PromiseWithResolvers<void>;
  heap: ReturnType<typeof createHeapWatch>;
  /** The latest alone. */
  replicas: ReplayBuffer<readonly Replica[]>;
}

const UNREAD = 'what sites write can’t be read; trying again';
const UNHEARD = 'the runtime can’t be listened to; trying again';
/** What nobody wants may take to end, with whoever waits for that. */
const ENDED_MS = 15_000;
/** After a stream of the runtime's broke. */
const RETRY_MS = 1_000;
/** What an instance wrote last may take to come through, once it has ended. */
export const LAST_LINES_MS = 2_000;

export type Instances = ReturnType<typeof createInstances>;

/** The runtime's instances as the holder of the lease has them: what each writes is told, and how each ends. */
export function createInstances({ runtime, bring, limits, write, holds, effect, log }: InstancesParts) {
  const attended = new Map<string, Attended>();
  const closing = new AbortController();
  const { signal } = closing;

  const orderOf = (instance: string, launch: Launch, command: string): Order => {
    const { artifact, variables, process, number } = launch;
    const { applicationId, environmentId, deploymentId, releaseId, buildId } = launch;
    return {
      instance,
      labels: { applicationId, environmentId, deploymentId, releaseId, buildId, process, number },
      artifact,
      command,
      variables: {
        ...(artifact.kind === 'image' && artifact.own ? ownImageVariables(launch) : siteVariables(launch)),
        ...launch.plan.variables,
        ...variables,
      },
      limits,
      mounts: [
        { volume: HOME_CONTENT, at: 'home' },
        ...launch.volumes.map(({ content, path }) => ({ volume: content, at: path })),
      ],
    };
  };
  const startOrderOf = (instance: string, launch: Launch): StartOrder => ({
    ...orderOf(instance, launch, launch.plan.processes[launch.process] ?? ''),
    replicas: launch.replicas,
    listens: launch.process === WEB,
    port: launch.plan.port,
  });

  /** Hands on what it writes, to its end; goes on behind what was told where the stream breaks. */
  const tell = async (
    id: string,
    launch: Launch,
    also: (lines: readonly string[]) => void,
    after?: number,
  ): Promise<void> => {
    const { environmentId, variables } = launch;
    const hide = createRedactor(Object.values(variables));
    for (let since = after; !signal.aborted; await sleep(RETRY_MS, undefined, { ref: false })) {
      try {
        for await (const { at, number, lines } of runtime.logs(id, { since, signal })) {
          since = at;
          const before = linePrefix(launch, number);
          write(
            environmentId,
            at,
            lines.map((line) => `${before}${sanitizedOutput(line, hide)}`),
          );
          also(lines);
        }
        return;
      } catch (error) {
        if (!signal.aborted) repeatedWarnings(log).warn({}, UNREAD, (error as Error).message);
      }
    }
  };

  /** In the site's log. */
  const telling =
    ({ environmentId }: Launch) =>
    (line: string): void =>
      write(environmentId, Date.now(), [line]);

  const attend = (id: string): Attended => {
    const one = {
      ended: Promise.withResolvers<Reason>(),
      isUp: false,
      told: Promise.withResolvers<void>(),
      heap: createHeapWatch(),
      replicas: createReplayBuffer<readonly Replica[]>(1),
    };
    attended.set(id, one);
    return one;
  };

  /** Names a heap that was full as the cause of an end. */
  const explained = (how: Reason, { isCauseOf }: Attended['heap']): Reason =>
    isCauseOf(how) ? reason('heap_full', { mebibytes: limits.memoryMb }) : how;

  const isTold = ({ told }: Attended) =>
    Promise.race([told.promise, sleep(LAST_LINES_MS, undefined, { ref: false })]);

  const note = ({ instance, replicas, ended }: Instance): void => {
    const one = attended.get(instance);
    if (ended && one) void isTold(one).then(() => one.ended.resolve(explained(ended, one.heap)));
    else one?.replicas.put(replicas);
  };

  const groupsReplicas = runtime.capabilities.has('replicas');

  const liveOf = (state: Instance, { ended, replicas }: Attended): RunningInstance | undefined => {
    const { instance, port, pinnedTo } = state;
    if (state.ended) return undefined;
    return {
      id: instance,
      targets: targetsOf(state),
      port,
      pinnedTo,
      ended: ended.promise,
      ...(groupsReplicas && {
        replicas: { first: state.replicas, changes: (until) => replicas.fromStart(until) },
      }),
    };
  };

  /** Ends it, and forgets it once all it wrote is told. Nothing for one that the runtime has not got. */
  const stop = async (id: string, graceMs: number): Promise<void> => {
    const one = attended.get(id);
    try {
      await runtime.stop(id, graceMs);
      if (one?.isUp) await isTold(one);
      one?.ended.resolve(reason('stopped'));
    } finally {
      // One that could not be ended is nobody's now, and is tried again as such.
      attended.delete(id);
      one?.replicas.end();
    }
  };

  /**
   * What nobody wants, as long as its end is waited for: an engine that can't end it and is asked again at each look has no ear for
   * anything else in the end.
   */
  const unwanted = new Map<string, Promise<void>>();
  const endUnwanted = (id: string): Promise<void> => {
    const ending = runtime
      .stop(id, 0)
      .catch((error) => {
        if (!signal.aborted)
          log.warn({ err: error, instance: id }, 'what nobody wants could not be ended; trying again');
      })
      .finally(() => unwanted.delete(id));
    unwanted.set(id, ending);
    return ending;
  };

  /** Holds what is attended to against what there is: sees an end that no event told, and ends what nobody wants. */
  const check = async (isForUs: () => Promise<boolean> = holds): Promise<void> => {
    const up = [...attended].filter(([, { isUp }]) => isUp);
    const there = new Map((await runtime.list()).map((one) => [one.instance, one]));
    for (const what of [UNREAD, UNHEARD]) repeatedWarnings(log).clear({}, what);
    for (const [id, { ended }] of up) if (!there.has(id)) ended.resolve(reason('vanished'));
    for (const one of there.values()) note(one);
    const others = [...there.keys()].filter((id) => !attended.has(id));
    // They may be the next holder's by now.
    if (others.length === 0 || !(await isForUs())) return;
    const ended = others.map((id) => unwanted.get(id) ?? endUnwanted(id));
    // One that can't be ended keeps no other from beginning.
    await Promise.race([Promise.all(ended), sleep(ENDED_MS, undefined, { ref: false })]);
  };

  const listen = async (): Promise<void> => {
    for (let isAgain = false; !signal.aborted; isAgain = true) {
      try {
        // What happened while nothing was heard is told by nobody.
        if (isAgain) await check();
        for await (const one of runtime.events(signal)) note(one);
      } catch (error) {
        if (!signal.aborted) repeatedWarnings(log).warn({}, UNHEARD, (error as Error).message);
      }
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  };

  return {
    check: () => check(),
    stop,

    /** Ends all that nobody attends to, whoever has the lease. */
    endOthers: () => check(async () => true),

    /** Whether an instance is all that runs of a process, each of which its runtime starts again by itself. */
    groupsReplicas,

    /** Has so many of it run. */
    scale: (id: string, replicas: number): Promise<void> => effect(async () => runtime.scale?.(id, replicas)),

    /** All that are attended to, those among them that are being started. */
    attended: (): string[] => [...attended.keys()],

    /** TCP ports that it listens on; undefined where that can't be seen. */
    listening: async (id: string) => runtime.listening?.(id),

    /** Runs a command of a release beside what runs, to its end. Throws a RuntimeFailure when it can't be run. */
    async run(
      id: string,
      launch: Launch,
      { command, seconds }: { command: string; seconds: number },
      options: RunOptions,
    ): Promise<CommandEnd> {
      const order = orderOf(id, launch, command);
      await bring(order, options.signal, telling(launch));
      const heap = createHeapWatch();
      const output: typeof options.output = (lines) => {
        heap.add(lines);
        options.output(lines);
      };
      const end = await effect(() => runtime.run({ ...order, seconds }, { ...options, output }));
      return end.succeeded ? end : { ...end, how: explained(end.how, heap) };
    },

    /** Hears of what happens, from now on. */
    open(): void {
      void listen();
    },

    /** What it writes goes to `also` as well, which a RuntimeFailure quotes that is thrown, as is the signal's reason. */
    async start(
      id: string,
      launch: Launch,
      also: Pick<Quote, 'add' | 'params'>,
      until?: AbortSignal,
    ): Promise<RunningInstance> {
      until?.throwIfAborted();
      const one = attend(id);
      try {
        const order = startOrderOf(id, launch);
        await bring(order, until ?? signal, telling(launch));
        const state = await effect(() => runtime.start(order, until));
        one.isUp = true;
        const hear = (lines: readonly string[]) => {
          one.heap.add(lines);
          also.add(lines);
        };
        void tell(id, launch, hear).finally(one.told.resolve);
        note(state);
        const live = liveOf(state, one);
        if (live) return live;
        // Not at once: what it said last is why.
        await stop(id, LAST_LINES_MS);
        const how = explained(state.ended ?? reason('vanished'), one.heap);
        throw new RuntimeFailure(reason('ended_before_healthy', { how, ...also.params() }));
      } catch (error) {
        attended.delete(id);
        throw error;
      }
    },

    /**
     * Takes over one that runs; what it wrote after `since`, milliseconds since 1970, is told. Without `telling`, nothing
     * of what it writes is.
     */
    adopt(
      state: Instance,
      launch: Launch,
      telling: { since: number | undefined } | undefined,
    ): RunningInstance | undefined {
      const one = attend(state.instance);
      const live = liveOf(state, one);
      if (!live) {
        attended.delete(state.instance);
        return undefined;
      }
      one.isUp = true;
      if (telling) void tell(state.instance, launch, one.heap.add, telling.since).finally(one.told.resolve);
      else one.told.resolve();
      note(state);
      return live;
    },

    /** Nothing is heard, and nothing of what is written is told, any more. */
    close: (): void => closing.abort(),
  };
}

/** Where its requests go. */
export function targetsOf({ replicas }: Pick<Instance, 'replicas'>): BackendLocation[] {
  return replicas.flatMap(({ origin }) => (origin === undefined ? [] : [{ kind: 'server', origin }]));
}
