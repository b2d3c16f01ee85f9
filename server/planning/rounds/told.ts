/** Time and place of an event, as guests are told them. */
export interface WhenAndWhere {
  /** Beginning of the event, ISO 8601 in UTC. */
  event_date: string | null;
  venue_name: string;
  venue_address: string | null;
}

export const WHEN_AND_WHERE = ['event_date', 'venue_name', 'venue_address'] as const;

/** A change of an event's time or place, from its history. */
export interface Moved {
  /** Time of the change, in milliseconds since 1970. */
  at: number;
  changes: Partial<Record<(typeof WHEN_AND_WHERE)[number], { from: unknown; to: unknown }>>;
}

/** Time and place as they were at a time: the present ones with every later change undone. `moves` is in order. */
export function asOf(now: WhenAndWhere, moves: readonly Moved[], at: number): WhenAndWhere {
  return moves
    .filter((move) => move.at > at)
    .reverse()
    .reduce(takenBack, now);
}

function takenBack(after: WhenAndWhere, { changes }: Moved): WhenAndWhere {
  const former = WHEN_AND_WHERE.flatMap((field) => {
    const change = changes[field];
    return change ? [[field, change.from]] : [];
  });
  return { ...after, ...Object.fromEntries(former) };
}

/** Former time and place, where they differ from the present ones. */
export interface Former {
  event_date?: string | null;
  place?: Pick<WhenAndWhere, 'venue_name' | 'venue_address'>;
}

export function formerOf(then: WhenAndWhere, now: WhenAndWhere): Former {
  const moved = then.venue_name !== now.venue_name || then.venue_address !== now.venue_address;
  return {
    ...(then.event_date !== now.event_date && { event_date: then.event_date }),
    ...(moved && { place: then }),
  };
}

export function isSame(one: WhenAndWhere, other: WhenAndWhere): boolean {
  return WHEN_AND_WHERE.every((field) => one[field] === other[field]);
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
export function outdated(now: WhenAndWhere, moves: readonly Moved[]): Period[] {
  let then = now;
  return [...moves.entries()].reverse().flatMap(([index, move]) => {
    then = takenBack(then, move);
    const since = moves[index - 1]?.at ?? BEGINNING;
    return since < move.at && !isSame(now, then) ? [{ since, until: move.at }] : [];
  });
}
