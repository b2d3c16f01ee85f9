/** What is asked for: a new build, an earlier release, or the present one again. */
export const ACTIONS = ['deploy', 'rollback', 'restart', 'start'] as const;
export type Action = (typeof ACTIONS)[number];

export const STATUSES = [
  'queued',
  'building',
  'starting',
  'live',
  'failed',
  'superseded',
  'cancelled',
] as const;
export type Status = (typeof STATUSES)[number];

/**
 * Where a deployment may go. One that a crash of the server interrupted begins again from where it stands,
 * unless a newer one waits. One that has to wait for a place to build is queued again meanwhile. `live` says that it went live; which one is serving now is the site's to say.
 */
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  queued: ['building', 'starting', 'failed', 'superseded', 'cancelled'],
  building: ['queued', 'building', 'starting', 'failed', 'superseded', 'cancelled'],
  starting: ['queued', 'building', 'starting', 'live', 'failed', 'superseded', 'cancelled'],
  live: [],
  failed: [],
  superseded: [],
  cancelled: [],
};

export function mayMove(from: Status, to: Status): boolean {
  return MOVES[from].includes(to);
}

export function isFinal(status: Status): boolean {
  return MOVES[status].length === 0;
}

export const UNFINISHED = STATUSES.filter((status) => !isFinal(status));

/** A deployment that takes the server down with it is not tried for ever. */
export const MOST_ATTEMPTS = 3;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** How long a site that ended stays down before it is started again, after so many ends in a row (from 1). */
export function backOffMs(ends: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (Math.max(1, ends) - 1), LONGEST_WAIT_MS);
}

/** A site that has been up for so long has got over what ended it before. */
export const STEADY_MS = 60_000;
