import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Application,
  type ApplicationChanges,
  deleteApplication,
  type PlanForecast,
  readPlan,
  updateApplication,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { refreshSite, siteKey, siteQuery, sitesQuery } from '../../sites/api/sites.ts';

/** Query for how the site's source would be built and started now, with the settings as they are. */
export const planQuery = (name: string) =>
  queryOptions<PlanForecast>({
    queryKey: [...siteKey(name), 'plan'],
    staleTime: 60_000,
    retry: false,
    queryFn: async ({ signal }) => (await readPlan({ client, signal, path: { uuid: name } })).data,
  });

/** Changes a site; `onSaved` is called before the page shows the changed site. */
export function useChangeSite(name: string, onSaved: (site: Application) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: ApplicationChanges): Promise<Application> =>
      (await updateApplication({ client, path: { uuid: name }, body })).data,
    async onSuccess(site) {
      onSaved(site);
      queries.setQueryData(siteQuery(site.subdomain).queryKey, site);
      // A site with another subdomain has another page, and is no longer found by the former one.
      if (name !== site.subdomain && site.application_uuid !== name) return;
      await refreshSite(queries, name);
    },
  });
}

export function useDeleteSite(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await deleteApplication({ client, path: { uuid: name } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: sitesQuery.queryKey }),
  });
}
