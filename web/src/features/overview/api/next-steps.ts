import type { QueryClient } from '@tanstack/react-query';
import { countsQuery } from '../../events/api/events.ts';
import { totalQuery } from '../../guests/api/guests.ts';

/** Query for the number of guests who were not invited yet and have not replied. */
export const uninvitedQuery = (eventId: string) => totalQuery(eventId, { invited: false, answered: false });

/**
 * Loads what the card with the next steps shows, for any event: the document preloads the same. The overview waits for
 * it, because the card has a line for each step and stands above the others, which would move.
 */
export async function loadNextSteps(queries: QueryClient, eventId: string): Promise<void> {
  await Promise.allSettled([
    queries.ensureQueryData(countsQuery(eventId)),
    queries.ensureQueryData(uninvitedQuery(eventId)),
  ]);
}
