import { type Connection, EngineError } from './connection.ts';
import { type Labels, labelled, unlessGone, unlessMissing } from './engine.ts';
import { linesOf, type Written } from './lines.ts';
import { OVERLAY } from './networks.ts';

// What we ask of a Docker Swarm, of one of its managers (https://docs.docker.com/reference/api/engine/): names of fields are
// those of its API.

export interface ServiceOrder {
  Name: string;
  Labels: Labels;
  TaskTemplate: {
    ContainerSpec: {
      Image: string;
      /** The image's own where it is absent. */
      Command?: readonly string[];
      Args?: readonly string[];
      /** The image's own where it is absent. */
      StopSignal?: string;
      Env?: readonly string[];
      User?: string;
      Dir?: string;
      Labels?: Labels;
      /** Nothing but its mounts can be written to. */
      ReadOnly?: boolean;
      Mounts?: readonly ServiceMount[];
      CapabilityDrop?: readonly string[];
      CapabilityAdd?: readonly string[];
      Ulimits?: readonly { Name: string; Soft: number; Hard: number }[];
      /** Nanoseconds between SIGTERM and SIGKILL. */
      StopGracePeriod?: number;
      /** It counts as running once that has succeeded, be it the image's own; `NONE`: none. Times in nanoseconds. */
      Healthcheck?: {
        Test: readonly string[];
        Interval?: number;
        Timeout?: number;
        Retries?: number;
        StartPeriod?: number;
      };
      /** As of API 1.46; engines before pass it over. */
      OomScoreAdj?: number;
      /** As of API 1.44. */
      Privileges?: { NoNewPrivileges: boolean };
    };
    Resources?: { Limits: { MemoryBytes?: number; Pids?: number; NanoCPUs?: number } };
    /** `Delay` in nanoseconds. */
    RestartPolicy?: { Condition: 'any' | 'none'; Delay?: number };
    Placement?: { Constraints?: readonly string[] };
    LogDriver?: { Name: string; Options: Labels };
    Networks?: readonly { Target: string }[];
  };
  Mode:
    | { Replicated: { Replicas: number } }
    | { Global: object }
    /** As often as once on each machine, to its end. */
    | { GlobalJob: object };
  /** How many of it are changed at once; 0: all of them. */
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

/** One run of a service's container, on one machine. */
export interface Task {
  ID: string;
  CreatedAt: string;
  ServiceID: string;
  /** Which of the service's replicas, from 1. */
  Slot?: number;
  /** Empty before one is chosen. */
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

/** The first API by which one may be kept from new privileges. */
export const NO_NEW_PRIVILEGES = '1.44';
/** Only one who knows the latest version of something may change it. */
const MOST_TRIES = 10;
/** A machine that is none. */
const NOWHERE = 'node.id==none';
const OUT_OF_SEQUENCE = /out of sequence/i;

export type Swarm = ReturnType<typeof createSwarm>;

/** Throws, as every one of its calls does, what an engine's calls do. `registry`: the headers by which images are had of theirs. */
export function createSwarm({ ask, stream }: Connection, registry: Readonly<Record<string, string>>) {
  const found = async <T>(kind: string, filters: object, signal: AbortSignal): Promise<T[]> =>
    (await ask<T[] | null>({ path: [kind], query: { filters }, signal })) ?? [];

  /** Asks again where somebody else has changed it meanwhile. */
  const inSequence = async (work: () => Promise<void>): Promise<void> => {
    for (let turn = 1; ; turn += 1) {
      try {
        return await work();
      } catch (error) {
        const isLate = error instanceof EngineError && OUT_OF_SEQUENCE.test(error.message);
        if (!isLate || turn === MOST_TRIES) throw error;
      }
    }
  };

  const service = async (name: string, signal: AbortSignal): Promise<Service | undefined> => {
    // What is asked for by a name may be another whose id begins so.
    const all = await found<Service>('services', { name: [name] }, signal);
    return all.find(({ Spec }) => Spec.Name === name);
  };

  const update = (known: Service, body: ServiceOrder, signal: AbortSignal): Promise<void> => {
    const path = ['services', known.ID, 'update'];
    const query = { version: known.Version.Index };
    return ask({ method: 'POST', path, query, body, headers: registry, signal });
  };

  return {
    /** Rejects where nobody answers, be it that there is no leader: it goes by no other question's connection, which may wait. */
    async reach(signal: AbortSignal): Promise<void> {
      try {
        (await stream({ path: ['_ping'], signal })).resume();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
    },

    /** The name of the cluster, by which each of its machines knows it; undefined where the engine manages none. */
    async cluster(signal: AbortSignal): Promise<string | undefined> {
      const { Swarm: swarm } = await ask<{
        Swarm?: { ControlAvailable: boolean; Cluster?: { ID: string } };
      }>({ path: ['info'], signal });
      return swarm?.ControlAvailable ? swarm.Cluster?.ID : undefined;
    },

    /** One of that name that is there already is left as it is. */
    async createService(order: ServiceOrder, signal: AbortSignal): Promise<void> {
      const path = ['services', 'create'];
      await unlessThere(ask({ method: 'POST', path, body: order, headers: registry, signal }));
    },

    service,

    services: (labels: Labels, signal: AbortSignal): Promise<Service[]> =>
      found('services', labelled(labels), signal),

    /** Nothing where so many are asked for, or none is there. */
    scale: (name: string, replicas: number, signal: AbortSignal): Promise<void> =>
      inSequence(async () => {
        const known = await service(name, signal);
        if (!known || replicasIn(known) === replicas) return;
        await update(known, { ...known.Spec, Mode: { Replicated: { Replicas: replicas } } }, signal);
      }),

    /** Ends all of it, and keeps what became of each: no machine is one that it may run on. Nothing where there is none. */
    endService: (name: string, signal: AbortSignal): Promise<void> =>
      inSequence(async () => {
        const known = await service(name, signal);
        if (!known) return;
        const { TaskTemplate } = known.Spec;
        const Placement = { Constraints: [NOWHERE] };
        await update(known, { ...known.Spec, TaskTemplate: { ...TaskTemplate, Placement } }, signal);
      }),

    removeService: (name: string, signal: AbortSignal): Promise<void> =>
      unlessGone(ask({ method: 'DELETE', path: ['services', name], signal })),

    /** Of services with these labels, those that are over among them: so many as the cluster keeps. */
    tasks: (labels: Labels, signal: AbortSignal): Promise<Task[]> => found('tasks', labelled(labels), signal),

    task: (id: string, signal: AbortSignal): Promise<Task | undefined> =>
      unlessMissing(ask({ path: ['tasks', id], signal })),

    /**
     * What one wrote after `since` (seconds since 1970, with a fraction): lines that came together. Where that is to be followed,
     * it goes on until the signal, which rejects, whether the task has ended or not.
     */
    async *logs(
      task: string,
      { since, follow }: { since: string | undefined; follow: boolean },
      signal: AbortSignal,
    ): AsyncGenerator<Written[]> {
      const query = { stdout: true, stderr: true, timestamps: true, follow, since: since?.split('.')[0] };
      yield* linesOf(await stream({ path: ['tasks', task, 'logs'], query, signal }), since);
    },

    nodes: (signal: AbortSignal): Promise<Node[]> => found('nodes', {}, signal),

    /** What is undefined goes. */
    labelNode: (
      id: string,
      labels: Readonly<Record<string, string | undefined>>,
      signal: AbortSignal,
    ): Promise<void> =>
      inSequence(async () => {
        const node = await ask<Node>({ path: ['nodes', id], signal });
        const body = { ...node.Spec, Labels: { ...node.Spec.Labels, ...labels } };
        const query = { version: node.Version.Index };
        await ask({ method: 'POST', path: ['nodes', id, 'update'], query, body, signal });
      }),

    /** Across all machines; one of that name that is there already is left as it is. One that each has for itself does not outlive a power cut: https://github.com/moby/moby/issues/38318 */
    async createNetwork(name: string, labels: Labels, signal: AbortSignal): Promise<void> {
      const body = { Name: name, CheckDuplicate: true, Driver: OVERLAY, Labels: labels };
      await unlessThere(ask({ method: 'POST', path: ['networks', 'create'], body, signal }));
    },
  };
}

/** Also where it was made by what was asked before, and not answered. */
async function unlessThere(made: Promise<unknown>): Promise<void> {
  await made.catch((error) => {
    if (!(error instanceof EngineError) || error.status !== 409) throw error;
  });
}

/** Whether all of it was told to end. */
export function isEnding({ Spec }: Service): boolean {
  return Spec.TaskTemplate.Placement?.Constraints?.includes(NOWHERE) ?? false;
}

/** How many are to run, of one that does not run once on each machine. */
export function replicasIn({ Spec: { Mode } }: Service): number | undefined {
  return 'Replicated' in Mode ? Mode.Replicated.Replicas : undefined;
}

const ENDED: ReadonlySet<Task['Status']['State']> = new Set([
  ...(['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'] as const),
]);

/** Whether one runs no more, as far as its machine has told. */
export function hasEnded({ Status: { State } }: Task): boolean {
  return ENDED.has(State);
}

/** Where one's machine passes on to it what comes for a port of its own; undefined where that is not known. */
export function originOf({ Status }: Task, port: number, node: Node | undefined): string | undefined {
  const published = Status.PortStatus?.Ports?.find(({ TargetPort }) => TargetPort === port)?.PublishedPort;
  return node && published ? `http://${addressOf(node)}:${published}` : undefined;
}

/** Where a machine of the cluster is reached. */
export function addressOf({ Status: { Addr }, ManagerStatus }: Node): string {
  // A manager may not know its own.
  const isKnown = Addr !== '' && Addr !== '0.0.0.0' && Addr !== '127.0.0.1';
  return isKnown ? Addr : (ManagerStatus?.Addr.replace(/:\d+$/, '') ?? Addr);
}
