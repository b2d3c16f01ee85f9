import { useQueryClient } from '@tanstack/react-query';
import { useAtMostEvery } from '../../../lib/at-most-every.ts';
import { useLive } from '../../events/api/live.ts';
import { lineQuery } from './line.ts';
import { readRequestsAgain } from './requests.ts';

/** Minimum time between two reloads, however many changes come in. */
const APART_MS = 300;

/** Reloads the waiting list and the requests when they change while the page is open. */
export function useLiveWaiting(eventId: string): boolean {
  const queries = useQueryClient();
  const readAgain = useAtMostEvery(APART_MS, () => {
    readRequestsAgain(queries, eventId).catch(() => {});
    queries.invalidateQueries({ queryKey: lineQuery(eventId).queryKey }).catch(() => {});
  });
  return useLive(eventId, ({ event }) => {
    if (event !== 'counts') readAgain();
  });
}
