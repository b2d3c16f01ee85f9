import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type HistoryEntry, listDeletedGuests, pages, readGuest, readHistory } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import type { About } from './search.ts';

export type { HistoryEntry };

const AT_ONCE = 40;

/** Page by page, the newest first. */
export const historyQuery = (id: string, about?: About) =>
  infiniteQueryOptions({
    queryKey: ['event', id, 'history', about ?? 'all'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) =>
      (
        await readHistory({
          client,
          signal,
          path: { id },
          query: { page, limit: AT_ONCE, ...(about && { subject: about }) },
        })
      ).data,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

export const deletedGuestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'guests', 'deleted'],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        pages((page) => listDeletedGuests({ client, signal, path: { id }, query: page }), 1_000),
      ),
  });

/** A line of the history names a guest by their id alone. */
export const guestNameQuery = (id: string, guestId: string) =>
  queryOptions({
    queryKey: ['event', id, 'guests', guestId, 'name'],
    staleTime: 300_000,
    queryFn: async ({ signal }) =>
      (await readGuest({ client, signal, path: { id, guestId } })).data.guest.name,
  });
