import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { askToSignIn, endSession, type ReadSessionResponses, readSession, startSession } from 'simcha-client';
import { client, keepCsrfToken } from '../../../lib/api.ts';
import { forgetStored, keepFor } from '../../../lib/stored-value.ts';

export type Session = ReadSessionResponses[200];

/** Who has signed in here; null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 300_000,
  async queryFn({ signal }): Promise<Session | null> {
    const { data, response } = await readSession({ client, signal });
    // 204: nobody has.
    const session = response.status === 200 ? (data as Session) : null;
    keepCsrfToken(session?.csrf_token);
    if (session) keepFor(session.user.user_id);
    return session;
  },
});

/** In what only somebody who has signed in is shown. */
export function useSession(): Session | null {
  return useSuspenseQuery(sessionQuery).data;
}

export function useAskForCode() {
  return useMutation({ mutationFn: (email: string) => askToSignIn({ client, body: { email } }) });
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; code: string; invitation?: string }) =>
      startSession({ client, body }),
    onSuccess: ({ data }) => enter(queries, data),
  });
}

/** Leads to the front door by a page of its own: nothing of whoever was here stays in memory, nor in this tab. */
export function useSignOut() {
  const leave = () => {
    forgetStored();
    location.assign('/');
  };
  return useMutation({ mutationFn: () => endSession({ client }), onSuccess: leave });
}

/** What was read before is not that of whoever comes now. */
function enter(queries: QueryClient, session: Session): void {
  keepCsrfToken(session.csrf_token);
  keepFor(session.user.user_id);
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, session);
}
