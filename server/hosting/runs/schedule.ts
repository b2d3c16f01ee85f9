import { Cron } from 'croner';

/** A missed time is made up for within so long; later it is only told of. */
export const MADE_UP_FOR_MS = 3_600_000;

/**
 * The last time of a schedule after `since` and not after `now`, both in milliseconds since 1970: of several that were missed
 * one is enough. Undefined where there was none. A time of day that a change of clocks passes over comes an hour later, one
 * that it has twice once. Throws where the schedule is none.
 */
export function lastDue(schedule: string, timeZone: string, since: number, now: number): number | undefined {
  // What it takes as its reference is no result of its own.
  const [last] = cronOf(schedule, timeZone).previousRuns(1, new Date(now + 1));
  const due = last?.getTime();
  return due !== undefined && due > since ? due : undefined;
}

/** The next time after `now`; null where there is none any more. */
export function nextDue(schedule: string, timeZone: string, now: number): number | null {
  return cronOf(schedule, timeZone).nextRun(new Date(now))?.getTime() ?? null;
}

function cronOf(schedule: string, timezone: string): Cron<undefined> {
  return new Cron(schedule, { timezone, mode: '5-part', paused: true });
}
