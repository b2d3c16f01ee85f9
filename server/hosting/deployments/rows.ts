import { type Kysely, type RawBuilder, sql } from 'kysely';
import { timestamp } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import type { Artifact } from '../builds/builder.ts';
import { endLog } from '../logs/store.ts';
import { type Reason, reason, say } from '../reasons/reason.ts';
import { type Action, type Status, UNFINISHED } from './lifecycle.ts';

export interface DeploymentRow {
  deployment_uuid: string;
  application_uuid: string;
  environment_id: string;
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
  /** Why it waits, where that was asked. */
  waits_for?: WaitsFor | null;
}

export type WaitsFor = 'no_host' | 'earlier_deployment' | 'place_to_build';

export interface Release {
  release_id: string;
  application_uuid: string;
  commit_hash: string;
  commit_message: string;
  artifact: Artifact;
  recipe: Recipe;
}

/** What of an application's settings a release was made by: a machine that has not got it makes it again. */
export type Recipe = Readonly<Record<'root' | 'build' | 'start', string | null>>;

export interface SiteRow {
  environment_id: string;
  application_uuid: string;
  deployment_uuid: string;
  variables_sealed: string;
  state: 'live' | 'stopped' | 'down';
  restarts: number;
  note: Reason | null;
  subdomain: string;
  /** The instance that has its requests. */
  serving: string | null;
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

/** The process that takes a site's requests. */
export const WEB = 'web';

export const deploymentColumns = sql`
  deployments.deployment_uuid, deployments.application_uuid, deployments.environment_id, deployments.action, deployments.status,
  deployments.release_id, deployments.commit_hash, deployments.commit_message, deployments.reason,
  deployments.attempts, deployments.cancel_requested, deployments.history,
  exists (select from sites where sites.deployment_uuid = deployments.deployment_uuid) as is_current`;
/** Why a deployment waits, as `waits_for`. */
export const waitingColumn = sql`
  case when deployments.status <> 'queued' then null
    when not exists (select from hosting_lease where held_until > clock_timestamp()) then 'no_host'
    when exists (select from deployments other where other.environment_id = deployments.environment_id
      and other.status in ('building', 'starting')) then 'earlier_deployment'
    else 'place_to_build' end as waits_for`;
export const releaseColumns = sql`
  releases.release_id, releases.application_uuid, releases.commit_hash, releases.commit_message, releases.artifact,
  releases.recipe`;
export const siteQuery = sql`
  select sites.*, environments.application_uuid, environments.subdomain, serving.instance_id as serving
  from sites join environments on environments.environment_id = sites.environment_id
  left join instances serving on serving.environment_id = sites.environment_id and serving.state = 'serving'
    and serving.process = ${WEB}`;

export const unfinished = sql.join(UNFINISHED.map((status) => sql.lit(status)));

/**
 * What changes rows of an application locks its own row first: its deletion begins there too, and goes on to all the others
 * in an order of the database's. Whoever deletes it comes before or after.
 */
export async function keepApplication(
  transaction: Transaction,
  applicationId: string | RawBuilder<unknown>,
): Promise<void> {
  await sql`
    select from applications where application_uuid = ${applicationId} for key share`.execute(transaction);
}

/**
 * A change of what is asked of an environment, or of what became of it: one transaction, or a part of `through`, that
 * holds the environment's row. Throws Cancelled when the environment is gone.
 */
export function inTurn<T>(
  through: Kysely<unknown>,
  environmentId: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(through, async (transaction) => {
    await keepApplication(
      transaction,
      sql`(select application_uuid from environments where environment_id = ${environmentId})`,
    );
    const { rows } = await sql`
      select from environments where environment_id = ${environmentId} for update`.execute(transaction);
    if (rows.length === 0) throw new Cancelled(reason('application_gone'));
    const result = await work(transaction);
    await refreshStatus(transaction, environmentId);
    return result;
  });
}

/** An environment's status follows from its site and its deployments. */
async function refreshStatus(transaction: Transaction, environmentId: string): Promise<void> {
  await sql`
    update environments set status = derived.status
    from (
      select case
        when exists (select from deployments where environment_id = ${environmentId} and status in (${unfinished}))
          then 'deploying'
        else coalesce(
          (select state from sites where environment_id = ${environmentId}),
          case when exists (
            select from deployments where environment_id = ${environmentId} and status = 'failed'
          ) then 'failed' else 'created' end)
        end as status
    ) derived
    where environment_id = ${environmentId} and environments.status <> derived.status`.execute(transaction);
}

/** Deployments that come to their end without going live, and why: nothing more is to be said in their logs. */
export async function end(
  transaction: Transaction,
  condition: ReturnType<typeof sql>,
  status: Status,
  why: Reason,
  now: Temporal.Instant,
): Promise<void> {
  const { rows } = await sql<{ deployment_uuid: string }>`
    update deployments set status = ${status}, reason = ${stored(why)}, history = history || ${history(status, now)}
    where ${condition} returning deployment_uuid`.execute(transaction);
  for (const { deployment_uuid } of rows) await endLog(transaction, deployment_uuid);
}

export function history(status: Status, now: Temporal.Instant) {
  return sql`${JSON.stringify([{ status, at: timestamp(now) }])}::jsonb`;
}

export function stored(why: Reason) {
  return sql`${JSON.stringify(why)}::jsonb`;
}

export function one<T>(rows: readonly T[]): T {
  if (rows[0] === undefined) throw new Error('insert returned no row');
  return rows[0];
}
