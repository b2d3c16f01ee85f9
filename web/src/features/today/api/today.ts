import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { idempotencyKey, noteVisit, readToday } from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Interval of the reloads while the page stays open. */
const AGAIN_MS = 60_000;

export const todayQuery = queryOptions({
  queryKey: ['today'],
  // Always reloaded on a visit: another page of the console may have settled something.
  staleTime: 0,
  refetchInterval: AGAIN_MS,
  queryFn: async ({ signal }) => (await readToday({ client, signal })).data.today,
});

/** Records the visit once the page is shown, so that the next one begins after it. */
export function useNoteVisit(isSeen: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isSeen) return;
    // A visit that could not be recorded only shows the same news again.
    noteVisit({ client, headers: idempotencyKey() }).catch(() => {});
    return () => void queries.invalidateQueries({ queryKey: todayQuery.queryKey, refetchType: 'none' });
  }, [isSeen, queries]);
}
