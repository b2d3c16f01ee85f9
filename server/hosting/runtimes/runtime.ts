import type { Plan } from '../builds/plan.ts';
import type { Reason } from '../reasons/reason.ts';

/**
 * What runs sites: child processes today, containers on one machine or a cluster tomorrow. The pipeline knows
 * nothing else of them, so nothing here may be something that only one kind has.
 */
export interface Runtime {
  /** For the operator: what keeps the sites apart from each other and from us. */
  readonly isolation: string;
  /**
   * Keeps whatever this runtime runs for this process alone, until it is closed: true when no other process has it now,
   * such as an earlier life of this server.
   */
  claim(): boolean;
  /** Ends whatever an earlier life of this server left running. Nothing is started before it is through. */
  recover(): Promise<void>;
  /** An empty folder to put a release's source into; what it held before is gone. */
  workspace(release: ReleaseName): Promise<string>;
  /** Makes of the source in the workspace what `start` can start any number of times. Throws a RuntimeFailure. */
  build(order: BuildOrder): Promise<Artifact>;
  /** Starts a release beside whatever runs already; it may take a while until it answers. Throws a RuntimeFailure. */
  start(order: StartOrder): Promise<Instance>;
  /** Whether a release is still there to be started. */
  has(release: ReleaseName, artifact: Artifact): Promise<boolean>;
  /** Removes every release of the application that is not among `kept`. */
  keepOnly(applicationId: string, kept: ReadonlySet<string>): Promise<void>;
  /** Removes all that is kept for an application; its instances are stopped before. */
  forget(applicationId: string): Promise<void>;
  /** The applications of which something is kept. */
  applications(): Promise<string[]>;
  /** Ends every instance at once. */
  close(): Promise<void>;
}

export interface ReleaseName {
  applicationId: string;
  releaseId: string;
}

/** What a build gave, kept beside the release in the database: only the runtime that made it reads more than `kind`. */
export type Artifact = { kind: 'static' | 'server' } & Readonly<Record<string, string>>;

/** What a site and its build are told of themselves. */
export interface Facts {
  /** The full address of the site. */
  address: string;
  commit: string;
  /** The deployment that builds it, or that the site runs by. */
  deploymentId: string;
}

export interface BuildOrder extends ReleaseName {
  facts: Facts;
  plan: Plan;
  /** The folder of the repository that is the site; empty for its root. */
  root: string;
  variables: Variables;
  journal: Journal;
  signal: AbortSignal;
}

export interface StartOrder extends ReleaseName {
  facts: Facts;
  artifact: Artifact;
  variables: Variables;
  /** Takes what the site writes, lines that came together. */
  output: (lines: readonly string[]) => void;
}

export type Variables = Readonly<Record<string, string>>;

/** Where a build tells what it does. */
export interface Journal {
  /** For what we say ourselves. */
  write(line: string): void;
  /** For what a command or a site writes, lines that came together; only so much of it is kept. */
  output(lines: readonly string[]): void;
  /** Runs `work` as a named step, whose duration is told at its end. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Where requests for an instance go. The gateway takes the same shape. */
export type Target = { kind: 'static'; folder: string } | { kind: 'server'; origin: string };

export interface Instance {
  readonly target: Target;
  /** Resolves when the instance has ended, with how; never for one that can't end. */
  readonly ended: Promise<Reason>;
  /** Asks it to end, and makes it end `graceMs` later. Resolves when it has. */
  stop(graceMs: number): Promise<void>;
}
