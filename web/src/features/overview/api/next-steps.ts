import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { countsQuery, eventQuery } from '../../events/api/events.ts';
import { totalQuery } from '../../guests/api/guests.ts';

/** Query for the number of guests of a published event who were not invited yet and have not replied. */
export const uninvitedQuery = ({ id, status }: { id: string; status: string }) =>
  queryOptions({
    ...totalQuery(id, { invited: false, answered: false }),
    enabled: status === 'published',
  });

/**
 * Loads what the card with the next steps shows. The overview waits for it, because the card has a line for each step
 * and stands above the others, which would move.
 */
export async function loadNextSteps(queries: QueryClient, eventId: string): Promise<void> {
  const { event } = await queries.ensureQueryData(eventQuery(eventId));
  await Promise.allSettled([
    queries.ensureQueryData(countsQuery(eventId)),
    ...(event.status === 'published' ? [queries.ensureQueryData(uninvitedQuery(event))] : []),
  ]);
}
