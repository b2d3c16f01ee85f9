import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../kernel/log.ts';
import { repeatedWarnings } from '../../../kernel/repeated-warnings.ts';
import type { Engine } from '../../engine/engine.ts';
import { EngineAway, EngineError } from '../../engine/errors.ts';
import { withFailureReasons } from '../../engine/failure-reasons.ts';
import type { LogLine as EngineWritten } from '../../engine/log-lines.ts';
import type { Registry } from '../../engine/registry.ts';
import { createRegistryImages } from '../../engine/registry-images.ts';
import {
  ENVIRONMENT,
  environmentKeysIn,
  INSTANCE,
  KIND,
  keyLabels,
  OOM_SCORE,
  PLATFORM,
  ROOT_CAPABILITIES,
  removeAbandoned,
  TMP_BYTES,
} from '../../engine/site-containers.ts';
import type { ClusterFence } from '../../engine/swarm/cluster-fence.ts';
import type { ClusterEnvironments } from '../../engine/swarm/environments.ts';
import type { RunNodeJob } from '../../engine/swarm/node-job.ts';
import {
  createPlacementTimeout,
  PLACEMENT_CHECK_MS,
  waitForPlacement,
} from '../../engine/swarm/placement.ts';
import { NO_NEW_PRIVILEGES, type Swarm } from '../../engine/swarm/swarm.ts';
import { isEnding, replicasIn } from '../../engine/swarm/tasks.ts';
import type { Service, ServiceOrder, Task } from '../../engine/swarm/types.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { type Reason, type ReasonCode, reason } from '../../model/reasons/reason.ts';
import type { Output } from '../../sandbox/lines.ts';
import type { Capability } from '../capabilities.ts';
import { firstProcess, NO_HEALTHCHECK, refusalOf, termsOf } from '../container-order.ts';
import { createFolderLock } from '../folder-lock.ts';
import { createMountable } from '../mountable.ts';
import { createReplayBuffer } from '../replay-buffer.ts';
import {
  type CommandEnd,
  type Instance,
  type Order,
  type Replica,
  type Runtime,
  refuseUnsupported,
  type StartOrder,
  type TaskOrder,
  type WrittenLines,
} from '../runtime.ts';
import { siteLog } from '../site-log.ts';
import { createPorts } from './ports.ts';
import { byNumber, endOf, instanceOf, isOver, type Nodes, portsIn, stateOfTasks } from './state.ts';
import { createWatch } from './watch.ts';

// Sites as services of a Docker Swarm, which places them, starts again what has ended, and moves what its machine has lost. All is
// found again by labels, whoever asks, on whichever of its managers.

const NEVER = new AbortController().signal;
const SECOND = 1e9;
const MEBIBYTE = 2 ** 20;
const NOT_STARTED = 'what closes the machines could not be started';
/** Between two looks at all that runs. */
const LOOK_MS = 1_000;
/** Such as until an image is on every machine. */
const START_MS = 300_000;
const GRACE_SECONDS = 5;
const AGAIN_SECONDS = 1;
/** Beyond its grace; what its machine does not end is that machine's. */
const GONE_MS = 15_000;
/** What one wrote last may take to be told to those who listen, once it has ended; and the whole of it, to be looked at again. */
const LAST_LINES_MS = 500;
const LAST_LOOK_MS = 5_000;
/** Of what an instance wrote, in UTF-16 units: we read along, so it is a moment's. */
const MOST_KEPT = 2 ** 20;
/** Of what never began. */
const NEVER_RUN: ReadonlySet<string> = new Set<ReasonCode>(['cant_run', 'image_away']);

