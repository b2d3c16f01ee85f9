/** A session ends so long after it was used. In hours: the length of a day depends on a time zone. */
export const UNUSED = { hours: 30 * 24 };
/** It ends so many hours after it was made, however it is used. */
export const LONGEST_HOURS = 180 * 24;
/** How exactly its use is noted: a page asks many times a minute, and each would be a write. */
export const NOTED_EVERY = { minutes: 10 };
/** At most so many of one account; the one that was not used for longest goes. */
export const MOST_SESSIONS = 50;
