import { createKeyedLock } from '../../../kernel/keyed-lock.ts';
import { type EnvironmentKey, HOME_CONTENT } from '../../model/site-folders.ts';
import type { Engine } from '../engine.ts';
import { OVERLAY } from '../networks.ts';
import type { Registry } from '../registry.ts';
import { INSTANCE, KIND, keyLabels, PLATFORM, VOLUME } from '../site-containers.ts';
import type { ClusterFirewall } from './cluster-firewall.ts';
import { waitForPlacement } from './placement.ts';
import type { Swarm } from './swarm.ts';
import type { Node, ServiceOrder } from './types.ts';

// Resources of an environment in a cluster: a network across all machines, and one machine that holds its volumes.

export interface ClusterEnvironmentsParts {
  swarm: Swarm;
  /** Engine of the cluster's manager. */
  engine: Engine;
  registry: Registry;
  platform: () => string;
  /** Firewall of each machine of the cluster; undefined if no networks are blocked. */
  firewall: ClusterFirewall | undefined;
}

const NEVER = new AbortController().signal;
const LONGEST_TURN_MS = 600_000;
/** Value of the label that marks a machine of a cluster as the one that holds an environment's volumes. */
const HERE = 'here';

export class ClusterEnvironments {
  readonly #parts: ClusterEnvironmentsParts;
  readonly #withLock = createKeyedLock(LONGEST_TURN_MS);

  constructor(parts: ClusterEnvironmentsParts) {
    this.#parts = parts;
  }

  /** Ensures an environment's network across all machines. Returns its name, by which services refer to it. */
  async network(key: EnvironmentKey, signal: AbortSignal): Promise<string> {
    const { swarm, engine, platform, firewall } = this.#parts;
    await firewall?.ensure(signal);
    // The environment may have a network of this engine alone, from before the cluster; the cluster's network has
    // another name.
    const name = `simcha-cluster-${key.environmentId}`;
    const labels = keyLabels(platform(), key);
    return this.#withLock(name, async () => {
      const networks = await engine.networks(labels, signal);
      if (!networks.some(({ Driver }) => Driver === OVERLAY)) await swarm.createNetwork(name, labels, signal);
      return name;
    });
  }

  /** Placement constraints for all services of the platform. */
  constraints(): string[] {
    const { firewall } = this.#parts;
    return firewall ? [firewall.constraint()] : [];
  }

  /**
   * Placement constraints that put a service on the machine with an environment's volumes. The cluster chooses the
   * machine the first time.
   */
  async pin(key: EnvironmentKey, signal: AbortSignal): Promise<string[]> {
    await this.network(key, signal);
    const label = pinLabel(key);
    return this.#withLock(label, async () => {
      if ((await this.#pinnedNode(key, signal)) === undefined) {
        const existing = await this.#machineWithVolumes(key, signal);
        const machine = existing ?? (await this.#chooseMachine(key, signal));
        await this.#parts.swarm.labelNode(machine, { [label]: HERE }, signal);
      }
      return [...this.constraints(), `node.labels.${label}==${HERE}`];
    });
  }

  /**
   * Id in the cluster of the machine with an environment's volumes. Undefined if the cluster has not yet chosen one;
   * the volumes are still empty then.
   */
  async machineOf(key: EnvironmentKey, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#pinnedNode(key, signal))?.ID;
  }

  /** Host name of the machine with an environment's volumes. */
  async pinnedTo(key: EnvironmentKey, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#pinnedNode(key, signal))?.Description.Hostname;
  }

  async unpin(key: EnvironmentKey, signal: AbortSignal): Promise<void> {
    const { swarm } = this.#parts;
    for (const { ID, Spec } of await swarm.nodes(signal))
      if (Spec.Labels[pinLabel(key)] !== undefined)
        await swarm.labelNode(ID, { [pinLabel(key)]: undefined }, signal);
  }

  async #pinnedNode(key: EnvironmentKey, signal: AbortSignal): Promise<Node | undefined> {
    const nodes = await this.#parts.swarm.nodes(signal);
    return nodes.find(({ Spec }) => Spec.Labels[pinLabel(key)] === HERE);
  }

  /**
   * Machine that already holds the environment's volumes: the manager's own, if it ran sites without a cluster before.
   */
  async #machineWithVolumes(key: EnvironmentKey, signal: AbortSignal): Promise<string | undefined> {
    const { engine, platform } = this.#parts;
    const volumes = await engine.volumes(keyLabels(platform(), key), signal);
    const hasVolumes = volumes.some(({ Labels }) => Labels[VOLUME] !== HOME_CONTENT);
    return hasVolumes ? (await engine.identity(signal)).machine : undefined;
  }

  /** Lets the cluster choose a machine for an environment's volumes, by placing a service on it. */
  async #chooseMachine({ environmentId }: EnvironmentKey, signal: AbortSignal): Promise<string> {
    const { swarm, registry, platform } = this.#parts;
    const Name = `simcha-place-${environmentId}`;
    const Labels = { [PLATFORM]: platform(), [KIND]: 'task', [INSTANCE]: Name };
    const order: ServiceOrder = {
      Name,
      Labels,
      Mode: { Replicated: { Replicas: 1 } },
      TaskTemplate: {
        // The service exists only to choose a machine: no container of this image is started, because the service is
        // removed before.
        ContainerSpec: { Image: registry.prefix },
        RestartPolicy: { Condition: 'none' },
        Placement: { Constraints: this.constraints() },
      },
    };
    try {
      await swarm.createService(order, signal);
      const { NodeID = '' } = await waitForPlacement((now) => swarm.tasks(Labels, now), signal);
      return NodeID;
    } finally {
      await swarm.removeService(Name, NEVER);
    }
  }
}

/** Name of the label that marks the machine with an environment's volumes. */
function pinLabel({ environmentId }: EnvironmentKey): string {
  return `simcha.volumes.${environmentId}`;
}
