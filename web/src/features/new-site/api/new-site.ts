import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Application,
  createApplication,
  deploy,
  idempotencyKey,
  type PlanForecast,
  type Progress,
  readPlan,
  updateApplication,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import type { ChosenSource } from '../../../lib/folder-source.ts';
import { refreshSite, siteNameOf, sitesQuery } from '../../sites/api/sites.ts';
import { uploadFolder } from '../../sites/api/upload.ts';
import type { SiteChanges } from './plan-lines.ts';

/** Reads the site of a page that sets it up: `/sites/new?site=name`. */
export function readNewSiteSearch({ site }: Record<string, unknown>): { site?: string | undefined } {
  return { site: typeof site === 'string' && site !== '' ? site : undefined };
}

export interface NewRepositorySite {
  name: string;
  repository: string;
}

/** Image of a new site, with the login at its registry if it is private. */
export interface NewImageSite {
  name: string;
  image: string;
  registry_user?: string;
  registry_password?: string;
}

/** Creates a site whose source the server fetches itself: a repository or an image. */
export function useCreateSite() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewRepositorySite | NewImageSite): Promise<Application> =>
      (await createApplication({ client, body, headers: idempotencyKey() })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: sitesQuery.queryKey }),
  });
}

export interface NewFolderSite {
  name: string;
  source: ChosenSource;
  onProgress(progress: Progress): void;
}

/** Creates a site for an uploaded folder, and uploads the folder. A second try uploads to the same site. */
export function useCreateFromFolder() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, source, onProgress, created }: NewFolderSite & { created?: Application }) => {
      const body = { name, source: 'upload' as const };
      const site = created ?? (await createApplication({ client, body, headers: idempotencyKey() })).data;
      try {
        await uploadFolder(siteNameOf(site), source, { onProgress });
      } catch (cause) {
        throw new UploadFailure(site, cause);
      }
      return site;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sitesQuery.queryKey }),
  });
}

/** Upload that failed after its site was created. */
export class UploadFailure extends Error {
  readonly site: Application;

  constructor(site: Application, cause: unknown) {
    super('The folder could not be uploaded.', { cause });
    this.site = site;
  }
}

/**
 * Query for what a deployment would do. The server fetches the repository for each answer, so it is asked only on
 * request.
 */
export const planQuery = (name: string) =>
  queryOptions<PlanForecast>({
    queryKey: ['site-plan', name],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) => (await readPlan({ client, signal, path: { uuid: name } })).data,
  });

/** Changes settings of a site and asks again what a deployment would do. */
export function useChangeSite(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: SiteChanges) => {
      await updateApplication({ client, path: { uuid: name }, body });
    },
    onSuccess: () =>
      Promise.all([
        refreshSite(queries, name),
        queries.invalidateQueries({ queryKey: planQuery(name).queryKey }),
      ]),
  });
}

/** Stores the changed lines of the plan, and deploys. */
export function useDeployWith(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (changes: SiteChanges) => {
      const path = { uuid: name };
      if (Object.keys(changes).length > 0) await updateApplication({ client, path, body: changes });
      return (await deploy({ client, path, headers: idempotencyKey() })).data;
    },
    onSuccess: () => refreshSite(queries, name),
  });
}
