/** Gives the current instant. Rules take the time as a value; only composition knows a real clock. */
export type Clock = () => Temporal.Instant;

export const systemClock: Clock = () => Temporal.Now.instant();

/** The zone of wall times that carry no offset, and of dates shown to people. */
export const DEFAULT_ZONE = 'Asia/Jerusalem';

/** An instant as text, to the millisecond, as the database keeps it. */
export function timestamp(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
