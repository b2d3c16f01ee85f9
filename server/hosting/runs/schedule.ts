import { Cron } from 'croner';

/** Time in which a missed run is still started; a run missed for longer is only recorded as skipped. */
export const MADE_UP_FOR_MS = 3_600_000;

/**
 * Last due time of a schedule after `since` and up to `now`, in milliseconds since 1970; of several missed times only
 * the last counts. Undefined if there is none. A time of day that a clock change skips comes an hour later; one that
 * occurs twice counts once. Throws for invalid schedules.
 */
export function lastDue(schedule: string, timeZone: string, since: number, now: number): number | undefined {
  // The cron library never returns the time from which it searches, so one millisecond is added to include `now`.
  const [last] = cronOf(schedule, timeZone).previousRuns(1, new Date(now + 1));
  const due = last?.getTime();
  return due !== undefined && due > since ? due : undefined;
}

/** Next time after `now` at which a schedule is due; null if there is none. */
export function nextDue(schedule: string, timeZone: string, now: number): number | null {
  return cronOf(schedule, timeZone).nextRun(new Date(now))?.getTime() ?? null;
}

function cronOf(schedule: string, timezone: string): Cron<undefined> {
  return new Cron(schedule, { timezone, mode: '5-part', paused: true });
}
