import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { noteVisit, once, readToday } from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Who leaves it open sees what changes. */
const AGAIN_MS = 60_000;

export const todayQuery = queryOptions({
  queryKey: ['today'],
  // What is done elsewhere in the console may have settled something.
  staleTime: 0,
  refetchInterval: AGAIN_MS,
  queryFn: async ({ signal }) => (await readToday({ client, signal })).data.today,
});

/** Once what is new is seen, the next visit begins after it. */
export function useNoteVisit(isSeen: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isSeen) return;
    // What could not be noted is new once more, and no harm.
    noteVisit({ client, headers: once() }).catch(() => {});
    return () => void queries.invalidateQueries({ queryKey: todayQuery.queryKey, refetchType: 'none' });
  }, [isSeen, queries]);
}
