import { setTimeout as sleep } from 'node:timers/promises';
import { coalesceRuns } from '../../../kernel/keyed-lock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { repeatedWarnings } from '../../../kernel/repeated-warnings.ts';
import type { EngineEvent } from '../../engine/container-output.ts';
import { watchDiskUsage } from '../../engine/disk-usage.ts';
import type { Engine } from '../../engine/engine.ts';
import { EngineAway, EngineError } from '../../engine/errors.ts';
import { withFailureReasons } from '../../engine/failure-reasons.ts';
import type { Labels as EngineLabels } from '../../engine/labels.ts';
import type { Networks } from '../../engine/networks.ts';
import {
  discardContainer,
  environmentKeysIn,
  INSTANCE,
  KIND,
  keyLabels,
  NAME_PREFIX,
  ownContainers,
  PLATFORM,
  removeAbandoned,
  removeRetained,
} from '../../engine/site-containers.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import type { EnvironmentKey } from '../../model/site-folders.ts';
import type { Usage } from '../../sandbox/command.ts';
import { describeCode } from '../../sandbox/spawning.ts';
import type { Capability } from '../capabilities.ts';
import { refusalOf } from '../container-order.ts';
import { createFolderLock } from '../folder-lock.ts';
import {
  type CommandEnd,
  type Instance,
  type Order,
  type RunOptions,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type TaskOrder,
  type WrittenLines,
} from '../runtime.ts';
import { overfullInstances } from './disk-usage.ts';
import { listeningPorts } from './listening-ports.ts';
import { containerLog } from './logs.ts';
import { startSiteContainer } from './site-container.ts';
import { endOf, inspectSettled, instanceOf } from './state.ts';

/** Time limit of a measurement of memory and processor time. */
const USAGE_MS = 10_000;
const NEVER = new AbortController().signal;
const NOT_CLOSED = 'networks of sites could not be closed; trying again';
const UNMEASURED = 'what sites fill of the disk can’t be looked at; trying again';
const UNENDED = new Set(['created', 'running']);
/** Time for the last lines of an ended container to be read, before it is removed. */
const LAST_LINES_MS = 1_000;

export interface ContainerParts {
  engine: Engine;
  /**
   * Id of the platform, available once the database is open. Containers of other platforms may be on the same engine.
   */
  platform: () => string;
  networks: Networks;
  /** Promise of the name of an image with a shell; resolves once the engine has that image. */
  image: (signal: AbortSignal) => Promise<string>;
  /** Folder of the server, on which one process at a time holds a lock. */
  base: string;
  /** True if containers can reach only public networks. */
  isClosed: boolean;
  log: Logger;
}

export const CONTAINER_CAPABILITIES: ReadonlySet<Capability> = new Set([
  ...(['images', 'volumes', 'layers', 'tasks', 'network', 'memory', 'threads', 'disk', 'outliving'] as const),
]);

/**
 * Runtime that runs sites as containers of an engine. The engine alone knows which containers run, who owns them and
 * what they wrote: any server finds them again by labels.
 */
export class ContainerRuntime implements Runtime {
  readonly isolation: string;
  readonly capabilities = CONTAINER_CAPABILITIES;
  readonly #parts: ContainerParts;
  readonly #lock: ReturnType<typeof createFolderLock>;
  readonly #closing = new AbortController();
  /** Reasons why this server ended instances; another server would only see that they were killed. */
  readonly #endReasons = new Map<string, Reason>();
  /** Promises for instances whose log is being read: each resolves once the log is read to its end. */
  readonly #readings = new Map<string, Promise<void>>();
  /** Loop that watches the disk usage of instances, started by the first `list`. */
  #diskWatch: Promise<void> | undefined;
  /**
   * Ensures again that running sites can't reach closed networks: somebody may have removed the firewall, or it could
   * not start again because of a full disk.
   */
  readonly #keepClosed = coalesceRuns(() => this.#ensureClosed());

  constructor(parts: ContainerParts) {
    this.#parts = parts;
    this.isolation = `sites run as containers of the engine (API ${parts.engine.version})${
      parts.isClosed ? '' : ', and reach all that its machine reaches (APPS_ISOLATION is "none")'
    }`;
    this.#lock = createFolderLock(parts.base);
  }

