import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../../kernel/clock.ts';
import { insertInto, upsertInto } from '../../../kernel/database/rows.ts';
import { newId } from '../../../kernel/identifiers.ts';
import type { Budgets } from '../../budgets/store.ts';
import { endLog } from '../../logs/store.ts';
import { storedJson } from '../../model/deployment-rows.ts';
import { PRODUCTION } from '../../model/environments.ts';
import type { LeaseFence } from '../../model/lease-fence.ts';
import type { CronJob, RunPlan } from '../../model/plan.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { isUnfinishedRun, type RunRow, type RunStatus } from '../../model/run-rows.ts';

/** Number of ended runs of commands that are kept for each environment. */
const MOST_KEPT = 200;

/** Scheduled job of a current release, and the time up to which its schedule has been evaluated. */
export interface ScheduledJob {
  job: CronJob;
  timeZone: string;
  /**
   * Time up to which the schedule has been evaluated, in milliseconds since 1970; undefined for a new job or schedule.
   */
  seenAt: number | undefined;
}

/** Result of evaluating the schedule of a job. */
export interface Evaluation {
  job: CronJob;
  timeZone: string;
  /** Time of the run that is due, in milliseconds since 1970; undefined if none is due. */
  due: number | undefined;
  /** True if the run was due too long ago to be started now. */
  missed: boolean;
  /** Time limit of the run, in seconds. */
  seconds: number;
}

export interface RunRecordsParts {
  db: Kysely<unknown>;
  fence: LeaseFence;
  budgets: Pick<Budgets, 'inTurn' | 'whyNoReplica'>;
}

/** Runs and the schedules of jobs, written by the lease holder. */
export class RunRecords {
  readonly #db: Kysely<unknown>;
  readonly #fence: LeaseFence;
  readonly #budgets: RunRecordsParts['budgets'];

  constructor({ db, fence, budgets }: RunRecordsParts) {
    this.#db = db;
    this.#fence = fence;
    this.#budgets = budgets;
  }

