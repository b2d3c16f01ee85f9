import type { QueryClient } from '@tanstack/react-query';
import {
  budgetQuery,
  countsQuery,
  eventCalendarQuery,
  eventQuery,
  warningsQuery,
} from '../../events/api/events.ts';
import { totalQuery } from '../../guests/api/guests.ts';
import { answerDaysQuery, numbersQuery } from '../../questions/api/numbers.ts';
import { sessionQuery } from '../../sign-in/api/session.ts';

/** Query for the number of guests who were not invited yet and have not replied. */
export const uninvitedQuery = (eventId: string) => totalQuery(eventId, { invited: false, answered: false });

/**
 * Loads what the overview of an event shows, while its code is loaded and rendered. The overview waits for what the card
 * with the next steps shows: the card has a line for each step and stands above the others, which would move.
 */
export async function loadOverview(queries: QueryClient, eventId: string): Promise<void> {
  const nextSteps = [
    queries.ensureQueryData(countsQuery(eventId)),
    queries.ensureQueryData(uninvitedQuery(eventId)),
  ];
  prefetchCards(queries, eventId).catch(() => {});
  await Promise.allSettled(nextSteps);
}

async function prefetchCards(queries: QueryClient, eventId: string): Promise<void> {
  void queries.prefetchQuery(numbersQuery(eventId));
  void queries.prefetchQuery(answerDaysQuery(eventId));
  void queries.prefetchQuery(eventCalendarQuery(eventId));
  const session = await queries.ensureQueryData(sessionQuery);
  const { event } = await queries.ensureQueryData(eventQuery(eventId));
  // People with whom the event is shared may not see these; their page finds out and loads what they see.
  if (event.organizer_id !== session?.user.user_id) return;
  void queries.prefetchQuery(budgetQuery(eventId));
  void queries.prefetchQuery(warningsQuery(eventId));
}
