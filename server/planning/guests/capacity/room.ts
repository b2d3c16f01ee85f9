/**
 * Who gets a place. Rules only: the numbers come from one locked event (`seating.ts`), so that of two
 * answers for the last place the second is judged by what the first one left.
 */

/** What the organizer allows, and what is taken. */
export interface Occupancy {
  max_guests: number | null;
  venue_capacity: number | null;
  max_plus_ones_buffer: number;
  /** People who come. */
  people: number;
  /** Those of them who are beyond their guest's invited party. */
  plus_ones: number;
}

/** Places left; below zero where the organizer lowered a limit after people had them. */
export interface Room {
  people: number;
  plusOnes: number;
}

/** How many an invitation is for. */
export interface Invited {
  party_size: number;
  /** People beyond them whom this guest may bring, if the event has room for them; null: as many as it has. */
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

/** What may be answered; who does not know yet takes no place. */
export type Answer = RsvpStatus | 'maybe';

/** What an answer asks for: `coming` counts only with a yes. */
export interface Wish {
  rsvp_status: Answer;
  coming: number;
  /** Of them; undefined: nobody said. */
  coming_children?: number;
  /** Whatever is left: the organizer knows. */
  over_limit?: boolean;
}

export function roomLeft(occupancy: Occupancy): Room {
  const limits = [occupancy.max_guests, occupancy.venue_capacity].filter((limit) => limit !== null);
  return {
    people: Math.min(...limits, Number.POSITIVE_INFINITY) - occupancy.people,
    plusOnes: occupancy.max_plus_ones_buffer - occupancy.plus_ones,
  };
}

/** The room a standing takes up: nothing unless it is confirmed. */
export function taken(standing: Standing): Room {
  return standing.rsvp_status === 'confirmed' ? needs(standing) : { people: 0, plusOnes: 0 };
}

export function needs({ party_size, coming }: Omit<Party, 'max_plus_ones'>): Room {
  return { people: Math.max(coming, 1), plusOnes: Math.max(coming - party_size, 0) };
}

/** A party fits where there is room for each of its people and, if it has any, for each of its plus-ones. */
export function fits(room: Room, party: Party): boolean {
  const { people, plusOnes } = needs(party);
  return people <= room.people && (plusOnes === 0 || plusOnes <= plusOnesFor(room, party));
}

/**
 * How many of a party get places: all, or else those who were invited, without the ones they would bring; 0: none. An
 * invitation is not split: nobody is asked which of them stays at home.
 */
export function seats(room: Room, party: Party): number {
  if (fits(room, party)) return party.coming;
  const invited = { ...party, coming: party.party_size };
  return party.coming > party.party_size && fits(room, invited) ? party.party_size : 0;
}

/** The most people for whom there is room. */
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

/** A yes that asks for more than there is, from somebody who has places already and keeps those. */
export const FULL = 'full';

/**
 * Where a wish leads, given the room beside what the guest has now: places, for those invited where there are none for
 * the ones they would bring, the waiting list, or nowhere. Whoever has a place never loses it by asking for more, and
 * can always take up less of it.
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
 * Who of the waiting, in their order, moves up into `room`, with how many: each who fits into what those before left.
 * A large party that doesn't fit keeps its turn and does not hold up the ones behind it.
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
