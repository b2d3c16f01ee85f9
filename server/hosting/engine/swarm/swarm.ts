import { type Connection, EngineError } from '../connection.ts';
import { ignoreMissing, type Labels, labelFilter, undefinedIfMissing } from '../engine.ts';
import { type LogLine, logLinesOf } from '../log-lines.ts';
import { OVERLAY } from '../networks.ts';

// Calls to a manager of a Docker Swarm (https://docs.docker.com/reference/api/engine/): names of fields are those of
// its API.

export interface ServiceOrder {
  Name: string;
  Labels: Labels;
  TaskTemplate: {
    ContainerSpec: {
      Image: string;
      /** Command; absent: the image's own. */
      Command?: readonly string[];
      Args?: readonly string[];
      /** Signal; absent: the image's own. */
      StopSignal?: string;
      Env?: readonly string[];
      User?: string;
      Dir?: string;
      Labels?: Labels;
      /** True if only mounts are writable. */
      ReadOnly?: boolean;
      Mounts?: readonly ServiceMount[];
      CapabilityDrop?: readonly string[];
      CapabilityAdd?: readonly string[];
      Ulimits?: readonly { Name: string; Soft: number; Hard: number }[];
      /** Nanoseconds between SIGTERM and SIGKILL. */
      StopGracePeriod?: number;
      /**
       * Health check; the task counts as running once it succeeds. Absent: the image's own; `NONE`: none. Times in
       * nanoseconds.
       */
      Healthcheck?: {
        Test: readonly string[];
        Interval?: number;
        Timeout?: number;
        Retries?: number;
        StartPeriod?: number;
      };
      /** OOM score, since API 1.46; older engines ignore it. */
      OomScoreAdj?: number;
      /** Privileges, since API 1.44. */
      Privileges?: { NoNewPrivileges: boolean };
    };
    Resources?: { Limits: { MemoryBytes?: number; Pids?: number; NanoCPUs?: number } };
    /** Restart policy; `Delay` is in nanoseconds. */
    RestartPolicy?: { Condition: 'any' | 'none'; Delay?: number };
    Placement?: { Constraints?: readonly string[] };
    LogDriver?: { Name: string; Options: Labels };
    Networks?: readonly { Target: string }[];
  };
  Mode:
    | { Replicated: { Replicas: number } }
    | { Global: object }
    /** Mode that runs once on each machine, to its end. */
    | { GlobalJob: object };
  /** Number of tasks that are updated at once; 0: all of them. */
  UpdateConfig?: { Parallelism: number; Order: 'stop-first' };
  EndpointSpec?: {
    Mode: 'dnsrr';
    Ports?: readonly { Protocol: 'tcp'; TargetPort: number; PublishMode: 'host' }[];
  };
}

export type ServiceMount =
  | { Type: 'volume'; Source: string; Target: string; VolumeOptions: { Labels: Labels } }
  | { Type: 'bind'; Source: string; Target: string; ReadOnly?: boolean }
  | { Type: 'tmpfs'; Target: string; TmpfsOptions: { SizeBytes: number; Mode: number } };

export interface Service {
  ID: string;
  Version: { Index: number };
  Spec: ServiceOrder;
}

/** Run of a service's container, on one machine. */
export interface Task {
  ID: string;
  CreatedAt: string;
  ServiceID: string;
  /** Number of the replica, from 1. */
  Slot?: number;
  /** Machine; empty before one is chosen. */
  NodeID?: string;
  DesiredState: 'ready' | 'running' | 'shutdown' | 'remove' | 'complete';
  Status: {
    State:
      | ('new' | 'pending' | 'assigned' | 'accepted' | 'preparing' | 'ready' | 'starting' | 'running')
      | ('complete' | 'shutdown' | 'failed' | 'rejected' | 'remove' | 'orphaned');
    Message?: string;
    Err?: string;
    ContainerStatus?: { ContainerID: string; ExitCode: number };
    PortStatus?: { Ports?: readonly { TargetPort: number; PublishedPort: number }[] };
  };
}

