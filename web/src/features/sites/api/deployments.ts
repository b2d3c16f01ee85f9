import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  cancelDeployment,
  type Deployment,
  deploy,
  idempotencyKey,
  listDeployments,
  listLastDeployments,
  readDeployment,
  restart,
  rollBack,
  startSite,
  stopSite,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, refreshSite, siteKey, sitesQuery } from './sites.ts';
import { isUnderWay } from './states.ts';

const PAGE_SIZE = 20;

const refreshMs = (deployments: readonly Deployment[] = []) =>
  deployments.some(isUnderWay) ? REFRESH_MS.busy : REFRESH_MS.calm;

const pageOf = async (name: string, page: number, limit: number, signal: AbortSignal) =>
  (await listDeployments({ client, signal, path: { uuid: name }, query: { page, limit } })).data;

/** Query for all deployments of a site, newest first, a page at a time. */
export const deploymentsQuery = (name: string) =>
  infiniteQueryOptions({
    queryKey: [...siteKey(name), 'deployments'],
    initialPageParam: 1,
    refetchInterval: REFRESH_MS.lively,
    queryFn: ({ pageParam, signal }) => pageOf(name, pageParam, PAGE_SIZE, signal),
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

/** Query for the last deployment of each of the user's sites, by the application's UUID. */
export const lastDeploymentsQuery = queryOptions<ReadonlyMap<string, Deployment>>({
  queryKey: [...sitesQuery.queryKey, 'last-deployments'],
  refetchInterval: ({ state }) => refreshMs([...(state.data?.values() ?? [])]),
  async queryFn({ signal }) {
    const { deployments } = (await listLastDeployments({ client, signal })).data;
    return new Map(deployments.map((deployment) => [deployment.application_uuid, deployment]));
  },
});

/** Query for the newest deployments of a site. */
export const newestDeploymentsQuery = (name: string) =>
  queryOptions<Deployment[]>({
    queryKey: [...siteKey(name), 'deployments', 'newest'],
    refetchInterval: ({ state }) => refreshMs(state.data),
    queryFn: async ({ signal }) => (await pageOf(name, 1, 5, signal)).deployments,
  });

export const deploymentQuery = (name: string, id: string) =>
  queryOptions<Deployment>({
    queryKey: [...siteKey(name), 'deployment', id],
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? REFRESH_MS.busy : false),
    queryFn: async ({ signal }) =>
      (await readDeployment({ client, signal, path: { uuid: name, deployment: id } })).data,
  });

/** Change of a site that has no other input than the site. */
function useSiteChange<T>(name: string, change: (uuid: string) => Promise<T>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => change(name),
    onSettled: () => refreshSite(queries, name),
  });
}

/** Parameters of a request that puts a site, or the preview of that name, into another state. */
const requestTo = (uuid: string, preview?: string) => ({
  client,
  path: { uuid },
  query: preview === undefined ? {} : { preview },
  headers: idempotencyKey(),
});

/** Deploys a site, or the preview of that name. */
export const useDeploy = (name: string, preview?: string) =>
  useSiteChange(name, async (uuid) => (await deploy(requestTo(uuid, preview))).data);

/** Restarts a site, or the preview of that name. */
export const useRestart = (name: string, preview?: string) =>
  useSiteChange(name, async (uuid) => (await restart(requestTo(uuid, preview))).data);

export const useStart = (name: string) =>
  useSiteChange(
    name,
    async (uuid) => (await startSite({ client, path: { uuid }, headers: idempotencyKey() })).data,
  );

export const useStop = (name: string) =>
  useSiteChange(
    name,
    async (uuid) => (await stopSite({ client, path: { uuid }, headers: idempotencyKey() })).data,
  );

/** Returns to the release of an earlier deployment. */
export function useRollBack(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (deployment: string) => {
      const body = { deployment_uuid: deployment };
      return (await rollBack({ client, path: { uuid: name }, body, headers: idempotencyKey() })).data;
    },
    onSettled: () => refreshSite(queries, name),
  });
}

export function useCancel(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (deployment: string) =>
      (await cancelDeployment({ client, path: { uuid: name, deployment }, headers: idempotencyKey() })).data,
    onSettled: () => refreshSite(queries, name),
  });
}

/** Returns a function that opens the page of a deployment. */
export function useOpenDeployment(name: string): (deployment: Pick<Deployment, 'deployment_uuid'>) => void {
  const navigate = useNavigate();
  return ({ deployment_uuid: deploymentId }) => {
    navigate({ to: '/sites/$name/deployments/$deploymentId', params: { name, deploymentId } }).catch(
      () => {},
    );
  };
}
