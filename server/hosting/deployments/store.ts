import { type Kysely, sql } from 'kysely';
import { timestamp } from '../../kernel/clock.ts';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { insertInto, putInto } from '../../kernel/database/rows.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Reason, reason, say } from '../reasons/reason.ts';
import type { Artifact } from '../runtimes/runtime.ts';
import { type Action, isFinal, MOST_ATTEMPTS, type Status, UNFINISHED } from './lifecycle.ts';
import { messages } from './messages.ts';

export interface DeploymentRow {
  deployment_uuid: string;
  application_uuid: string;
  action: Action;
  status: Status;
  release_id: string | null;
  commit_hash: string | null;
  commit_message: string | null;
  reason: Reason | null;
  attempts: number;
  cancel_requested: boolean;
  history: { status: Status; at: string }[];
  /** It is the one that serves now, or would if the site were not stopped. */
  is_current: boolean;
}

export interface Release {
  release_id: string;
  application_uuid: string;
  commit_hash: string;
  commit_message: string;
  artifact: Artifact;
}

export interface SiteRow {
  application_uuid: string;
  deployment_uuid: string;
  variables_sealed: string;
  state: 'live' | 'stopped' | 'down';
  restarts: number;
  note: Reason | null;
  subdomain: string;
}

/** A deployment that is not wanted any more, while it was worked on. */
export class Cancelled extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(say(reason, 'en'));
    this.reason = reason;
  }
}

type Transaction = Kysely<unknown>;
/** Makes the job that works an application's deployments, in the transaction that asks for one. */
export type Enqueue = (transaction: Transaction, applicationId: string) => Promise<void>;

const deploymentColumns = sql`
  deployments.deployment_uuid, deployments.application_uuid, deployments.action, deployments.status,
  deployments.release_id, deployments.commit_hash, deployments.commit_message, deployments.reason,
  deployments.attempts, deployments.cancel_requested, deployments.history,
  exists (select from sites where sites.deployment_uuid = deployments.deployment_uuid) as is_current`;
const releaseColumns = sql`
  releases.release_id, releases.application_uuid, releases.commit_hash, releases.commit_message, releases.artifact`;
const siteQuery = sql`
  select sites.*, applications.subdomain
  from sites join applications on applications.application_uuid = sites.application_uuid`;
const unfinished = sql.join(UNFINISHED.map((status) => sql.lit(status)));

export type DeploymentStore = ReturnType<typeof createDeploymentStore>;

/**
 * Deployments, releases and what each site runs. Each change is one transaction, or a part of `through`, that holds
 * the application's row. `serverId` is the server's own, the same in each of its lives.
 */
export function createDeploymentStore(db: Kysely<unknown>, serverId: string) {
  const inTurn = <T>(
    applicationId: string,
    work: (transaction: Transaction) => Promise<T>,
    through: Kysely<unknown> = db,
  ) =>
    inTransaction(through, async (transaction) => {
      const { rows } = await sql`
        select from applications where application_uuid = ${applicationId} for update`.execute(transaction);
      if (rows.length === 0) throw new Cancelled(reason('application_gone'));
      const result = await work(transaction);
      await refreshStatus(transaction, applicationId);
      return result;
    });

  return {
    /**
     * Asks for a deployment. One that still waits is superseded, unless it will do what is asked anyway: whatever
     * goes live next has the newest variables. Throws a Refusal when there is nothing to restart or to go back to.
     */
    request(
      applicationId: string,
      asked: { action: Action; target?: string },
      now: Temporal.Instant,
      enqueue: Enqueue,
      through?: Kysely<unknown>,
    ): Promise<{ deployment: DeploymentRow; superseded: string[] }> {
      const ask = async (transaction: Transaction) => {
        const release = await releaseFor(transaction, applicationId, asked);
        const { rows: waiting } = await sql<DeploymentRow>`
          select ${deploymentColumns} from deployments
          where application_uuid = ${applicationId} and status = 'queued'`.execute(transaction);
        if (waiting[0] && (asked.action === 'restart' || asked.action === 'start')) {
          return { deployment: waiting[0], superseded: [] };
        }
        const { rows: superseded } = await end(
          transaction,
          sql`application_uuid = ${applicationId} and status = 'queued'`,
          'superseded',
          reason('superseded'),
          now,
        );
        const { rows } = await sql<DeploymentRow>`
          ${insertInto('deployments', {
            deployment_uuid: newId(),
            application_uuid: applicationId,
            action: asked.action,
            status: 'queued',
            release_id: release?.release_id ?? null,
            commit_hash: release?.commit_hash ?? null,
            commit_message: release?.commit_message ?? null,
            history: history('queued', now),
          })}
          returning ${deploymentColumns}`.execute(transaction);
        await enqueue(transaction, applicationId);
        return { deployment: one(rows), superseded: superseded.map((row) => row.deployment_uuid) };
      };
      return inTurn(applicationId, ask, through);
    },

    /** A page of an application's deployments, newest first, and how many there are. */
    async list(
      applicationId: string,
      page: { limit: number; offset: bigint },
    ): Promise<{ deployments: DeploymentRow[]; total: number }> {
      const from = sql`deployments where application_uuid = ${applicationId}`;
      const source = { columns: deploymentColumns, from, order: sql`deployment_uuid desc` };
      const { rows, total } = await pageOfRows<DeploymentRow>(db, source, page);
      return { deployments: rows, total };
    },

    async find(applicationId: string, deploymentId: string): Promise<DeploymentRow | undefined> {
      const { rows } = await sql<DeploymentRow>`
        select ${deploymentColumns} from deployments
        where deployment_uuid = ${deploymentId} and application_uuid = ${applicationId}`.execute(db);
      return rows[0];
    },

    /**
     * The deployment of the application to work on now, its attempt counted: the newest unfinished one. Older ones,
     * which a crash left unfinished, end as superseded; so does nothing else here.
     */
    claim(
      applicationId: string,
      now: Temporal.Instant,
    ): Promise<{ claimed: DeploymentRow | undefined; ended: string[] }> {
      return inTurn(applicationId, async (transaction) => {
        const { rows } = await sql<DeploymentRow>`
          select ${deploymentColumns} from deployments
          where application_uuid = ${applicationId} and status in (${unfinished})
            and (worked_by is null or worked_by = ${serverId})
          order by deployment_uuid desc`.execute(transaction);
        const [newest, ...older] = rows;
        const ended: string[] = [];
        const endOne = async (row: DeploymentRow, status: Status, why: Reason) => {
          await end(transaction, sql`deployment_uuid = ${row.deployment_uuid}`, status, why, now);
          ended.push(row.deployment_uuid);
        };
        for (const row of older) await endOne(row, 'superseded', reason('superseded'));
        if (!newest) return { claimed: undefined, ended };
        if (newest.cancel_requested) await endOne(newest, 'cancelled', reason('cancelled'));
        else if (newest.attempts >= MOST_ATTEMPTS)
          await endOne(newest, 'failed', reason('too_many_attempts'));
        else {
          const status = newest.action === 'deploy' ? 'building' : 'starting';
          const { rows: claimed } = await sql<DeploymentRow>`
            update deployments set status = ${status}, attempts = attempts + 1,
              worked_by = ${serverId},
              history = history || ${history(status, now)}
            where deployment_uuid = ${newest.deployment_uuid}
            returning ${deploymentColumns}`.execute(transaction);
          return { claimed: claimed[0], ended };
        }
        return { claimed: undefined, ended };
      });
    },

    async noteCommit(deploymentId: string, commit: { hash: string; message: string }): Promise<void> {
      await sql`
        update deployments set commit_hash = ${commit.hash}, commit_message = ${commit.message}
        where deployment_uuid = ${deploymentId}`.execute(db);
    },

    /** From building to starting, with the release it has. Throws Cancelled when it is not wanted any more. */
    async moveToStarting(row: DeploymentRow, releaseId: string, now: Temporal.Instant): Promise<void> {
      const { rows } = await sql`
        update deployments set status = 'starting', release_id = ${releaseId},
          history = history || ${history('starting', now)}
        where deployment_uuid = ${row.deployment_uuid} and status = 'building' and not cancel_requested
        returning deployment_uuid`.execute(db);
      if (rows.length === 0) throw new Cancelled(reason('cancelled'));
    },

    /** The deployment is live, and the site's from now on. Throws Cancelled when it is not wanted any more. */
    goLive(row: DeploymentRow, variablesSealed: string, now: Temporal.Instant): Promise<void> {
      return inTurn(row.application_uuid, async (transaction) => {
        const { rows } = await sql`
          update deployments set status = 'live', history = history || ${history('live', now)}
          where deployment_uuid = ${row.deployment_uuid} and status = 'starting' and not cancel_requested
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) throw new Cancelled(reason('cancelled'));
        const key = { application_uuid: row.application_uuid };
        await putInto('sites', key, {
          deployment_uuid: row.deployment_uuid,
          served_by: serverId,
          variables_sealed: variablesSealed,
          state: 'live',
          restarts: 0,
          note: null,
          changed_at: now,
        }).execute(transaction);
        await sql`
          update applications set deployed_at = ${timestamp(now)}
          where application_uuid = ${row.application_uuid}`.execute(transaction);
      });
    },

    /** A deployment that did not go live. */
    finish(
      row: DeploymentRow,
      status: 'failed' | 'cancelled' | 'superseded',
      why: Reason,
      now: Temporal.Instant,
    ): Promise<void> {
      return inTurn(row.application_uuid, async (transaction) => {
        const condition = sql`deployment_uuid = ${row.deployment_uuid} and status in (${unfinished})`;
        await end(transaction, condition, status, why, now);
      });
    },

    /** Ends one that waits; one that is worked on is asked to end. undefined when there is no such deployment. */
    cancel(
      applicationId: string,
      deploymentId: string,
      now: Temporal.Instant,
      through: Kysely<unknown>,
    ): Promise<DeploymentRow | undefined> {
      const cancelIt = async (transaction: Transaction) => {
        const condition = sql`deployment_uuid = ${deploymentId} and application_uuid = ${applicationId}`;
        const { rows } = await sql<{ status: Status }>`
          select status from deployments where ${condition}`.execute(transaction);
        const [before] = rows;
        if (before && isFinal(before.status)) {
          throw new Refusal(409, 'finished', messages.finished(before.status));
        }
        return cancelWhere(transaction, condition, now);
      };
      return inTurn(applicationId, cancelIt, through);
    },

    /** The site is not to run any more, and neither is anything that would start it. Gives what was asked to end. */
    stop(applicationId: string, now: Temporal.Instant, through: Kysely<unknown>): Promise<DeploymentRow[]> {
      const stopIt = async (transaction: Transaction) => {
        const { rows } = await sql`
          update sites set state = 'stopped', note = ${stored(reason('site_stopped'))}, changed_at = ${timestamp(now)}
          where application_uuid = ${applicationId} returning application_uuid`.execute(transaction);
        const { rows: open } = await sql<{ deployment_uuid: string }>`
          select deployment_uuid from deployments
          where application_uuid = ${applicationId} and status in (${unfinished})`.execute(transaction);
        if (rows.length === 0 && open.length === 0)
          throw new Refusal(409, 'not_running', messages.notRunning);
        const ended: DeploymentRow[] = [];
        for (const { deployment_uuid: id } of open) {
          const row = await cancelWhere(transaction, sql`deployment_uuid = ${id}`, now);
          if (row) ended.push(row);
        }
        return ended;
      };
      return inTurn(applicationId, stopIt, through);
    },

    /** Those this server runs. */
    async sites(): Promise<SiteRow[]> {
      return (
        await sql<SiteRow>`${siteQuery} where sites.served_by = ${serverId} order by sites.application_uuid`.execute(
          db,
        )
      ).rows;
    },

    async site(applicationId: string): Promise<SiteRow | undefined> {
      const { rows } = await sql<SiteRow>`
        ${siteQuery} where sites.application_uuid = ${applicationId}`.execute(db);
      return rows[0];
    },

    /** What became of a running site by itself. False when it is stopped, or another deployment's by now. */
    noteSite(
      { application_uuid: applicationId, deployment_uuid: deploymentId }: SiteRow,
      { state, note, ended }: { state: 'live' | 'down'; note: Reason | null; ended: boolean },
      now: Temporal.Instant,
    ): Promise<boolean> {
      return inTurn(applicationId, async (transaction) => {
        const { rows } = await sql`
          update sites set state = ${state}, note = ${note && stored(note)}, changed_at = ${timestamp(now)},
            restarts = restarts + ${ended ? 1 : 0}
          where application_uuid = ${applicationId} and deployment_uuid = ${deploymentId} and state <> 'stopped'
          returning application_uuid`.execute(transaction);
        return rows.length > 0;
      });
    },

    async release(deploymentId: string): Promise<Release | undefined> {
      const { rows } = await sql<Release>`
        select ${releaseColumns} from releases
        join deployments on deployments.release_id = releases.release_id
        where deployments.deployment_uuid = ${deploymentId}`.execute(db);
      return rows[0];
    },

    /** The newest release made of exactly the same. */
    async sameRelease(applicationId: string, fingerprint: Buffer): Promise<Release | undefined> {
      const { rows } = await sql<Release>`
        select ${releaseColumns} from releases
        where application_uuid = ${applicationId} and fingerprint = ${fingerprint}
        order by release_id desc limit 1`.execute(db);
      return rows[0];
    },

    async addRelease(release: Release, fingerprint: Buffer, now: Temporal.Instant): Promise<void> {
      const { release_id, artifact, ...rest } = release;
      const row = { ...rest, artifact: JSON.stringify(artifact), fingerprint, built_at: now };
      await putInto('releases', { release_id }, row).execute(db);
    },

    /** Forgets all but the newest releases, what the site runs, and what a waiting deployment needs; gives those kept. */
    pruneReleases(applicationId: string, most: number): Promise<Set<string>> {
      return inTurn(applicationId, async (transaction) => {
        await sql`
          delete from releases where application_uuid = ${applicationId} and release_id not in (
            (select release_id from releases where application_uuid = ${applicationId}
             order by release_id desc limit ${most})
            union
            select release_id from deployments where application_uuid = ${applicationId} and release_id is not null
              and (status in (${unfinished}) or deployment_uuid in (select deployment_uuid from sites))
          )`.execute(transaction);
        const kept = await sql<{ release_id: string }>`
          select release_id from releases where application_uuid = ${applicationId}`.execute(transaction);
        return new Set(kept.rows.map((row) => row.release_id));
      });
    },

    /** Forgets all but the newest deployments, and their logs with them. */
    async pruneDeployments(applicationId: string, most: number): Promise<void> {
      await sql`
        delete from deployments where application_uuid = ${applicationId} and status not in (${unfinished})
          and deployment_uuid not in (select deployment_uuid from sites)
          and deployment_uuid < (
            select deployment_uuid from deployments where application_uuid = ${applicationId}
            order by deployment_uuid desc limit 1 offset ${most - 1})`.execute(db);
    },

    /** Every application there is, and those with a deployment that has not ended. */
    async applications(): Promise<{ all: Set<string>; unfinished: string[] }> {
      const { rows } = await sql<{ application_uuid: string; open: boolean }>`
        select application_uuid, exists (
          select from deployments where deployments.application_uuid = applications.application_uuid
            and status in (${unfinished})) as open
        from applications`.execute(db);
      return {
        all: new Set(rows.map((row) => row.application_uuid)),
        unfinished: rows.filter((row) => row.open).map((row) => row.application_uuid),
      };
    },
  };
}

/** The application's own status follows from its site and its deployments. */
async function refreshStatus(transaction: Transaction, applicationId: string): Promise<void> {
  await sql`
    update applications set status = derived.status
    from (
      select case
        when exists (select from deployments where application_uuid = ${applicationId} and status in (${unfinished}))
          then 'deploying'
        else coalesce(
          (select state from sites where application_uuid = ${applicationId}),
          case when exists (
            select from deployments where application_uuid = ${applicationId} and status = 'failed'
          ) then 'failed' else 'created' end)
        end as status
    ) derived
    where application_uuid = ${applicationId} and applications.status <> derived.status`.execute(transaction);
}

/** The release a rollback, a restart or a start is about; none for a deploy, which makes its own. */
async function releaseFor(
  transaction: Transaction,
  applicationId: string,
  { action, target }: { action: Action; target?: string },
): Promise<Release | undefined> {
  if (action === 'deploy') return undefined;
  if (action === 'rollback') {
    const { rows } = await sql<Release & { found: boolean }>`
      select ${releaseColumns} from deployments left join releases on releases.release_id = deployments.release_id
      where deployments.deployment_uuid = ${target} and deployments.application_uuid = ${applicationId}`.execute(
      transaction,
    );
    if (!rows[0]) throw new Refusal(404, 'not_found', messages.noSuchDeployment);
    if (!rows[0].release_id) throw new Refusal(409, 'no_release', messages.cantRollBack);
    return rows[0];
  }
  const { rows } = await sql<Release & { state: SiteRow['state'] }>`
    select ${releaseColumns}, sites.state from sites
    join deployments on deployments.deployment_uuid = sites.deployment_uuid
    join releases on releases.release_id = deployments.release_id
    where sites.application_uuid = ${applicationId}`.execute(transaction);
  const [current] = rows;
  if (!current) throw new Refusal(409, 'no_release', messages.noRelease);
  if (action === 'restart' && current.state === 'stopped') {
    throw new Refusal(409, 'not_running', messages.notRunning);
  }
  if (action === 'start' && current.state === 'live') {
    throw new Refusal(409, 'already_running', messages.alreadyRunning);
  }
  return current;
}

async function cancelWhere(
  transaction: Transaction,
  condition: ReturnType<typeof sql>,
  now: Temporal.Instant,
): Promise<DeploymentRow | undefined> {
  await end(transaction, sql`${condition} and status = 'queued'`, 'cancelled', reason('cancelled'), now);
  await sql`
    update deployments set cancel_requested = true
    where ${condition} and status in (${unfinished})`.execute(transaction);
  const { rows } = await sql<DeploymentRow>`
    select ${deploymentColumns} from deployments where ${condition}`.execute(transaction);
  return rows[0];
}

function end(
  transaction: Transaction,
  condition: ReturnType<typeof sql>,
  status: Status,
  why: Reason,
  now: Temporal.Instant,
) {
  return sql<{ deployment_uuid: string }>`
    update deployments set status = ${status}, reason = ${stored(why)}, history = history || ${history(status, now)}
    where ${condition} returning deployment_uuid`.execute(transaction);
}

function history(status: Status, now: Temporal.Instant) {
  return sql`${JSON.stringify([{ status, at: timestamp(now) }])}::jsonb`;
}

function stored(why: Reason) {
  return sql`${JSON.stringify(why)}::jsonb`;
}

function one<T>(rows: readonly T[]): T {
  if (rows[0] === undefined) throw new Error('insert returned no row');
  return rows[0];
}
