/** Lifetime of a session after its last use, in hours, because the length of a day depends on a time zone. */
export const UNUSED = { hours: 30 * 24 };
/** Maximum lifetime of a session in hours, even if the session is used all the time. */
export const LONGEST_HOURS = 180 * 24;
/**
 * Interval at which a session's last use is recorded: a page sends many requests a minute, and recording each would be
 * a write.
 */
export const NOTED_EVERY = { minutes: 10 };
/** Maximum number of sessions of an account; a further sign-in ends the least recently used session. */
export const MOST_SESSIONS = 50;
