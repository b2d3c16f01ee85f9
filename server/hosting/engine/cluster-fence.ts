import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from './connection.ts';
import type { Labels } from './engine.ts';
import { CLOSED, closingWords, FENCE, RULES, rulesOf } from './fence.ts';
import { prefixOf } from './networks.ts';
import { KIND, PLATFORM } from './site-containers.ts';
import type { Node, ServiceMount, ServiceOrder, Swarm } from './swarm.ts';

// On each machine of a cluster, as fence.ts on one: what it runs is placed where a fence is known to stand, and nowhere else. That is
// a label, which a machine keeps that starts anew while nobody looks: by a mount of what is not there then nothing runs before.

export interface ClusterFenceParts {
  swarm: Swarm;
  platform: () => string;
  /** The name of any that has /bin/sh and chroot. */
  image: string;
  allowed: readonly string[];
}

/**
 * How the name begins of `docker_gwbridge`, through which whatever is on networks of a cluster reaches all that is beyond them. The
 * whole of it is longer than a pattern may be.
 */
const DEVICE = 'docker_gw';
/** Until the first machines are closed, and the others get no more time than that. */
const FIRST_MS = 60_000;
const LOOK_MS = 250;
const LOG_MS = 5_000;
const SECOND = 1e9;
const SHORT = 8;
/** The words as the first of a shell's arguments: what they say is looked at for that the ways are closed. */
const WATCHED = `"$@" 2>&1 | while read -r line; do
  echo "$line"
  if [ "$line" = ${CLOSED} ]; then : > /${CLOSED}; fi
done
exit 1`;

export type ClusterFence = ReturnType<typeof createClusterFence>;

export function createClusterFence({ swarm, platform, image, allowed }: ClusterFenceParts) {
  const key = () => `simcha.closed.${platform()}`;
  /** On any machine /run is empty as it starts. */
  const proof = () => `/run/simcha-closed-${platform()}`;
  const its = () => ({ [PLATFORM]: platform(), [KIND]: 'fence' });
  const isClosed = ({ Spec, Status }: Node) => Status.State === 'ready' && Spec.Labels[key()] === CLOSED;

  const orderOf = async (): Promise<ServiceOrder> => {
    const chain = prefixOf(platform());
    const words = await closingWords(DEVICE, allowed, 'docker', { chain, proof: proof() });
    const rules = rulesOf(words);
    const { Env, User, rights, memoryBytes, processes, mount } = FENCE;
    return {
      Name: `simcha-fence-${platform()}-${rules.slice(0, SHORT)}`,
      Labels: { ...its(), [RULES]: rules },
      TaskTemplate: {
        ContainerSpec: {
          Image: image,
          Command: ['/bin/sh', '-c', WATCHED, 'sh', ...words],
          Env,
          User,
          CapabilityDrop: ['ALL'],
          CapabilityAdd: rights,
          Mounts: [mount],
          StopGracePeriod: SECOND,
          // It runs once the ways are closed.
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

  /** The machines on which a fence with these labels stands. */
  const standingOn = async (labels: Labels, signal: AbortSignal): Promise<Set<string>> => {
    const tasks = await swarm.tasks(labels, signal);
    return new Set(
      tasks.flatMap(({ NodeID, DesiredState, Status: { State } }) =>
        DesiredState === 'running' && State === 'running' ? (NodeID ?? []) : [],
      ),
    );
  };

  /** Says of each machine whether it is closed: of one that was away that is to be seen anew. */
  const note = async (nodes: readonly Node[], signal: AbortSignal): Promise<void> => {
    const gone = nodes.filter(({ Spec, Status }) => Status.State === 'down' && Spec.Labels[key()] === CLOSED);
    for (const { ID } of gone) await swarm.labelNode(ID, { [key()]: '' }, signal);
    const open = nodes.filter((node) => takesTasks(node) && !isClosed(node));
    if (open.length === 0) return;
    const standing = await standingOn(its(), signal);
    for (const { ID } of open) if (standing.has(ID)) await swarm.labelNode(ID, { [key()]: CLOSED }, signal);
  };

  /** What one of them said last. */
  const why = async (signal: AbortSignal): Promise<string> => {
    const tasks = await swarm.tasks(its(), signal);
    const failed = tasks.find(({ Status }) => Status.Err);
    let said: string | undefined;
    if (failed) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(LOG_MS)]);
      const log = swarm.logs(failed.ID, { since: undefined, follow: false }, inTime);
      try {
        for await (const lines of log) said = lines.at(-1)?.line ?? said;
      } catch {
        // Then its end has to do.
      }
    }
    return said ?? failed?.Status.Err ?? 'no machine of the cluster could be closed';
  };

  /** Throws an EngineError where no machine can be closed. */
  const stand = async (signal: AbortSignal): Promise<void> => {
    const order = await orderOf();
    const standing = await swarm.services(its(), signal);
    if (standing.some(({ Spec }) => Spec.Name === order.Name)) return;
    await swarm.createService(order, signal);
    for (const until = performance.now() + FIRST_MS; ; await sleep(LOOK_MS, undefined, { signal })) {
      const closed = await standingOn(order.Labels, signal);
      const nodes = await swarm.nodes(signal);
      await note(nodes, signal);
      if (nodes.filter(takesTasks).every(({ ID }) => closed.has(ID))) break;
      if (performance.now() < until) continue;
      if (closed.size > 0) break;
      const error = await why(signal);
      await swarm.removeService(order.Name, signal);
      throw new EngineError(500, error);
    }
    // Rules of before go once those of now stand.
    for (const { Spec } of standing) await swarm.removeService(Spec.Name, signal);
  };

  let turn: Promise<void> = Promise.resolve();
  return {
    note,
    stand(signal: AbortSignal): Promise<void> {
      turn = turn.catch(() => {}).then(() => stand(signal));
      return turn;
    },
    /** What a machine has to be for anything to be placed there. */
    constraint: () => `node.labels.${key()}==${CLOSED}`,
    /** What all that runs there has to have. */
    mount: (): ServiceMount => ({
      Type: 'bind',
      Source: proof(),
      Target: '/run/simcha-closed',
      ReadOnly: true,
    }),
    /** Whether that is why a task did not run, which is tried again. */
    isMissing: (error: string): boolean => error.includes(proof()),
  };
}

/** Nothing is placed on a machine that is drained or paused, the fence neither. */
const takesTasks = ({ Status, Spec }: Node) => Status.State === 'ready' && Spec.Availability === 'active';
