/**
 * Rules for allocating places. They are pure functions; waiting-list.ts reads the numbers while the event is locked, so
 * of two answers for the last place the second is decided after the first.
 */

/** Limits on the number of people that the organizer set for an event, and the numbers of people who come. */
export interface Occupancy {
  max_guests: number | null;
  venue_capacity: number | null;
  max_plus_ones_buffer: number;
  /**
   * Number of people whom each guest may bring beyond the party; null: as many as are free under
   * `max_plus_ones_buffer`.
   */
  plus_ones_each: number | null;
  /** Number of people who come to the event. */
  people: number;
  /** Number of people who come beyond the invited size of their parties. */
  plus_ones: number;
  /** Number of people for whom places are held until they confirm their registration by mail. */
  held: number;
}

/** Number of free places of an event. Negative if the organizer lowered a limit after the places were given. */
export interface PlaceCount {
  people: number;
  plusOnes: number;
}

/** Free places of an event, and the number of additional people that each guest may bring. */
export interface FreePlaces extends PlaceCount {
  /** Number of additional people that each guest may bring, as the organizer set it for the event. */
  plusOnesEach: number | null;
}

/** Party of a guest as invited, before the guest gives any answer. */
export interface InvitedParty {
  party_size: number;
  /**
   * Number of people beyond `party_size` whom this guest may bring; null if the event's limit for all guests applies.
   */
  max_plus_ones: number | null;
}

export interface Party extends InvitedParty {
  coming: number;
}

export type RsvpStatus = 'confirmed' | 'pending' | 'declined';

export interface RsvpState extends Party {
  rsvp_status: RsvpStatus;
  waiting: boolean;
}

/** Possible answers of a guest. A guest who answers `maybe` takes no place. */
export type RsvpAnswer = RsvpStatus | 'maybe';

/** Answer that a guest wants to give. `coming` is only read if the answer is yes. */
export interface AnswerRequest {
  rsvp_status: RsvpAnswer;
  coming: number;
  /** Number of children among the people who come (`coming`); undefined if not given. */
  coming_children?: number;
  /** True if the organizer knowingly exceeds the event's limits with this answer. */
  over_limit?: boolean;
}

/**
 * Number of people whom a guest may bring beyond the party: the guest's own limit, else the event's limit for each
 * guest; null if only the event's number of free plus-ones limits it.
 */
export function plusOnesAllowed(
  { max_plus_ones }: Pick<InvitedParty, 'max_plus_ones'>,
  plusOnesEach: number | null,
): number | null {
  return max_plus_ones ?? plusOnesEach;
}

/**
 * Number of people whom a guest may bring beyond the party, if this limit is why at most `upTo` people can come; null
 * if too few free places are the reason.
 */
export function bindingPlusOnes(
  upTo: number,
  invited: InvitedParty,
  plusOnesEach: number | null,
): number | null {
  const allowed = plusOnesAllowed(invited, plusOnesEach);
  return allowed !== null && upTo >= invited.party_size + allowed ? allowed : null;
}

/** Answer of a guest that was granted for the invited people alone, although the guest asked for more. */
export interface FewerPeople {
  code: 'fewer';
  asked: number;
  coming: number;
  upTo: number;
  party_size: number;
  /**
   * Number of additional people that this guest may bring, if this limit is why fewer people got places than asked;
   * null if too few free places are the reason.
   */
  mayBring: number | null;
}

export function placesLeft(occupancy: Occupancy): FreePlaces {
  const limits = [occupancy.max_guests, occupancy.venue_capacity].filter((limit) => limit !== null);
  return {
    people: Math.min(...limits, Number.POSITIVE_INFINITY) - occupancy.people - occupancy.held,
    plusOnes: occupancy.max_plus_ones_buffer - occupancy.plus_ones,
    plusOnesEach: occupancy.plus_ones_each,
  };
}

/**
 * Free places and waiting list of an event. The event's row must be locked while they are read; otherwise they may
 * change before the commit.
 */
export interface EventCapacity {
  freePlaces: FreePlaces;
  /** Number of guests, and of registrations that are not confirmed yet, on the waiting list. */
  waiting: number;
  /** Highest `waiting_order` on the waiting list. The next guest or registration to join the list gets a higher one. */
  lastWaitingOrder: number;
}

export function eventCapacityOf({
  waiting,
  last_in_line,
  ...occupancy
}: Occupancy & { waiting: number; last_in_line: number }): EventCapacity {
  return { freePlaces: placesLeft(occupancy), waiting, lastWaitingOrder: last_in_line };
}

