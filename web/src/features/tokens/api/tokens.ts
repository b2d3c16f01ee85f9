import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createToken,
  idempotencyKey,
  listApplications,
  listEvents,
  listTokens,
  type NewAccessToken,
  revokeToken,
  type ShownAccessToken,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: async ({ signal }) => (await listTokens({ client, signal })).data.tokens,
});

/** Event or application to which a token can be restricted. */
export interface TokenSubject {
  kind: 'event' | 'application';
  id: string;
  name: string;
}

const MOST_SUBJECTS = 100;

/** Query for the user's events and applications. */
export const subjectsQuery = queryOptions({
  queryKey: ['token-subjects'],
  queryFn: async ({ signal }): Promise<TokenSubject[]> => {
    const query = { limit: MOST_SUBJECTS };
    const [events, applications] = await Promise.all([
      listEvents({ client, signal, query }),
      listApplications({ client, signal, query }),
    ]);
    return [
      ...events.data.events.map(({ id, title }) => ({ kind: 'event' as const, id, name: title })),
      ...applications.data.applications.map(({ application_uuid: id, name }) => ({
        kind: 'application' as const,
        id,
        name,
      })),
    ];
  },
});

/** Creates an access token and returns it with its text, which the server shows only this once. */
export function useCreateToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewAccessToken): Promise<ShownAccessToken> =>
      (await createToken({ client, body, headers: idempotencyKey() })).data,
    onSettled: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}

export function useRevokeToken() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      await revokeToken({ client, path: { id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
