import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Application,
  type Deployment,
  deploy,
  idempotencyKey,
  listDeployments,
  listPreviews,
  openPreview,
  type Preview,
  promote,
  removePreview,
  updateApplication,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, refreshSite, siteKey } from '../../sites/api/sites.ts';

/** Branches that get a preview by themselves. */
export type PreviewPolicy = Application['previews'];
export const POLICIES = ['off', 'pull_requests', 'branches'] as const satisfies readonly PreviewPolicy[];

export const previewsQuery = (name: string) =>
  queryOptions<Preview[]>({
    queryKey: [...siteKey(name), 'previews'],
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'deploying') ? REFRESH_MS.busy : REFRESH_MS.calm,
    queryFn: async ({ signal }) =>
      (await listPreviews({ client, signal, path: { uuid: name } })).data.previews,
  });

/** Query for the last deployment of a preview; its key changes with the preview's state, so that it is read again. */
export const lastDeploymentQuery = (name: string, { name: preview, status }: Preview) =>
  queryOptions<Deployment | null>({
    queryKey: [...siteKey(name), 'previews', preview, 'last-deployment', status],
    queryFn: async ({ signal }) => {
      const query = { preview, limit: 1 };
      const { data } = await listDeployments({ client, signal, path: { uuid: name }, query });
      return data.deployments[0] ?? null;
    },
  });

export function useOpenPreview(name: string) {
  return usePreviewMutation(name, async (branch: string) => {
    await openPreview({ client, path: { uuid: name }, headers: idempotencyKey(), body: { branch } });
  });
}

export function useDeployPreview(name: string) {
  return usePreviewMutation(name, async (preview: string) => {
    await deploy({ client, path: { uuid: name }, query: { preview }, headers: idempotencyKey() });
  });
}

/** Takes the release of a preview live in production. */
export function usePromotePreview(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (preview: string) =>
      (await promote({ client, path: { uuid: name }, headers: idempotencyKey(), body: { preview } })).data,
    onSettled: () => refreshSite(queries, name),
  });
}

export function useRemovePreview(name: string) {
  return usePreviewMutation(name, async (preview: string) => {
    await removePreview({ client, path: { uuid: name, name: preview } });
  });
}

export function useSetPolicy(name: string) {
  return usePreviewMutation(name, async (previews: PreviewPolicy) => {
    await updateApplication({ client, path: { uuid: name }, body: { previews } });
  });
}

function usePreviewMutation<V>(name: string, mutationFn: (values: V) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => refreshSite(queries, name) });
}
