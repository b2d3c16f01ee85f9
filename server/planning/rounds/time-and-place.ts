/** Time and place of an event, as messages tell them to guests. */
export interface TimeAndPlace {
  /** Time at which the event begins, ISO 8601 in UTC. */
  event_date: string | null;
  venue_name: string;
  venue_address: string | null;
}

export const TIME_AND_PLACE_FIELDS = ['event_date', 'venue_name', 'venue_address'] as const;

/** Change of an event's time or place, as the event's history records it. */
export interface TimeAndPlaceChange {
  /** Time of the change, in milliseconds since 1970. */
  at: number;
  changes: Partial<Record<(typeof TIME_AND_PLACE_FIELDS)[number], { from: unknown; to: unknown }>>;
}

/**
 * Time and place of an event as they were at an earlier time: the present ones with every later change undone. `moves`
 * are all changes, in order.
 */
export function timeAndPlaceAt(
  now: TimeAndPlace,
  moves: readonly TimeAndPlaceChange[],
  at: number,
): TimeAndPlace {
  return moves
    .filter((move) => move.at > at)
    .reverse()
    .reduce(undoChange, now);
}

function undoChange(after: TimeAndPlace, { changes }: TimeAndPlaceChange): TimeAndPlace {
  const former = TIME_AND_PLACE_FIELDS.flatMap((field) => {
    const change = changes[field];
    return change ? [[field, change.from]] : [];
  });
  return { ...after, ...Object.fromEntries(former) };
}

/** Former time or place of an event. A property is absent if its value is still the same. */
export interface FormerTimeAndPlace {
  event_date?: string | null;
  place?: Pick<TimeAndPlace, 'venue_name' | 'venue_address'>;
}

export function formerTimeAndPlaceOf(then: TimeAndPlace, now: TimeAndPlace): FormerTimeAndPlace {
  const moved = then.venue_name !== now.venue_name || then.venue_address !== now.venue_address;
  return {
    ...(then.event_date !== now.event_date && { event_date: then.event_date }),
    ...(moved && { place: then }),
  };
}

export function isSameTimeAndPlace(one: TimeAndPlace, other: TimeAndPlace): boolean {
  return TIME_AND_PLACE_FIELDS.every((field) => one[field] === other[field]);
}

/** Period between two times in milliseconds since 1970. The time `until` itself is not in the period. */
export interface Period {
  since: number;
  until: number;
}

/** Time before any change of an event, in milliseconds since 1970. */
const BEGINNING = 0;

/**
 * Periods in which an event's time and place differed from the present ones. If an event was moved and then moved back,
 * the time before both moves is no such period.
 */
export function outdatedPeriods(now: TimeAndPlace, moves: readonly TimeAndPlaceChange[]): Period[] {
  let then = now;
  return [...moves.entries()].reverse().flatMap(([index, move]) => {
    then = undoChange(then, move);
    const since = moves[index - 1]?.at ?? BEGINNING;
    return since < move.at && !isSameTimeAndPlace(now, then) ? [{ since, until: move.at }] : [];
  });
}
