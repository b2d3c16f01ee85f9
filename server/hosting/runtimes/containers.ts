import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/identifiers.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { ContainerOrder, InspectedContainer, ListedContainer } from '../engine/container-calls.ts';
import { runInContainer, scriptCommand } from '../engine/container-commands.ts';
import { excessReason, watchDiskUsage } from '../engine/disk-usage.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineAway, EngineError } from '../engine/errors.ts';
import { withFailureReasons } from '../engine/failure-reasons.ts';
import type { Labels as EngineLabels } from '../engine/labels.ts';
import type { Networks } from '../engine/networks.ts';
import {
  containerLimits,
  discardContainer,
  environmentKeysIn,
  HOME,
  INSTANCE,
  KIND,
  keyLabels,
  NAME_PREFIX,
  ownContainers,
  ownImageLimits,
  PLATFORM,
  removeAbandoned,
  removeRetained,
  USER,
} from '../engine/site-containers.ts';
import { placeFolders, volumeThroughLink } from '../engine/volume-folders.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { listenersIn, portsAmong } from '../sandbox/processes.ts';
import { describeCode } from '../sandbox/spawning.ts';
import type { Capability } from './capabilities.ts';
import {
  aboutOf,
  type ContainerTerms,
  firstProcess,
  NO_HEALTHCHECK,
  refusalOf,
  termsOf,
} from './container-order.ts';
import { createFolderLock } from './folder-lock.ts';
import {
  type CommandEnd,
  type Instance,
  type Labels,
  type Order,
  onlyReplica,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type TaskOrder,
} from './runtime.ts';
import { siteLog } from './site-log.ts';

// Sites as containers of an engine. What runs, whose it is and what it wrote is the engine's alone: all is found again by
// labels, whoever asks.

const NEVER = new AbortController().signal;
const LOOK_AGAIN_MS = 1_000;
const NOT_CLOSED = 'networks of sites could not be closed; trying again';
const UNMEASURED = 'what sites fill of the disk can’t be looked at; trying again';
const UNENDED = new Set(['created', 'running']);
const GOING = /dead or marked for removal/;
/** What one wrote last may take to be read, before it is removed. */
const LAST_LINES_MS = 1_000;
/** What looks where a site listens, from beside it. */
const BESIDES_MS = 10_000;
const BESIDES_MB = 64;
const BESIDES_PROCESSES = 10;
const SOCKETS = ['cat', '/proc/net/tcp', '/proc/net/tcp6'];
/** Of one on the way to it, and of its own. */
const NO_FOLDER = /not (a )?directory/i;

export interface ContainerParts {
  engine: Engine;
  /** Which platform’s containers are ours: others may stand beside them on the same engine. Known once the database is. */
  platform: () => string;
  networks: Networks;
  /** An image that has a shell, at hand. */
  image: (signal: AbortSignal) => Promise<string>;
  /** Which server’s, in whatever life: the one that has this folder. */
  base: string;
  /** Whether nothing is reached from them but what anybody may. */
  isClosed: boolean;
  log: Logger;
}

export const CONTAINER_CAPABILITIES: ReadonlySet<Capability> = new Set([
  ...(['images', 'volumes', 'layers', 'tasks', 'network', 'memory', 'threads', 'disk', 'outliving'] as const),
]);

