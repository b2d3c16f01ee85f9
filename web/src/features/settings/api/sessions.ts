import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { endOtherSession, endOtherSessions, listSessions } from 'simcha-client';
import { client } from '../../../lib/api.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await listSessions({ client, signal })).data.sessions,
});

/** Ends one of the user's sessions by its id, or all except the present one. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string | 'others'): Promise<void> => {
      if (id === 'others') await endOtherSessions({ client });
      else await endOtherSession({ client, path: { id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