/**
 * Removes volumes of $1's environment $2, once what ends there has let go of them. What has ended there goes too: a cluster forgets what
 * a machine had that died a moment later.
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

const isOfKind =
  (kind: string) =>
  ({ Spec }: Service) =>
    Spec.Labels[KIND] === kind;

/** What is in the cluster at a time. */
interface Seen {
  tasks: ReadonlyMap<string, Task>;
  nodes: Nodes;
  /** By their names, what each has run, how often it is to, and whether it is being ended. */
  services: ReadonlyMap<string, { isEnding: boolean; replicas: number | undefined; tasks: readonly Task[] }>;
  instances: Instance[];
}

export interface SwarmParts {
  swarm: Swarm;
  /** The manager's own. */
  engine: Engine;
  /** Which cluster it is. */
  cluster: string;
  registry: Registry;
  platform: () => string;
  /** Closes each machine; undefined where nothing is. */
  fence: ClusterFence | undefined;
  environments: ClusterEnvironments;
  runNodeJob: RunNodeJob;
  /** Which server's: the one that has this folder. */
  base: string;
  log: Logger;
}

export const SWARM_CAPABILITIES: ReadonlySet<Capability> = new Set([
  ...(['images', 'replicas', 'volumes', 'layers', 'tasks', 'network', 'memory', 'threads'] as const),
  ...(['outliving', 'machines'] as const),
]);

