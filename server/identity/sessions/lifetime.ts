/** Lifetime of a session after its last use. In hours, because the length of a day depends on a time zone. */
export const UNUSED = { hours: 30 * 24 };
/** Maximum lifetime of a session in hours, however it is used. */
export const LONGEST_HOURS = 180 * 24;
/**
 * Interval at which a session's last use is recorded: a page sends many requests a minute, and recording each would be
 * a write.
 */
export const NOTED_EVERY = { minutes: 10 };
/** Maximum number of an account's sessions; beyond it the least recently used session ends. */
export const MOST_SESSIONS = 50;
