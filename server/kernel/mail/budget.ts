/** Milliseconds of a day; all times here are in milliseconds. */
export const DAY_MS = 86_400_000;
/**
 * Divisor of the daily budget for a new sender's first day: by default it suffices for the invitations to one wedding.
 */
const FIRST_DAY_PART = 4;
/**
 * Maximum number of service mails that count against their recipient's budget: anybody can request codes for another
 * person, and must not use up that person's day.
 */
const MOST_SERVICE_COUNTED = 20;
/**
 * Divisor of the daily budget for mails that visitors request: strangers can't use up the mails that the sender writes.
 */
const REQUESTED_PART = 2;
/**
 * Limit for requested mails while mail servers refuse too many: a stranger who types false addresses only slows them
 * down.
 */
const REQUESTED_SLOWED = { most: 5, windowMs: 3_600_000 };
/** Longest wait: a mail that would wait longer is not accepted. */
export const LONGEST_WAIT_MS = 7 * DAY_MS;
/** Maximum number of mails that one mailbox gets without a pause for its owner's own actions. */
const MOST_REQUESTED = 3;

/**
 * Earliest time for one more mail if at most `most` may go in any window: `taken` are the times of the others, in
 * ascending order.
 */
export function earliestTime(
  taken: readonly number[],
  { most, windowMs, now }: { most: number; windowMs: number; now: number },
): number {
  if (most <= 0) return Number.POSITIVE_INFINITY;
  const bounding = taken.at(-most);
  return bounding === undefined ? now : Math.max(now, bounding + windowMs);
}

export interface Budget {
  perDay: number;
  /** Time at which the sender began. */
  since: number;
  /** Times of the sender's mails, in ascending order. */
  taken: readonly number[];
  /** Times of those mails that were requested by their readers. */
  requested: readonly number[];
  /** Number of service mails in the last day. */
  service: number;
}

/** Times for further mails: each is taken before the next is asked for. */
export interface Times {
  next(): number;
  take(time: number): void;
}

/** Times for mails that visitors request; `isSlowed`: too many of the newest were refused. */
export function requestedTimes(budget: Budget, now: number, isSlowed: boolean): Times {
  const { perDay } = budget;
  const requested = [...budget.requested];
  const all = budgetTimes(budget, now);
  const part = { ...budget, perDay: Math.floor(perDay / REQUESTED_PART), taken: requested, service: 0 };
  return {
    next() {
      const slowed = isSlowed ? earliestTime(requested, { ...REQUESTED_SLOWED, now }) : now;
      return Math.max(all.next(), budgetTimes(part, now).next(), slowed);
    },
    take(time) {
      all.take(time);
      insert(requested, time);
    },
  };
}

/** Times for a sender's own mails. */
export function budgetTimes(
  { perDay, since, taken, service }: Omit<Budget, 'requested'>,
  now: number,
): Times {
  const times = [...taken];
  const firstDayEnds = since + DAY_MS;
  const within = (most: number) =>
    earliestTime(times, { most: most - Math.min(service, MOST_SERVICE_COUNTED), windowMs: DAY_MS, now });
  return {
    next() {
      const later = within(perDay);
      if (firstDayEnds <= now) return later;
      return Math.min(within(Math.floor(perDay / FIRST_DAY_PART)), Math.max(firstDayEnds, later));
    },
    take: (time) => insert(times, time),
  };
}

function insert(times: number[], time: number): void {
  times.splice(times.findLastIndex((other) => other <= time) + 1, 0, time);
}

/**
 * Earliest time after the pause between ordinary mails of one topic to one mailbox; `last` is the time of the latest
 * one.
 */
export function afterPause(last: number | undefined, pauseMs: number, now: number): number {
  return last === undefined ? now : Math.max(now, last + pauseMs);
}

/** Time for a mail that its reader requested by an own action; `taken` are the times of such mails to the mailbox. */
export function requestedTime(taken: readonly number[], pauseMs: number, now: number): number {
  return earliestTime(taken, { most: MOST_REQUESTED, windowMs: pauseMs, now });
}

/** Forecast for a number of further mails: how many go at once, later, or not at all. */
export interface Forecast {
  now: number;
  later: number;
  /** Time of the last mail that waits. */
  last_at: number | undefined;
  /** Number of mails that would wait too long, and are not accepted. */
  beyond: number;
}

export function forecastOf(budget: Budget, count: number, now: number, latest: number): Forecast {
  const times = budgetTimes(budget, now);
  const forecast: Forecast = { now: 0, later: 0, last_at: undefined, beyond: 0 };
  for (let index = 0; index < count; index += 1) {
    const time = times.next();
    if (time > Math.min(now + LONGEST_WAIT_MS, latest)) return { ...forecast, beyond: count - index };
    times.take(time);
    if (time <= now) forecast.now += 1;
    else {
      forecast.later += 1;
      forecast.last_at = time;
    }
  }
  return forecast;
}