export interface Node {
  ID: string;
  Version: { Index: number };
  Spec: { Labels: Labels; Role: string; Availability: string };
  Description: { Hostname: string };
  Status: { State: 'ready' | 'down' | 'unknown' | 'disconnected'; Addr: string };
  ManagerStatus?: { Addr: string };
}

/** First API version that can forbid new privileges to a service. */
export const NO_NEW_PRIVILEGES = '1.44';
/** Number of attempts to change something whose version must be the latest. */
const MOST_TRIES = 10;
/** Constraint that no machine satisfies. */
const NOWHERE = 'node.id==none';
const OUT_OF_SEQUENCE = /out of sequence/i;

export type Swarm = ReturnType<typeof createSwarm>;

/**
 * Client of a swarm. Calls throw the same errors as an engine's. `registry`: headers with which machines pull images.
 */
export function createSwarm({ ask, stream }: Connection, registry: Readonly<Record<string, string>>) {
  const list = async <T>(kind: string, filters: object, signal: AbortSignal): Promise<T[]> =>
    (await ask<T[] | null>({ path: [kind], query: { filters }, signal })) ?? [];

  /** Repeats a change if somebody else has changed the same thing meanwhile. */
  const retryOutOfSequence = async (work: () => Promise<void>): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const isLate = error instanceof EngineError && OUT_OF_SEQUENCE.test(error.message);
        if (!isLate || attempt === MOST_TRIES) throw error;
      }
    }
  };

  const service = async (name: string, signal: AbortSignal): Promise<Service | undefined> => {
    // The filter also matches other names that begin the same way, so names are compared.
    const all = await list<Service>('services', { name: [name] }, signal);
    return all.find(({ Spec }) => Spec.Name === name);
  };

  const update = (existing: Service, body: ServiceOrder, signal: AbortSignal): Promise<void> => {
    const path = ['services', existing.ID, 'update'];
    const query = { version: existing.Version.Index };
    return ask({ method: 'POST', path, query, body, headers: registry, signal });
  };

  return {
    /**
     * Rejects if the manager does not answer; having no leader is no failure. Uses a connection of its own, because the
     * shared ones may be waiting.
     */
    async reach(signal: AbortSignal): Promise<void> {
      try {
        (await stream({ path: ['_ping'], signal })).resume();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
    },

    /** Id of the cluster, the same on all its machines; undefined if the engine does not manage one. */
    async cluster(signal: AbortSignal): Promise<string | undefined> {
      const { Swarm: swarm } = await ask<{
        Swarm?: { ControlAvailable: boolean; Cluster?: { ID: string } };
      }>({ path: ['info'], signal });
      return swarm?.ControlAvailable ? swarm.Cluster?.ID : undefined;
    },

    /** Creating a service whose name already exists does nothing. */
    async createService(order: ServiceOrder, signal: AbortSignal): Promise<void> {
      const path = ['services', 'create'];
      await ignoreExisting(ask({ method: 'POST', path, body: order, headers: registry, signal }));
    },

    service,

    services: (labels: Labels, signal: AbortSignal): Promise<Service[]> =>
      list('services', labelFilter(labels), signal),

    /** Scaling does nothing if the number is already right, or the service does not exist. */
    scale: (name: string, replicas: number, signal: AbortSignal): Promise<void> =>
      retryOutOfSequence(async () => {
        const existing = await service(name, signal);
        if (!existing || replicasIn(existing) === replicas) return;
        await update(existing, { ...existing.Spec, Mode: { Replicated: { Replicas: replicas } } }, signal);
      }),

    /**
     * Ends all tasks of a service but keeps their results, by a constraint that no machine satisfies. Does nothing if
     * it does not exist.
     */
    endService: (name: string, signal: AbortSignal): Promise<void> =>
      retryOutOfSequence(async () => {
        const existing = await service(name, signal);
        if (!existing) return;
        const { TaskTemplate } = existing.Spec;
        const Placement = { Constraints: [NOWHERE] };
        await update(existing, { ...existing.Spec, TaskTemplate: { ...TaskTemplate, Placement } }, signal);
      }),

    removeService: (name: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'DELETE', path: ['services', name], signal })),

    /** Tasks of services with these labels, including ended ones as far as the cluster keeps them. */
    tasks: (labels: Labels, signal: AbortSignal): Promise<Task[]> =>
      list('tasks', labelFilter(labels), signal),

    task: (id: string, signal: AbortSignal): Promise<Task | undefined> =>
      undefinedIfMissing(ask({ path: ['tasks', id], signal })),

    /**
     * Lines that a task wrote after `since` (seconds since 1970, with a fraction), in groups that arrived together.
     * With `follow` it continues until the signal aborts, which is an error, even after the task has ended.
     */
    async *logs(
      task: string,
      { since, follow }: { since: string | undefined; follow: boolean },
      signal: AbortSignal,
    ): AsyncGenerator<LogLine[]> {
      const query = { stdout: true, stderr: true, timestamps: true, follow, since: since?.split('.')[0] };
      yield* logLinesOf(await stream({ path: ['tasks', task, 'logs'], query, signal }), since);
    },

    nodes: (signal: AbortSignal): Promise<Node[]> => list('nodes', {}, signal),

    /** Sets labels of a machine; undefined removes a label. */
    labelNode: (
      id: string,
      labels: Readonly<Record<string, string | undefined>>,
      signal: AbortSignal,
    ): Promise<void> =>
      retryOutOfSequence(async () => {
        const node = await ask<Node>({ path: ['nodes', id], signal });
        const body = { ...node.Spec, Labels: { ...node.Spec.Labels, ...labels } };
        const query = { version: node.Version.Index };
        await ask({ method: 'POST', path: ['nodes', id, 'update'], query, body, signal });
      }),

    /**
     * Creates a network across all machines; does nothing if the name exists. Networks local to each machine do not
     * survive a power cut: https://github.com/moby/moby/issues/38318
     */
    async createNetwork(name: string, labels: Labels, signal: AbortSignal): Promise<void> {
      const body = { Name: name, CheckDuplicate: true, Driver: OVERLAY, Labels: labels };
      await ignoreExisting(ask({ method: 'POST', path: ['networks', 'create'], body, signal }));
    },
  };
}

