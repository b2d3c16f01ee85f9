import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../errors.ts';
import { CLOSED, closingCommand, FENCE, hashOfRules, RULES_LABEL } from '../fence.ts';
import type { Labels } from '../labels.ts';
import { prefixOf } from '../networks.ts';
import { KIND, PLATFORM } from '../site-containers.ts';
import type { Swarm } from './swarm.ts';
import type { Node, ServiceMount, ServiceOrder } from './types.ts';

// Fence on each machine of a cluster (fence.ts is the one for a single machine). Containers are placed only on machines
// with a running fence. That is recorded in a label, which a machine keeps when it restarts; so each container also
// mounts a folder that exists only while the fence is up, and can't start before.

export interface ClusterFenceParts {
  swarm: Swarm;
  platform: () => string;
  /** Name of any image with /bin/sh and chroot. */
  image: string;
  allowed: readonly string[];
}

/**
 * Prefix of `docker_gwbridge`, the device through which containers on cluster networks reach everything else. The full
 * name is longer than a pattern may be.
 */
const DEVICE = 'docker_gw';
/** Time to wait for fences on all machines; after it, one fence is enough. */
const FIRST_MS = 60_000;
const LOOK_MS = 250;
const LOG_MS = 5_000;
const SECOND = 1e9;
const HASH_CHARACTERS = 8;
/**
 * Shell script that runs its arguments as a command, and notes when the command's output says that the network is
 * closed.
 */
const WATCH_SCRIPT = `"$@" 2>&1 | while read -r line; do
  echo "$line"
  if [ "$line" = ${CLOSED} ]; then : > /${CLOSED}; fi
done
exit 1`;

export type ClusterFence = ReturnType<typeof createClusterFence>;

export function createClusterFence({ swarm, platform, image, allowed }: ClusterFenceParts) {
  const closedLabel = () => `simcha.closed.${platform()}`;
  /** Folder that exists while the fence is up: /run is empty when a machine starts. */
  const proofFolder = () => `/run/simcha-closed-${platform()}`;
  const fenceLabels = () => ({ [PLATFORM]: platform(), [KIND]: 'fence' });
  const isClosed = ({ Spec, Status }: Node) =>
    Status.State === 'ready' && Spec.Labels[closedLabel()] === CLOSED;

  const orderOf = async (): Promise<ServiceOrder> => {
    const chain = prefixOf(platform());
    const args = await closingCommand(DEVICE, allowed, 'docker', { chain, proof: proofFolder() });
    const rules = hashOfRules(args);
    const { Env, User, rights, memoryBytes, processes, mount } = FENCE;
    return {
      Name: `simcha-fence-${platform()}-${rules.slice(0, HASH_CHARACTERS)}`,
      Labels: { ...fenceLabels(), [RULES_LABEL]: rules },
      TaskTemplate: {
        ContainerSpec: {
          Image: image,
          Command: ['/bin/sh', '-c', WATCH_SCRIPT, 'sh', ...args],
          Env,
          User,
          CapabilityDrop: ['ALL'],
          CapabilityAdd: rights,
          Mounts: [mount],
          StopGracePeriod: SECOND,
          // The task counts as running only once the network is closed.
          Healthcheck: {
            Test: ['CMD', '/bin/sh', '-c', `[ -e /${CLOSED} ]`],
            Interval: SECOND,
            Timeout: 5 * SECOND,
            Retries: 30,
            StartPeriod: 0,
          },
        },
        Resources: { Limits: { MemoryBytes: memoryBytes, Pids: processes } },
        RestartPolicy: { Condition: 'any', Delay: SECOND },
        LogDriver: { Name: 'json-file', Options: { 'max-size': '1m', 'max-file': '1' } },
        Networks: [{ Target: 'host' }],
      },
      Mode: { Global: {} },
    };
  };

  /** Ids of the machines on which a fence with these labels is running. */
  const nodesWithFence = async (labels: Labels, signal: AbortSignal): Promise<Set<string>> => {
    const tasks = await swarm.tasks(labels, signal);
    return new Set(
      tasks.flatMap(({ NodeID, DesiredState, Status: { State } }) =>
        DesiredState === 'running' && State === 'running' ? (NodeID ?? []) : [],
      ),
    );
  };

  /** Updates the labels of machines: a machine that was down must prove again that it is closed. */
  const updateNodeLabels = async (nodes: readonly Node[], signal: AbortSignal): Promise<void> => {
    const down = nodes.filter(
      ({ Spec, Status }) => Status.State === 'down' && Spec.Labels[closedLabel()] === CLOSED,
    );
    for (const { ID } of down) await swarm.labelNode(ID, { [closedLabel()]: '' }, signal);
    const open = nodes.filter((node) => acceptsTasks(node) && !isClosed(node));
    if (open.length === 0) return;
    const existing = await nodesWithFence(fenceLabels(), signal);
    for (const { ID } of open)
      if (existing.has(ID)) await swarm.labelNode(ID, { [closedLabel()]: CLOSED }, signal);
  };

  /** Last output or error of a failed fence. */
  const lastError = async (signal: AbortSignal): Promise<string> => {
    const tasks = await swarm.tasks(fenceLabels(), signal);
    const failed = tasks.find(({ Status }) => Status.Err);
    let lastLine: string | undefined;
    if (failed) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(LOG_MS)]);
      const log = swarm.logs(failed.ID, { since: undefined, follow: false }, inTime);
      try {
        for await (const lines of log) lastLine = lines.at(-1)?.line ?? lastLine;
      } catch {
        // The task's error is used if its log can't be read.
      }
    }
    return lastLine ?? failed?.Status.Err ?? 'no machine of the cluster could be closed';
  };

  /** Ensures that fences run. Throws an EngineError if no machine can be closed. */
  const ensureFences = async (signal: AbortSignal): Promise<void> => {
    const order = await orderOf();
    const existing = await swarm.services(fenceLabels(), signal);
    if (existing.some(({ Spec }) => Spec.Name === order.Name)) return;
    await swarm.createService(order, signal);
    for (const until = performance.now() + FIRST_MS; ; await sleep(LOOK_MS, undefined, { signal })) {
      const closed = await nodesWithFence(order.Labels, signal);
      const nodes = await swarm.nodes(signal);
      await updateNodeLabels(nodes, signal);
      if (nodes.filter(acceptsTasks).every(({ ID }) => closed.has(ID))) break;
      if (performance.now() < until) continue;
      if (closed.size > 0) break;
      const error = await lastError(signal);
      await swarm.removeService(order.Name, signal);
      throw new EngineError(500, error);
    }
    // Fences with old rules are removed only after the new ones run.
    for (const { Spec } of existing) await swarm.removeService(Spec.Name, signal);
  };

  let lastRun: Promise<void> = Promise.resolve();
  return {
    note: updateNodeLabels,
    ensure(signal: AbortSignal): Promise<void> {
      lastRun = lastRun.catch(() => {}).then(() => ensureFences(signal));
      return lastRun;
    },
    /** Constraint on machines: only those that are closed. */
    constraint: () => `node.labels.${closedLabel()}==${CLOSED}`,
    /** Mount that everything on these machines needs. */
    mount: (): ServiceMount => ({
      Type: 'bind',
      Source: proofFolder(),
      Target: '/run/simcha-closed',
      ReadOnly: true,
    }),
    /** True if a task failed because the fence was not up yet; such a task is tried again. */
    isMissing: (error: string): boolean => error.includes(proofFolder()),
  };
}

/** Drained and paused machines get no tasks, and so no fence. */
const acceptsTasks = ({ Status, Spec }: Node) => Status.State === 'ready' && Spec.Availability === 'active';
