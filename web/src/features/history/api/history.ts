import { infiniteQueryOptions } from '@tanstack/react-query';
import { type HistoryEntry, readHistory } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import type { HistoryFilter } from './search.ts';

export type { HistoryEntry };

const AT_ONCE = 40;

/** Query for the history of an event in pages, the newest entry first. */
export const historyQuery = (id: string, about?: HistoryFilter) =>
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
