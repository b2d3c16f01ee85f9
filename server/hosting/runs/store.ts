import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { onlyNamed } from '../../kernel/http/named.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission } from '../budgets/budget.ts';
import { endLog } from '../logs/store.ts';
import { lockEnvironment, onlyRow, storedJson } from '../model/deployment-rows.ts';
import type { RunPlan } from '../model/plan.ts';
import { reason } from '../model/reasons/reason.ts';
import { isUnfinishedRun, type RunKind, type RunRow, type RunStatus, runColumns } from '../model/run-rows.ts';
import { messages } from './messages.ts';

/** Limit for one application's unfinished runs that people started. */
const MOST_UNFINISHED = 10;
/** First or last digits of a run's id. */
const PART_OF_ID = /^[0-9a-f-]{4,36}$/i;
/** Maximum number of runs that are read for one part of an id. */
const MOST_FITTING = 5;

export interface RunRequest {
  command: string | null;
  job: string | null;
  seconds: number;
}

export interface Filter {
  kind: RunKind | undefined;
  job: string | undefined;
  status: RunStatus | undefined;
}

export interface OwnedRun extends RunRow {
  owner_id: string;
}

/** Runs of an environment: requested, running and finished. Throws Cancelled if the environment no longer exists. */
export class RunStore {
  readonly #db: Kysely<unknown>;
  readonly #budgets: Admission;

  constructor(db: Kysely<unknown>, budgets: Admission) {
    this.#db = db;
    this.#budgets = budgets;
  }

  /**
   * Requests a run. Throws Refusal if the environment has no release, if the job does not exist, or if there are too
   * many unfinished runs. Throws OverBudget if the run would exceed the owner's budget.
   */
  request(
    environmentId: string,
    { command, job, seconds }: RunRequest,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<RunRow> {
    const ask = async (transaction: Kysely<unknown>): Promise<RunRow> => {
      const { plan, unfinished } = await readRunState(transaction, environmentId);
      if (!plan) throw new Refusal(409, 'no_release', messages.noRelease);
      // Static sites keep no folder in which a command could run.
      if (Object.keys(plan.processes).length === 0) throw new Refusal(409, 'only_files', messages.onlyFiles);
      const jobs = plan.cron ?? [];
      const namedJob = job === null ? undefined : jobs.find(({ name }) => name === job);
      if (job !== null && !namedJob) {
        const names = jobs.map(({ name }) => name);
        throw new Refusal(404, 'not_found', messages.noSuchJob(names));
      }
      if (unfinished >= MOST_UNFINISHED)
        throw new Refusal(409, 'too_many_runs', messages.tooMany(MOST_UNFINISHED));
      const { rows } = await sql<RunRow>`
        ${insertInto('runs', {
          run_id: newId(),
          environment_id: environmentId,
          kind: 'once',
          job,
          command: namedJob?.command ?? command,
          seconds,
          status: 'waiting',
          asked_at: now,
        })}
        returning ${runColumns}`.execute(transaction);
      return onlyRow(rows);
    };
    return this.#budgets.admit(through, { environmentId }, (transaction) =>
      lockEnvironment(transaction, environmentId, ask),
    );
  }

  /** A page of an environment's runs of commands, newest first, and their total number. */
  async list(
    environmentId: string,
    { kind, job, status }: Filter,
    page: { limit: number; offset: bigint },
  ): Promise<{ runs: RunRow[]; total: number }> {
    const from = sql`
      runs where environment_id = ${environmentId}
        ${kind ? sql`and kind = ${kind}` : sql``}
        ${job === undefined ? sql`` : sql`and job = ${job}`}
        ${status ? sql`and status = ${status}` : sql``}`;
    const source = { columns: runColumns, from, order: sql`run_id desc` };
    const { rows, total } = await pageOfRows<RunRow>(this.#db, source, page);
    return { runs: rows, total };
  }

  async find(environmentId: string, runId: string): Promise<RunRow | undefined> {
    const { rows } = await sql<RunRow>`
      select ${runColumns} from runs where run_id = ${runId} and environment_id = ${environmentId}`.execute(
      this.#db,
    );
    return rows[0];
  }

  /**
   * Finds a run of an environment by its id, by the first or last digits of its id, or the newest one as `latest`.
   * Throws a 404 if the digits are those of several runs.
   */
  async findNamed(environmentId: string, named: string): Promise<RunRow | undefined> {
    if (isUuid(named)) return this.find(environmentId, named);
    const isLatest = named === 'latest';
    if (!isLatest && !PART_OF_ID.test(named)) return undefined;
    const part = named.toLowerCase();
    const fits = isLatest
      ? sql`true`
      : sql`(starts_with(run_id::text, ${part}) or right(run_id::text, ${part.length}) = ${part})`;
    const { rows } = await sql<RunRow>`
      select ${runColumns} from runs where environment_id = ${environmentId} and ${fits}
      order by run_id desc limit ${isLatest ? 1 : MOST_FITTING}`.execute(this.#db);
    return onlyNamed(rows, ({ run_id }) => run_id);
  }

  /**
   * Cancels a waiting run at once, and requests the end of a running one. Throws Refusal if it has ended or does not
   * exist.
   */
  cancel(
    environmentId: string,
    runId: string,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<RunRow> {
    return lockEnvironment(through, environmentId, async (transaction) => {
      const { rows } = await sql<RunRow>`
        update runs set cancel_requested = true,
          status = case when status = 'waiting' then 'cancelled' else status end,
          reason = case when status = 'waiting' then ${storedJson(reason('run_cancelled'))} else reason end,
          ended_at = case when status = 'waiting' then ${toTimestamp(now)}::timestamptz else ended_at end
        where run_id = ${runId} and environment_id = ${environmentId} and ${isUnfinishedRun}
        returning ${runColumns}`.execute(transaction);
      const [row] = rows;
      if (row?.ended_at) await endLog(transaction, runId);
      if (row) return row;
      const { rows: ended } = await sql<Pick<RunRow, 'status'>>`
        select status from runs where run_id = ${runId} and environment_id = ${environmentId}`.execute(
        transaction,
      );
      if (!ended[0]) throw noSuchRun();
      throw new Refusal(409, 'finished', messages.finished(ended[0].status));
    });
  }

  /** Unfinished runs of an environment, the oldest first. */
  async unfinished(environmentId: string): Promise<OwnedRun[]> {
    const { rows } = await sql<OwnedRun>`
      select ${runColumns}, (select owner_id from applications join environments using (application_uuid)
        where environments.environment_id = runs.environment_id) as owner_id
      from runs
      where environment_id = ${environmentId} and ${isUnfinishedRun} order by run_id`.execute(this.#db);
    return rows;
  }
}

/** Plan of the current release, and the number of unfinished runs that were started by hand. */
async function readRunState(
  transaction: Kysely<unknown>,
  environmentId: string,
): Promise<{ plan: RunPlan | null; unfinished: number }> {
  const { rows } = await sql<{ plan: RunPlan | null; unfinished: number }>`
    select
      (select releases.plan from sites
        join deployments on deployments.deployment_uuid = sites.deployment_uuid
        join releases on releases.release_id = deployments.release_id
        where sites.environment_id = ${environmentId}) as plan,
      (select count(*)::integer from runs
        where environment_id = ${environmentId} and kind = 'once' and ${isUnfinishedRun}) as unfinished`.execute(
    transaction,
  );
  return onlyRow(rows);
}

export function noSuchRun(): Refusal {
  return new Refusal(404, 'not_found', messages.noSuchRun);
}
