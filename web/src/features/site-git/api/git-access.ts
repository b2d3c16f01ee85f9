import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createDeployKey,
  type HookDelivery,
  idempotencyKey,
  listHookDeliveries,
  readHook,
  renewHook,
  updateApplication,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, refreshSite, siteKey } from '../../sites/api/sites.ts';

/** Query for the address and the secret of a site's push hook. */
export const hookQuery = (name: string) =>
  queryOptions({
    queryKey: [...siteKey(name), 'hook'],
    queryFn: async ({ signal }) => (await readHook({ client, signal, path: { uuid: name } })).data,
  });

/** Query for the last deliveries to a site's push hook. */
export const deliveriesQuery = (name: string) =>
  queryOptions<HookDelivery[]>({
    queryKey: [...siteKey(name), 'hook', 'deliveries'],
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'checking') ? REFRESH_MS.busy : REFRESH_MS.calm,
    queryFn: async ({ signal }) =>
      (await listHookDeliveries({ client, signal, path: { uuid: name } })).data.deliveries,
  });

export function useRenewHook(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await renewHook({ client, path: { uuid: name }, headers: idempotencyKey() })).data,
    onSuccess: (hook) => queries.setQueryData(hookQuery(name).queryKey, hook),
  });
}

/** Creates a deploy key, or replaces the former one. */
export function useCreateDeployKey(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await createDeployKey({ client, path: { uuid: name }, headers: idempotencyKey() })).data,
    onSettled: () => refreshSite(queries, name),
  });
}

export function useSetRepository(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (repository: string) => {
      await updateApplication({ client, path: { uuid: name }, body: { repository } });
    },
    onSettled: () => refreshSite(queries, name),
  });
}
