import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Progress, uploadSource } from 'simcha-client';
import { client, withProgress } from '../../../lib/api.ts';
import type { ChosenSource } from '../../../lib/folder-source.ts';
import { refreshSite } from './sites.ts';

interface Uploading {
  onProgress(progress: Progress): void;
  /** True to deploy the folder at once. */
  deploys?: boolean;
}

/** Uploads a folder as the source of a site. Returns its deployment, if one was requested. */
export async function uploadFolder(
  name: string,
  { archive }: ChosenSource,
  { onProgress, deploys = false }: Uploading,
): Promise<string | null> {
  const query = deploys ? { deploy: true } : {};
  const { data } = await uploadSource({
    client,
    path: { uuid: name },
    query,
    body: archive,
    ...withProgress(onProgress),
  });
  return data.deployment_uuid;
}

/** Uploads a new version of a site's folder and deploys it. */
export function useUploadVersion(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ source, onProgress }: { source: ChosenSource; onProgress: Uploading['onProgress'] }) =>
      uploadFolder(name, source, { onProgress, deploys: true }),
    onSettled: () => refreshSite(queries, name),
  });
}
