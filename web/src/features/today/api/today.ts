import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { idempotencyKey, noteVisit, readToday } from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Interval at which the start page reloads its data while it is open, in milliseconds. */
const AGAIN_MS = 60_000;

export const todayQuery = queryOptions({
  queryKey: ['today'],
  // Tasks are reloaded on each visit to the start page, since the user may have done one on another page.
  staleTime: 0,
  refetchInterval: AGAIN_MS,
  queryFn: async ({ signal }) => (await readToday({ client, signal })).data.today,
});

/**
 * Records a visit to the start page once the page is shown. The next visit then lists only replies that came after this
 * one.
 */
export function useNoteVisit(isSeen: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isSeen) return;
    // Errors are ignored: if a visit could not be recorded, the next visit lists the same replies again.
    noteVisit({ client, headers: idempotencyKey() }).catch(() => {});
    return () => void queries.invalidateQueries({ queryKey: todayQuery.queryKey, refetchType: 'none' });
  }, [isSeen, queries]);
}
