import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/errors.ts';
import { withFailureReasons } from '../../engine/failure-reasons.ts';
import type { Registry } from '../../engine/registry.ts';
import { createRegistryImages } from '../../engine/registry-images.ts';
import {
  ENVIRONMENT,
  environmentKeysIn,
  KIND,
  keyLabels,
  PLATFORM,
  removeAbandoned,
} from '../../engine/site-containers.ts';
import type { ClusterFirewall } from '../../engine/swarm/cluster-firewall.ts';
import type { ClusterEnvironments } from '../../engine/swarm/environments.ts';
import type { RunNodeJob } from '../../engine/swarm/node-job.ts';
import { PLACEMENT_CHECK_MS, waitForPlacement } from '../../engine/swarm/placement.ts';
import type { Swarm } from '../../engine/swarm/swarm.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import type { EnvironmentKey } from '../../model/site-folders.ts';
import type { Output } from '../../sandbox/lines.ts';
import type { Capability } from '../capabilities.ts';
import { createFolderLock } from '../folder-lock.ts';
import { createMountable } from '../mountable.ts';
import {
  type CommandEnd,
  type Instance,
  type RunOptions,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type TaskOrder,
  type WrittenLines,
} from '../runtime.ts';
import { ServiceLogs } from './logs.ts';
import { Ports } from './ports.ts';
import { serviceName } from './service-spec.ts';
import { refuseUnlessRun, Services } from './services.ts';
import { endOf } from './state.ts';
import { type ClusterState, ClusterWatcher, nodesById } from './watcher.ts';

const NEVER = new AbortController().signal;
/** Maximum time to wait until no container is attached to a network that is being removed. */
const DETACHED_MS = 15_000;

/**
 * Shell script that removes the volumes of platform $1's environment $2 from a machine, as soon as ending containers
 * have released them. Ended containers are removed too: soon after a machine has failed, a cluster forgets the
 * containers on it.
 */
const FORGET = `turn=0
while true; do
  all=$(docker volume ls --quiet --filter label=${PLATFORM}="$1" --filter label=${ENVIRONMENT}="$2") || exit 1
  [ -n "$all" ] || exit 0
  over=$(docker ps --all --quiet --filter status=exited --filter status=created --filter status=dead \\
    --filter label=${PLATFORM}="$1" --filter label=${ENVIRONMENT}="$2") || exit 1
  [ -z "$over" ] || docker rm --volumes $over >/dev/null 2>&1 || true
  docker volume rm $all >/dev/null 2>&1 || true
  [ $((turn += 1)) -lt 20 ] || exit 1
  sleep 1
done`;

export interface SwarmParts {
  swarm: Swarm;
  /** Engine of the cluster's manager. */
  engine: Engine;
  /** Id of the cluster. */
  cluster: string;
  registry: Registry;
  platform: () => string;
  /** Firewall of each machine; undefined if no networks are blocked. */
  firewall: ClusterFirewall | undefined;
  environments: ClusterEnvironments;
  runNodeJob: RunNodeJob;
  /** Folder of the server, on which one process at a time holds a lock. */
  base: string;
  log: Logger;
}

export const SWARM_CAPABILITIES: ReadonlySet<Capability> = new Set([
  ...(['images', 'replicas', 'volumes', 'layers', 'tasks', 'network', 'memory', 'threads'] as const),
  ...(['outliving', 'machines'] as const),
]);

/**
 * Runtime that runs sites as services of a Docker Swarm, which places them, restarts those that ended, and moves those
 * that were on a lost machine. Any server finds all of them again by labels, from any of the cluster's managers.
 */
export class SwarmRuntime implements Runtime {
  readonly isolation: string;
  readonly capabilities = SWARM_CAPABILITIES;
  readonly cluster: string;
  readonly #parts: SwarmParts;
  readonly #lock: ReturnType<typeof createFolderLock>;
  readonly #ports: Ports;
  readonly #services: Services;
  readonly #watcher: ClusterWatcher;
  readonly #logs: ServiceLogs;
  /** Requested number of replicas, by instance. */
  readonly #requested = new Map<string, number>();

