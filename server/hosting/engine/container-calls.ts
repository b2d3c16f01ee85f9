import type { Connection } from './connection.ts';
import { EngineError } from './errors.ts';
import { type Labels, labelFilter, withAllLabels } from './labels.ts';
import { ignoreMissing, undefinedIfMissing } from './missing.ts';
import { correctStoppingState, pollForEnd, retryUntilEndIsRecorded } from './quirks/podman.ts';
import { jsonLines } from './streams.ts';
import { sizeInBytes } from './system-calls.ts';

// Calls to a container engine, in its own terms: names of fields are those of its API.

export interface ContainerOrder {
  Image: string;
  /** Command of the container; absent: the image's own command. */
  Cmd?: readonly string[];
  Entrypoint?: readonly string[];
  /** Environment variables of the container as `NAME=value`, with any characters except zero bytes. */
  Env?: readonly string[];
  User?: string;
  WorkingDir?: string;
  /** Signal that tells the container's first process to end; absent: the signal that the image names. */
  StopSignal?: string;
  Labels: Labels;
  /** Health check of the container; absent: the image's own check; `NONE`: no check. */
  Healthcheck?: { Test: readonly string[] };
  HostConfig: {
    /** Memory limits of the container in bytes; `MemorySwap` includes swap. */
    Memory?: number;
    MemorySwap?: number;
    PidsLimit?: number;
    /** Limit of the container's processor time: `CpuQuota` microseconds within each `CpuPeriod`. */
    CpuPeriod?: number;
    CpuQuota?: number;
    /** OOM score: when memory runs out, the kernel first ends processes with a higher score. */
    OomScoreAdj?: number;
    /** Container's share of the processors on a busy machine, relative to other containers; absent: 1,024. */
    CpuShares?: number;
    /** User namespace: `host` uses the machine's own users, even if containers normally have others. */
    UsernsMode?: 'host';
    CapDrop?: readonly string[];
    CapAdd?: readonly string[];
    SecurityOpt?: readonly string[];
    /** Network of the container: a network's name or id, `none`, or another container's network: `container:<name>`. */
    NetworkMode?: string;
    Mounts?: readonly ContainerMount[];
    /** Options of the container's tmpfs mounts, by mount point. */
    Tmpfs?: Readonly<Record<string, string>>;
    LogConfig?: { Type: string; Config: Labels };
    RestartPolicy?: { Name: 'no' | 'always' | 'unless-stopped' | 'on-failure' };
    Ulimits?: readonly { Name: string; Soft: number; Hard: number }[];
  };
}

export interface ContainerMount {
  /**
   * Kind of the mount's source: a volume by its name, a folder of the engine's machine, or `tmpfs` without a source.
   */
  Type: 'volume' | 'bind' | 'tmpfs';
  Source?: string;
  Target: string;
  ReadOnly?: boolean;
}

/** Container as the engine lists it. */
export interface ListedContainer {
  Id: string;
  Names: readonly string[];
  Image: string;
  Labels: Labels;
  State: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  NetworkSettings: AttachedNetworks;
  Mounts: readonly { Type: string; Name?: string; Destination: string }[];
}

export interface AttachedNetworks {
  Networks: Readonly<Record<string, { IPAddress: string }>>;
}

export interface InspectedContainer {
  Id: string;
  State: {
    Status: string;
    Running: boolean;
    ExitCode: number;
    OOMKilled: boolean;
    Error: string;
    StartedAt: string;
    FinishedAt: string;
  };
  /** Volumes that the container's image declares, by mount point. */
  Config: { Labels: Labels; Volumes?: Readonly<Record<string, object>> | null };
  NetworkSettings: AttachedNetworks;
}

/** Use of the machine by a container; a container that does not run uses no memory. */
interface ContainerStats {
  memory_stats: {
    usage?: number;
    /** Parts of the memory, as the kernel's file memory.stat names them in version 2 and 1 of control groups. */
    stats?: { inactive_file?: number; total_inactive_file?: number };
  };
  cpu_stats: { cpu_usage: { total_usage: number } };
}

const NANOSECONDS_A_MILLISECOND = 1e6;

