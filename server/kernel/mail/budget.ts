/** Milliseconds of a day. All times of mail budgets are in milliseconds. */
export const DAY_MS = 86_400_000;
/**
 * Divisor of the daily mail budget for a new sender's first day. With the default budget, the first day's part suffices
 * for the invitations to one wedding.
 */
const FIRST_DAY_PART = 4;
/**
 * Maximum number of service mails that count against their recipient's budget: anybody can request codes for another
 * person, and must not use up that person's day.
 */
const MOST_SERVICE_COUNTED = 20;
/**
 * Divisor of the daily mail budget for mails that visitors request: strangers can't use up the mails that the sender
 * writes.
 */
const REQUESTED_PART = 2;
/**
 * Maximum number of mails that visitors may request from a sender within an hour, while mail servers refuse too many
 * of such mails. So strangers who type false addresses delay only mails that visitors request.
 */
const REQUESTED_SLOWED = { most: 5, windowMs: 3_600_000 };
/** Longest delay of a mail, in milliseconds. A mail that would be delayed for longer is not accepted. */
export const LONGEST_WAIT_MS = 7 * DAY_MS;
/**
 * Number of mails that one mailbox can get at once for actions of its own owner. Later ones wait for the pause between
 * mails to one mailbox.
 */
const MOST_REQUESTED = 3;

/**
 * Earliest time for one more mail, if at most `most` mails may be sent in any period of `windowMs`. `taken` are the
 * times of the other mails, in ascending order.
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
  /** Time at which the sender registered or made their first event. The mail budget is smaller on the first day. */
  since: number;
  /** Times at which the sender's mails were or will be sent, in ascending order. */
  taken: readonly number[];
  /** Times of the sender's mails that were sent because a visitor requested them. */
  requested: readonly number[];
  /**
   * Number of the sender's service mails in the last day. `service` mails are codes and messages of Simcha to its own
   * users.
   */
  service: number;
}

/**
 * Times at which further mails of a sender may be sent: the caller asks for the next time, takes it, and asks again.
 */
export interface Times {
  next(): number;
  take(time: number): void;
}

/**
 * Times at which mails of a sender that visitors request may be sent. `isSlowed`: mail servers refused too many of the
 * newest of these mails.
 */
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

/** Times at which further mails of a sender may be sent, by the sender's own budget. */
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
 * Earliest time of an ordinary mail to a mailbox, after the pause between two such mails about one event. `last` is the
 * time of the latest such mail.
 */
export function afterPause(last: number | undefined, pauseMs: number, now: number): number {
  return last === undefined ? now : Math.max(now, last + pauseMs);
}

/**
 * Earliest time for a mail that its reader requested by an own action. `taken` are the times of earlier such mails to
 * the mailbox.
 */
export function requestedTime(taken: readonly number[], pauseMs: number, now: number): number {
  return earliestTime(taken, { most: MOST_REQUESTED, windowMs: pauseMs, now });
}

/** Forecast for a number of further mails: how many of them are sent at once, later, or not at all. */
export interface Forecast {
  now: number;
  later: number;
  /** Time at which the last of the delayed mails is sent. */
  last_at: number | undefined;
  /** Number of mails that are not accepted, because they would have to wait too long. */
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