/** Places of the event that a guest takes: none unless the guest has a confirmed yes. */
export function placesTaken(state: RsvpState): PlaceCount {
  return state.rsvp_status === 'confirmed' ? placesNeeded(state) : { people: 0, plusOnes: 0 };
}

export function placesNeeded({ party_size, coming }: Omit<Party, 'max_plus_ones'>): PlaceCount {
  return { people: Math.max(coming, 1), plusOnes: Math.max(coming - party_size, 0) };
}

/**
 * True if there is a free place for each person of the party and, if the party has plus-ones, the limit of plus-ones
 * has room for each of them.
 */
export function hasPlacesFor(places: FreePlaces, party: Party): boolean {
  const { people, plusOnes } = placesNeeded(party);
  return people <= places.people && (plusOnes === 0 || plusOnes <= plusOnesFor(places, party));
}

/**
 * Number of people of a party who get places: all of them, or the invited people without plus-ones, or 0. An
 * invitation is never split: no family is asked who of them stays at home.
 */
export function placesGranted(places: FreePlaces, party: Party): number {
  if (hasPlacesFor(places, party)) return party.coming;
  const invited = { ...party, coming: party.party_size };
  return party.coming > party.party_size && hasPlacesFor(places, invited) ? party.party_size : 0;
}

/** Number of people in the largest party of this guest for which the event has free places. */
export function largestPartyThatFits(places: FreePlaces, invited: InvitedParty): number {
  return Math.max(0, Math.min(places.people, invited.party_size + Math.max(0, plusOnesFor(places, invited))));
}

function plusOnesFor(places: FreePlaces, invited: InvitedParty): number {
  return Math.min(places.plusOnes, plusOnesAllowed(invited, places.plusOnesEach) ?? Number.POSITIVE_INFINITY);
}

export function subtractPlaces<P extends PlaceCount>(places: P, used: PlaceCount): P {
  return { ...places, people: places.people - used.people, plusOnes: places.plusOnes - used.plusOnes };
}

export function addPlaces<P extends PlaceCount>(places: P, freed: PlaceCount): P {
  return { ...places, people: places.people + freed.people, plusOnes: places.plusOnes + freed.plusOnes };
}

/** Verdict on a guest who already has places and asks for more than are free. They keep the places they have. */
export const FULL = 'full';

/**
 * Decides about an answer by the free places, among which the guest's present places do not count. The result is places
 * for all people, places for the invited people alone, a turn on the waiting list, or FULL. Guests never lose their
 * places by asking for more, and can always give some up.
 */
export function allocatePlaces(
  now: RsvpState,
  request: AnswerRequest,
  invited: InvitedParty,
  places: FreePlaces,
): RsvpState | typeof FULL {
  const { party_size, max_plus_ones } = invited;
  if (request.rsvp_status !== 'confirmed') {
    const rsvp_status = request.rsvp_status === 'maybe' ? 'pending' : request.rsvp_status;
    return { rsvp_status, waiting: false, party_size, max_plus_ones, coming: 0 };
  }
  const party = { party_size, max_plus_ones, coming: request.coming };
  const held = placesTaken(now);
  const asked = placesNeeded(party);
  const isLess =
    now.rsvp_status === 'confirmed' && asked.people <= held.people && asked.plusOnes <= held.plusOnes;
  if (request.over_limit || isLess || hasPlacesFor(addPlaces(places, held), party)) {
    return { rsvp_status: 'confirmed', waiting: false, ...party };
  }
  if (now.rsvp_status === 'confirmed') return FULL;
  const coming = placesGranted(places, party);
  if (coming > 0) return { rsvp_status: 'confirmed', waiting: false, ...party, coming };
  return { rsvp_status: 'pending', waiting: true, ...party };
}

/**
 * Chooses the parties on the waiting list that get places now, in the order of the list, each with its number of
 * people. A large party that doesn't fit keeps its position and does not block the parties behind it.
 */
export function choosePromoted<T extends Party>(
  places: FreePlaces,
  waiting: Iterable<T>,
): { promoted: T[]; places: FreePlaces } {
  const promoted: T[] = [];
  let left = places;
  for (const party of waiting) {
    if (left.people < 1) break;
    const coming = placesGranted(left, party);
    if (coming === 0) continue;
    left = subtractPlaces(left, placesNeeded({ ...party, coming }));
    promoted.push({ ...party, coming });
  }
  return { promoted, places: left };
}
