/**
 * Levels of detail at which figures are stored: each site has a fixed number of rows, however busy it is. Older rows are
 * added up into rows of the next level.
 */
export interface Level {
  /** Length of an interval, in seconds. */
  seconds: number;
  /** Time for which intervals of this length are stored, in seconds. */
  keptSeconds: number;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

export const MINUTES = { seconds: 60, keptSeconds: 3 * HOUR } as const satisfies Level;
export const FIVE_MINUTES = { seconds: 300, keptSeconds: 2 * DAY } as const satisfies Level;
export const HOURS = { seconds: HOUR, keptSeconds: 30 * DAY } as const satisfies Level;
const LEVELS: readonly Level[] = [MINUTES, FIVE_MINUTES, HOURS];

/** Lengths of the intervals that a client may request, in seconds. */
export const STEPS = [60, 300, HOUR, 6 * HOUR, DAY] as const;

/** Maximum number of intervals in an answer. */
export const MOST_INTERVALS = 750;
/** Number of intervals at which plots are readable; the default step gives about as many. */
const PLOTTED = 300;

/**
 * Length of the intervals of an answer, in seconds: the requested one if the figures back to `ageSeconds` ago are stored
 * at least that finely and it gives no more than `MOST_INTERVALS`; otherwise the next longer one that fits.
 */
export function stepFor(ageSeconds: number, requested?: number): number {
  const stored = LEVELS.find(({ keptSeconds }) => ageSeconds <= keptSeconds) ?? HOURS;
  const most = requested === undefined ? PLOTTED : MOST_INTERVALS;
  const least = Math.max(stored.seconds, requested ?? 0);
  return STEPS.find((step) => step >= least && ageSeconds / step <= most) ?? DAY;
}
