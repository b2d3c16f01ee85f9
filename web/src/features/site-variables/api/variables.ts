import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type EnvironmentChanges, readEnvironment, updateEnvironment } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { refreshSite, siteKey } from '../../sites/api/sites.ts';
import type { Variables } from './env-file.ts';

/** Query for the variables of a site, by name. */
export const variablesQuery = (name: string) =>
  queryOptions<Variables>({
    queryKey: [...siteKey(name), 'variables'],
    queryFn: async ({ signal }) => (await readEnvironment({ client, signal, path: { uuid: name } })).data.env,
  });

/** Sets variables of a site; null deletes one. */
export function useChangeVariables(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: EnvironmentChanges): Promise<Variables> =>
      (await updateEnvironment({ client, path: { uuid: name }, body })).data.env,
    onSuccess: (env) => queries.setQueryData(variablesQuery(name).queryKey, env),
    // The form closes at once, and does not wait until all of the site is read anew.
    onSettled: () => {
      refreshSite(queries, name).catch(() => {});
    },
  });
}
