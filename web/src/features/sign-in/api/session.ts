import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { askToSignIn, endSession, type ReadSessionResponses, readSession, startSession } from 'simcha-client';
import { client, setCsrfToken } from '../../../lib/api.ts';
import { claimStorageFor, forgetStored } from '../../../lib/stored-value.ts';

export type Session = ReadSessionResponses[200];

/** Query for the session of the signed-in user; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 300_000,
  async queryFn({ signal }): Promise<Session | null> {
    const { data, response } = await readSession({ client, signal });
    // Status 204 of the session request means that nobody is signed in.
    const session = response.status === 200 ? (data as Session) : null;
    setCsrfToken(session?.csrf_token);
    if (session) claimStorageFor(session.user.user_id);
    return session;
  },
});

/** Session of the user, for components that only signed-in users see. */
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

/** Signs out and reloads the front page, so that no data of the user stays in memory or in this tab. */
export function useSignOut() {
  const leave = () => {
    forgetStored();
    location.assign('/');
  };
  return useMutation({ mutationFn: () => endSession({ client }), onSuccess: leave });
}

/** Starts the user's session and removes the data of the previous user. */
function enter(queries: QueryClient, session: Session): void {
  setCsrfToken(session.csrf_token);
  claimStorageFor(session.user.user_id);
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, session);
}
