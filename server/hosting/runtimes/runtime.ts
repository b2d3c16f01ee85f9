import type { Artifact } from '../model/artifact.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { Variables } from '../model/variables.ts';
import type { Usage } from '../sandbox/command.ts';
import type { Limits } from '../sandbox/sandbox.ts';
import type { Capability } from './capabilities.ts';

/**
 * Runtime: runs the processes of sites as child processes, as containers on one machine, or as services of a cluster.
 * Its methods take and return plain data, so instances may run elsewhere and outlive the server. No other code knows
 * which runtime it is. test/support/runtime-contract.ts tests every runtime.
 */
export interface Runtime {
  /** Description for the operator: how sites are kept apart from each other and from the server. */
  readonly isolation: string;
  readonly capabilities: ReadonlySet<Capability>;
  /**
   * Id of the cluster, for a runtime of several machines: every server at the cluster finds its instances, and every
   * gateway reaches them.
   */
  readonly cluster?: string;
  /**
   * Id of the engine or cluster that runs the instances and has their volumes, which stays the same as long as their
   * data; only for a runtime whose instances outlive the server.
   */
  identity?(signal: AbortSignal): Promise<string>;
  /**
   * Claims the runtime for this process until `close`. Returns false if another process has it, such as an earlier run
   * of this server.
   */
  claim(): boolean;
  /**
   * Allows instances to run for `ms`, unless this method is called again; 0: until the server ends. Only for a runtime
   * whose instances must end if their server hangs.
   */
  mayRunFor?(ms: number): void;
  /**
   * Ends instances and commands that an earlier run of this server has left and that can't be taken over. No instance
   * is started before this resolves.
   */
  recover(): Promise<void>;
  /**
   * Checks that the runtime answers. Rejects if it does not answer this server; another server may reach it. Only for
   * runtimes of several machines.
   */
  reach?(signal: AbortSignal): Promise<void>;
  /**
   * Lists all instances of the platform, whichever server started them; ended instances are included until they are
   * stopped.
   */
  list(): Promise<Instance[]>;
  /**
   * Starts an instance beside those that run already; it may take a while until it answers. Starting an instance that
   * already exists does nothing. Throws a RuntimeFailure, or the signal's reason if the signal aborts before the start.
   */
  start(order: StartOrder, signal?: AbortSignal): Promise<Instance>;
  /**
   * Tells an instance to end, kills it `graceMs` later, and removes its data. Does nothing if the instance does not
   * exist.
   */
  stop(instance: string, graceMs: number): Promise<void>;
  /** Instances that change from now on, until the signal aborts. Changes may be missed; `list` is always complete. */
  events(signal: AbortSignal): AsyncIterable<Instance>;
  /**
   * Output lines of an instance after `since` (milliseconds since 1970), as far as they are kept, until the instance
   * has ended and all lines are read, or the signal aborts.
   */
  logs(
    instance: string,
    options: { since?: number | undefined; signal: AbortSignal },
  ): AsyncIterable<WrittenLines>;
  /** Changes the number of an instance's replicas. Only with the capability `replicas`. */
  scale?(instance: string, replicas: number): Promise<void>;
  /** TCP ports on which the instance's processes listen; undefined if they can't be seen. */
  listening?(instance: string): Promise<readonly number[] | undefined>;
  /**
   * Memory that an instance uses now, and processor time that it has used since its start; undefined if the instance
   * does not run. Absent if the runtime can't measure it.
   */
  usage?(instance: string): Promise<Usage | undefined>;
  /** Runs a command of a release to its end, or to its time limit. Throws a RuntimeFailure if it can't be run. */
  run(order: TaskOrder, options: RunOptions): Promise<CommandEnd>;
  /** Environments that have data which outlives their releases, such as volumes. */
  retainedEnvironments(): Promise<EnvironmentKey[]>;
  /**
   * Removes the data that outlives releases from an environment in which nothing runs. Stops when the signal aborts.
   */
  forget(environment: EnvironmentKey, signal: AbortSignal): Promise<void>;
  /** Releases the claim on the runtime. Instances that can't outlive the server must have ended before. */
  close(): Promise<void>;
}

/** Labels of an instance: its owner and role, by which a server finds it after any restart. */
export interface Labels extends EnvironmentKey {
  deploymentId: string;
  releaseId: string;
  /** Build of the release, which other releases may share. */
  buildId: string;
  /** Name of the process, such as `web`; `number` counts its replicas from 1. */
  process: string;
  number: number;
}

/** Instructions to a runtime: the part that instances and commands of a release have in common. */
export interface Order {
  instance: string;
  labels: Labels;
  artifact: Artifact;
  /** Shell command; empty: the image's own command. */
  command: string;
  variables: Variables;
  limits: Limits;
  mounts: readonly Mount[];
}

export interface StartOrder extends Order {
  /** Number of replicas of the process that run at the same time. */
  replicas: number;
  /** True if the instance takes requests: its variables HOST and PORT say where it should listen. */
  listens: boolean;
  /** Port on which the site listens whatever its variables say. */
  port?: number | undefined;
}

export interface TaskOrder extends Order {
  seconds: number;
}

/** Folder that outlives releases, and its path for the process: its home, or an absolute path. */
export interface Mount {
  volume: string;
  at: 'home' | `/${string}`;
}

export interface Instance {
  instance: string;
  labels: Labels;
  /** Replicas that run or are about to run; none once the instance has ended. */
  replicas: readonly Replica[];
  /** Value of the instance's variable PORT. */
  port?: number;
  /** Machine of a cluster that has the instance's volumes, and so runs all of its replicas. */
  pinnedTo?: string;
  /** Reason why the instance has ended; absent while it runs. */
  ended?: Reason;
}

/** Replica of an instance. A runtime with several replicas restarts each of them by itself, on any machine. */
export interface Replica {
  /** From 1. */
  number: number;
  /** Name of this run of the replica: a new name at each restart. */
  name: string;
  /** Origin to which requests go while the replica runs; absent if it takes none, or if the origin is not known now. */
  origin?: string;
  /** Reason why the replica has ended, if it is about to be restarted. */
  down?: Reason;
}

export interface CommandEnd {
  succeeded: boolean;
  /** Reason why the command ended, such as "exited with code 1". */
  how: Reason;
}

/** Output lines of one replica that arrived together. */
export interface WrittenLines {
  /** Time when the lines were written, in milliseconds since 1970. */
  at: number;
  /** Number of the replica that wrote the lines; only with the capability `replicas`. */
  number?: number;
  lines: readonly string[];
}

export interface RunOptions {
  output: (lines: readonly string[]) => void;
  signal: AbortSignal;
}

/** Replica of an instance that has only one, which is never restarted under the same name. */
export function onlyReplica(instance: string, { number }: Labels, origin: string | undefined): Replica {
  return { number, name: instance, ...(origin !== undefined && { origin }) };
}

/** Throws a RuntimeFailure for instructions that need more than the runtime's capabilities. */
export function refuseUnsupported(
  { capabilities }: Runtime,
  order: Order & Partial<StartOrder & TaskOrder>,
): void {
  const needed: Partial<Record<Capability, boolean>> = {
    folders: order.artifact.kind === 'folder',
    images: order.artifact.kind === 'image',
    replicas: (order.replicas ?? 1) > 1,
    volumes: order.mounts.some(({ at }) => at !== 'home'),
    tasks: order.seconds !== undefined,
  };
  for (const [capability, isNeeded] of Object.entries(needed)) {
    if (isNeeded && !capabilities.has(capability as Capability)) {
      throw new RuntimeFailure(reason('runtime_lacks', { capability }));
    }
  }
}
