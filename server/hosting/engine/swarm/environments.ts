import { createKeyedLock } from '../../../kernel/keyed-lock.ts';
import { type EnvironmentKey, HOME_CONTENT } from '../../model/site-folders.ts';
import type { Engine } from '../engine.ts';
import { OVERLAY } from '../networks.ts';
import type { Registry } from '../registry.ts';
import { INSTANCE, KIND, keyLabels, PLATFORM, VOLUME } from '../site-containers.ts';
import type { ClusterFence } from './cluster-fence.ts';
import { waitForPlacement } from './placement.ts';
import type { Swarm } from './swarm.ts';
import type { Node, ServiceOrder } from './types.ts';

// Resources of an environment in a cluster: a network across all machines, and one machine that holds its volumes.

export interface ClusterEnvironmentsParts {
  swarm: Swarm;
  /** Engine of the manager. */
  engine: Engine;
  registry: Registry;
  platform: () => string;
  /** Fence that closes each machine; undefined if networks are not closed. */
  fence: ClusterFence | undefined;
}

const NEVER = new AbortController().signal;
const LONGEST_TURN_MS = 600_000;
/** Value of a machine's label for an environment whose volumes it holds. */
const HERE = 'here';

export type ClusterEnvironments = ReturnType<typeof createClusterEnvironments>;

export function createClusterEnvironments(parts: ClusterEnvironmentsParts) {
  const { swarm, engine, registry, platform, fence } = parts;
  const withLock = createKeyedLock(LONGEST_TURN_MS);
  /** Name of the label by which a machine holds an environment's volumes. */
  const pinLabel = ({ environmentId }: EnvironmentKey) => `simcha.volumes.${environmentId}`;
  const constraints = () => (fence ? [fence.constraint()] : []);
  const pinnedNode = async (key: EnvironmentKey, signal: AbortSignal): Promise<Node | undefined> =>
    (await swarm.nodes(signal)).find(({ Spec }) => Spec.Labels[pinLabel(key)] === HERE);

  /** Ensures an environment's network across all machines. Returns its name, by which services refer to it. */
  const network = async (key: EnvironmentKey, signal: AbortSignal): Promise<string> => {
    await fence?.ensure(signal);
    // The name differs from the engine's own network for the environment, which may exist from before the cluster.
    const name = `simcha-cluster-${key.environmentId}`;
    const about = keyLabels(platform(), key);
    return withLock(name, async () => {
      const networks = await engine.networks(about, signal);
      if (!networks.some(({ Driver }) => Driver === OVERLAY)) await swarm.createNetwork(name, about, signal);
      return name;
    });
  };

  /**
   * Machine that already holds the environment's volumes: the manager's own, if it ran sites without a cluster before.
   */
  const findExistingMachine = async (
    key: EnvironmentKey,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const volumes = await engine.volumes(keyLabels(platform(), key), signal);
    const hasVolumes = volumes.some(({ Labels }) => Labels[VOLUME] !== HOME_CONTENT);
    return hasVolumes ? (await engine.identity(signal)).machine : undefined;
  };

  /** Lets the cluster choose a machine, by placing a service on it. */
  const chooseMachine = async ({ environmentId }: EnvironmentKey, signal: AbortSignal): Promise<string> => {
    const Name = `simcha-place-${environmentId}`;
    const Labels = { [PLATFORM]: platform(), [KIND]: 'task', [INSTANCE]: Name };
    const order: ServiceOrder = {
      Name,
      Labels,
      Mode: { Replicated: { Replicas: 1 } },
      TaskTemplate: {
        // The image is never started: the service is removed before.
        ContainerSpec: { Image: registry.prefix },
        RestartPolicy: { Condition: 'none' },
        Placement: { Constraints: constraints() },
      },
    };
    try {
      await swarm.createService(order, signal);
      const { NodeID = '' } = await waitForPlacement(() => swarm.tasks(Labels, signal), signal);
      return NodeID;
    } finally {
      await swarm.removeService(Name, NEVER);
    }
  };

  return {
    network,

    /** Constraints on machines for anything that the platform places. */
    constraints,

    /**
     * Constraints that place something on the machine with an environment's volumes. The cluster chooses the machine
     * the first time.
     */
    async pin(key: EnvironmentKey, signal: AbortSignal): Promise<string[]> {
      await network(key, signal);
      return withLock(pinLabel(key), async () => {
        if ((await pinnedNode(key, signal)) === undefined) {
          const machine = (await findExistingMachine(key, signal)) ?? (await chooseMachine(key, signal));
          await swarm.labelNode(machine, { [pinLabel(key)]: HERE }, signal);
        }
        return [...constraints(), `node.labels.${pinLabel(key)}==${HERE}`];
      });
    },

    /** Id of that machine in the cluster; undefined if none is chosen yet, so the volumes are empty. */
    machineOf: async (key: EnvironmentKey, signal: AbortSignal) => (await pinnedNode(key, signal))?.ID,

    /** Host name of that machine. */
    pinnedTo: async (key: EnvironmentKey, signal: AbortSignal) =>
      (await pinnedNode(key, signal))?.Description.Hostname,

    async unpin(key: EnvironmentKey, signal: AbortSignal): Promise<void> {
      for (const { ID, Spec } of await swarm.nodes(signal))
        if (Spec.Labels[pinLabel(key)] !== undefined)
          await swarm.labelNode(ID, { [pinLabel(key)]: undefined }, signal);
    },
  };
}
