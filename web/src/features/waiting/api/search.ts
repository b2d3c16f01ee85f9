export const WAITING_PARTS = ['waiting', 'requests', 'declined'] as const;
export type WaitingPart = (typeof WAITING_PARTS)[number];

/**
 * Search parameters of the waiting page's address. `show` selects the waiting list, the requests or the declined
 * requests; without it, all that wait are shown.
 */
export interface WaitingSearch {
  show?: WaitingPart | undefined;
}

export function readWaitingSearch({ show }: Record<string, unknown>): WaitingSearch {
  // All search parameters are named here, because the router passes on unnamed parameters without a check.
  return { show: WAITING_PARTS.find((part) => part === show) };
}
