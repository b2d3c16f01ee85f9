const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Time after a message was queued up to which its delivery is tried, in hours: three days. */
export const TRIED_FOR_HOURS = 72;

/** Delays before the second try of a delivery and each further one, in milliseconds; the last one repeats. */
const DELAYS = [5_000, 30_000, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];

/** Part of a delay by which chance makes it longer, so that endpoints that failed together are not tried together. */
const JITTER = 0.2;

/**
 * Delay before the next try of a delivery after `tries` failed ones, in milliseconds; `chance` is a random number from
 * 0 to 1.
 */
export function delayAfter(tries: number, chance: number): number {
  const delay = DELAYS[Math.min(Math.max(tries, 1), DELAYS.length) - 1] ?? 0;
  return Math.round(delay * (1 + JITTER * chance));
}

/** Time of the next try of a delivery; undefined if it is given up before then. */
export function nextTry(
  { tries, giveUpAt }: { tries: number; giveUpAt: Temporal.Instant },
  now: Temporal.Instant,
  chance: number,
): Temporal.Instant | undefined {
  const at = now.add({ milliseconds: delayAfter(tries, chance) });
  return Temporal.Instant.compare(at, giveUpAt) > 0 ? undefined : at;
}
