/** In milliseconds, as all times here. */
export const DAY_MS = 86_400_000;
/** A new sender's first day has this part of a day's mails: enough for the invitation to one wedding, by the default. */
const FIRST_DAY_PART = 4;
/** Service mails that count for their recipient: anybody can ask for another's codes, and must not use up their day. */
const MOST_SERVICE_COUNTED = 20;
/** Mails that visitors ask for have this part of a sender's day: strangers never use up what the sender writes by. */
const REQUESTED_PART = 2;
/** How many of them go while mail servers refuse too many: a stranger who types false addresses slows them, and stops nothing. */
const REQUESTED_SLOWED = { most: 5, windowMs: 3_600_000 };
/** A mail that would wait for longer is not taken. */
export const LONGEST_WAIT_MS = 7 * DAY_MS;
/** Mails that one mailbox gets for its owner's own acts without a pause. */
const MOST_REQUESTED = 3;

/** The earliest time at which one more may go, when at most `most` go in any window: `taken` are the times of the others, the earliest first. */
export function earliest(
  taken: readonly number[],
  { most, windowMs, now }: { most: number; windowMs: number; now: number },
): number {
  if (most <= 0) return Number.POSITIVE_INFINITY;
  const bounding = taken.at(-most);
  return bounding === undefined ? now : Math.max(now, bounding + windowMs);
}

export interface Budget {
  perDay: number;
  /** When the sender began. */
  since: number;
  /** Times of the sender's mails, the earliest first. */
  taken: readonly number[];
  /** Of those, the times of mails that their readers asked for. */
  requested: readonly number[];
  /** Service mails of the last day. */
  service: number;
}

/** Times at which further mails go, one for each call: the first calls get the earliest. */
export interface Times {
  next(): number;
  take(time: number): void;
}

/** Times of mails that visitors ask for; `isSlowed`: too many of the newest were refused. */
export function requestedTimes(budget: Budget, now: number, isSlowed: boolean): Times {
  const { perDay } = budget;
  const requested = [...budget.requested];
  const all = budgetTimes(budget, now);
  const part = { ...budget, perDay: Math.floor(perDay / REQUESTED_PART), taken: requested, service: 0 };
  return {
    next() {
      const slowed = isSlowed ? earliest(requested, { ...REQUESTED_SLOWED, now }) : now;
      return Math.max(all.next(), budgetTimes(part, now).next(), slowed);
    },
    take(time) {
      all.take(time);
      insert(requested, time);
    },
  };
}

/** Times of a sender's own mails. */
export function budgetTimes(
  { perDay, since, taken, service }: Omit<Budget, 'requested'>,
  now: number,
): Times {
  const times = [...taken];
  const firstDayEnds = since + DAY_MS;
  const within = (most: number) =>
    earliest(times, { most: most - Math.min(service, MOST_SERVICE_COUNTED), windowMs: DAY_MS, now });
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

/** The pause between ordinary mails of one topic to one mailbox: `last` is when the latest goes. */
export function afterPause(last: number | undefined, pauseMs: number, now: number): number {
  return last === undefined ? now : Math.max(now, last + pauseMs);
}

/** When a mail goes that its reader asked for by an own act; `taken` are the times of such mails to the mailbox. */
export function requestedTime(taken: readonly number[], pauseMs: number, now: number): number {
  return earliest(taken, { most: MOST_REQUESTED, windowMs: pauseMs, now });
}

/** How many of a number of further mails go at once, and what becomes of the others. */
export interface Forecast {
  now: number;
  later: number;
  /** When the last of those goes that wait. */
  last_at: number | undefined;
  /** Mails that would wait for too long, and are not taken. */
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
