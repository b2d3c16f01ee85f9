import { useQueryClient } from '@tanstack/react-query';
import { useAtMostEvery } from '../../../lib/at-most-every.ts';
import { useLive } from '../../events/api/live.ts';
import { questionsQuery, totalsKey } from '../../guests/api/guests.ts';

/** However much comes in, the numbers are not read again more often. */
const APART_MS = 500;

/** What guests answer, and what others ask them, while one looks: after whatever changes the counts come. */
export function useLiveNumbers(eventId: string): boolean {
  const queries = useQueryClient();
  const readAgain = useAtMostEvery(APART_MS, () => {
    queries.invalidateQueries({ queryKey: ['event', eventId, 'numbers'] }).catch(() => {});
    queries.invalidateQueries({ queryKey: questionsQuery(eventId).queryKey }).catch(() => {});
    queries.invalidateQueries({ queryKey: totalsKey(eventId) }).catch(() => {});
  });
  return useLive(eventId, ({ event }) => {
    if (event === 'counts') readAgain();
  });
}
