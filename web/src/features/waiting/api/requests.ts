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
  listGuestRequests,
  once,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { readListAgain, readNumbersAgain } from '../../guests/api/guests.ts';
import { lineQuery } from './line.ts';

const PAGE = 50;

type Status = GuestRequest['status'];

const requestsKey = (eventId: string) => ['event', eventId, 'requests'] as const;

/** Requests of one status, the oldest first. */
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

/** Number of requests that wait for a decision. */
export const undecidedQuery = (eventId: string) =>
  queryOptions({
    queryKey: [...requestsKey(eventId), 'undecided'],
    queryFn: async ({ signal }) => {
      const query = { status: 'waiting', limit: 1 } as const;
      return (await listGuestRequests({ client, signal, path: { id: eventId }, query })).data.total;
    },
  });

export const readRequestsAgain = (queries: QueryClient, eventId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: requestsKey(eventId) });

export function useAccept(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (requestId: string) =>
      (await acceptGuestRequest({ client, path: { id: eventId, requestId }, headers: once() })).data,
    // Reload after a refusal as well: somebody else may have decided.
    onSettled: () =>
      Promise.all([
        readRequestsAgain(queries, eventId),
        queries.invalidateQueries({ queryKey: lineQuery(eventId).queryKey }),
        readListAgain(queries, eventId),
        readNumbersAgain(queries, eventId),
      ]),
  });
}

/** Declines all waiting requests without messages to the people. */
export function useDeclineAll(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const body = { filter: {} };
      return (await declineGuestRequests({ client, path: { id: eventId }, body, headers: once() })).data
        .declined;
    },
    onSettled: () => readRequestsAgain(queries, eventId),
  });
}

export function useDecline(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (requestId: string) =>
      (await declineGuestRequest({ client, path: { id: eventId, requestId }, headers: once() })).data.request,
    onSettled: () => readRequestsAgain(queries, eventId),
  });
}
