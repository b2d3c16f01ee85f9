import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { EnvironmentKey } from '../builds/site-folders.ts';
import { foldersOf } from '../engine/archives.ts';
import { EngineAway, EngineError } from '../engine/connection.ts';
import type { ContainerOrder, Engine, Inspected } from '../engine/engine.ts';
import {
  ABOUT,
  APP,
  APPLICATION,
  confinedTo,
  ENVIRONMENT,
  environmentOf,
  HOME,
  INSTANCE,
  KIND,
  PLATFORM,
  removeKept,
  SITE_USER,
  USER,
} from '../engine/site-containers.ts';
import { networkOf } from '../engine/subnets.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { type Reason, reason } from '../reasons/reason.ts';
import { listenersIn, portsAmong } from '../walls/processes.ts';
import { pathOf } from '../walls/shell.ts';
import { describeCode } from '../walls/spawning.ts';
import type { Capability } from './capabilities.ts';
import {
  type Ended,
  type Instance,
  type Labels,
  type Order,
  type Runtime,
  refuseBeyond,
  type StartOrder,
  type TaskOrder,
  type Written,
} from './runtime.ts';

// Sites as containers of an engine. What runs, whose it is and what it wrote is the engine's alone: all is found again by
// labels, whoever asks.

const PORT = 8_080;
const MEBIBYTE = 2 ** 20;
const TMP_BYTES = 256 * MEBIBYTE;
const NEVER = new AbortController().signal;
const LOOK_AGAIN_MS = 1_000;

export interface ContainerParts {
  engine: Engine;
  /** Which platform's containers are ours: others may stand beside them on the same engine. */
  platform: string;
  log: Logger;
}

interface About {
  labels: Labels;
  memoryMb: number;
  /** Where it listens, if it does. */
  port?: number;
}

