import type { BackendLocation } from '../../model/backend-location.ts';
import type { Launch } from '../../model/launch.ts';
import { WEB } from '../../model/plan.ts';
import type { Reason } from '../../model/reasons/reason.ts';
import type { Replica } from '../../runtimes/runtime.ts';

/** Replicas of an instance whose runtime restarts them by itself. */
export interface ReplicaFeed {
  first: readonly Replica[];
  /** Latest state after each change, until the signal is aborted. */
  changes: (signal: AbortSignal) => AsyncIterable<readonly Replica[]>;
}

/** An instance that runs. The runtime and the database know it by the same id. */
export interface RunningInstance {
  id: string;
  /** Destinations of its requests; empty if it accepts none. */
  targets: readonly BackendLocation[];
  /** Value of its variable PORT, if the runtime tells it. */
  port?: number | undefined;
  /** Machine of the cluster that has its volumes; absent without volumes. */
  pinnedTo?: string | undefined;
  /** Only from a runtime that restarts replicas by itself. */
  replicas?: ReplicaFeed;
  /** Resolves, with how, when the instance has ended and its output is in the log; never for static files. */
  ended: Promise<Reason>;
}

/** An instance that serves in its slot, and is registered in the database. */
export interface ServingInstance extends RunningInstance {
  launch: Launch;
  /** Start of its service, in milliseconds of `performance.now()`. */
  since: number;
}

export function acceptsRequests({ launch }: Pick<ServingInstance, 'launch'>): boolean {
  return launch.process === WEB;
}

/** Host name by which a site is asked; some sites answer to no other. */
export function hostOf({ address }: Pick<Launch, 'address'>): string {
  return new URL(address).hostname;
}

/** Static files, which the gateway serves by itself: they are available at once, and don't end. */
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
