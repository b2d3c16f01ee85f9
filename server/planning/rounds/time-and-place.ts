/** Time and place of an event, as guests are told them. */
export interface TimeAndPlace {
  /** Beginning of the event, ISO 8601 in UTC. */
  event_date: string | null;
  venue_name: string;
  venue_address: string | null;
}

export const TIME_AND_PLACE_FIELDS = ['event_date', 'venue_name', 'venue_address'] as const;

/** A change of an event's time or place, from its history. */
export interface TimeAndPlaceChange {
  /** Time of the change, in milliseconds since 1970. */
  at: number;
  changes: Partial<Record<(typeof TIME_AND_PLACE_FIELDS)[number], { from: unknown; to: unknown }>>;
}

/** Time and place as they were at a time: the present ones with every later change undone. `moves` is in order. */
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

/** Former time and place, where they differ from the present ones. */
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

/** Period in milliseconds since 1970, without `until` itself. */
export interface Period {
  since: number;
  until: number;
}

/** Time before any event. */
const BEGINNING = 0;

/**
 * Periods in which time and place differed from the present ones. A move there and back leaves the time before it
 * valid.
 */
export function outdatedPeriods(now: TimeAndPlace, moves: readonly TimeAndPlaceChange[]): Period[] {
  let then = now;
  return [...moves.entries()].reverse().flatMap(([index, move]) => {
    then = undoChange(then, move);
    const since = moves[index - 1]?.at ?? BEGINNING;
    return since < move.at && !isSameTimeAndPlace(now, then) ? [{ since, until: move.at }] : [];
  });
}
