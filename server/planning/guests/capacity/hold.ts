import { type GuestRsvp, UNANSWERED } from './allocation.ts';
import { type EventCapacity, hasPlacesFor } from './capacity.ts';

/** Places, or a turn on the waiting list, that a registration holds until its author confirms it by mail. */
export interface Hold {
  /** Number of people in the registration. All of them are invited, so none is a plus-one. */
  held: number;
  /** Turn on the waiting list; null: the places are held. */
  waiting_order: number | null;
}

/**
 * Holds places for people who register if enough are free, otherwise a turn on the waiting list: the one that their
 * earlier registration had (`turn`), or the next.
 */
export function holdPlaces(
  people: number,
  { freePlaces, lastWaitingOrder }: EventCapacity,
  turn: number | null = null,
): Hold {
  const party = { party_size: people, max_plus_ones: null, coming: people };
  const waiting_order = hasPlacesFor(freePlaces, party) ? null : (turn ?? lastWaitingOrder + 1);
  return { held: people, waiting_order };
}

/** Held places, or a held turn on the waiting list, as the answer of a guest. A guest who then says yes keeps them. */
export function rsvpOfHold({ held, waiting_order }: Hold): GuestRsvp {
  const waiting = waiting_order !== null;
  const rsvp_status = waiting ? 'pending' : 'confirmed';
  return { ...UNANSWERED, rsvp_status, waiting, waiting_order, party_size: held, coming: held };
}
