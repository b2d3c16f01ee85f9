import { useQueryClient } from '@tanstack/react-query';
import { useAtMostEvery } from '../../../lib/at-most-every.ts';
import { useLive } from '../../events/api/live.ts';
import { lineQuery } from './line.ts';
import { readRequestsAgain } from './requests.ts';

/** However much comes in, it is not read again more often. */
const APART_MS = 300;

/** Who asks to come, waits, or gets a place while one looks. */
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
