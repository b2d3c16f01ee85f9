import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Application, listApplications, paginate, readApplication } from 'simcha-client';
import { client } from '../../../lib/api.ts';

/** Time in milliseconds between two readings of what changes without the user. */
export const REFRESH_MS = { busy: 2_000, lively: 5_000, calm: 15_000 } as const;

export type SiteState = Application['status'];

export const sitesQuery = queryOptions<Application[]>({
  queryKey: ['sites'],
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === 'deploying') ? REFRESH_MS.busy : REFRESH_MS.calm,
  async queryFn({ signal }) {
    const found: Application[] = [];
    for await (const site of paginate((query) => listApplications({ client, signal, query })))
      found.push(site);
    return found;
  },
});

/** Name of a site in the addresses of the console and of the API. */
export const siteNameOf = ({ subdomain }: Pick<Application, 'subdomain'>): string => subdomain;

/**
 * Begins the keys of all queries about one site. `name` is that of the page's address: a subdomain, or any other name
 * by which the API knows the site.
 */
export const siteKey = (name: string) => ['site', name] as const;

export const siteQuery = (name: string) =>
  queryOptions<Application>({
    queryKey: [...siteKey(name), 'application'],
    refetchInterval: ({ state }) => (state.data?.status === 'deploying' ? REFRESH_MS.busy : REFRESH_MS.calm),
    queryFn: async ({ signal }) => (await readApplication({ client, signal, path: { uuid: name } })).data,
  });

const route = getRouteApi('/inside/sites/$name');

/** Site of the page's address, and the name by which calls of the API and other pages refer to it. */
export function useSite(): { name: string; site: Application } {
  const { name } = route.useParams();
  return { name, site: useSuspenseQuery(siteQuery(name)).data };
}

/** Reads all of a site anew, and the list of sites. */
export async function refreshSite(queries: QueryClient, name: string): Promise<void> {
  await Promise.all(
    [siteKey(name), sitesQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
}
