import { infiniteQueryOptions } from '@tanstack/react-query';
import { listApplicationHistory } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { siteKey } from '../../sites/api/sites.ts';

const AT_ONCE = 40;

/** Query for the history of a site in pages, the newest change first. */
export const siteHistoryQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: [...siteKey(name), 'history'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) =>
      (
        await listApplicationHistory({
          client,
          signal,
          path: { uuid: name },
          query: { page, limit: AT_ONCE },
        })
      ).data,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });
