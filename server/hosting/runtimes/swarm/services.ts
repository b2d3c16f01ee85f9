import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import type { Engine } from '../../engine/engine.ts';
import { INSTANCE, PLATFORM } from '../../engine/site-containers.ts';
import type { ClusterFirewall } from '../../engine/swarm/cluster-firewall.ts';
import type { ClusterEnvironments } from '../../engine/swarm/environments.ts';
import { createPlacementTimeout, PLACEMENT_CHECK_MS } from '../../engine/swarm/placement.ts';
import { NO_NEW_PRIVILEGES, type Swarm } from '../../engine/swarm/swarm.ts';
import type { ServiceOrder, Task } from '../../engine/swarm/types.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { type Reason, type ReasonCode, reason } from '../../model/reasons/reason.ts';
import { firstProcess, refusalOf, termsOf } from '../container-order.ts';
import type { createMountable } from '../mountable.ts';
import type { Instance, Order, Replica, StartOrder } from '../runtime.ts';
import type { Ports } from './ports.ts';
import { serviceName, serviceSpec } from './service-spec.ts';
import { instanceOf, isOver, stateOfTasks } from './state.ts';
import { nodesById } from './watcher.ts';

const NEVER = new AbortController().signal;
/** Time limit for a start, for example until an image is on every machine. */
const START_MS = 300_000;
/**
 * Time limit for an end, in addition to its grace period. A task that its machine does not end in time is left to that
 * machine.
 */
const GONE_MS = 15_000;
/** Reasons for the end of a task that mean that its command never began. */
const NEVER_RUN: ReadonlySet<string> = new Set<ReasonCode>(['cant_run', 'image_away']);

export interface ServicesParts {
  swarm: Swarm;
  engine: Engine;
  platform: () => string;
  firewall: ClusterFirewall | undefined;
  environments: ClusterEnvironments;
  mountable: ReturnType<typeof createMountable>;
  ports: Ports;
  log: Logger;
}

/** Services of instances: created from orders, awaited at their start and end, removed. */
export class Services {
  readonly #parts: ServicesParts;

  constructor(parts: ServicesParts) {
    this.#parts = parts;
  }

  /** Creates the service of an instance or command; does nothing if the service exists. */
  async create(order: Order & Partial<StartOrder>, signal: AbortSignal): Promise<void> {
    await this.#parts.swarm.createService(await this.#specOf(order, signal), signal);
  }

  async remove(instance: string): Promise<void> {
    const { swarm, log } = this.#parts;
    await swarm
      .removeService(serviceName(instance), NEVER)
      .catch((error) => log.warn({ err: error }, 'a service could not be removed'));
  }

  async #specOf(order: Order & Partial<StartOrder>, signal: AbortSignal): Promise<ServiceOrder> {
    const { engine, environments, platform, firewall } = this.#parts;
    const terms = termsOf(platform(), order);
    const [image, network, constraints] = await Promise.all([
      this.#parts.mountable(terms, signal),
      environments.network(order.labels, signal),
      isPinned(order) ? environments.pin(order.labels, signal) : environments.constraints(),
    ]);
    return serviceSpec(order, {
      terms,
      image,
      network,
      constraints,
      firewallMount: firewall?.mount(),
      canForbidPrivileges: engine.supportsVersion(NO_NEW_PRIVILEGES),
      firstProcess: await firstProcess(),
    });
  }

  async pinnedTo(order: Order, signal: AbortSignal): Promise<{ pinnedTo?: string }> {
    if (!isPinned(order)) return {};
    return { pinnedTo: (await this.#parts.environments.pinnedTo(order.labels, signal)) ?? '?' };
  }

  /**
   * Waits until all replicas run, or one of them has ended. Throws a RuntimeFailure if the instance can't be run.
   */
  async untilStarted(order: StartOrder, signal: AbortSignal): Promise<Instance> {
    const { instance, replicas } = order;
    const checkPlacement = createPlacementTimeout();
    let progress = '';
    for (const until = performance.now() + START_MS; performance.now() < until; ) {
      const service = await this.#parts.swarm.service(serviceName(instance), signal);
      if (!service) throw new RuntimeFailure(reason('vanished'));
      const { tasks, nodes } = await this.#tasksAndNodes(instance, signal);
      const state = instanceOf(service, this.#parts.ports.withKnownPorts(tasks), nodes);
      const started = state.replicas.filter(({ down }) => !(down && this.lacksFirewall(down)));
      const ended = started.find(({ down }) => down)?.down;
      if (ended) {
        refuseUnlessRun(order, ended);
        return { ...state, replicas: [], ended };
      }
      const isReachable = ({ origin }: Replica) => state.port === undefined || origin !== undefined;
      if (started.filter(isReachable).length >= replicas) return state;
      checkPlacement(tasks);
      progress = stateOfTasks(tasks, nodes);
      await sleep(PLACEMENT_CHECK_MS, undefined, { signal });
    }
    throw new RuntimeFailure(reason('not_started', { seconds: START_MS / 1_000, tasks: progress }));
  }

  /** Waits until no task of an instance runs, as far as the machines report. */
  async untilGone(instance: string): Promise<void> {
    for (
      const until = performance.now() + GONE_MS;
      performance.now() < until;
      await sleep(PLACEMENT_CHECK_MS)
    ) {
      const { tasks, nodes } = await this.#tasksAndNodes(instance, NEVER);
      // A task without a machine was never started.
      if (tasks.every((task) => !task.NodeID || isOver(task, nodes))) return;
    }
  }

  /** True if a task was not started because its machine's firewall was not up yet; such a task is tried again. */
  lacksFirewall(how: Reason): boolean {
    return this.#parts.firewall?.isMissing(String(how.params.error)) ?? false;
  }

  tasksOf(instance: string, signal: AbortSignal): Promise<Task[]> {
    return this.#parts.swarm.tasks({ [PLATFORM]: this.#parts.platform(), [INSTANCE]: instance }, signal);
  }

  async #tasksAndNodes(instance: string, signal: AbortSignal) {
    const { swarm } = this.#parts;
    const [tasks, nodes] = await Promise.all([this.tasksOf(instance, signal), swarm.nodes(signal)]);
    return { tasks, nodes: nodesById(nodes) };
  }
}

/** True if an instance or command has a volume, which is on one machine. Home folders are on each machine. */
function isPinned({ mounts }: Order): boolean {
  return mounts.some(({ at }) => at !== 'home');
}

/** Throws a RuntimeFailure if the task of an instance or command never began. */
export function refuseUnlessRun(order: Order, how: Reason): void {
  if (NEVER_RUN.has(how.code)) throw refusalOf(order, String(how.params.error)) ?? new RuntimeFailure(how);
}
