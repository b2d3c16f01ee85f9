import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addDomain,
  checkDomain,
  type Domain,
  idempotencyKey,
  listDomains,
  removeDomain,
  updateDomain,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, siteKey } from '../../sites/api/sites.ts';

/** Time in milliseconds between two readings of the domains while a record is awaited. */
const AWAITED_MS = 5_000;

export const domainsQuery = (name: string) =>
  queryOptions<Domain[]>({
    queryKey: [...siteKey(name), 'domains'],
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'pending') ? AWAITED_MS : REFRESH_MS.calm,
    queryFn: async ({ signal }) => (await listDomains({ client, signal, path: { uuid: name } })).data.domains,
  });

/** New domain, and a second one that redirects to it, such as `www.example.com` to `example.com`. */
export interface NewDomain {
  hostname: string;
  sibling?: string;
}

export function useAddDomain(name: string) {
  return useDomainMutation(name, async ({ hostname, sibling }: NewDomain) => {
    const path = { uuid: name };
    const { data } = await addDomain({ client, path, headers: idempotencyKey(), body: { hostname } });
    if (sibling !== undefined) {
      const body = { hostname: sibling, redirect_to: data.hostname };
      await addDomain({ client, path, headers: idempotencyKey(), body });
    }
    return data;
  });
}

export function useCheckDomain(name: string) {
  return useDomainMutation(
    name,
    async (hostname: string) =>
      (await checkDomain({ client, path: { uuid: name, hostname }, headers: idempotencyKey() })).data,
  );
}

export function useRedirectDomain(name: string) {
  return useDomainMutation(
    name,
    async ({ hostname, redirectTo }: { hostname: string; redirectTo: string | null }) =>
      (await updateDomain({ client, path: { uuid: name, hostname }, body: { redirect_to: redirectTo } }))
        .data,
  );
}

export function useRemoveDomain(name: string) {
  return useDomainMutation(name, async (hostname: string) => {
    await removeDomain({ client, path: { uuid: name, hostname } });
  });
}

function useDomainMutation<V, R>(name: string, mutationFn: (values: V) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: domainsQuery(name).queryKey }),
  });
}
