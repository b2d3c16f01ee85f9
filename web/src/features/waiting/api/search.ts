export const WAITING_PARTS = ['waiting', 'requests', 'declined'] as const;
export type WaitingPart = (typeof WAITING_PARTS)[number];

/** Search parameters of the page's address: the part to show; without one, everything that waits. */
export interface WaitingSearch {
  show?: WaitingPart | undefined;
}

export function readWaitingSearch({ show }: Record<string, unknown>): WaitingSearch {
  // All parameters are named here, because the router passes on those that are not named without a check.
  return { show: WAITING_PARTS.find((part) => part === show) };
}
