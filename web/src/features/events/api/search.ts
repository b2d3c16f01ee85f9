export const STATES = ['draft', 'published', 'completed', 'cancelled'] as const;
export type State = (typeof STATES)[number];

export interface EventSearch {
  status?: State | undefined;
  q?: string | undefined;
}

/** Of the list's address; what it does not know is as if it were not there. */
export function readEventSearch({ status, q }: Record<string, unknown>): EventSearch {
  // What is not named here again would stay as it came.
  return {
    status: STATES.find((state) => state === status),
    // Digits alone come as a number.
    q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q) : undefined,
  };
}

export interface DetailsSearch {
  /** Whether it is about to be made once more. */
  duplicate?: true | undefined;
}

export const readDetailsSearch = ({ duplicate }: Record<string, unknown>): DetailsSearch => ({
  duplicate: duplicate === true || undefined,
});
