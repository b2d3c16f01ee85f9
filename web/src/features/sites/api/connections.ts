import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createDeployKey, idempotencyKey, readHook, renewHook } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { refreshSite, siteKey } from './sites.ts';

/** Creates the site's deploy key anew; the former one no longer works. */
export function useCreateDeployKey(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await createDeployKey({ client, path: { uuid: name }, headers: idempotencyKey() })).data.deploy_key,
    onSettled: () => refreshSite(queries, name),
  });
}

/** Query for the address and the secret of the site's push hook. */
export const hookQuery = (name: string) =>
  queryOptions({
    queryKey: [...siteKey(name), 'hook'],
    queryFn: async ({ signal }) => (await readHook({ client, signal, path: { uuid: name } })).data,
  });

/** Renews the secret of the push hook; the former one no longer works. */
export function useRenewHook(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await renewHook({ client, path: { uuid: name }, headers: idempotencyKey() })).data,
    onSuccess: (hook) => queries.setQueryData(hookQuery(name).queryKey, hook),
  });
}
