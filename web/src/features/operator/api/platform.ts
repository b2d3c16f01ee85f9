import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type BudgetChanges, changeBudget, type Platform, readPlatform, stopAnySite } from 'simcha-client';
import { client } from '../../../lib/api.ts';

const REFRESH_MS = 15_000;

export const platformQuery = queryOptions<Platform>({
  queryKey: ['platform'],
  refetchInterval: REFRESH_MS,
  queryFn: async ({ signal }) => (await readPlatform({ client, signal })).data,
});

export function useStopAnySite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (environment: string) => stopAnySite({ client, path: { environment } }),
    onSettled: () => queries.invalidateQueries({ queryKey: platformQuery.queryKey }),
  });
}

export function useChangeBudget(account: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BudgetChanges) => changeBudget({ client, path: { account }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: platformQuery.queryKey }),
  });
}
