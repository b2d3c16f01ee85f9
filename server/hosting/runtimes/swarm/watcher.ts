import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import { repeatedWarnings } from '../../../kernel/repeated-warnings.ts';
import { EngineAway } from '../../engine/errors.ts';
import { KIND, PLATFORM } from '../../engine/site-containers.ts';
import type { ClusterFirewall } from '../../engine/swarm/cluster-firewall.ts';
import type { Swarm } from '../../engine/swarm/swarm.ts';
import { isEnding, replicasIn } from '../../engine/swarm/tasks.ts';
import type { Node, Service, Task } from '../../engine/swarm/types.ts';
import type { Instance } from '../runtime.ts';
import type { Ports } from './ports.ts';
import { instanceOf, isOver, type Nodes } from './state.ts';
import { createWatch } from './watch.ts';

const NEVER = new AbortController().signal;
/** Time between two reads of the cluster's state. */
export const LOOK_MS = 1_000;
const NOT_STARTED = 'what closes the machines could not be started';

/** Service of a cluster with its tasks. */
export interface ServiceState {
  isEnding: boolean;
  /** Requested number of replicas; undefined for a service that runs once on each machine. */
  replicas: number | undefined;
  tasks: readonly Task[];
}

/** All services of one platform in the cluster at one time. */
export interface ClusterState {
  tasks: ReadonlyMap<string, Task>;
  nodes: Nodes;
  /** Services of the platform by their names. */
  services: ReadonlyMap<string, ServiceState>;
  instances: Instance[];
}

export interface ClusterWatcherParts {
  swarm: Swarm;
  platform: () => string;
  firewall: ClusterFirewall | undefined;
  ports: Ports;
  log: Logger;
}

/**
 * Reads the state of a platform's services every second while somebody follows it, and keeps the platform's firewall up
 * meanwhile.
 */
export class ClusterWatcher {
  readonly #parts: ClusterWatcherParts;
  readonly #watch = createWatch(() => this.#lookUnlessAway(), LOOK_MS);

  constructor(parts: ClusterWatcherParts) {
    this.#parts = parts;
  }

  async look(): Promise<ClusterState> {
    const { swarm, platform, ports } = this.#parts;
    const labels = { [PLATFORM]: platform() };
    const [services, tasks, nodes] = await Promise.all([
      swarm.services(labels, NEVER),
      swarm.tasks(labels, NEVER),
      swarm.nodes(NEVER),
    ]);
    await this.#keepFirewall(services, nodes);
    return clusterState(services, tasks, nodesById(nodes), ports);
  }

  /** States of the cluster from now on, until the signal aborts; a slow reader gets only the latest state. */
  states(signal: AbortSignal): AsyncGenerator<ClusterState> {
    return this.#watch.states(signal);
  }

  /** Reads the cluster's state again at once. */
  hurry(): void {
    this.#watch.hurry();
  }

  /** Waits until a task has ended. Throws the signal's reason. */
  async untilOver(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { tasks, nodes } of this.states(signal)) {
          const task = tasks.get(id);
          if (!task || isOver(task, nodes)) return;
        }
      } catch {
        // While no Docker Swarm manager answers, the task's state is unknown, but the task runs on; so its state is
        // asked for again.
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.throwIfAborted();
  }

  /** Starts the firewall again if somebody has removed it, and records on which machines it is up. */
  async #keepFirewall(services: readonly Service[], nodes: readonly Node[]): Promise<void> {
    const { firewall, log } = this.#parts;
    if (!firewall) return;
    const { warn, clear } = repeatedWarnings(log);
    const isMissing = services.some(isOfKind('site')) && !services.some(isOfKind('firewall'));
    if (isMissing)
      firewall.ensure(NEVER).then(
        () => clear({}, NOT_STARTED),
        (error) => warn({}, NOT_STARTED, error.message),
      );
    // A failure is only logged: the cluster's state must be known even if machines can't be labelled.
    await firewall
      .note(nodes, NEVER)
      .catch((error) => log.warn({ err: error }, 'which machines are closed could not be noted'));
  }

  /**
   * State of the cluster; undefined while no manager answers. The lease holder, not this function, logs that none
   * answers.
   */
  async #lookUnlessAway(): Promise<ClusterState | undefined> {
    try {
      return await this.look();
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error;
      return undefined;
    }
  }
}

export function nodesById(nodes: readonly Node[]): Nodes {
  return new Map(nodes.map((node) => [node.ID, node]));
}

function clusterState(
  services: readonly Service[],
  tasks: readonly Task[],
  nodes: Nodes,
  ports: Ports,
): ClusterState {
  const byService = Map.groupBy(tasks, ({ ServiceID }) => ServiceID);
  const tasksOf = ({ ID }: Service) => byService.get(ID) ?? [];
  return {
    tasks: new Map(tasks.map((task) => [task.ID, task])),
    nodes,
    services: new Map(
      services.map((service) => [
        service.Spec.Name,
        { isEnding: isEnding(service), replicas: replicasIn(service), tasks: tasksOf(service) },
      ]),
    ),
    instances: services
      .filter(isOfKind('site'))
      .map((service) => instanceOf(service, ports.withKnownPorts(tasksOf(service)), nodes)),
  };
}

function isOfKind(kind: string) {
  return ({ Spec }: Service): boolean => Spec.Labels[KIND] === kind;
}
