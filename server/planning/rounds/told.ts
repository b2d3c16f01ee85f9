/** What guests are told of an event's time and place. */
export interface WhenAndWhere {
  /** ISO 8601, in UTC. */
  event_date: string | null;
  venue_name: string;
  venue_address: string | null;
}

export const WHEN_AND_WHERE = ['event_date', 'venue_name', 'venue_address'] as const;

/** A line of the event's history that changed something of it. */
export interface Moved {
  /** In milliseconds. */
  at: number;
  changes: Partial<Record<(typeof WHEN_AND_WHERE)[number], { from: unknown; to: unknown }>>;
}

/** How it was at a time: what stands now, with every later change taken back. `moves` in their order. */
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

/** What was told and holds no more. */
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

/** Milliseconds, `until` not included. */
export interface Period {
  since: number;
  until: number;
}

/** Earlier than any event. */
const BEGINNING = 0;

/** When what guests were told was not what holds now: moved there and back again is no change. */
export function outdated(now: WhenAndWhere, moves: readonly Moved[]): Period[] {
  let then = now;
  return [...moves.entries()].reverse().flatMap(([index, move]) => {
    then = takenBack(then, move);
    const since = moves[index - 1]?.at ?? BEGINNING;
    return since < move.at && !isSame(now, then) ? [{ since, until: move.at }] : [];
  });
}
