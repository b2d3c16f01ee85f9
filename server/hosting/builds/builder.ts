import type { Hide } from '../logs/redaction.ts';
import type { Artifact } from '../model/artifact.ts';
import type { BuildPlan } from '../model/plan.ts';
import type { BuildName } from '../model/site-folders.ts';
import type { Variables } from '../model/variables.ts';
import type { Facts } from './facts.ts';

/** Makes of a source what a runtime starts, or the gateway serves, any number of times. */
export interface Builder {
  /** Whether it builds by the Dockerfile of a source, where a plan says so. */
  readonly dockerfiles: boolean;
  /** Goes on removing what an earlier life of the server did not get to. */
  recover(): Promise<void>;
  /** An empty folder to put a build's source into; what it held before is gone. Rejects with the signal's reason. */
  workspace(name: BuildName, signal: AbortSignal): Promise<string>;
  /** Removes a workspace of which nothing is made, until the signal at most. */
  discard(name: BuildName, signal: AbortSignal): Promise<void>;
  /** Makes a build of the source in the workspace. Throws a RuntimeFailure. */
  build(order: BuildOrder): Promise<Artifact>;
  /** Whether a build is still there to be started or served, from here; none is that another kind of builder made. */
  has(name: BuildName, artifact: Artifact, signal?: AbortSignal): Promise<boolean>;
  /** The builds of an application of which something is kept. */
  builds(applicationId: string): Promise<string[]>;
  /** How much of the disk an application fills, in bytes; undefined where that could not be measured. Not every builder can tell. */
  size?(applicationId: string, signal: AbortSignal): Promise<number | undefined>;
  /** Removes builds of an application, until the signal at most. */
  prune(applicationId: string, builds: readonly string[], signal: AbortSignal): Promise<void>;
  /** Removes versions of Node.js that no build was made with, until the signal at most. */
  pruneNodes(inUse: () => Promise<ReadonlySet<string>>, signal: AbortSignal): Promise<void>;
  /** Removes all that is kept for an application, which nothing of runs any more, until the signal at most. */
  forget(applicationId: string, signal: AbortSignal): Promise<void>;
  /** The applications of which something is kept. */
  applications(): Promise<string[]>;
  /** Ends what is being removed or built; the rest is left to the next life. */
  close(): Promise<void>;
}

export interface BuildOrder extends BuildName {
  facts: Facts;
  plan: BuildPlan;
  /** The folder of the repository that is the site; empty for its root. */
  root: string;
  variables: Variables;
  journal: BuildLog;
  signal: AbortSignal;
  effect: Effect;
}

/** Does what has an effect outside the database, such as a command of a stranger's. Throws LeaseLost where that is another server's to do by now. */
export type Effect = <T>(work: () => Promise<T>) => Promise<T>;

/** Whether a build runs commands of a stranger's, which burdens the machine for as long as they like. */
export function needsBuildSlot({ steps, dockerfile }: BuildPlan): boolean {
  return steps.length > 0 || dockerfile !== undefined;
}

/** Where a build tells what it does. */
export interface BuildLog {
  /** Takes what must not be read out of a line. */
  hide: Hide;
  /** For what we say ourselves. */
  write(line: string): void;
  /** For what a command or a site writes, lines that came together; only so much of it is kept. */
  output(lines: readonly string[]): void;
  /** Runs `work` as a named step, whose duration is told at its end. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
}