export function createContainerRuntime({ engine, platform, log }: ContainerParts): Runtime {
  const capabilities = new Set<Capability>([
    ...(['images', 'volumes', 'layers', 'tasks', 'network', 'memory', 'threads', 'outliving'] as const),
  ]);
  const ours = { [PLATFORM]: platform };
  const sites = { ...ours, [KIND]: 'site' };
  const nameOf = (instance: string) => `simcha-${instance}`;
  const volumeOf = ({ environmentId }: EnvironmentKey, volume: string) => `simcha-${environmentId}-${volume}`;
  const keyLabels = ({ applicationId, environmentId }: EnvironmentKey) => ({
    ...ours,
    [APPLICATION]: applicationId,
    [ENVIRONMENT]: environmentId,
  });

  /** What becomes of what the engine refuses: a sentence for whoever deploys, as far as it is about theirs. */
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof EngineAway)) throw error;
      throw new RuntimeFailure(reason('cant_run', { error: error.message }));
    }
  };

  const orderOf = async (
    { instance, labels, artifact, command, variables, limits, mounts }: Order,
    more: { kind: 'site' | 'task'; port?: number | undefined },
    signal: AbortSignal,
  ): Promise<ContainerOrder> => {
    if (artifact.kind !== 'image') throw new RuntimeFailure(reason('release_gone'));
    const own = mounts.map(({ volume, at }) => ({
      Type: 'volume' as const,
      Source: volumeOf(labels, volume),
      Target: at === 'home' ? HOME : at,
    }));
    for (const [index, { Source }] of own.entries()) {
      const about = { ...keyLabels(labels), 'simcha.volume': mounts[index]?.volume ?? '' };
      await engine.createVolume(Source, about, signal);
    }
    const { port } = more;
    const about: About = { labels, memoryMb: limits.memoryMb, ...(port !== undefined && { port }) };
    const { below } = artifact;
    const all = {
      ...variables,
      HOME,
      PATH: pathOf({ command, below }, APP, '/usr/local/sbin'),
      ...(port !== undefined && { HOSTNAME: '0.0.0.0', HOST: '0.0.0.0', PORT: String(port) }),
    };
    return {
      Image: artifact.image,
      ...(command !== '' && { Entrypoint: ['/bin/sh', '-c', command], Cmd: [] }),
      Env: environmentOf(all),
      User: USER,
      WorkingDir: posix.join(APP, below),
      Labels: {
        ...keyLabels(labels),
        [KIND]: more.kind,
        [INSTANCE]: instance,
        [ABOUT]: JSON.stringify(about),
      },
      HostConfig: {
        ...confinedTo(limits),
        NetworkMode: await networkOf(engine, `simcha-${labels.environmentId}`, keyLabels(labels), signal),
        Mounts: own,
        Tmpfs: { '/tmp': `size=${TMP_BYTES},mode=1777` },
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
        RestartPolicy: { Name: 'no' },
        Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
      },
    };
  };

  /** One of that name that is there already is left as it is, and started where it was not yet. */
  const create = async (name: string, order: ContainerOrder, signal: AbortSignal): Promise<void> => {
    await engine.create(name, order, signal).catch((error) => {
      if (!(error instanceof EngineError) || error.status !== 409) throw error;
    });
    const folders = order.HostConfig.Mounts?.map(({ Target }) => Target) ?? [];
    await engine.putFiles(name, '/', foldersOf(folders, SITE_USER), signal);
    await engine.start(name, signal);
  };

  const stateOf = (found: Inspected): Instance => {
    const { labels, port } = aboutOf(found);
    const instance = found.Config.Labels[INSTANCE] ?? '';
    const address = Object.values(found.NetworkSettings.Networks)[0]?.IPAddress;
    const ended = endOf(found);
    return {
      ...{ instance, labels },
      origins: port !== undefined && address && !ended ? [`http://${address}:${port}`] : [],
      ...(port !== undefined && { port }),
      ...(ended && { ended }),
    };
  };

  const look = async (name: string, signal = NEVER): Promise<Instance | undefined> => {
    const found = await engine.inspect(name, signal);
    return found && stateOf(found);
  };

  /** Who does not hear SIGTERM as the first of a container's processes does not hear it: all of them are told. */
  const askToEnd = (name: string) =>
    engine
      .exec(
        name,
        { Cmd: ['/bin/sh', '-c', 'kill -TERM -1'], User: USER },
        () => {},
        AbortSignal.timeout(LOOK_AGAIN_MS),
      )
      .catch(() => {});

  const runtime: Runtime = {
    isolation: `sites run as containers of the engine (API ${engine.version})`,
    capabilities,

    // Nobody’s life has the engine for itself: the lease says who asks it.
    claim: () => true,

    /** What was being done by an earlier life and nobody waits for any more. */
    async recover() {
      for (const kind of ['task', 'build']) {
        for (const { Id } of await engine.containers({ ...ours, [KIND]: kind }, NEVER))
          await engine.remove(Id, NEVER);
      }
      for (const { Id, State } of await engine.containers(sites, NEVER))
        if (State === 'created') await engine.remove(Id, NEVER);
    },

    async list() {
      const found = await engine.containers(sites, NEVER);
      const states = await Promise.all(found.map(({ Id }) => look(Id)));
      return states.filter((one) => one !== undefined);
    },

    start: (order: StartOrder, signal = NEVER) =>
      failing(async () => {
        refuseBeyond(runtime, order);
        const name = nameOf(order.instance);
        const port = order.listens ? (order.port ?? PORT) : undefined;
        try {
          await create(name, await orderOf(order, { kind: 'site', port }, signal), signal);
          const state = await look(name, signal);
          if (!state) throw new RuntimeFailure(reason('vanished'));
          return state;
        } catch (error) {
          await engine
            .remove(name, NEVER)
            .catch((failure) => log.warn({ err: failure }, 'a container could not be removed'));
          throw error;
        }
      }),

    async stop(instance, graceMs) {
      const name = nameOf(instance);
      if (graceMs > 0) {
        await askToEnd(name);
        await engine.stop(name, Math.ceil(graceMs / 1_000), NEVER);
      }
      await engine.remove(name, NEVER);
    },

    async *events(signal) {
      try {
        for await (const { Action, Actor } of engine.events(sites, signal)) {
          if (Action !== 'die') continue;
          const state = await look(Actor.ID, signal);
          if (state) yield state;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },

    async *logs(instance, { since, signal }) {
      try {
        yield* written(nameOf(instance), since, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },

    async listening(instance) {
      let said = '';
      const Cmd = ['cat', '/proc/net/tcp', '/proc/net/tcp6'];
      const code = await engine
        .exec(
          nameOf(instance),
          { Cmd },
          (bytes) => {
            said += bytes;
          },
          AbortSignal.timeout(LOOK_AGAIN_MS),
        )
        .catch(() => undefined);
      if (code === undefined || said === '') return undefined;
      return portsAmong(listenersIn(said).filter(({ address }) => address !== RESOLVER));
    },

    run: (order: TaskOrder, { output, signal }) =>
      failing(async (): Promise<Ended> => {
        refuseBeyond(runtime, order);
        const name = nameOf(order.instance);
        const late = AbortSignal.timeout(order.seconds * 1_000);
        const until = AbortSignal.any([signal, late]);
        try {
          await create(name, await orderOf(order, { kind: 'task' }, until), until);
          for await (const { lines } of written(name, undefined, until)) output(lines);
          const found = await engine.inspect(name, until);
          const how = (found && endOf(found)) ?? reason('vanished');
          return { succeeded: how.code === 'exited' && how.params.code === 0, how };
        } catch (error) {
          if (signal.aborted || !late.aborted) throw error;
          return { succeeded: false, how: reason('too_slow', { seconds: order.seconds }) };
        } finally {
          await engine.remove(name, NEVER);
        }
      }),

    async kept() {
      const volumes = await engine.volumes(ours, NEVER);
      const keys = volumes.flatMap(({ Labels }) => {
        const { [APPLICATION]: applicationId, [ENVIRONMENT]: environmentId } = Labels;
        return applicationId && environmentId ? [{ applicationId, environmentId }] : [];
      });
      return [...new Map(keys.map((key) => [key.environmentId, key])).values()];
    },

    async forget(key, signal) {
      await removeKept(engine, keyLabels(key), signal);
    },

    async close() {
      engine.close();
    },
  };
  return runtime;

  /** What comes with one look, to the end; an engine of before 23 keeps a last line without an end from those who follow. */
  async function* written(
    name: string,
    since: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Written> {
    let last = '';
    const from = since === undefined ? undefined : (since / 1_000).toFixed(3);
    for (let isOver = false; ; isOver = true) {
      for await (const { at, line } of engine.logs(name, last === '' ? from : secondsOf(last), signal)) {
        if (at <= last || Date.parse(at) <= (since ?? 0)) continue;
        last = at;
        yield { at: Date.parse(at), lines: [line] };
      }
      if (isOver) return;
      // It has ended, or the engine stopped telling: only one that has ended is over.
      while ((await engine.inspect(name, signal))?.State.Running) {
        await sleep(LOOK_AGAIN_MS, undefined, { signal });
      }
    }
  }
}

/** `2026-11-26T08:00:00.000000001Z` as the engine's `since`. */
function secondsOf(at: string): string {
  return `${Math.floor(Date.parse(at) / 1_000)}.${at.split('.')[1]?.slice(0, -1) ?? '0'}`;
}

function aboutOf({ Config: { Labels } }: Inspected): About {
  return JSON.parse(Labels[ABOUT] ?? '{}');
}

/** undefined while it runs, and before it has. */
function endOf(found: Inspected): Reason | undefined {
  const { Running, ExitCode, OOMKilled, StartedAt, Error: error } = found.State;
  if (Running) return undefined;
  if (OOMKilled) return reason('too_much_memory', { mebibytes: aboutOf(found).memoryMb });
  if (error !== '') return reason('cant_run', { error });
  if (StartedAt.startsWith('0001-')) return undefined;
  return describeCode(ExitCode);
}

/** 127.0.0.11, where the engine answers for names. */
const RESOLVER = '0B00007F';