  claim(): boolean {
    return this.#lock.take();
  }

  async identity(signal: AbortSignal): Promise<string> {
    return (await this.#parts.engine.identity(signal)).engine;
  }

  /** Ends commands, builds and starts that an earlier run of the server began and nobody waits for any more. */
  async recover(): Promise<void> {
    const { engine, log } = this.#parts;
    // The lock ensures that one server at a time uses the data folder. A second server that starts with the same folder
    // would end the containers that this server runs.
    this.#lock.take();
    await removeAbandoned(engine, this.#own(), ['task', 'build', 'helper'], log);
    const found = await ownContainers(engine, this.#sites(), NEVER);
    const created = found.filter(({ State }) => State === 'created');
    await Promise.all(created.map(({ Id }) => this.#discard(Id)));
  }

  async list(): Promise<Instance[]> {
    this.#diskWatch ??= this.#watchDisk(this.#closing.signal).catch(() => {});
    const found = await ownContainers(this.#parts.engine, this.#sites(), NEVER);
    if (found.length > 0) void this.#keepClosed();
    const states = await Promise.all(
      // An engine can't inspect a container whose start hangs.
      found.map((one) => (UNENDED.has(one.State) ? instanceOf(one) : this.#look(one.Id, NEVER))),
    );
    return states.filter((one) => one !== undefined);
  }

  start(order: StartOrder, signal = NEVER): Promise<Instance> {
    return withReasonsFor(order, async () => {
      refuseUnsupported(this, order);
      const name = containerName(order.instance);
      try {
        await startSiteContainer(this.#parts, name, order, signal);
        const state = await this.#look(name, signal);
        if (!state) throw new RuntimeFailure(reason('vanished'));
        return state;
      } catch (error) {
        await this.#discard(name);
        throw error;
      }
    });
  }

  async stop(instance: string, graceMs: number): Promise<void> {
    const { engine } = this.#parts;
    const name = containerName(instance);
    if (graceMs > 0) {
      await engine.stop(name, Math.ceil(graceMs / 1_000), NEVER);
      await Promise.race([this.#readings.get(instance), sleep(LAST_LINES_MS, undefined, { ref: false })]);
    }
    await engine.remove(name, NEVER);
    this.#endReasons.delete(instance);
  }

  async *events(signal: AbortSignal): AsyncGenerator<Instance> {
    try {
      for await (const event of this.#parts.engine.events(this.#sites(), signal)) {
        const { Action, Actor } = event;
        if (Action !== 'die' || !Actor.Attributes.name?.startsWith(NAME_PREFIX)) continue;
        const state = await this.#look(Actor.ID, signal).catch((error) => {
          // An engine that is being stopped still reports that containers ended, but answers no calls any more.
          if (!(error instanceof EngineAway)) throw error;
          return this.#stateIn(event);
        });
        if (state) yield state;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async *logs(
    instance: string,
    { since, signal }: { since?: number | undefined; signal: AbortSignal },
  ): AsyncGenerator<WrittenLines> {
    const over = Promise.withResolvers<void>();
    this.#readings.set(instance, over.promise);
    try {
      yield* containerLog(this.#parts.engine, containerName(instance), since, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      over.resolve();
      if (this.#readings.get(instance) === over.promise) this.#readings.delete(instance);
    }
  }

  listening(instance: string): Promise<readonly number[] | undefined> {
    return listeningPorts(this.#parts, containerName(instance));
  }

  usage(instance: string): Promise<Usage | undefined> {
    return this.#parts.engine.resourceUse(containerName(instance), AbortSignal.timeout(USAGE_MS));
  }

  run(order: TaskOrder, { output, signal }: RunOptions): Promise<CommandEnd> {
    return withReasonsFor(order, async () => {
      refuseUnsupported(this, order);
      const { instance, seconds } = order;
      const name = containerName(instance);
      const late = AbortSignal.timeout(seconds * 1_000);
      const until = AbortSignal.any([signal, late]);
      const { engine } = this.#parts;
      try {
        await startSiteContainer(this.#parts, name, order, until);
        for await (const { lines } of containerLog(engine, name, undefined, until)) output(lines);
        const found = await inspectSettled(engine, name, until);
        const how = this.#endReasons.get(instance) ?? (found && endOf(found)) ?? reason('vanished');
        return { succeeded: how.code === 'exited' && how.params.code === 0, how };
      } catch (error) {
        if (signal.aborted || !late.aborted) throw error;
        return { succeeded: false, how: reason('too_slow', { seconds }) };
      } finally {
        this.#endReasons.delete(instance);
        await this.#discard(name);
      }
    });
  }

  async retainedEnvironments(): Promise<EnvironmentKey[]> {
    const volumes = await this.#parts.engine.volumes(this.#own(), NEVER);
    const keys = volumes.flatMap(environmentKeysIn);
    return [...new Map(keys.map((key) => [key.environmentId, key])).values()];
  }

  async forget(key: EnvironmentKey, signal: AbortSignal): Promise<void> {
    const { engine, platform } = this.#parts;
    await removeRetained(engine, keyLabels(platform(), key), signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#lock.release();
    await this.#diskWatch;
    this.#parts.engine.close();
  }

  /** Labels of every engine object of this platform. */
  #own(): EngineLabels {
    return { [PLATFORM]: this.#parts.platform() };
  }

  #sites(): EngineLabels {
    return { ...this.#own(), [KIND]: 'site' };
  }

  #discard(name: string): Promise<void> {
    return discardContainer(this.#parts.engine, name, this.#parts.log);
  }

  /** Instance that runs in a container; undefined if the container does not exist. */
  async #look(name: string, signal: AbortSignal): Promise<Instance | undefined> {
    const found = await inspectSettled(this.#parts.engine, name, signal);
    if (!found) return undefined;
    return instanceOf(
      { ...found, Labels: found.Config.Labels },
      this.#reasonFor(found.Config.Labels, endOf(found)),
    );
  }

  /** Instance as described by the event of its container's end. */
  #stateIn({ Actor: { Attributes: Labels } }: EngineEvent): Instance {
    const end = describeCode(Number(Labels.exitCode));
    return instanceOf({ Labels, NetworkSettings: { Networks: {} } }, this.#reasonFor(Labels, end));
  }

  /** Reason of an instance's end: the reason for which this server ended it, if it did. */
  #reasonFor(labels: EngineLabels, end: Reason | undefined): Reason | undefined {
    return end && (this.#endReasons.get(labels[INSTANCE] ?? '') ?? end);
  }

  async #ensureClosed(): Promise<void> {
    const { networks, log } = this.#parts;
    const { signal } = this.#closing;
    const { warn, clear } = repeatedWarnings(log);
    try {
      await networks.ensureClosed(signal);
      clear({}, NOT_CLOSED);
    } catch (error) {
      if (!signal.aborted) warn({}, NOT_CLOSED, (error as Error).message);
    }
  }

  /** Ends instances that use more disk space than they may, until the signal aborts. */
  async #watchDisk(signal: AbortSignal): Promise<void> {
    const { engine, log } = this.#parts;
    await watchDiskUsage(async () => {
      try {
        for (const { instance, how } of await overfullInstances(engine, this.#own(), signal)) {
          this.#endReasons.set(instance, how);
          await engine.stop(containerName(instance), 0, signal);
        }
        repeatedWarnings(log).clear({}, UNMEASURED);
      } catch (error) {
        if (!signal.aborted) repeatedWarnings(log).warn({}, UNMEASURED, (error as Error).message);
      }
    }, signal);
  }
}

function containerName(instance: string): string {
  return `${NAME_PREFIX}${instance}`;
}

/** Turns errors of the engine into reasons for the person who deploys, if they are caused by the site's settings. */
function withReasonsFor<T>(order: Order, work: () => Promise<T>): Promise<T> {
  return withFailureReasons(async () => {
    try {
      return await work();
    } catch (error) {
      throw (error instanceof EngineError && refusalOf(order, error.message)) || error;
    }
  });
}
