import type { DockerfileSupport } from '../../kernel/config.ts';
import type { Hide } from '../logs/redaction.ts';
import type { Artifact } from '../model/artifact.ts';
import type { RegistryLogin } from '../model/deployed-image.ts';
import type { BuildPlan } from '../model/plan.ts';
import type { BuildName } from '../model/site-folders.ts';
import type { Variables } from '../model/variables.ts';
import type { SiteFacts } from './site-variables.ts';

/** Builds a source, any number of times, into an artifact that a runtime starts or the gateway serves. */
export interface Builder {
  /** Whether this builder can build sources with a Dockerfile. */
  readonly dockerfiles: DockerfileSupport;
  /** Continues removals of builds that a previous run of the server did not finish. */
  recover(): Promise<void>;
  /**
   * Makes an empty folder (workspace) for the source of a build; its previous content is removed. Rejects with the
   * signal's reason.
   */
  workspace(name: BuildName, signal: AbortSignal): Promise<string>;
  /** Removes the workspace (source folder) of a build that will not be made. Gives up when the signal aborts. */
  discard(name: BuildName, signal: AbortSignal): Promise<void>;
  /** Builds the source in the workspace. Throws a RuntimeFailure. */
  build(order: BuildOrder): Promise<Artifact>;
  /**
   * Copies a build to another application, and returns the copy's artifact. The copy stays when the build is removed.
   * Throws a RuntimeFailure.
   */
  copy(from: BuildName, to: BuildName, artifact: Artifact, signal: AbortSignal): Promise<Artifact>;
  /**
   * True if a build's artifact still exists and this server can start or serve it; false for artifacts of another kind
   * of builder.
   */
  has(name: BuildName, artifact: Artifact, signal?: AbortSignal): Promise<boolean>;
  /** Ids of an application's builds that have artifacts. */
  builds(applicationId: string): Promise<string[]>;
  /**
   * Disk usage of an application in bytes; undefined if it could not be measured. Absent for builders that can't
   * measure it.
   */
  size?(applicationId: string, signal: AbortSignal): Promise<number | undefined>;
  /** Removes builds of an application, at most until the signal aborts. */
  prune(applicationId: string, builds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Removes versions of Node.js that no build uses, at most until the signal aborts. */
  pruneNodes(inUse: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void>;
  /** Removes everything that belongs to an application without running instances, at most until the signal aborts. */
  forget(applicationId: string, signal: AbortSignal): Promise<void>;
  /** Applications that have builds or caches on this server. */
  applications(): Promise<string[]>;
  /** Stops running removals and builds; the next run of the server finishes the removals. */
  close(): Promise<void>;
}

export interface BuildOrder extends BuildName {
  facts: SiteFacts;
  plan: BuildPlan;
  /** Folder of the repository that contains the site; empty for the repository's root. */
  root: string;
  variables: Variables;
  /** Login at the registry of the plan's image; undefined: none. */
  registryLogin?: RegistryLogin | undefined;
  buildLog: BuildLog;
  signal: AbortSignal;
  effect: Effect;
}

/**
 * Runs work that has an effect outside of the database, such as an untrusted command. Throws LeaseLost if another
 * server has taken the work over.
 */
export type Effect = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * True if a build may load the machine for a long time, because it runs untrusted commands or unpacks an image.
 */
export function needsBuildSlot(plan: BuildPlan): boolean {
  return runsBuildCommands(plan) || plan.image !== undefined;
}

/** True if a build runs commands of its source, so that variables and the site's address may be part of its result. */
export function runsBuildCommands({ steps, dockerfile }: BuildPlan): boolean {
  return steps.length > 0 || dockerfile !== undefined;
}

/** Log of a build, which its site's developers read. */
export interface BuildLog {
  /** Replaces secrets in a line of the log. */
  hide: Hide;
  /** Writes a line of the server's own to the log. */
  write(line: string): void;
  /** Writes lines that a command or a site printed together; the log keeps a limited amount of such output. */
  output(lines: readonly string[]): void;
  /** Runs `work` as a named step of the build, and logs its duration at the end. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
}
