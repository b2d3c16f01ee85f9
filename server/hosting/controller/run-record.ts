import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto, upsertInto } from '../../kernel/database/rows.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { Budgets } from '../budgets/store.ts';
import { endLog } from '../logs/store.ts';
import { storedJson } from '../model/deployment-rows.ts';
import { PRODUCTION } from '../model/environments.ts';
import { createFencedWrites } from '../model/lease-fence.ts';
import type { CronJob, RunPlan } from '../model/plan.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { isUnfinishedRun, type RunRow, type RunStatus } from '../model/run-rows.ts';

/** Of each environment's that have ended. */
const MOST_KEPT = 200;

/** A job of a release that is current, and up to when its times are dealt with. */
export interface Due {
  job: CronJob;
  timeZone: string;
  /** Milliseconds since 1970; undefined for one that is seen for the first time. */
  seenAt: number | undefined;
}

/** What a schedule's time comes to. */
export interface Time {
  job: CronJob;
  timeZone: string;
  /** Milliseconds since 1970; undefined where no time came. */
  due: number | undefined;
  /** Too long ago to be made up for. */
  missed: boolean;
  seconds: number;
}

export type RunRecord = ReturnType<typeof createRunRecord>;

/** What becomes of runs, written down by the holder of the lease alone (fleet/lease.ts). */
export function createRunRecord(
  db: Kysely<unknown>,
  generation: number,
  budgets: Pick<Budgets, 'inTurn' | 'whyNoReplica'>,
) {
  const { writeFenced: holding } = createFencedWrites(db, generation);

  return {
    /** What an earlier holder was at, which nobody can tell the end of. */
    async takeOver(now: Temporal.Instant): Promise<void> {
      await holding(async (transaction) => {
        const { rows } = await sql<Pick<RunRow, 'run_id'>>`
          update runs set status = 'failed', reason = ${storedJson(reason('server_ended'))}, ended_at = ${toTimestamp(now)}
          where status = 'running' and generation <> ${generation}
          returning run_id`.execute(transaction);
        for (const { run_id } of rows) await endLog(transaction, run_id);
      });
    },

    /** False for one that does not wait any more. */
    begin(runId: string, deploymentId: string, now: Temporal.Instant): Promise<boolean> {
      return holding(async (transaction) => {
        const { numAffectedRows = 0n } = await sql`
          update runs set status = 'running', started_at = ${toTimestamp(now)}, generation = ${generation},
            deployment_uuid = (select deployment_uuid from deployments where deployment_uuid = ${deploymentId})
          where run_id = ${runId} and status = 'waiting'`.execute(transaction);
        return numAffectedRows > 0n;
      });
    },

    /** Its end, and that of its log. Forgets the oldest of the environment's. */
    finish(
      { run_id: runId, environment_id: environmentId }: Pick<RunRow, 'run_id' | 'environment_id'>,
      status: RunStatus,
      why: Reason,
      now: Temporal.Instant,
    ): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update runs set status = ${status}, reason = ${storedJson(why)}, ended_at = ${toTimestamp(now)}
          where run_id = ${runId} and ${isUnfinishedRun}`.execute(transaction);
        await endLog(transaction, runId);
        await prune(transaction, environmentId);
      });
    },

    /** The environments that have a schedule, or had one. What a preview would do at its times, production does. */
    async scheduled(): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select sites.environment_id as id from sites
        join deployments on deployments.deployment_uuid = sites.deployment_uuid
        join releases on releases.release_id = deployments.release_id
        join environments on environments.environment_id = sites.environment_id
        where environments.name = ${PRODUCTION} and sites.state <> 'stopped' and jsonb_array_length(coalesce(releases.plan -> 'cron', '[]')) > 0
        union select environment_id from schedules`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** The jobs of an environment, none of one that is stopped; `areGone`: there are schedules of others. */
    async jobs(environmentId: string): Promise<{ jobs: Due[]; areGone: boolean }> {
      const { rows } = await sql<{
        plan: RunPlan | null;
        time_zone: string;
        seen: Record<string, { schedule: string; time_zone: string; seen_at: string }>;
      }>`
        select standing.plan, applications.time_zone, coalesce((
          select jsonb_object_agg(job, to_jsonb(schedules)) from schedules
          where schedules.environment_id = environments.environment_id), '{}') as seen
        from environments
        join applications on applications.application_uuid = environments.application_uuid
        left join lateral (
          select releases.plan from sites
          join deployments on deployments.deployment_uuid = sites.deployment_uuid
          join releases on releases.release_id = deployments.release_id
          where sites.environment_id = environments.environment_id and environments.name = ${PRODUCTION}
            and sites.state <> 'stopped'
        ) standing on true
        where environments.environment_id = ${environmentId}`.execute(db);
      const { plan = null, time_zone: timeZone = '', seen = {} } = rows[0] ?? {};
      const jobs = (plan?.cron ?? []).map((job) => {
        const before = seen[job.name];
        const isSame = before?.schedule === job.schedule && before.time_zone === timeZone;
        return { job, timeZone, seenAt: isSame ? Date.parse(before.seen_at) : undefined };
      });
      const areGone = Object.keys(seen).some((name) => !jobs.some(({ job }) => job.name === name));
      return { jobs, areGone };
    },

    /**
     * Asks for the runs whose time has come, each time once however many looks saw it, and forgets schedules that are not there
     * any more. Throws Cancelled when the environment is gone.
     */
    async noteTimes(environmentId: string, times: readonly Time[], now: Temporal.Instant): Promise<void> {
      const names = times.map(({ job }) => job.name);
      const note = async (transaction: Kysely<unknown>) => {
        await sql`
          delete from schedules where environment_id = ${environmentId} and job <> all(${names}::text[])`.execute(
          transaction,
        );
        for (const { job, timeZone, due, missed, seconds } of times) {
          const { name, schedule, command } = job;
          const key = { environment_id: environmentId, job: name };
          const seenAt = await seenBy(transaction, environmentId, { job, timeZone });
          // Another look was quicker, and saw no less.
          if (seenAt >= now.epochMilliseconds) continue;
          const seen = { schedule, time_zone: timeZone, seen_at: now };
          await upsertInto('schedules', key, seen).execute(transaction);
          if (due === undefined || seenAt >= due) continue;
          const overlaps = await isAtWork(transaction, environmentId, name);
          const skipped = missed
            ? reason('missed')
            : overlaps
              ? reason('still_running')
              : await budgets.whyNoReplica(transaction, environmentId);
          await insertInto('runs', {
            run_id: newId(),
            environment_id: environmentId,
            kind: 'cron',
            job: name,
            command,
            seconds,
            status: skipped ? 'skipped' : 'waiting',
            reason: skipped ? storedJson(skipped) : null,
            due_at: new Date(due).toISOString(),
            asked_at: now,
            ended_at: skipped ? now : null,
          }).execute(transaction);
          if (skipped) await prune(transaction, environmentId);
        }
      };
      await budgets.inTurn(db, { environmentId }, (transaction) =>
        createFencedWrites(transaction, generation).changeEnvironment(environmentId, note),
      );
    },
  };
}

