/**
 * Function that returns the current instant. Functions with rules receive the time as a value; only the composition of
 * the server uses a real clock.
 */
export type Clock = () => Temporal.Instant;

export const systemClock: Clock = () => Temporal.Now.instant();

/** Time zone of wall times without an offset, and of dates shown to people. */
export const DEFAULT_ZONE = 'Asia/Jerusalem';

/** Text of an instant as the database reads it, to the millisecond. */
export function toTimestamp(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
