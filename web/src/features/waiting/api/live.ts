import { useQueryClient } from '@tanstack/react-query';
import { useThrottled } from '../../../lib/throttled.ts';
import { useEventStream } from '../../events/api/live.ts';
import { reloadRequests } from './requests.ts';
import { waitingListQuery } from './waiting-list.ts';

/** Minimum time between two reloads of the waiting list and the requests, in milliseconds. */
const APART_MS = 300;

/** Reloads the waiting list and the requests when they change while the page is open. */
export function useLiveWaiting(eventId: string): boolean {
  const queries = useQueryClient();
  const readAgain = useThrottled(APART_MS, () => {
    reloadRequests(queries, eventId).catch(() => {});
    queries.invalidateQueries({ queryKey: waitingListQuery(eventId).queryKey }).catch(() => {});
  });
  return useEventStream(eventId, ({ event }) => {
    if (event !== 'counts') readAgain();
  });
}
