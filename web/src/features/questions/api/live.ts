import { useQueryClient } from '@tanstack/react-query';
import { useThrottled } from '../../../lib/throttled.ts';
import { useEventStream } from '../../events/api/live.ts';
import { questionsQuery, totalsKey } from '../../guests/api/guests.ts';

/** Minimum time between two reloads of the statistics, in milliseconds. */
const APART_MS = 500;

/**
 * Reloads statistics and questions when replies change while the page is open: the event `counts` follows every change.
 */
export function useLiveNumbers(eventId: string): boolean {
  const queries = useQueryClient();
  const readAgain = useThrottled(APART_MS, () => {
    queries.invalidateQueries({ queryKey: ['event', eventId, 'numbers'] }).catch(() => {});
    queries.invalidateQueries({ queryKey: questionsQuery(eventId).queryKey }).catch(() => {});
    queries.invalidateQueries({ queryKey: totalsKey(eventId) }).catch(() => {});
  });
  return useEventStream(eventId, ({ event }) => {
    if (event === 'counts') readAgain();
  });
}