/** Ignores that something already exists: it may have been made by an earlier call that was not answered. */
async function ignoreExisting(made: Promise<unknown>): Promise<void> {
  await made.catch((error) => {
    if (!(error instanceof EngineError) || error.status !== 409) throw error;
  });
}

/** True if all tasks of the service were told to end. */
export function isEnding({ Spec }: Service): boolean {
  return Spec.TaskTemplate.Placement?.Constraints?.includes(NOWHERE) ?? false;
}

/** Number of replicas; undefined for a service that runs once on each machine. */
export function replicasIn({ Spec: { Mode } }: Service): number | undefined {
  return 'Replicated' in Mode ? Mode.Replicated.Replicas : undefined;
}

const ENDED: ReadonlySet<Task['Status']['State']> = new Set([
  ...(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'] as const),
]);

/** True if a task no longer runs, as far as its machine has reported. */
export function hasEnded({ Status: { State } }: Task): boolean {
  return ENDED.has(State);
}

/** URL at which a task's machine forwards to a port of the task; undefined if it is not known. */
export function taskOrigin({ Status }: Task, port: number, node: Node | undefined): string | undefined {
  const published = Status.PortStatus?.Ports?.find(({ TargetPort }) => TargetPort === port)?.PublishedPort;
  return node && published ? `http://${nodeAddress(node)}:${published}` : undefined;
}

/** Address of a machine in the cluster. */
export function nodeAddress({ Status: { Addr }, ManagerStatus }: Node): string {
  // A manager may not know its own address.
  const isKnown = Addr !== '' && Addr !== '0.0.0.0' && Addr !== '127.0.0.1';
  return isKnown ? Addr : (ManagerStatus?.Addr.replace(/:\d+$/, '') ?? Addr);
}
