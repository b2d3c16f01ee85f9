/** Days before the erasure at which the organizer is told. */
export const TOLD_DAYS_BEFORE = 7;

/**
 * Whether guests' data has to go by `today`: it is kept through so many whole days after the event's own day,
 * so that 0 means the day after. Retention is by the calendar at the place, not by the hour.
 */
export function isDue(
  eventDay: Temporal.PlainDate,
  retentionDays: number,
  today: Temporal.PlainDate,
): boolean {
  return eventDay.until(today, { largestUnit: 'day' }).days > retentionDays;
}

/** The day it goes; null where that is beyond all calendars. */
export function erasureDay(eventDay: Temporal.PlainDate, retentionDays: number): Temporal.PlainDate | null {
  // A policy of millions of days says: never.
  if (retentionDays > MOST_DAYS) return null;
  return eventDay.add({ days: retentionDays + 1 });
}

const MOST_DAYS = 2_900_000;
