export const STATES = ['draft', 'published', 'completed', 'cancelled'] as const;
export type State = (typeof STATES)[number];

export interface EventSearch {
  status?: State;
  q?: string;
}

/** Of the list's address; what it does not know is as if it were not there. */
export function readEventSearch({ status, q }: Record<string, unknown>): EventSearch {
  return {
    ...(STATES.includes(status as State) && { status: status as State }),
    ...(typeof q === 'string' && q !== '' && { q }),
  };
}
