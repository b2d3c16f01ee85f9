import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { changeRetention as change, eraseGuests, type Retention, readRetention } from 'simcha-client';
import { client } from '../../../lib/api.ts';

export interface ReadRetention {
  retention: Retention;
  etag: string;
}

export const retentionQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'retention'],
    async queryFn({ signal }): Promise<ReadRetention> {
      const { data, response } = await readRetention({ client, signal, path: { id } });
      return { retention: data.retention, etag: response.headers.get('etag') ?? '' };
    },
  });

export async function changeRetention(
  queries: QueryClient,
  id: string,
  days: number,
  etag: string,
): Promise<ReadRetention> {
  const body = { retention_policy_days: days };
  const { data, response } = await change({ client, path: { id }, body, headers: { 'if-match': etag } });
  const read = { retention: data.retention, etag: response.headers.get('etag') ?? '' };
  queries.setQueryData(retentionQuery(id).queryKey, read);
  queries.invalidateQueries({ queryKey: ['event', id], exact: true }).catch(() => {});
  return read;
}

/**
 * Erases the personal data of an event's guests for good, calls `onErased` with their number and reloads the queries
 * that show it. The reload removes the button, and a removed component's callbacks of `mutate` are not called.
 */
export function useEraseGuests(id: string, onErased: (guests: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await eraseGuests({ client, path: { id } })).data.erased,
    onSuccess(guests) {
      onErased(guests);
      return Promise.all([
        queries.invalidateQueries({ queryKey: ['event', id] }),
        queries.invalidateQueries({ queryKey: ['guests', id] }),
      ]);
    },
  });
}
