/** Requests that wait at the same time, over an event. */
export const MOST_WAITING = 5_000;
/** Past so many, a request waits for its address to be confirmed by mail before the organizer sees it. */
const MOST_UNCONFIRMED_ASKED = 200;
/** Of one network. */
const MOST_OF_NETWORK = 100;
/** Room that is left to networks of which nothing waits. */
const ROOM_FOR_NEW_NETWORKS = 1_000;

/** What is kept of those who were sent a mail to confirm, and how long. */
export const CONFIRMATIONS = { most: 1_000, mostOfNetwork: 5, hours: 6 } as const;

/** Requests of an event that wait, and those of them that came from the asker's network. */
export interface Waiting {
  total: number;
  ofNetwork: number;
}

/** What becomes of one more request: an open link slows before it closes, and one network never closes it for the others. */
export function judgeRequest(
  { total, ofNetwork }: Waiting,
  isConfirmed: boolean,
): 'taken' | 'to_confirm' | 'full' {
  const room = ofNetwork === 0 ? MOST_WAITING : MOST_WAITING - ROOM_FOR_NEW_NETWORKS;
  if (total >= room || ofNetwork >= MOST_OF_NETWORK) return 'full';
  return total >= MOST_UNCONFIRMED_ASKED && !isConfirmed ? 'to_confirm' : 'taken';
}
