/**
 * Kinds of deployments: a new build, an earlier release, the release of a preview or of another application, or the
 * current release again.
 */
export const DEPLOYMENT_ACTIONS = ['deploy', 'rollback', 'promote', 'restart', 'start'] as const;
export type DeploymentAction = (typeof DEPLOYMENT_ACTIONS)[number];

/** Causes of a deployment: a call of the API, or the push hook of the application's repository. */
export const DEPLOYMENT_TRIGGERS = ['request', 'push'] as const;
export type DeploymentTrigger = (typeof DEPLOYMENT_TRIGGERS)[number];

export const DEPLOYMENT_STATUSES = [
  'queued',
  'building',
  'starting',
  'live',
  'failed',
  'superseded',
  'cancelled',
] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/**
 * Allowed status changes. A deployment interrupted by a crash of the server starts again from its present status,
 * unless a newer one waits; one that has to wait for a build slot is queued again. `live` means that it went live once;
 * the site's row says which deployment serves now.
 */
const MOVES: Readonly<Record<DeploymentStatus, readonly DeploymentStatus[]>> = {
  queued: ['building', 'starting', 'failed', 'superseded', 'cancelled'],
  building: ['queued', 'building', 'starting', 'failed', 'superseded', 'cancelled'],
  starting: ['queued', 'building', 'starting', 'live', 'failed', 'superseded', 'cancelled'],
  live: [],
  failed: [],
  superseded: [],
  cancelled: [],
};

export function mayMove(from: DeploymentStatus, to: DeploymentStatus): boolean {
  return MOVES[from].includes(to);
}

export function isFinal(status: DeploymentStatus): boolean {
  return MOVES[status].length === 0;
}

export const UNFINISHED = DEPLOYMENT_STATUSES.filter((status) => !isFinal(status));

/**
 * Maximum number of attempts of a deployment, so that a deployment that crashes the server is not repeated for ever.
 */
export const MOST_ATTEMPTS = 3;

/** Delays before a site that ended is restarted, in milliseconds. */
export interface RestartTimes {
  /** Delay after the site's first end, which doubles with each further end in a row. */
  firstMs: number;
  longestMs: number;
  /** Delay while the engine does not answer, which is no failure of the site and does not grow. */
  awayMs: number;
}

export const RESTART_TIMES: RestartTimes = { firstMs: 500, longestMs: 60_000, awayMs: 5_000 };

/** Delay before a site that ended is restarted, after `ends` ends in a row (from 1). */
export function backOffMs(ends: number, { firstMs, longestMs }: RestartTimes = RESTART_TIMES): number {
  return Math.min(firstMs * 2 ** (Math.max(1, ends) - 1), longestMs);
}

/** Uptime after which the count of a site's ends starts again at zero. */
export const STEADY_MS = 60_000;
