import { infiniteQueryOptions } from '@tanstack/react-query';
import { listDeployments } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, siteKey } from '../../sites/api/sites.ts';

const PAGE_SIZE = 100;

/** Query for the deployments of a site with which its releases were live, newest first, a page at a time. */
export const releasesQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: [...siteKey(name), 'releases'],
    initialPageParam: 1,
    refetchInterval: REFRESH_MS.calm,
    queryFn: async ({ pageParam: page, signal }) =>
      (await listDeployments({ client, signal, path: { uuid: name }, query: { page, limit: PAGE_SIZE } }))
        .data,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });
