import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import {
  acceptGuestRequest,
  declineGuestRequest,
  declineGuestRequests,
  type GuestRequest,
  idempotencyKey,
  listGuestRequests,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { reloadList, reloadNumbers } from '../../guests/api/guests.ts';
import { waitingListQuery } from './waiting-list.ts';

const PAGE = 50;

type Status = GuestRequest['status'];

const requestsKey = (eventId: string) => ['event', eventId, 'requests'] as const;

/** Query for the requests to come with one status, the oldest first. */
export const requestsQuery = (eventId: string, status: Status) =>
  infiniteQueryOptions({
    queryKey: [...requestsKey(eventId), status],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) => {
      const query = { status, page, limit: PAGE };
      return (await listGuestRequests({ client, signal, path: { id: eventId }, query })).data;
    },
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

/** Query for the number of requests to come on which no organizer has decided yet. */
export const undecidedQuery = (eventId: string) =>
  queryOptions({
    queryKey: [...requestsKey(eventId), 'undecided'],
    queryFn: async ({ signal }) => {
      const query = { status: 'waiting', limit: 1 } as const;
      return (await listGuestRequests({ client, signal, path: { id: eventId }, query })).data.total;
    },
  });

export const reloadRequests = (queries: QueryClient, eventId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: requestsKey(eventId) });

export function useAccept(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (requestId: string) =>
      (await acceptGuestRequest({ client, path: { id: eventId, requestId }, headers: idempotencyKey() }))
        .data,
    // Requests are reloaded even after the server refused, since another organizer may have decided.
    onSettled: () =>
      Promise.all([
        reloadRequests(queries, eventId),
        queries.invalidateQueries({ queryKey: waitingListQuery(eventId).queryKey }),
        reloadList(queries, eventId),
        reloadNumbers(queries, eventId),
      ]),
  });
}

/** Declines all undecided requests to come, without sending messages to the people. */
export function useDeclineAll(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const body = { filter: {} };
      return (await declineGuestRequests({ client, path: { id: eventId }, body, headers: idempotencyKey() }))
        .data.declined;
    },
    onSettled: () => reloadRequests(queries, eventId),
  });
}

export function useDecline(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (requestId: string) =>
      (await declineGuestRequest({ client, path: { id: eventId, requestId }, headers: idempotencyKey() }))
        .data.request,
    onSettled: () => reloadRequests(queries, eventId),
  });
}