  /** Ends runs of earlier lease terms as failed, because nobody knows how they ended. */
  async failInterrupted(now: Temporal.Instant): Promise<void> {
    await this.#fence.write(async (transaction) => {
      const { rows } = await sql<Pick<RunRow, 'run_id'>>`
        update runs set status = 'failed', reason = ${storedJson(reason('server_ended'))}, ended_at = ${toTimestamp(now)}
        where status = 'running' and generation <> ${this.#fence.generation}
        returning run_id`.execute(transaction);
      for (const { run_id } of rows) await endLog(transaction, run_id);
    });
  }

  /** Records that the run of a command begins. Returns false if the run is no longer waiting to begin. */
  begin(runId: string, deploymentId: string, now: Temporal.Instant): Promise<boolean> {
    return this.#fence.write(async (transaction) => {
      const { numAffectedRows = 0n } = await sql`
        update runs set status = 'running', started_at = ${toTimestamp(now)}, generation = ${this.#fence.generation},
          deployment_uuid = (select deployment_uuid from deployments where deployment_uuid = ${deploymentId})
        where run_id = ${runId} and status = 'waiting'`.execute(transaction);
      return numAffectedRows > 0n;
    });
  }

  /** Records the end of a command's run and closes its log. Deletes the environment's oldest runs. */
  finish(
    { run_id: runId, environment_id: environmentId }: Pick<RunRow, 'run_id' | 'environment_id'>,
    status: RunStatus,
    why: Reason,
    now: Temporal.Instant,
  ): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update runs set status = ${status}, reason = ${storedJson(why)}, ended_at = ${toTimestamp(now)}
        where run_id = ${runId} and ${isUnfinishedRun}`.execute(transaction);
      await endLog(transaction, runId);
      await prune(transaction, environmentId);
    });
  }

  /** Environments that have a schedule, or had one. Jobs of previews do not run on schedule: production runs them. */
  async findScheduledEnvironments(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select sites.environment_id as id from sites
      join deployments on deployments.deployment_uuid = sites.deployment_uuid
      join releases on releases.release_id = deployments.release_id
      join environments on environments.environment_id = sites.environment_id
      where environments.name = ${PRODUCTION} and sites.state <> 'stopped' and jsonb_array_length(coalesce(releases.plan -> 'cron', '[]')) > 0
      union select environment_id from schedules`.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /**
   * Scheduled jobs of an environment; none if it is stopped. `areGone`: true if the database has schedules of jobs that
   * no longer exist.
   */
  async findJobs(environmentId: string): Promise<{ jobs: ScheduledJob[]; areGone: boolean }> {
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
      where environments.environment_id = ${environmentId}`.execute(this.#db);
    const { plan = null, time_zone: timeZone = '', seen = {} } = rows[0] ?? {};
    const jobs = (plan?.cron ?? []).map((job) => {
      const before = seen[job.name];
      const isSame = before?.schedule === job.schedule && before.time_zone === timeZone;
      return { job, timeZone, seenAt: isSame ? Date.parse(before.seen_at) : undefined };
    });
    const areGone = Object.keys(seen).some((name) => !jobs.some(({ job }) => job.name === name));
    return { jobs, areGone };
  }

  /**
   * Requests the runs that are due, each once however many evaluations found it, and deletes schedules of jobs that no
   * longer exist. Throws Cancelled if the environment is gone.
   */
  async noteEvaluations(
    environmentId: string,
    evaluations: readonly Evaluation[],
    now: Temporal.Instant,
  ): Promise<void> {
    const names = evaluations.map(({ job }) => job.name);
    const note = async (transaction: Kysely<unknown>) => {
      await sql`
        delete from schedules where environment_id = ${environmentId} and job <> all(${names}::text[])`.execute(
        transaction,
      );
      for (const one of evaluations) await this.#noteEvaluation(transaction, environmentId, one, now);
    };
    await this.#budgets.inTurn(this.#db, { environmentId }, (transaction) =>
      this.#fence.changeEnvironment(environmentId, note, transaction),
    );
  }

  async #noteEvaluation(
    transaction: Kysely<unknown>,
    environmentId: string,
    { job, timeZone, due, missed, seconds }: Evaluation,
    now: Temporal.Instant,
  ): Promise<void> {
    const { name, schedule, command } = job;
    const seenAt = await seenUntil(transaction, environmentId, { job, timeZone });
    // Another evaluation of the schedule has already covered the time up to now.
    if (seenAt >= now.epochMilliseconds) return;
    const key = { environment_id: environmentId, job: name };
    await upsertInto('schedules', key, { schedule, time_zone: timeZone, seen_at: now }).execute(transaction);
    if (due === undefined || seenAt >= due) return;
    const skipped = await this.#whySkipped(transaction, environmentId, { name, missed });
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

  async #whySkipped(
    transaction: Kysely<unknown>,
    environmentId: string,
    { name, missed }: { name: string; missed: boolean },
  ): Promise<Reason | undefined> {
    if (missed) return reason('missed');
    if (await hasUnfinishedRun(transaction, environmentId, name)) return reason('still_running');
    return this.#budgets.whyNoReplica(transaction, environmentId);
  }
}

/** Time until which a job's schedule has been evaluated, in milliseconds since 1970; -Infinity for a new job. */
async function seenUntil(
  transaction: Kysely<unknown>,
  environmentId: string,
  { job, timeZone }: Pick<ScheduledJob, 'job' | 'timeZone'>,
): Promise<number> {
  const { rows } = await sql<{ seen_at: Date }>`
    select seen_at from schedules where environment_id = ${environmentId} and job = ${job.name}
      and schedule = ${job.schedule} and time_zone = ${timeZone}`.execute(transaction);
  return rows[0]?.seen_at.getTime() ?? Number.NEGATIVE_INFINITY;
}

async function hasUnfinishedRun(
  transaction: Kysely<unknown>,
  environmentId: string,
  job: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from runs where environment_id = ${environmentId} and job = ${job} and ${isUnfinishedRun} limit 1`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Deletes all but the newest ended runs of an environment. */
async function prune(transaction: Kysely<unknown>, environmentId: string): Promise<void> {
  await sql`
    delete from runs where environment_id = ${environmentId} and not (${isUnfinishedRun}) and run_id < (
      select run_id from runs where environment_id = ${environmentId} and not (${isUnfinishedRun})
      order by run_id desc limit 1 offset ${sql.lit(MOST_KEPT - 1)})`.execute(transaction);
}
