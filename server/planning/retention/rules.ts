/** Number of days before the erasure of guests' data at which the organizer is notified. */
export const NOTICE_DAYS_BEFORE = 7;

/**
 * True if guests' data must be erased by `today`. It is kept for `retentionDays` whole days after the event's day, so 0
 * means erasure on the next day. Retention counts local calendar days, not hours.
 */
export function isDue(
  eventDay: Temporal.PlainDate,
  retentionDays: number,
  today: Temporal.PlainDate,
): boolean {
  return eventDay.until(today, { largestUnit: 'day' }).days > retentionDays;
}

/** Day on which an event's guest data is erased; null if it is later than any calendar date can express. */
export function erasureDay(eventDay: Temporal.PlainDate, retentionDays: number): Temporal.PlainDate | null {
  // A retention period of millions of days means "never": no date can express its end.
  if (retentionDays > MOST_DAYS) return null;
  return eventDay.add({ days: retentionDays + 1 });
}

const MOST_DAYS = 2_900_000;