export function createContainerRuntime({
  engine,
  platform,
  networks,
  image,
  base,
  isClosed,
  log,
}: ContainerParts): Runtime {
  const claim = createFolderLock(base);
  const ours = () => ({ [PLATFORM]: platform() });
  const sites = () => ({ ...ours(), [KIND]: 'site' });
  const nameOf = (instance: string) => `${NAME_PREFIX}${instance}`;
  /** What becomes of what the engine refuses: a sentence for whoever deploys, as far as it is about theirs. */
  const running = <T>(order: Order, work: () => Promise<T>): Promise<T> =>
    withFailureReasons(async () => {
      try {
        return await work();
      } catch (error) {
        throw (error instanceof EngineError && refusalOf(order, error.message)) || error;
      }
    });

  /** Somebody may have removed what closes the networks of what runs, or a full disk have kept it from standing again. */
  const keepClosed = coalesceRuns(async () => {
    const { warn, clear } = repeatedWarnings(log);
    await networks.ensureClosed(closing.signal).then(
      () => clear({}, NOT_CLOSED),
      (error) => {
        if (!closing.signal.aborted) warn({}, NOT_CLOSED, error.message);
      },
    );
  });

  const orderOf = async (
    { labels, limits }: Order,
    { image: Image, isOwnImage, command, env, user, folder, found, mounts }: ContainerTerms,
    signal: AbortSignal,
  ): Promise<ContainerOrder> => {
    for (const { source, labels } of mounts) await engine.createVolume(source, labels, signal);
    return {
      Image,
      ...(command !== undefined && {
        Entrypoint: scriptCommand(await firstProcess(), [command]),
        Cmd: [],
        StopSignal: 'SIGTERM',
      }),
      Env: env,
      ...(user !== undefined && { User: user }),
      ...(folder !== undefined && { WorkingDir: folder }),
      Labels: found,
      Healthcheck: NO_HEALTHCHECK,
      HostConfig: {
        ...(isOwnImage ? ownImageLimits(limits) : containerLimits(limits)),
        NetworkMode: await networks.ensure(
          `simcha-${labels.environmentId}`,
          keyLabels(platform(), labels),
          signal,
        ),
        Mounts: mounts.map(({ source, target }) => ({ Type: 'volume', Source: source, Target: target })),
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
        RestartPolicy: { Name: 'no' },
        Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
      },
    };
  };

  /** One of that name that is there already is left as it is, and started where it was not yet. */
  const create = async (
    name: string,
    order: Order & Partial<StartOrder>,
    signal: AbortSignal,
  ): Promise<void> => {
    // What is begun as its engine ends comes back broken, if at all.
    await engine.greet(signal);
    const terms = termsOf(platform(), order);
    const { folders, isOwnImage } = terms;
    await engine.create(name, await orderOf(order, terms, signal), signal).catch((error) => {
      if (!(error instanceof EngineError)) throw error;
      if (error.status === 409) return;
      // A file where a folder has to be.
      const said = NO_FOLDER.exec(error.message);
      const volume = said && folders.find((one) => error.message.includes(one));
      if (!volume) throw error;
      throw volumeThroughLink(volume, said[1] ? posix.dirname(volume) : volume);
    });
    if (folders.length > 0) await placeFolders(engine, name, { folders, isOwnImage }, signal);
    await engine.start(name, signal);
  };

  const drop = (name: string): Promise<void> => discardContainer(engine, name, log);

  /** How those ended that we ended; whoever comes after us finds them killed. */
  const verdicts = new Map<string, Reason>();

  const stateOf = (
    { Labels, NetworkSettings }: Pick<ListedContainer, 'Labels' | 'NetworkSettings'>,
    end?: Reason,
  ): Instance => {
    const { labels, port } = aboutOf(Labels);
    const instance = Labels[INSTANCE] ?? '';
    const address = Object.values(NetworkSettings.Networks)[0]?.IPAddress;
    const ended = end && (verdicts.get(instance) ?? end);
    const origin = port !== undefined && address ? `http://${address}:${port}` : undefined;
    return {
      instance,
      labels,
      replicas: ended ? [] : [onlyReplica(instance, labels, origin)],
      ...(port !== undefined && { port }),
      ...(ended && { ended }),
    };
  };

  const look = async (name: string, signal = NEVER): Promise<Instance | undefined> => {
    const found = await settled(engine, name, signal);
    return found && stateOf({ ...found, Labels: found.Config.Labels }, endOf(found));
  };

  /** Ends those that fill more of the disk than they may, until the signal. */
  const watchDisks = (signal: AbortSignal): Promise<void> =>
    watchDiskUsage(async () => {
      try {
        for (const { instance, how } of await overfull(engine, ours(), signal)) {
          verdicts.set(instance, how);
          await engine.stop(nameOf(instance), 0, signal);
        }
        repeatedWarnings(log).clear({}, UNMEASURED);
      } catch (error) {
        if (!signal.aborted) repeatedWarnings(log).warn({}, UNMEASURED, (error as Error).message);
      }
    }, signal);
  const closing = new AbortController();
  let watching: Promise<void> | undefined;

  /**
   * What listens, as the kernel lists it. Nothing is run in an image of a source's own: that opens its `/etc/passwd`, and who made that
   * a pipe would have it wait for good, and the end of the container with it. Nor can be looked first what that is: an engine mounts
   * volumes for it, and before CVE-2026-42306 was mended wherever a link leads that the site changes meanwhile.
   */
  const socketsOf = async (name: string): Promise<string | undefined> => {
    const found = await engine.inspect(name, AbortSignal.timeout(LOOK_AGAIN_MS));
    if (!found) return undefined;
    const { labels, isOwnImage } = aboutOf(found.Config.Labels);
    if (isOwnImage) return besides(found.Id, labels, AbortSignal.timeout(BESIDES_MS));
    return (await runInContainer(engine, name, { Cmd: SOCKETS }, AbortSignal.timeout(LOOK_AGAIN_MS))).output;
  };

  /** The same from a container of ours that has its network. */
  const besides = async (id: string, labels: Labels, signal: AbortSignal): Promise<string> => {
    const name = `${NAME_PREFIX}hand-${newId()}`;
    try {
      const order: ContainerOrder = {
        Image: await image(signal),
        Entrypoint: SOCKETS,
        Cmd: [],
        User: USER,
        Labels: { ...keyLabels(platform(), labels), [KIND]: 'hand' },
        Healthcheck: NO_HEALTHCHECK,
        HostConfig: {
          ...containerLimits({ memoryMb: BESIDES_MB, processes: BESIDES_PROCESSES }),
          NetworkMode: `container:${id}`,
          LogConfig: { Type: 'json-file', Config: {} },
        },
      };
      await engine.create(name, order, signal);
      await engine.start(name, signal);
      await engine.wait(name, signal);
      let said = '';
      for await (const lines of engine.pastLogs(name, undefined, signal))
        said += lines.map(({ line }) => `${line}\n`).join('');
      return said;
    } finally {
      await drop(name);
    }
  };

  /** By instance, whoever reads what it writes, to its end. */
  const reading = new Map<string, Promise<void>>();

  const logOf = (name: string, since: number | undefined, signal: AbortSignal) =>
    siteLog((behind) => toTheEnd(engine, name, behind, signal), since, signal);

  const runtime: Runtime = {
    isolation: `sites run as containers of the engine (API ${engine.version})${
      isClosed ? '' : ', and reach all that its machine reaches (APPS_ISOLATION is "none")'
    }`,
    capabilities: CONTAINER_CAPABILITIES,

    claim: claim.take,

    identity: async (signal) => (await engine.identity(signal)).engine,

    /** What was being done by an earlier life and nobody waits for any more. */
    async recover() {
      // A server of the same folder that comes up beside us would else take us for an earlier life of its own.
      claim.take();
      await removeAbandoned(engine, ours(), ['task', 'build', 'hand'], log);
      const found = await ownContainers(engine, sites(), NEVER);
      const begun = found.filter(({ State }) => State === 'created');
      await Promise.all(begun.map(({ Id }) => drop(Id)));
    },

    async list() {
      watching ??= watchDisks(closing.signal).catch(() => {});
      const found = await ownContainers(engine, sites(), NEVER);
      if (found.length > 0) void keepClosed();
      const states = await Promise.all(
        // Of one whose start hangs an engine tells nothing more.
        found.map((one) => (UNENDED.has(one.State) ? stateOf(one) : look(one.Id))),
      );
      return states.filter((one) => one !== undefined);
    },

    start: (order: StartOrder, signal = NEVER) =>
      running(order, async () => {
        refuseUnsupported(runtime, order);
        const name = nameOf(order.instance);
        try {
          await create(name, order, signal);
          const state = await look(name, signal);
          if (!state) throw new RuntimeFailure(reason('vanished'));
          return state;
        } catch (error) {
          await drop(name);
          throw error;
        }
      }),

    async stop(instance, graceMs) {
      const name = nameOf(instance);
      if (graceMs > 0) {
        await engine.stop(name, Math.ceil(graceMs / 1_000), NEVER);
        await Promise.race([reading.get(instance), sleep(LAST_LINES_MS, undefined, { ref: false })]);
      }
      await engine.remove(name, NEVER);
      verdicts.delete(instance);
    },

    async *events(signal) {
      try {
        for await (const { Action, Actor } of engine.events(sites(), signal)) {
          if (Action !== 'die' || !Actor.Attributes.name?.startsWith(NAME_PREFIX)) continue;
          const state = await look(Actor.ID, signal).catch((error) => {
            // An engine of today that ends tells how its containers do, and answers nothing any more.
            if (!(error instanceof EngineAway)) throw error;
            const end = describeCode(Number(Actor.Attributes.exitCode));
            return stateOf({ Labels: Actor.Attributes, NetworkSettings: { Networks: {} } }, end);
          });
          if (state) yield state;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },

    async *logs(instance, { since, signal }) {
      const over = Promise.withResolvers<void>();
      reading.set(instance, over.promise);
      try {
        yield* logOf(nameOf(instance), since, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        over.resolve();
        if (reading.get(instance) === over.promise) reading.delete(instance);
      }
    },

    async listening(instance) {
      const said = await socketsOf(nameOf(instance)).catch(() => undefined);
      if (!said) return undefined;
      return portsAmong(listenersIn(said).filter(({ address }) => address !== RESOLVER));
    },

    run: (order: TaskOrder, { output, signal }) =>
      running(order, async (): Promise<CommandEnd> => {
        refuseUnsupported(runtime, order);
        const name = nameOf(order.instance);
        const late = AbortSignal.timeout(order.seconds * 1_000);
        const until = AbortSignal.any([signal, late]);
        try {
          await create(name, order, until);
          for await (const { lines } of logOf(name, undefined, until)) output(lines);
          const found = await settled(engine, name, until);
          const how = verdicts.get(order.instance) ?? (found && endOf(found)) ?? reason('vanished');
          return { succeeded: how.code === 'exited' && how.params.code === 0, how };
        } catch (error) {
          if (signal.aborted || !late.aborted) throw error;
          return { succeeded: false, how: reason('too_slow', { seconds: order.seconds }) };
        } finally {
          verdicts.delete(order.instance);
          await drop(name);
        }
      }),

    async retainedEnvironments() {
      const volumes = await engine.volumes(ours(), NEVER);
      const keys = volumes.flatMap(environmentKeysIn);
      return [...new Map(keys.map((key) => [key.environmentId, key])).values()];
    },

    async forget(key, signal) {
      await removeRetained(engine, keyLabels(platform(), key), signal);
    },

    async close() {
      closing.abort();
      claim.release();
      await watching;
      engine.close();
    },
  };
  return runtime;
}

/**
 * What is there behind `since`, which is asked twice, and what comes; an engine of before 23 keeps a last line without an end from
 * those who follow. Of one that is not there any more, or about to go, nothing is told.
 */
async function* toTheEnd(engine: Engine, name: string, since: () => string | undefined, signal: AbortSignal) {
  try {
    yield* engine.logs(name, since(), signal);
    // It has ended, or the engine stopped telling: only one that has ended is over.
    await engine.wait(name, signal);
    yield* engine.pastLogs(name, since(), signal);
  } catch (error) {
    const isGone = error instanceof EngineError && (error.status === 404 || GOING.test(error.message));
    if (!isGone) throw error;
  }
}

/** Sites and commands that have written more than they may: beside their volumes, or into one of those. */
async function overfull(
  engine: Engine,
  ours: EngineLabels,
  signal: AbortSignal,
): Promise<{ instance: string; how: Reason }[]> {
  const all = await ownContainers(engine, ours, signal);
  const running = all.filter(
    ({ State, Labels }) => State === 'running' && ['site', 'task'].includes(Labels[KIND] ?? ''),
  );
  if (running.length === 0) return [];
  const { containers, volumes } = await engine.usage(signal);
  return running.flatMap(({ Id, Labels, Mounts }) => {
    const { diskMb: mebibytes } = aboutOf(Labels);
    const filled = [
      { bytes: containers.get(Id), exceeds: 'layer_exceeds' as const },
      ...Mounts.map(({ Name = '', Destination }) => ({
        bytes: volumes.get(Name),
        exceeds: Destination === HOME ? ('home_exceeds' as const) : ('volume_exceeds' as const),
      })),
    ];
    const over = filled.flatMap(({ bytes = 0, exceeds }) => {
      const how = excessReason(bytes, mebibytes);
      return how ? [reason(exceeds, { how })] : [];
    });
    return over.slice(0, 1).map((how) => ({ instance: Labels[INSTANCE] ?? '', how }));
  });
}

/** As it is once all is known of its end: a busy engine hears a moment after it that memory was the reason. */
async function settled(
  engine: Engine,
  name: string,
  signal: AbortSignal,
): Promise<InspectedContainer | undefined> {
  for (;;) {
    const found = await engine.inspect(name, signal);
    if (!found || !mayHaveMore(found)) return found;
    await sleep(HEAR_MS, undefined, { signal });
  }
}

function mayHaveMore({ State: { Running, ExitCode, OOMKilled, FinishedAt } }: InspectedContainer): boolean {
  const isKilled = !Running && !OOMKilled && ExitCode === KILLED;
  return isKilled && Date.now() - Date.parse(FinishedAt) < HEARD_MS;
}

/** 128 and SIGKILL. */
const KILLED = 137;
const HEAR_MS = 100;
const HEARD_MS = 2_000;

/** undefined while it runs, and before it has. */
function endOf(found: InspectedContainer): Reason | undefined {
  const { Running, ExitCode, OOMKilled, StartedAt, Error: error } = found.State;
  if (Running) return undefined;
  if (OOMKilled) return reason('too_much_memory', { mebibytes: aboutOf(found.Config.Labels).memoryMb });
  if (error !== '') return reason('cant_run', { error });
  if (StartedAt.startsWith('0001-')) return undefined;
  return describeCode(ExitCode);
}

/** 127.0.0.11, where the engine answers for names. */
const RESOLVER = '0B00007F';
