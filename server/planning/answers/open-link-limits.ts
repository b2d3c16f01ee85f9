/** Maximum number of requests to come that can wait for the organizer's answer, for one event. */
export const MOST_WAITING = 5_000;
/**
 * Number of an event's waiting requests to come from which on new requests must be confirmed by mail. The organizer
 * does not see them before.
 */
const MOST_UNCONFIRMED_ASKED = 200;
/** Maximum number of waiting requests to come from one network, for one event. */
const MOST_OF_NETWORK = 100;
/**
 * Number of an event's requests for which only networks without a waiting request have room, so that others can't fill
 * the list.
 */
const ROOM_FOR_NEW_NETWORKS = 1_000;

/** Limits of an event's requests to come that are not yet confirmed by mail, and the hours until they expire. */
export const CONFIRMATIONS = { most: 1_000, mostOfNetwork: 5, hours: 6 } as const;

/** Number of waiting requests of an event, and of those from the sender's network. */
export interface WaitingRequests {
  total: number;
  ofNetwork: number;
}

/**
 * Decides what happens to a new request to come. As waiting requests pile up, the open link first requires a
 * confirmation by mail before it closes, and requests from one network can't close it for others.
 */
export function decideRequest(
  { total, ofNetwork }: WaitingRequests,
  isConfirmed: boolean,
): 'taken' | 'to_confirm' | 'full' {
  const room = ofNetwork === 0 ? MOST_WAITING : MOST_WAITING - ROOM_FOR_NEW_NETWORKS;
  if (total >= room || ofNetwork >= MOST_OF_NETWORK) return 'full';
  return total >= MOST_UNCONFIRMED_ASKED && !isConfirmed ? 'to_confirm' : 'taken';
}
