import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelRun, idempotencyKey, listRuns, type Run, type RunRequest, readRun, run } from 'simcha-client';
import type { Tone } from '../../../components/tone-badge.tsx';
import { client } from '../../../lib/api.ts';
import { REFRESH_MS, siteKey } from '../../sites/api/sites.ts';

/** Runs in the list: all, those that people started, or those of the schedules. */
export type RunFilter = 'all' | Run['kind'];

const PAGE_SIZE = 20;

export const isUnfinished = ({ status }: Run): boolean => status === 'waiting' || status === 'running';

const TONES: Readonly<Record<Run['status'], Tone>> = {
  waiting: 'wait',
  running: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  skipped: 'quiet',
};

export const toneOfRun = ({ status }: Run): Tone => TONES[status];

/** Milliseconds that a run took, or has taken until now; undefined if it did not start. */
export function runtimeOf({ started_at: from, ended_at: to }: Run, now = Date.now()): number | undefined {
  return from === null ? undefined : (to === null ? now : Date.parse(to)) - Date.parse(from);
}

const runsKey = (name: string) => [...siteKey(name), 'runs'] as const;

interface ListedRuns {
  filter: RunFilter;
  job: string | undefined;
}

/** Query for the runs of a site, newest first, a page at a time. */
export const runsQuery = (name: string, { filter, job }: ListedRuns) =>
  infiniteQueryOptions({
    queryKey: [...runsKey(name), 'list', filter, job],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page, signal }) => {
      const query = {
        page,
        limit: PAGE_SIZE,
        ...(filter !== 'all' && { kind: filter }),
        ...(job !== undefined && { job }),
      };
      return (await listRuns({ client, signal, path: { uuid: name }, query })).data;
    },
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ runs }) => runs.some(isUnfinished)) ? REFRESH_MS.busy : REFRESH_MS.calm,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

/** Query for the newest run of each of a site's jobs, by the job's name. */
export const lastRunsQuery = (name: string, jobs: readonly string[]) =>
  queryOptions<Readonly<Record<string, Run | undefined>>>({
    queryKey: [...runsKey(name), 'last', jobs],
    enabled: jobs.length > 0,
    refetchInterval: REFRESH_MS.calm,
    async queryFn({ signal }) {
      const newest = jobs.map(async (job) => {
        const { data } = await listRuns({ client, signal, path: { uuid: name }, query: { job, limit: 1 } });
        return [job, data.runs[0]] as const;
      });
      return Object.fromEntries(await Promise.all(newest));
    },
  });

export const runQuery = (name: string, id: string) =>
  queryOptions<Run>({
    queryKey: [...runsKey(name), id],
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? REFRESH_MS.busy : false),
    queryFn: async ({ signal }) => (await readRun({ client, signal, path: { uuid: name, run: id } })).data,
  });

/** Starts a command or a job. A request that is repeated with the same key starts nothing twice. */
export function useRun(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ key, ...body }: RunRequest & { key: string }): Promise<Run> => {
      const headers = { 'idempotency-key': key };
      return (await run({ client, path: { uuid: name }, body, headers })).data;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: runsKey(name) }),
  });
}

export function useCancelRun(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) =>
      (await cancelRun({ client, path: { uuid: name, run: id }, headers: idempotencyKey() })).data,
    onSettled: () => queries.invalidateQueries({ queryKey: runsKey(name) }),
  });
}
