import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Processes, readFigures, readProcesses, scaleProcesses } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, refreshSite, siteKey } from '../../sites/api/sites.ts';

export type SiteProcess = Processes['processes'][number];
export type Replica = SiteProcess['replicas'][number];
export type Job = Processes['jobs'][number];

/** Maximum number of replicas of one process. */
export const MOST_REPLICAS = 20;

/** True if a process does not run as requested yet, so that its state may change soon. */
const isChanging = ({ wanted, replicas }: SiteProcess): boolean =>
  replicas.length !== wanted || replicas.some(({ state }) => state !== 'running');

/** Query for the processes of a site, or of its preview of that name, with their replicas, and for scheduled jobs. */
export const processesQuery = (name: string, preview?: string) =>
  queryOptions<Processes>({
    queryKey: [...siteKey(name), 'processes', preview],
    refetchInterval: ({ state }) =>
      state.data?.processes.some(isChanging) ? REFRESH_MS.busy : REFRESH_MS.calm,
    queryFn: async ({ signal }) => {
      const query = preview === undefined ? {} : { preview };
      return (await readProcesses({ client, signal, path: { uuid: name }, query })).data;
    },
  });

export interface Usage {
  memoryBytes: number;
  /** Used part of one processor: 1 is a whole one. */
  processors: number;
}

const MINUTE_MS = 60_000;
/** Time in minutes within which the newest figures of a process count as current. */
const CURRENT_MINUTES = 4;

/** Query for what each process of a site uses now, by its name. */
export const usageQuery = (name: string) =>
  queryOptions<Readonly<Record<string, Usage>>>({
    queryKey: [...siteKey(name), 'usage'],
    refetchInterval: MINUTE_MS / 2,
    async queryFn({ signal }) {
      const since = new Date(Date.now() - CURRENT_MINUTES * MINUTE_MS).toISOString();
      const { data } = await readFigures({
        client,
        signal,
        path: { uuid: name },
        query: { since, step: 60 },
      });
      return Object.fromEntries(
        data.processes.flatMap(({ process, intervals }) => {
          const last = intervals.filter(({ memory_bytes: memory }) => memory > 0).at(-1);
          if (!last) return [];
          const usage = { memoryBytes: last.memory_bytes, processors: last.processor_ms / MINUTE_MS };
          return [[process, usage]];
        }),
      );
    },
  });

/** Changes the requested number of replicas of a process, which takes effect at once. */
export function useScale(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ process, count }: { process: string; count: number }): Promise<Processes> =>
      (await scaleProcesses({ client, path: { uuid: name }, body: { [process]: count } })).data,
    onSuccess: (processes) => queries.setQueryData(processesQuery(name).queryKey, processes),
    // The form closes at once, and does not wait until all of the site is read anew.
    onSettled: () => {
      refreshSite(queries, name).catch(() => {});
    },
  });
}
