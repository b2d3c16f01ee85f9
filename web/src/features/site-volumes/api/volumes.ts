import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addVolume,
  emptyVolume,
  idempotencyKey,
  listVolumes,
  type NewVolume,
  removeVolume,
  restoreVolume,
  type Volume,
} from 'simcha-client';
import { client, withProgress } from '../../../lib/api.ts';
import { REFRESH_MS, siteKey } from '../../sites/api/sites.ts';

export const volumesQuery = (name: string) =>
  queryOptions<Volume[]>({
    queryKey: [...siteKey(name), 'volumes'],
    refetchInterval: REFRESH_MS.calm,
    queryFn: async ({ signal }) => (await listVolumes({ client, signal, path: { uuid: name } })).data.volumes,
  });

/** Address at which the browser downloads the whole content of a volume. */
export const backupAddress = (uuid: string, volume: string): string =>
  `/api/v1/applications/${uuid}/volumes/${encodeURIComponent(volume)}/backup`;

export function useAddVolume(name: string) {
  return useVolumeMutation(name, async (body: NewVolume) => {
    await addVolume({ client, path: { uuid: name }, headers: idempotencyKey(), body });
  });
}

interface Restore {
  volume: string;
  archive: File;
  /** Called with the sent part of the archive, from 0 to 1. */
  onProgress(part: number): void;
}

export function useRestoreVolume(name: string) {
  return useVolumeMutation(name, async ({ volume, archive, onProgress }: Restore) => {
    await restoreVolume({
      client,
      path: { uuid: name, name: volume },
      // The server reads a tar archive only, whatever type the browser gives the file.
      headers: { 'content-type': 'application/x-tar' },
      body: new Blob([archive], { type: 'application/x-tar' }),
      ...withProgress(({ sent, total }) => onProgress(total ? sent / total : 0)),
    });
  });
}

export function useEmptyVolume(name: string) {
  return useVolumeMutation(name, async (volume: string) => {
    await emptyVolume({ client, path: { uuid: name, name: volume }, headers: idempotencyKey() });
  });
}

export function useRemoveVolume(name: string) {
  return useVolumeMutation(name, async (volume: string) => {
    await removeVolume({ client, path: { uuid: name, name: volume } });
  });
}

function useVolumeMutation<V>(name: string, mutationFn: (values: V) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: volumesQuery(name).queryKey }),
  });
}