  constructor(parts: SwarmParts) {
    const { swarm, engine, cluster, registry, platform, firewall, runNodeJob, base, log } = parts;
    this.#parts = parts;
    this.cluster = cluster;
    this.isolation = `sites run as services of the cluster (API ${engine.version})${
      firewall ? '' : ', and reach all that its machines reach (APPS_ISOLATION is "none")'
    }`;
    this.#lock = createFolderLock(base);
    const images = createRegistryImages({ engine, registry, log });
    const mountable = createMountable({ engine, images, platform, log });
    this.#ports = new Ports({ runNodeJob, log });
    this.#services = new Services({ ...parts, mountable, ports: this.#ports });
    this.#watcher = new ClusterWatcher({ swarm, platform, firewall, ports: this.#ports, log });
    this.#logs = new ServiceLogs({ swarm, watcher: this.#watcher, log });
  }

  claim(): boolean {
    return this.#lock.take();
  }

  reach(signal: AbortSignal): Promise<void> {
    return this.#parts.swarm.reach(signal);
  }

  async identity(): Promise<string> {
    return this.cluster;
  }

  /** Ends commands and builds that an earlier lease holder began and nobody waits for any more. */
  async recover(): Promise<void> {
    const { swarm, engine, log } = this.#parts;
    this.#lock.take();
    for (const kind of ['task', 'helper']) {
      for (const { Spec } of await swarm.services({ ...this.#own(), [KIND]: kind }, NEVER))
        await swarm.removeService(Spec.Name, NEVER);
    }
    await removeAbandoned(engine, this.#own(), ['build', 'helper'], log);
  }

  async list(): Promise<Instance[]> {
    return (await this.#watcher.look()).instances;
  }

  start(order: StartOrder, signal = NEVER): Promise<Instance> {
    return withFailureReasons(async () => {
      refuseUnsupported(this, order);
      const { instance, replicas } = order;
      this.#requested.set(instance, replicas);
      try {
        await this.#services.create(order, signal);
        const started = await this.#services.untilStarted(order, signal);
        return { ...started, ...(await this.#services.pinnedTo(order, signal)) };
      } catch (error) {
        this.#requested.delete(instance);
        await this.#services.remove(instance);
        throw error;
      }
    });
  }

  async stop(instance: string, graceMs: number): Promise<void> {
    const { swarm } = this.#parts;
    this.#logs.forget(instance);
    this.#requested.delete(instance);
    const name = serviceName(instance);
    if (graceMs > 0) {
      await swarm.endService(name, NEVER);
      await this.#services.untilGone(instance);
      // The log of a removed service can't be read any more.
      this.#watcher.hurry();
      await this.#logs.untilRead(instance);
    }
    await swarm.removeService(name, NEVER);
  }

  scale(instance: string, replicas: number): Promise<void> {
    this.#requested.set(instance, replicas);
    return this.#parts.swarm.scale(serviceName(instance), replicas, NEVER);
  }

  async *events(signal: AbortSignal): AsyncGenerator<Instance> {
    const known = new Map<string, string>();
    for await (const state of this.#watcher.states(signal)) {
      const { instances, tasks } = state;
      void this.#ports.repair(instances, tasks, signal);
      void this.#keepScale(state).catch((error) =>
        this.#parts.log.warn(
          { err: error },
          'how many of a service run could not be put right; trying again',
        ),
      );
      for (const one of instances) {
        const now = JSON.stringify(one);
        if (known.get(one.instance) !== now) yield one;
        known.set(one.instance, now);
      }
      const existing = new Set(instances.map(({ instance }) => instance));
      for (const instance of known.keys()) if (!existing.has(instance)) known.delete(instance);
    }
  }

  logs(
    instance: string,
    { since, signal }: { since?: number | undefined; signal: AbortSignal },
  ): AsyncGenerator<WrittenLines> {
    return this.#logs.read(instance, since, signal);
  }

  async listening(instance: string): Promise<readonly number[] | undefined> {
    return this.#logs.listening(instance);
  }

  run(order: TaskOrder, { output, signal }: RunOptions): Promise<CommandEnd> {
    return withFailureReasons(async () => {
      refuseUnsupported(this, order);
      const { instance, seconds } = order;
      const late = AbortSignal.timeout(seconds * 1_000);
      const until = AbortSignal.any([signal, late]);
      try {
        const how = await this.#runBehindFirewall(order, output, until);
        refuseUnlessRun(order, how);
        return { succeeded: how.code === 'exited' && how.params.code === 0, how };
      } catch (error) {
        if (signal.aborted || !late.aborted) throw error;
        return { succeeded: false, how: reason('too_slow', { seconds }) };
      } finally {
        await this.#services.remove(instance);
      }
    });
  }

  async retainedEnvironments(): Promise<EnvironmentKey[]> {
    return (await this.#parts.engine.networks(this.#own(), NEVER)).flatMap(environmentKeysIn);
  }

  async forget(key: EnvironmentKey, signal: AbortSignal): Promise<void> {
    const { swarm, engine, environments, platform, runNodeJob } = this.#parts;
    await runNodeJob(FORGET, [platform(), key.environmentId], signal);
    const away = (await swarm.nodes(signal)).filter(({ Status }) => Status.State !== 'ready');
    if (away.length > 0) {
      const names = away.map(({ Description }) => Description.Hostname).join(', ');
      throw new EngineError(503, `its volumes may be on machines that are away: ${names}`);
    }
    await environments.unpin(key, signal);
    for (const { Id } of await engine.networks(keyLabels(platform(), key), signal))
      await removeNetwork(engine, Id, signal);
  }

  async close(): Promise<void> {
    this.#lock.release();
    this.#parts.engine.close();
  }

  /** Labels of every engine object of this platform. */
  #own(): Record<string, string> {
    return { [PLATFORM]: this.#parts.platform() };
  }

  /**
   * Runs a command in a cluster. While the firewall of the command's machine is not up, the command is started again: a
   * machine that has just started needs some seconds for its firewall.
   */
  async #runBehindFirewall(order: TaskOrder, output: Output, signal: AbortSignal): Promise<Reason> {
    let how = await this.#runOnce(order, output, signal);
    while (this.#services.lacksFirewall(how)) {
      await this.#services.remove(order.instance);
      await sleep(PLACEMENT_CHECK_MS, undefined, { signal });
      how = await this.#runOnce(order, output, signal);
    }
    return how;
  }

  /** Runs a command as the task of a service. Returns how it ended. */
  async #runOnce(order: TaskOrder, output: Output, signal: AbortSignal): Promise<Reason> {
    const { swarm } = this.#parts;
    const { instance } = order;
    await this.#services.create(order, signal);
    const { ID } = await waitForPlacement((now) => this.#services.tasksOf(instance, now), signal);
    for await (const { lines } of this.#logs.readTask(instance, ID, undefined, signal)) output(lines);
    const found = await swarm.task(ID, signal);
    return found ? endOf(found, nodesById(await swarm.nodes(signal))) : reason('vanished');
  }

  /** Corrects services' numbers of replicas that somebody else has changed. */
  async #keepScale({ instances, services }: ClusterState): Promise<void> {
    for (const { instance } of instances) {
      const requested = this.#requested.get(instance);
      const service = services.get(serviceName(instance));
      const isOther = service && !service.isEnding && service.replicas !== requested;
      if (requested !== undefined && isOther)
        await this.#parts.swarm.scale(serviceName(instance), requested, NEVER);
    }
  }
}

/** Removes a network; repeats this as long as an ending container is still attached to it. */
async function removeNetwork(engine: Engine, id: string, signal: AbortSignal): Promise<void> {
  for (
    const until = performance.now() + DETACHED_MS;
    ;
    await sleep(PLACEMENT_CHECK_MS, undefined, { signal })
  ) {
    try {
      return await engine.removeNetwork(id, signal);
    } catch (error) {
      if (!(error instanceof EngineError) || performance.now() > until) throw error;
    }
  }
}
