import type { BackendLocation } from '../../model/backend-location.ts';
import type { Launch } from '../../model/launch.ts';
import { WEB } from '../../model/plan.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import type { Replica } from '../../runtimes/runtime.ts';

/** Replicas of an instance whose runtime restarts them by itself. */
export interface ReplicaFeed {
  first: readonly Replica[];
  /** States of all replicas, one after each change, until the signal is aborted. */
  changes: (signal: AbortSignal) => AsyncIterable<readonly Replica[]>;
}

/** Running instance of a site. The runtime and the database know it by the same id. */
export interface RunningInstance {
  id: string;
  /** Addresses to which the instance's requests go; empty if it takes none. */
  targets: readonly BackendLocation[];
  /** Value of the instance's variable PORT, if the runtime tells it. */
  port?: number | undefined;
  /** Machine of the cluster that has the instance's volumes; absent without volumes. */
  pinnedTo?: string | undefined;
  /** Changes of the instance's replicas, reported only by a runtime that restarts replicas by itself. */
  replicas?: ReplicaFeed;
  /**
   * Resolves when the instance has ended and its output is in the log, with the way it ended; never resolves for static
   * files.
   */
  ended: Promise<Reason>;
}

/** An instance that serves in its slot, and is registered in the database. */
export interface ServingInstance extends RunningInstance {
  launch: Launch;
  /** Time since which the instance serves, in milliseconds of `performance.now()`. */
  since: number;
}

export function acceptsRequests({ launch }: Pick<ServingInstance, 'launch'>): boolean {
  return launch.process === WEB;
}

/** Host name that the platform's own requests to a site are sent with; some sites answer to no other. */
export function hostOf({ address }: Pick<Launch, 'address'>): string {
  return new URL(address).hostname;
}

/** Instance for static files, which the gateway serves by itself: it is available at once, and does not end. */
export function filesInstance(
  id: string,
  { applicationId, buildId, plan: { spa } }: Pick<Launch, 'applicationId' | 'buildId' | 'plan'>,
): RunningInstance {
  return {
    id,
    targets: [{ kind: 'files', applicationId, buildId, ...(spa && { spa }) }],
    ended: new Promise(() => {}),
  };
}
