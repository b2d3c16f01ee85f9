import type { Artifact } from '../model/artifact.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { Variables } from '../model/variables.ts';
import type { Limits } from '../sandbox/sandbox.ts';
import type { Capability } from './capabilities.ts';

/**
 * What runs the processes of sites: child processes today, containers on one machine or a cluster tomorrow. Plain data
 * goes in and comes out, so that what runs may be elsewhere and outlive us; nobody else knows which runtime it is.
 */
export interface Runtime {
  /** For the operator: what keeps the sites apart from each other and from us. */
  readonly isolation: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Which cluster runs them, of one that is not a machine alone: each server of it finds them, and each gateway reaches them. */
  readonly cluster?: string;
  /** What names that which runs them and has their volumes, for as long as it is the same; of a runtime that outlives us alone. */
  identity?(signal: AbortSignal): Promise<string>;
  /**
   * Keeps whatever this runtime runs for this process alone, until it is closed: true when no other process has it now,
   * such as an earlier life of this server.
   */
  claim(): boolean;
  /**
   * What runs may go on for so long, until that is said again; 0: until its server ends. Of a runtime whose instances are to end with
   * a server that is frozen.
   */
  mayRunFor?(ms: number): void;
  /** Ends what an earlier life of this server left and nobody could take over. Nothing is started before it is through. */
  recover(): Promise<void>;
  /** Rejects where nobody answers here. Of a runtime of several machines alone, which another server may reach then. */
  reach?(signal: AbortSignal): Promise<void>;
  /** Every instance of ours, whoever started it, those that have ended among them until they are stopped. */
  list(): Promise<Instance[]>;
  /**
   * Starts an instance beside whatever runs already; it may take a while until it answers. One that is there by that name
   * is left as it is. Throws a RuntimeFailure, and the signal's reason where that comes before it is started.
   */
  start(order: StartOrder, signal?: AbortSignal): Promise<Instance>;
  /** Asks an instance to end, makes it end `graceMs` later, and forgets it. Nothing when there is none. */
  stop(instance: string, graceMs: number): Promise<void>;
  /** Instances that change from now on, until the signal; some may be missed, which `list` then has. */
  events(signal: AbortSignal): AsyncIterable<Instance>;
  /** What an instance writes after `since`, as far as it is kept, until it has ended and all is told, or the signal. */
  logs(
    instance: string,
    options: { since?: number | undefined; signal: AbortSignal },
  ): AsyncIterable<WrittenLines>;
  /** Has so many of an instance run from now on. Of a runtime that runs several of one alone; nothing where so many do. */
  scale?(instance: string, replicas: number): Promise<void>;
  /** TCP ports that an instance listens on where it runs; undefined where that can't be seen. Not every runtime can look. */
  listening?(instance: string): Promise<readonly number[] | undefined>;
  /** Runs a command of a release to its end, or its time's. Throws a RuntimeFailure when it can't be run. */
  run(order: TaskOrder, options: RunOptions): Promise<CommandEnd>;
  /** The environments of which something is kept that outlives their releases. */
  retainedEnvironments(): Promise<EnvironmentKey[]>;
  /** Removes that of an environment of which nothing runs any more, until the signal at most. */
  forget(environment: EnvironmentKey, signal: AbortSignal): Promise<void>;
  /** Lets go of what `claim` kept. Those that can't outlive us have ended before, with the walls around them. */
  close(): Promise<void>;
}

/** Whose an instance is: what it is found by after any restart. */
export interface Labels extends EnvironmentKey {
  deploymentId: string;
  releaseId: string;
  /** What was built, which it may share with other releases. */
  buildId: string;
  /** Such as `web`, and which of them, from 1. */
  process: string;
  number: number;
}

/** What is common to all that is run of a release. */
export interface Order {
  instance: string;
  labels: Labels;
  artifact: Artifact;
  /** Empty for an image's own. */
  command: string;
  variables: Variables;
  limits: Limits;
  mounts: readonly Mount[];
}

export interface StartOrder extends Order {
  /** How often it runs at the same time. */
  replicas: number;
  /** Whether it takes requests: by HOST and PORT it is told where. */
  listens: boolean;
  /** Where it listens whatever it is told. */
  port?: number | undefined;
}

export interface TaskOrder extends Order {
  seconds: number;
}

/** A folder that outlives releases, and where the process finds it: as its home, or at an absolute path. */
export interface Mount {
  volume: string;
  at: 'home' | `/${string}`;
}

export interface Instance {
  instance: string;
  labels: Labels;
  /** Those of it that run, or are about to; none once it has ended. */
  replicas: readonly Replica[];
  /** What its variable PORT says. */
  port?: number;
  /** The machine of a cluster that its volumes are on, and so all of it is. */
  pinnedTo?: string;
  /** How it ended, once it has. */
  ended?: Reason;
}

/** One of those that an instance is. A runtime that has several starts each of them again by itself, wherever. */
export interface Replica {
  /** From 1. */
  number: number;
  /** Another one each time that it is started. */
  name: string;
  /** Where it takes requests, while it runs; absent where it takes none, or that is not known now. */
  origin?: string;
  /** How it ended, of one that is about to be started again. */
  down?: Reason;
}

export interface CommandEnd {
  succeeded: boolean;
  /** Such as "ended with exit code 1". */
  how: Reason;
}

/** Lines that came together, of one replica. */
export interface WrittenLines {
  /** Milliseconds since 1970. */
  at: number;
  /** Which replica wrote them, where an instance may be several. */
  number?: number;
  lines: readonly string[];
}

export interface RunOptions {
  output: (lines: readonly string[]) => void;
  signal: AbortSignal;
}

/** Of an instance that is one alone, which nobody starts again by that name. */
export function onlyReplica(instance: string, { number }: Labels, origin: string | undefined): Replica {
  return { number, name: instance, ...(origin !== undefined && { origin }) };
}

/** Throws a RuntimeFailure for what the runtime can't do. */
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
