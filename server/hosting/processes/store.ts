import { type Kysely, sql } from 'kysely';
import type { Admission } from '../budgets/budget.ts';
import type { SiteRow } from '../model/deployment-rows.ts';
import type { CronJob, RunPlan } from '../model/plan.ts';
import type { Reason } from '../model/reasons/reason.ts';
import { slotName, slotsOf } from '../model/slots.ts';
import type { Counts } from './fields.ts';

export const REPLICA_STATES = ['running', 'starting', 'down'] as const;

export interface Replica {
  number: number;
  state: (typeof REPLICA_STATES)[number];
  since: string | null;
  /** Number of times that the process ended by itself since its release went live. */
  restarts: number;
  /** Reason why the replica's process last ended; null unless the replica is down. */
  note: Reason | null;
}

/** Processes and jobs of a release, with their states. */
export interface ProcessState {
  processes: Process[];
  release: string | null;
  jobs: readonly CronJob[];
  isStopped: boolean;
}

export interface Process {
  name: string;
  command: string;
  wanted: number;
  replicas: Replica[];
}

/** Requested number of replicas of each process, before and after a change. */
export type ChangedCounts = Record<'before' | 'after', Record<string, number>>;

interface Row {
  requested: Record<string, number>;
  state: SiteRow['state'] | null;
  plan: RunPlan | null;
  instances: { process: string; numbers: number[]; state: string; started_at: string }[];
  replicas: { process: string; number: number; restarts: number; note: Reason | null; changed_at: string }[];
}

export type ProcessStore = ReturnType<typeof createProcessStore>;

/** Processes of an environment: the requested number of each, and their states. */
export function createProcessStore(db: Kysely<unknown>, budgets: Admission) {
  const rowOf = async (environmentId: string, through: Kysely<unknown>): Promise<Row | undefined> => {
    const { rows } = await sql<Row>`
      select environments.processes as requested, sites.state, releases.plan,
        coalesce((
          select jsonb_agg(jsonb_build_object(
            'process', process, 'numbers', numbers, 'state', instances.state, 'started_at', started_at))
          from instances where instances.environment_id = environments.environment_id
            and instances.deployment_uuid = sites.deployment_uuid and instances.state in ('starting', 'serving')
        ), '[]') as instances,
        coalesce((
          select jsonb_agg(to_jsonb(replicas)) from replicas
          where replicas.environment_id = environments.environment_id
        ), '[]') as replicas
      from environments
      left join sites on sites.environment_id = environments.environment_id
      left join deployments on deployments.deployment_uuid = sites.deployment_uuid
      left join releases on releases.release_id = deployments.release_id
      where environments.environment_id = ${environmentId}`.execute(through);
    return rows[0];
  };

  return {
    /**
     * State of the processes of an environment's live release; for a stopped site, of the release that would be live.
     * Undefined if the environment no longer exists.
     */
    async read(environmentId: string, through = db): Promise<ProcessState | undefined> {
      const row = await rowOf(environmentId, through);
      if (!row) return undefined;
      const { release = null, cron = [] } = row.plan ?? {};
      return { processes: processesOf(row), release, jobs: cron, isStopped: row.state === 'stopped' };
    },

    /** Names of an environment's processes: undefined before the first release, empty for a static site. */
    async names(environmentId: string): Promise<string[] | undefined> {
      const row = await rowOf(environmentId, db);
      return row?.plan ? Object.keys(row.plan.processes) : undefined;
    },

    /**
     * Changes the requested numbers of replicas, and returns those before and after. Throws OverBudget if they exceed
     * the owner's budget.
     */
    change(environmentId: string, counts: Counts, through: Kysely<unknown>): Promise<ChangedCounts> {
      const gone = Object.keys(counts).filter((name) => counts[name] === null);
      const set = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
      return budgets.admit(through, { environmentId }, async (transaction) => {
        const { rows } = await sql<ChangedCounts>`
          with former as (
            select environment_id, processes from environments where environment_id = ${environmentId} for update
          )
          update environments
          set processes = (environments.processes - ${gone}::text[]) || ${JSON.stringify(set)}::jsonb
          from former where former.environment_id = environments.environment_id
          returning former.processes as before, environments.processes as after`.execute(transaction);
        return rows[0] ?? { before: {}, after: {} };
      });
    },
  };
}

function processesOf({ plan, requested, state, instances, replicas }: Row): Process[] {
  const desiredByProcess = Map.groupBy(
    slotsOf({ plan, requested, state: state ?? 'stopped' }),
    ({ process }) => process,
  );
  const bySlot = <T extends { process: string; number: number }>(all: readonly T[]) =>
    new Map(all.map((one) => [slotName(one), one]));
  const each = instances.flatMap(({ numbers, ...one }) => numbers.map((number) => ({ ...one, number })));
  const running = bySlot(each.filter((one) => one.state === 'serving'));
  const starting = bySlot(each.filter((one) => one.state === 'starting'));
  const known = bySlot(replicas);
  return Object.entries(plan?.processes ?? {}).map(([name, command]) => ({
    name,
    command,
    wanted: requested[name] ?? 1,
    replicas: (desiredByProcess.get(name) ?? []).map((slot) => {
      const at = slotName(slot);
      const { restarts = 0, note = null, changed_at } = known.get(at) ?? {};
      const up = running.get(at);
      if (up) return { number: slot.number, state: 'running', since: up.started_at, restarts, note: null };
      const isDown = note !== null && !starting.has(at);
      const since = (isDown ? changed_at : starting.get(at)?.started_at) ?? null;
      return {
        number: slot.number,
        state: isDown ? 'down' : 'starting',
        since,
        restarts,
        note: isDown ? note : null,
      };
    }),
  }));
}