const NEVER = new AbortController().signal;

/** Calls about the life of containers: create, start, inspect, wait for, list, remove. */
export function containerCalls({ ask, stream, isPodman }: Connection) {
  /** Details of a container; undefined if it does not exist. */
  const inspect = (id: string, signal: AbortSignal): Promise<InspectedContainer | undefined> => {
    const look = () =>
      undefinedIfMissing(ask<InspectedContainer>({ path: ['containers', id, 'json'], signal }));
    return retryUntilEndIsRecorded(async () => correctStoppingState(await look()), signal);
  };

  return {
    inspect,

    /** Waits until a container has ended. Returns its exit code. */
    async wait(id: string, signal: AbortSignal): Promise<number> {
      if (isPodman) return pollForEnd(inspect, id, signal);
      const path = ['containers', id, 'wait'];
      const answer = await stream({ method: 'POST', path, signal, mayTakeLong: true });
      for await (const { StatusCode: code } of jsonLines<{ StatusCode: number }>(answer)) return code;
      throw new EngineError(500, 'nobody told how the container ended');
    },

    /**
     * Creates a container and returns its id. Throws a 409 if the name is taken. If the signal aborts after the call
     * was sent, the function still waits for the engine's answer: otherwise the container could appear after the caller
     * has tried to remove it.
     */
    async create(name: string, order: ContainerOrder, signal: AbortSignal): Promise<string> {
      signal.throwIfAborted();
      const path = ['containers', 'create'];
      const call = { method: 'POST', path, query: { name }, body: order, signal: NEVER } as const;
      return (await ask<{ Id: string }>(call)).Id;
    },

    /** Starting a container that already runs does nothing. */
    start: (id: string, signal: AbortSignal): Promise<void> =>
      ask({ method: 'POST', path: ['containers', id, 'start'], signal }),

    /** Stops a container: sends SIGTERM, and SIGKILL after `seconds`. Does nothing if the container does not run. */
    stop: (id: string, seconds: number, signal: AbortSignal): Promise<void> =>
      ignoreMissing(ask({ method: 'POST', path: ['containers', id, 'stop'], query: { t: seconds }, signal })),

    /** Kills and removes a container with its anonymous volumes. */
    remove: (id: string, signal: AbortSignal): Promise<void> =>
      ignoreMissing(
        ask({ method: 'DELETE', path: ['containers', id], query: { force: true, v: true }, signal }),
      ),

    /**
     * Bytes that the container has written outside of its image and its volumes; infinity if the engine can't measure
     * them. The engine reads all files for this.
     */
    async writtenBytes(id: string, signal: AbortSignal): Promise<number> {
      const path = ['containers', id, 'json'];
      const { SizeRw } = await ask<{ SizeRw?: number }>({ path, query: { size: true }, signal });
      return sizeInBytes(SizeRw);
    },

    /**
     * Memory that a container uses now, without cached files that the kernel can free, and processor time since its
     * start; undefined if it does not run.
     */
    async resourceUse(
      id: string,
      signal: AbortSignal,
    ): Promise<{ memoryBytes: number; processorMs: number } | undefined> {
      const path = ['containers', id, 'stats'];
      const query = { stream: false, 'one-shot': true };
      const stats = await undefinedIfMissing(ask<ContainerStats>({ path, query, signal }));
      const { usage, stats: parts } = stats?.memory_stats ?? {};
      if (!stats || usage === undefined) return undefined;
      const freeable = parts?.inactive_file ?? parts?.total_inactive_file ?? 0;
      return {
        memoryBytes: Math.max(0, usage - freeable),
        processorMs: stats.cpu_stats.cpu_usage.total_usage / NANOSECONDS_A_MILLISECOND,
      };
    },

    /** Containers with all of these labels, running or not. */
    async containers(labels: Labels, signal: AbortSignal): Promise<ListedContainer[]> {
      const query = { all: true, filters: labelFilter(labels) };
      const found = await ask<ListedContainer[]>({ path: ['containers', 'json'], query, signal });
      return withAllLabels(labels, found);
    },
  };
}