/** Up to when a job's times are dealt with by now, in milliseconds since 1970; -Infinity for one that is new. */
async function seenBy(
  transaction: Kysely<unknown>,
  environmentId: string,
  { job, timeZone }: Pick<Due, 'job' | 'timeZone'>,
): Promise<number> {
  const { rows } = await sql<{ seen_at: Date }>`
    select seen_at from schedules where environment_id = ${environmentId} and job = ${job.name}
      and schedule = ${job.schedule} and time_zone = ${timeZone}`.execute(transaction);
  return rows[0]?.seen_at.getTime() ?? Number.NEGATIVE_INFINITY;
}

async function isAtWork(transaction: Kysely<unknown>, environmentId: string, job: string): Promise<boolean> {
  const { rows } = await sql`
    select from runs where environment_id = ${environmentId} and job = ${job} and ${isUnfinishedRun} limit 1`.execute(
    transaction,
  );
  return rows.length > 0;
}

async function prune(transaction: Kysely<unknown>, environmentId: string): Promise<void> {
  await sql`
    delete from runs where environment_id = ${environmentId} and not (${isUnfinishedRun}) and run_id < (
      select run_id from runs where environment_id = ${environmentId} and not (${isUnfinishedRun})
      order by run_id desc limit 1 offset ${sql.lit(MOST_KEPT - 1)})`.execute(transaction);
}
