import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import { type EnvironmentKey, HOME_CONTENT } from '../model/site-folders.ts';
import type { ClusterFence } from './cluster-fence.ts';
import type { Engine } from './engine.ts';
import { OVERLAY } from './networks.ts';
import { placed } from './placing.ts';
import type { Registry } from './registry.ts';
import { INSTANCE, KIND, keyLabels, PLATFORM, VOLUME } from './site-containers.ts';
import type { Node, ServiceOrder, Swarm } from './swarm.ts';

// What an environment has of a cluster for itself: a network of all machines, and one machine that its volumes are on.

export interface ClusterEnvironmentsParts {
  swarm: Swarm;
  /** The manager's own. */
  engine: Engine;
  registry: Registry;
  platform: () => string;
  /** Closes each machine; undefined where nothing is. */
  fence: ClusterFence | undefined;
}

const NEVER = new AbortController().signal;
const LONGEST_TURN_MS = 600_000;
/** Of a machine's label that says whose volumes it has. */
const HERE = 'here';

export type ClusterEnvironments = ReturnType<typeof createClusterEnvironments>;

export function createClusterEnvironments(parts: ClusterEnvironmentsParts) {
  const { swarm, engine, registry, platform, fence } = parts;
  const inTurn = createKeyedLock(LONGEST_TURN_MS);
  /** A machine's label that says that it has an environment's volumes. */
  const pinTo = ({ environmentId }: EnvironmentKey) => `simcha.volumes.${environmentId}`;
  const constraints = () => (fence ? [fence.constraint()] : []);
  const nodeOf = async (key: EnvironmentKey, signal: AbortSignal): Promise<Node | undefined> =>
    (await swarm.nodes(signal)).find(({ Spec }) => Spec.Labels[pinTo(key)] === HERE);

  /** The name of an environment's network, which all machines have in common, and by which it is known to be there. */
  const network = async (key: EnvironmentKey, signal: AbortSignal): Promise<string> => {
    await fence?.stand(signal);
    // Its engine may have one for it alone, from before.
    const name = `simcha-cluster-${key.environmentId}`;
    const about = keyLabels(platform(), key);
    return inTurn(name, async () => {
      const known = await engine.networks(about, signal);
      if (!known.some(({ Driver }) => Driver === OVERLAY)) await swarm.createNetwork(name, about, signal);
      return name;
    });
  };

  /** Where its volumes are from before: the manager's own machine ran sites by itself. */
  const chosen = async (key: EnvironmentKey, signal: AbortSignal): Promise<string | undefined> => {
    const there = await engine.volumes(keyLabels(platform(), key), signal);
    const has = there.some(({ Labels }) => Labels[VOLUME] !== HOME_CONTENT);
    return has ? (await engine.identity(signal)).machine : undefined;
  };

  /** Has the cluster choose a machine, as for anything that is to run. */
  const choose = async ({ environmentId }: EnvironmentKey, signal: AbortSignal): Promise<string> => {
    const Name = `simcha-place-${environmentId}`;
    const Labels = { [PLATFORM]: platform(), [KIND]: 'task', [INSTANCE]: Name };
    const order: ServiceOrder = {
      Name,
      Labels,
      Mode: { Replicated: { Replicas: 1 } },
      TaskTemplate: {
        // It is removed before anything is started.
        ContainerSpec: { Image: registry.prefix },
        RestartPolicy: { Condition: 'none' },
        Placement: { Constraints: constraints() },
      },
    };
    try {
      await swarm.createService(order, signal);
      const { NodeID = '' } = await placed(() => swarm.tasks(Labels, signal), signal);
      return NodeID;
    } finally {
      await swarm.removeService(Name, NEVER);
    }
  };

  return {
    network,

    /** What a machine has to be for anything to be placed there. */
    constraints,

    /** The machine that an environment's volumes are on, as constraints: the cluster says which, the first time. */
    async pin(key: EnvironmentKey, signal: AbortSignal): Promise<string[]> {
      await network(key, signal);
      return inTurn(pinTo(key), async () => {
        if ((await nodeOf(key, signal)) === undefined) {
          const machine = (await chosen(key, signal)) ?? (await choose(key, signal));
          await swarm.labelNode(machine, { [pinTo(key)]: HERE }, signal);
        }
        return [...constraints(), `node.labels.${pinTo(key)}==${HERE}`];
      });
    },

    /** That machine, as the cluster knows it; undefined where there is none yet, and nothing has ever been in its volumes. */
    machineOf: async (key: EnvironmentKey, signal: AbortSignal) => (await nodeOf(key, signal))?.ID,

    /** The name of that machine. */
    pinnedTo: async (key: EnvironmentKey, signal: AbortSignal) =>
      (await nodeOf(key, signal))?.Description.Hostname,

    async unpin(key: EnvironmentKey, signal: AbortSignal): Promise<void> {
      for (const { ID, Spec } of await swarm.nodes(signal))
        if (Spec.Labels[pinTo(key)] !== undefined)
          await swarm.labelNode(ID, { [pinTo(key)]: undefined }, signal);
    },
  };
}
