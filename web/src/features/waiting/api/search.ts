export const PARTS = ['waiting', 'requests', 'declined'] as const;
export type Part = (typeof PARTS)[number];

/** Of the page's address: which part of it one looks at; without one, whatever waits. */
export interface WaitingSearch {
  show?: Part | undefined;
}

export function readWaitingSearch({ show }: Record<string, unknown>): WaitingSearch {
  // What is not named here again would stay as it came.
  return { show: PARTS.find((part) => part === show) };
}
