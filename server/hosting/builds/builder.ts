import type { Variables } from '../walls/confined.ts';
import type { Facts } from './facts.ts';
import type { Plan } from './plan.ts';
import type { ReleaseName } from './site-folders.ts';

/** Makes of a source what a runtime starts, or the gateway serves, any number of times. */
export interface Builder {
  /** Goes on removing what an earlier life of the server did not get to. */
  recover(): Promise<void>;
  /** An empty folder to put a release's source into; what it held before is gone. Rejects with the signal's reason. */
  workspace(release: ReleaseName, signal: AbortSignal): Promise<string>;
  /** Makes a release of the source in the workspace. Throws a RuntimeFailure. */
  build(order: BuildOrder): Promise<Artifact>;
  /** Whether a release is still there to be started or served; none is that another kind of builder made. */
  has(release: ReleaseName, artifact: Artifact): Promise<boolean>;
  /** Where the files of a release of files are. */
  files(release: ReleaseName): string;
  /** Removes every release of the application that is not among `kept`, until the signal at most. */
  prune(applicationId: string, kept: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
  /** Removes all that is kept for an application, which nothing of runs any more, until the signal at most. */
  forget(applicationId: string, signal: AbortSignal): Promise<void>;
  /** The applications of which something is kept. */
  applications(): Promise<string[]>;
  /** Ends what is being removed or built; the rest is left to the next life. */
  close(): Promise<void>;
}

/**
 * What a build gave, kept beside the release in the database: files that the gateway serves by itself; a folder of this
 * machine in which a command is started, below its root; an image that an engine starts.
 */
export type Artifact =
  | { kind: 'files' }
  | { kind: 'folder'; command: string; below: string }
  | { kind: 'image'; image: string; command?: string };

export interface BuildOrder extends ReleaseName {
  facts: Facts;
  plan: Plan;
  /** The folder of the repository that is the site; empty for its root. */
  root: string;
  variables: Variables;
  journal: Journal;
  signal: AbortSignal;
}

/** Where a build tells what it does. */
export interface Journal {
  /** For what we say ourselves. */
  write(line: string): void;
  /** For what a command or a site writes, lines that came together; only so much of it is kept. */
  output(lines: readonly string[]): void;
  /** Runs `work` as a named step, whose duration is told at its end. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
}
