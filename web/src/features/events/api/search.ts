export const EVENT_STATES = ['draft', 'published', 'completed', 'cancelled'] as const;
export type EventState = (typeof EVENT_STATES)[number];

export interface EventSearch {
  status?: EventState | undefined;
  q?: string | undefined;
}

/** Reads the search parameters of the event list's address; unknown values are ignored. */
export function readEventSearch({ status, q }: Record<string, unknown>): EventSearch {
  // All search parameters are named here, because the router passes on unnamed parameters without a check.
  return {
    status: EVENT_STATES.find((state) => state === status),
    // The router reads a search parameter of digits only as a number.
    q: (typeof q === 'string' && q !== '') || typeof q === 'number' ? String(q) : undefined,
  };
}

export interface DetailsSearch {
  /** True if the form that duplicates the event is open. */
  duplicate?: true | undefined;
}

export const readDetailsSearch = ({ duplicate }: Record<string, unknown>): DetailsSearch => ({
  duplicate: duplicate === true || undefined,
});
