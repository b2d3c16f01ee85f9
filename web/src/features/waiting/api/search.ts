export const PARTS = ['waiting', 'requests', 'declined'] as const;
export type Part = (typeof PARTS)[number];

/** Search parameters of the page's address: the part to show; without one, everything that waits. */
export interface WaitingSearch {
  show?: Part | undefined;
}

export function readWaitingSearch({ show }: Record<string, unknown>): WaitingSearch {
  // All parameters are named here: the router keeps the others as they came.
  return { show: PARTS.find((part) => part === show) };
}
