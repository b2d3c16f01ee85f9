/**
 * Rules for allocating places. They are pure functions; the numbers are read while the event is locked
 * (waiting-list.ts), so of two answers for the last place the second sees what the first one left.
 */

/** Limits set by the organizer, and the people who come. */
export interface Occupancy {
  max_guests: number | null;
  venue_capacity: number | null;
  max_plus_ones_buffer: number;
  /** Number of people coming. */
  people: number;
  /** Number of those people who exceed the invited size of their party. */
  plus_ones: number;
}

/** Number of free places. Negative if the organizer lowered a limit after the places were given. */
export interface Room {
  people: number;
  plusOnes: number;
}

/** Party as invited, before any answer. */
export interface Invited {
  party_size: number;
  /**
   * People beyond `party_size` whom this guest may bring while the event's own limit has room; null: no limit of the
   * guest's own.
   */
  max_plus_ones: number | null;
}

export interface Party extends Invited {
  coming: number;
}

export type RsvpStatus = 'confirmed' | 'pending' | 'declined';

export interface Standing extends Party {
  rsvp_status: RsvpStatus;
  waiting: boolean;
}

/** Possible answers. A guest who answers `maybe` takes no place. */
export type Answer = RsvpStatus | 'maybe';

/** Answer that a guest asks to be recorded. `coming` counts only with a yes. */
export interface Wish {
  rsvp_status: Answer;
  coming: number;
  /** Number of children among `coming`; undefined if not given. */
  coming_children?: number;
  /** True if the organizer knowingly exceeds the event's limits. */
  over_limit?: boolean;
}

export function roomLeft(occupancy: Occupancy): Room {
  const limits = [occupancy.max_guests, occupancy.venue_capacity].filter((limit) => limit !== null);
  return {
    people: Math.min(...limits, Number.POSITIVE_INFINITY) - occupancy.people,
    plusOnes: occupancy.max_plus_ones_buffer - occupancy.plus_ones,
  };
}

/** Places taken by a guest: none unless the answer is a confirmed yes. */
export function taken(standing: Standing): Room {
  return standing.rsvp_status === 'confirmed' ? needs(standing) : { people: 0, plusOnes: 0 };
}

export function needs({ party_size, coming }: Omit<Party, 'max_plus_ones'>): Room {
  return { people: Math.max(coming, 1), plusOnes: Math.max(coming - party_size, 0) };
}

/**
 * True if there is a free place for each person of the party and, if it brings plus-ones, one under the limit of
 * plus-ones for each of these.
 */
export function fits(room: Room, party: Party): boolean {
  const { people, plusOnes } = needs(party);
  return people <= room.people && (plusOnes === 0 || plusOnes <= plusOnesFor(room, party));
}

/**
 * Number of people of a party who get places: all of them, or the invited people without plus-ones, or 0. An
 * invitation is never split: no family is asked who of them stays at home.
 */
export function seats(room: Room, party: Party): number {
  if (fits(room, party)) return party.coming;
  const invited = { ...party, coming: party.party_size };
  return party.coming > party.party_size && fits(room, invited) ? party.party_size : 0;
}

/** Size of the largest party that fits. */
export function mostWhoFit(room: Room, invited: Invited): number {
  return Math.max(0, Math.min(room.people, invited.party_size + Math.max(0, plusOnesFor(room, invited))));
}

function plusOnesFor(room: Room, { max_plus_ones }: Invited): number {
  return Math.min(room.plusOnes, max_plus_ones ?? Number.POSITIVE_INFINITY);
}

export function without(room: Room, used: Room): Room {
  return { people: room.people - used.people, plusOnes: room.plusOnes - used.plusOnes };
}

export function withMore(room: Room, freed: Room): Room {
  return { people: room.people + freed.people, plusOnes: room.plusOnes + freed.plusOnes };
}

/** Verdict on a guest who already has places and asks for more than are free. They keep the places they have. */
export const FULL = 'full';

/**
 * Decides about an answer, given the free places without those that the guest has now. The result is places for all,
 * places for the invited people alone, a turn on the waiting list, or FULL. Guests never lose their places by asking
 * for more, and can always give some up.
 */
export function judge(now: Standing, wish: Wish, invited: Invited, room: Room): Standing | typeof FULL {
  const { party_size, max_plus_ones } = invited;
  if (wish.rsvp_status !== 'confirmed') {
    const rsvp_status = wish.rsvp_status === 'maybe' ? 'pending' : wish.rsvp_status;
    return { rsvp_status, waiting: false, party_size, max_plus_ones, coming: 0 };
  }
  const party = { party_size, max_plus_ones, coming: wish.coming };
  const held = taken(now);
  const asked = needs(party);
  const isLess =
    now.rsvp_status === 'confirmed' && asked.people <= held.people && asked.plusOnes <= held.plusOnes;
  if (wish.over_limit || isLess || fits(withMore(room, held), party)) {
    return { rsvp_status: 'confirmed', waiting: false, ...party };
  }
  if (now.rsvp_status === 'confirmed') return FULL;
  const coming = seats(room, party);
  if (coming > 0) return { rsvp_status: 'confirmed', waiting: false, ...party, coming };
  return { rsvp_status: 'pending', waiting: true, ...party };
}

/**
 * Chooses the waiting parties that get places now, in the order of the waiting list, each with its number of people.
 * A large party that doesn't fit keeps its turn and does not block the ones behind it.
 */
export function movingUp<T extends Party>(room: Room, waiting: Iterable<T>): { moved: T[]; room: Room } {
  const moved: T[] = [];
  let left = room;
  for (const party of waiting) {
    if (left.people < 1) break;
    const coming = seats(left, party);
    if (coming === 0) continue;
    left = without(left, needs({ ...party, coming }));
    moved.push({ ...party, coming });
  }
  return { moved, room: left };
}