export function createSwarmRuntime(parts: SwarmParts): Runtime {
  const { swarm, engine, cluster, registry, platform, fence, environments, runNodeJob, base, log } = parts;
  const claim = createFolderLock(base);
  const mountable = createMountable({
    engine,
    images: createRegistryImages({ engine, registry, log }),
    platform,
    log,
  });
  const ours = () => ({ [PLATFORM]: platform() });
  const ports = createPorts({ runNodeJob, log });
  const nameOf = (instance: string) => `simcha-${instance}`;
  const tasksOf = (instance: string, signal: AbortSignal) =>
    swarm.tasks({ ...ours(), [INSTANCE]: instance }, signal);
  const nodesNow = async (signal: AbortSignal): Promise<Nodes> =>
    new Map((await swarm.nodes(signal)).map((node) => [node.ID, node]));

  /** What of an environment's is on its way out keeps it for a moment. */
  const removeNetwork = async (id: string, signal: AbortSignal): Promise<void> => {
    for (
      const until = performance.now() + GONE_MS;
      ;
      await sleep(PLACEMENT_CHECK_MS, undefined, { signal })
    ) {
      try {
        return await engine.removeNetwork(id, signal);
      } catch (error) {
        if (!(error instanceof EngineError) || performance.now() > until) throw error;
      }
    }
  };

  /** A volume is on one machine, where a home is on each. */
  const isPinned = ({ mounts }: Order) => mounts.some(({ at }) => at !== 'home');
  const pinnedTo = async (order: Order, signal: AbortSignal) =>
    isPinned(order) ? { pinnedTo: (await environments.pinnedTo(order.labels, signal)) ?? '?' } : {};

  const orderOf = async (order: Order & Partial<StartOrder>, signal: AbortSignal): Promise<ServiceOrder> => {
    const { limits, replicas } = order;
    const terms = termsOf(platform(), order);
    const [Image, network, Constraints] = await Promise.all([
      mountable(terms, signal),
      environments.network(order.labels, signal),
      isPinned(order) ? environments.pin(order.labels, signal) : environments.constraints(),
    ]);
    const { command, user, folder, port } = terms;
    return {
      Name: nameOf(order.instance),
      Labels: terms.found,
      TaskTemplate: {
        ContainerSpec: {
          Image,
          Env: terms.env,
          Labels: terms.found,
          StopGracePeriod: GRACE_SECONDS * SECOND,
          ...(command !== undefined && {
            Command: ['/bin/sh', '-c', await firstProcess(), 'sh'],
            Args: [command, order.instance],
            StopSignal: 'SIGTERM',
          }),
          ...(user !== undefined && { User: user }),
          ...(folder !== undefined && { Dir: folder }),
          Healthcheck: NO_HEALTHCHECK,
          Mounts: [
            ...terms.mounts.map(({ source, target, labels }) => ({
              Type: 'volume' as const,
              Source: source,
              Target: target,
              VolumeOptions: { Labels: labels },
            })),
            { Type: 'tmpfs', Target: '/tmp', TmpfsOptions: { SizeBytes: TMP_BYTES, Mode: 0o1777 } },
            ...(fence ? [fence.mount()] : []),
          ],
          CapabilityDrop: ['ALL'],
          ...(terms.isOwnImage && { CapabilityAdd: ROOT_CAPABILITIES }),
          OomScoreAdj: OOM_SCORE,
          Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
          ...(engine.supportsVersion(NO_NEW_PRIVILEGES) && { Privileges: { NoNewPrivileges: true } }),
        },
        Resources: {
          Limits: {
            MemoryBytes: limits.memoryMb * MEBIBYTE,
            Pids: limits.processes,
            ...(limits.cpus !== undefined && { NanoCPUs: Math.round(limits.cpus * 1e9) }),
          },
        },
        RestartPolicy:
          replicas === undefined
            ? { Condition: 'none' }
            : { Condition: 'any', Delay: AGAIN_SECONDS * SECOND },
        Placement: { Constraints },
        LogDriver: { Name: 'json-file', Options: { 'max-size': '10m', 'max-file': '2' } },
        Networks: [{ Target: network }],
      },
      Mode: { Replicated: { Replicas: replicas ?? 1 } },
      UpdateConfig: { Parallelism: 0, Order: 'stop-first' },
      EndpointSpec: {
        Mode: 'dnsrr',
        ...(port !== undefined && { Ports: [{ Protocol: 'tcp', TargetPort: port, PublishMode: 'host' }] }),
      },
    };
  };

  const drop = (instance: string): Promise<void> =>
    swarm
      .removeService(nameOf(instance), NEVER)
      .catch((error) => log.warn({ err: error }, 'a service could not be removed'));

  /** It did not begin where nothing closes its machine yet, which is tried again. */
  const isUnfenced = (how: Reason): boolean => fence?.isMissing(String(how.params.error)) ?? false;

  /** Throws a RuntimeFailure where that is how one was never run. */
  const refuse = (order: Order, how: Reason): void => {
    if (NEVER_RUN.has(how.code)) throw refusalOf(order, String(how.params.error)) ?? new RuntimeFailure(how);
  };

  /** A command, as the task of a service, and how it ended. */
  const runOnce = async (order: TaskOrder, output: Output, signal: AbortSignal): Promise<Reason> => {
    const { instance } = order;
    await swarm.createService(await orderOf(order, signal), signal);
    const { ID } = await waitForPlacement((now) => tasksOf(instance, now), signal);
    for await (const { lines } of logOf(instance, ID, undefined, signal)) output(lines);
    const found = await swarm.task(ID, signal);
    return found ? endOf(found, await nodesNow(signal)) : reason('vanished');
  };

  /** Once all of it run, or one has ended. Throws a RuntimeFailure where it can't be run. */
  const untilStarted = async (order: StartOrder, signal: AbortSignal): Promise<Instance> => {
    const { instance, replicas } = order;
    const mayWait = createPlacementTimeout();
    let where = '';
    for (const until = performance.now() + START_MS; performance.now() < until; ) {
      const service = await swarm.service(nameOf(instance), signal);
      if (!service) throw new RuntimeFailure(reason('vanished'));
      const [tasks, nodes] = await Promise.all([tasksOf(instance, signal), nodesNow(signal)]);
      const state = instanceOf(service, ports.asTold(tasks), nodes);
      const there = state.replicas.filter(({ down }) => !(down && isUnfenced(down)));
      const fallen = there.find(({ down }) => down);
      if (fallen?.down) refuse(order, fallen.down);
      if (fallen?.down) return { ...state, replicas: [], ended: fallen.down };
      const isThere = ({ origin }: Replica) => state.port === undefined || origin !== undefined;
      if (there.filter(isThere).length >= replicas) return state;
      mayWait(tasks);
      where = stateOfTasks(tasks, nodes);
      await sleep(PLACEMENT_CHECK_MS, undefined, { signal });
    }
    throw new RuntimeFailure(reason('not_started', { seconds: START_MS / 1_000, tasks: where }));
  };

  const look = async (): Promise<Seen> => {
    const [services, tasks, nodes] = await Promise.all([
      swarm.services(ours(), NEVER),
      swarm.tasks(ours(), NEVER),
      nodesNow(NEVER),
    ]);
    const areSites = services.filter(isOfKind('site'));
    // Somebody else may have removed it.
    const isWanted = areSites.length > 0 && !services.some(isOfKind('fence'));
    const { warn, clear } = repeatedWarnings(log);
    if (isWanted)
      fence?.ensure(NEVER).then(
        () => clear({}, NOT_STARTED),
        (error) => warn({}, NOT_STARTED, error.message),
      );
    // What runs is to be known also where a machine can't be said to be closed.
    await fence
      ?.note([...nodes.values()], NEVER)
      .catch((error) => log.warn({ err: error }, 'which machines are closed could not be noted'));
    const byService = Map.groupBy(tasks, ({ ServiceID }) => ServiceID);
    return {
      tasks: new Map(tasks.map((task) => [task.ID, task])),
      nodes,
      services: new Map(
        services.map((service) => [
          service.Spec.Name,
          {
            isEnding: isEnding(service),
            replicas: replicasIn(service),
            tasks: byService.get(service.ID) ?? [],
          },
        ]),
      ),
      instances: areSites.map((service) =>
        instanceOf(service, ports.asTold(byService.get(service.ID) ?? []), nodes),
      ),
    };
  };
  /** While nobody answers nothing is seen; who has the lease says so. */
  const lookUnlessAway = () =>
    look().catch((error) => {
      if (!(error instanceof EngineAway)) throw error;
      return undefined;
    });
  const watch = createWatch(lookUnlessAway, LOOK_MS);
  /** By instance, how many of it were asked for last. */
  const asked = new Map<string, number>();
  /** Whoever else has changed how many run. */
  const keepScale = async ({ instances, services }: Seen): Promise<void> => {
    const others = instances.flatMap(({ instance }) => {
      const wanted = asked.get(instance);
      const its = services.get(nameOf(instance));
      const isOther = wanted !== undefined && its && !its.isEnding && its.replicas !== wanted;
      return isOther ? [{ instance, wanted }] : [];
    });
    for (const { instance, wanted } of others) await swarm.scale(nameOf(instance), wanted, NEVER);
  };

  /** By instance, what hands on its lines. */
  const telling = new Map<string, Promise<void>>();

  const untilOver = async (id: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        for await (const { tasks, nodes } of watch.states(signal)) {
          const task = tasks.get(id);
          if (!task || isOver(task, nodes)) return;
        }
      } catch {
        // Nobody answers: what runs goes on meanwhile.
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.throwIfAborted();
  };

  /** Once nothing of it runs, as far as that is its machines' to say. */
  const untilGone = async (instance: string): Promise<void> => {
    for (
      const until = performance.now() + GONE_MS;
      performance.now() < until;
      await sleep(PLACEMENT_CHECK_MS)
    ) {
      const [tasks, nodes] = await Promise.all([tasksOf(instance, NEVER), nodesNow(NEVER)]);
      // One without a machine never began.
      if (tasks.every((task) => !task.NodeID || isOver(task, nodes))) return;
    }
  };

  /** All that one run wrote behind `since`, which is asked twice, and writes until it ends: a cluster tells of no log's end. */
  async function* toTheEnd(
    task: string,
    since: () => string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<EngineWritten[]> {
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const ended = untilOver(task, signal)
      .then(() => sleep(LAST_LINES_MS, undefined, { signal }))
      .finally(() => over.abort());
    ended.catch(() => {});
    while (!until.aborted) {
      try {
        yield* swarm.logs(task, { since: since(), follow: true }, until);
      } catch {
        // Such as from a machine that is gone, which is known a moment later.
      }
      await sleep(LOOK_MS, undefined, { signal: until }).catch(() => {});
    }
    await ended;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LAST_LOOK_MS)]);
    try {
      yield* swarm.logs(task, { since: since(), follow: false }, inTime);
    } catch (error) {
      // Its machine is gone, and what it wrote with it.
      signal.throwIfAborted();
      if (!inTime.aborted && !(error instanceof EngineError)) throw error;
    }
  }

  /** By instance, the ports on which it was last heard to listen. */
  const heard = new Map<string, readonly number[]>();

  async function* logOf(
    instance: string,
    task: string,
    since: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WrittenLines> {
    const ours = `${instance} listens`;
    for await (const one of siteLog((behind) => toTheEnd(task, behind, signal), since, signal)) {
      const last = one.lines.findLast((line) => line.startsWith(ours));
      if (last === undefined) yield one;
      else {
        heard.set(instance, portsIn(last.slice(ours.length)));
        const lines = one.lines.filter((line) => !line.startsWith(ours));
        if (lines.length > 0) yield { ...one, lines };
      }
    }
  }

  const runtime: Runtime = {
    isolation: `sites run as services of the cluster (API ${engine.version})${
      fence ? '' : ', and reach all that its machines reach (APPS_ISOLATION is "none")'
    }`,
    capabilities: SWARM_CAPABILITIES,
    cluster,

    claim: claim.take,
    reach: swarm.reach,

    /** What was being done by an earlier holder and nobody waits for any more. */
    identity: async () => cluster,

    async recover() {
      claim.take();
      for (const kind of ['task', 'hand']) {
        for (const { Spec } of await swarm.services({ ...ours(), [KIND]: kind }, NEVER))
          await swarm.removeService(Spec.Name, NEVER);
      }
      await removeAbandoned(engine, ours(), ['build', 'hand'], log);
    },

    list: async () => (await look()).instances,

    start: (order, signal = NEVER) =>
      withFailureReasons(async () => {
        refuseUnsupported(runtime, order);
        asked.set(order.instance, order.replicas);
        try {
          await swarm.createService(await orderOf(order, signal), signal);
          return { ...(await untilStarted(order, signal)), ...(await pinnedTo(order, signal)) };
        } catch (error) {
          asked.delete(order.instance);
          await drop(order.instance);
          throw error;
        }
      }),

    async stop(instance, graceMs) {
      heard.delete(instance);
      asked.delete(instance);
      const name = nameOf(instance);
      if (graceMs > 0) {
        await swarm.endService(name, NEVER);
        await untilGone(instance);
        // What is removed tells nothing any more.
        watch.hurry();
        await Promise.race([telling.get(instance), sleep(LAST_LOOK_MS, undefined, { ref: false })]);
      }
      await swarm.removeService(name, NEVER);
    },

    scale(instance, replicas) {
      asked.set(instance, replicas);
      return swarm.scale(nameOf(instance), replicas, NEVER);
    },

    async *events(signal) {
      const known = new Map<string, string>();
      for await (const seen of watch.states(signal)) {
        const { instances, tasks } = seen;
        void ports.mend(instances, tasks, signal);
        void keepScale(seen).catch((error) =>
          log.warn({ err: error }, 'how many of a service run could not be put right; trying again'),
        );
        for (const one of instances) {
          const now = JSON.stringify(one);
          if (known.get(one.instance) !== now) yield one;
          known.set(one.instance, now);
        }
        const there = new Set(instances.map(({ instance }) => instance));
        for (const instance of known.keys()) if (!there.has(instance)) known.delete(instance);
      }
    },

    async *logs(instance, { since, signal }) {
      const tape = createReplayBuffer<WrittenLines>(MOST_KEPT, ({ lines }) =>
        lines.reduce((sum, line) => sum + line.length + 1, 0),
      );
      const over = new AbortController();
      const until = AbortSignal.any([signal, over.signal]);
      const all = followTasks(instance, since, until, (one) => tape.put(one)).finally(() => tape.end());
      const told = all.catch(() => {});
      telling.set(instance, told);
      try {
        yield* tape.fromStart(signal);
        if (!signal.aborted) await all;
      } finally {
        over.abort();
        if (telling.get(instance) === told) telling.delete(instance);
      }
    },

    listening: async (instance) => heard.get(instance),

    run: (order, { output, signal }) =>
      withFailureReasons(async (): Promise<CommandEnd> => {
        refuseUnsupported(runtime, order);
        const { instance, seconds } = order;
        const late = AbortSignal.timeout(seconds * 1_000);
        const until = AbortSignal.any([signal, late]);
        try {
          let how = await runOnce(order, output, until);
          // Nothing of it has run, and a machine that has just begun is closed within seconds.
          while (isUnfenced(how)) {
            await drop(instance);
            await sleep(PLACEMENT_CHECK_MS, undefined, { signal: until });
            how = await runOnce(order, output, until);
          }
          refuse(order, how);
          return { succeeded: how.code === 'exited' && how.params.code === 0, how };
        } catch (error) {
          if (signal.aborted || !late.aborted) throw error;
          return { succeeded: false, how: reason('too_slow', { seconds }) };
        } finally {
          await drop(instance);
        }
      }),

    async retainedEnvironments() {
      return (await engine.networks(ours(), NEVER)).flatMap(environmentKeysIn);
    },

    async forget(key, signal) {
      await runNodeJob(FORGET, [platform(), key.environmentId], signal);
      const away = (await swarm.nodes(signal)).filter(({ Status }) => Status.State !== 'ready');
      if (away.length > 0) {
        const names = away.map(({ Description }) => Description.Hostname).join(', ');
        throw new EngineError(503, `its volumes may be on machines that are away: ${names}`);
      }
      await environments.unpin(key, signal);
      const labels = keyLabels(platform(), key);
      for (const { Id } of await engine.networks(labels, signal)) await removeNetwork(Id, signal);
    },

    async close() {
      claim.release();
      engine.close();
    },
  };
  return runtime;

  /** Hands on what each of an instance's writes, until it is gone and all is told. */
  async function followTasks(
    instance: string,
    since: number | undefined,
    signal: AbortSignal,
    put: (one: WrittenLines) => void,
  ): Promise<void> {
    const followed = new Map<string, Promise<void>>();
    let numbers = new Map<string, number>();
    const follow = async ({ ID }: Task): Promise<void> => {
      for await (const one of logOf(instance, ID, since, signal))
        put({ ...one, number: numbers.get(ID) ?? 1 });
    };
    const isTold = new Set<string>();
    for await (const { services } of watch.states(signal)) {
      const its = services.get(nameOf(instance));
      if (!its) break;
      numbers = new Map([
        // What one wrote last, that is not wanted any more, is told by the number it had.
        ...numbers,
        ...[...byNumber(its.tasks)].flatMap(([number, all]) => all.map(({ ID }) => [ID, number] as const)),
      ]);
      for (const task of its.tasks) {
        if (!task.Status.ContainerStatus?.ContainerID || followed.has(task.ID)) continue;
        const told = follow(task)
          .catch((error) => {
            if (!signal.aborted) log.warn({ err: error }, 'what a site wrote could not be read');
          })
          .then(() => void isTold.add(task.ID));
        followed.set(task.ID, told);
      }
      if (its.isEnding && its.tasks.every((one) => !followed.has(one.ID) || isTold.has(one.ID))) break;
    }
    await Promise.all(followed.values());
  }
}
