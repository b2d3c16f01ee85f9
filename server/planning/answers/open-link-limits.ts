/** Maximum number of waiting requests of an event. */
export const MOST_WAITING = 5_000;
/**
 * Number of an event's waiting requests to come from which on new requests must be confirmed by mail, even if the
 * organizer did not ask for that. The organizer does not see them before.
 */
const MOST_UNCONFIRMED_ASKED = 200;
/** Maximum number of waiting requests from one network, for one event. */
const MOST_OF_NETWORK = 100;
/**
 * Number of an event's waiting requests that is reserved for networks without a waiting request, so that other networks
 * can't fill the list.
 */
const ROOM_FOR_NEW_NETWORKS = 1_000;

/**
 * Limits of an event's unconfirmed requests: altogether, people of one network, and requests of one mailbox, so that
 * nobody can send many mails to strangers or hold many places; the hours until they expire; the hours for which a
 * request that is sent again keeps its places, counted from the first one; the minutes in which a request that is sent again causes no
 * second mail; and the minutes within which the mail must go, so that no places are held for a mail that comes too late.
 */
export const CONFIRMATIONS = {
  most: 1_000,
  mostPeopleOfNetwork: 20,
  mostOfMailbox: 3,
  hours: 6,
  mostHours: 24,
  minutesBetweenMails: 10,
  minutesUntilMailed: 10,
} as const;

/** Code of the refusal of a request whose confirmation can't be mailed soon. */
export const NO_MAIL = 'no_mail';

/** Number of waiting requests of an event, and of those from the sender's network. */
export interface WaitingRequests {
  total: number;
  ofNetwork: number;
}

export interface RequestProof {
  /** True if the event's organizer wants each address to be confirmed. */
  isAsked: boolean;
  /** True if the request was confirmed by mail. */
  isConfirmed: boolean;
  /** True if the same person's equal request is waiting already, and was only sent again. */
  isRepeated: boolean;
}

/**
 * Decides what happens to a new request to come. As waiting requests pile up, the open link first requires a
 * confirmation by mail before it closes, and requests from one network can't close it for others.
 */
export function decideRequest(
  { total, ofNetwork }: WaitingRequests,
  { isAsked, isConfirmed, isRepeated }: RequestProof,
): 'taken' | 'to_confirm' | 'full' {
  const room = ofNetwork === 0 ? MOST_WAITING : MOST_WAITING - ROOM_FOR_NEW_NETWORKS;
  if (total >= room || ofNetwork >= MOST_OF_NETWORK) return 'full';
  if (isConfirmed) return 'taken';
  return isAsked || (total >= MOST_UNCONFIRMED_ASKED && !isRepeated) ? 'to_confirm' : 'taken';
}

/**
 * Number of unconfirmed requests of an event, how many of these have the same mailbox as the new request, and the number
 * of people in those from the same network.
 */
export interface UnconfirmedRequests {
  total: number;
  ofMailbox: number;
  peopleOfNetwork: number;
}

/** True if one more request, for a number of people, can wait for its confirmation. One large party is always allowed. */
export function canAskToConfirm(
  { total, ofMailbox, peopleOfNetwork }: UnconfirmedRequests,
  people: number,
): boolean {
  const { most, mostPeopleOfNetwork, mostOfMailbox } = CONFIRMATIONS;
  const allowed = Math.max(mostPeopleOfNetwork, people);
  return total < most && ofMailbox < mostOfMailbox && peopleOfNetwork + people <= allowed;
}
