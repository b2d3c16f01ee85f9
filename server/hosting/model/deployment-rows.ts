import { type Kysely, type RawBuilder, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import type { Artifact } from './artifact.ts';
import type { DeployedImage } from './deployed-image.ts';
import { PRODUCTION } from './environments.ts';
import {
  type DeploymentAction,
  type DeploymentStatus,
  type DeploymentTrigger,
  UNFINISHED,
} from './lifecycle.ts';
import type { BuildPlan, RunPlan } from './plan.ts';
import { describeReason, type Reason, reason } from './reasons/reason.ts';
import type { EnvironmentKey } from './site-folders.ts';
import type { SourceRef } from './source-ref.ts';
import type { Upload } from './upload.ts';

export interface DeploymentRow {
  deployment_uuid: string;
  application_uuid: string;
  environment_id: string;
  /** Name of the preview; null for production. */
  preview: string | null;
  action: DeploymentAction;
  status: DeploymentStatus;
  release_id: string | null;
  /** Commit, branch or tag that the request named; null for the environment's own branch. */
  requested_ref: SourceRef | null;
  /** Name of the preview whose release is promoted; null for other actions, and for production's release. */
  promoted_from: string | null;
  /** Name of the other application whose release is promoted; null for a promotion within the application. */
  promoted_from_application: string | null;
  commit_hash: string | null;
  commit_message: string | null;
  commit_author: string | null;
  triggered_by: DeploymentTrigger;
  /** Span of the request in its trace, as a header of W3C Trace Context; null if traces are off. */
  traceparent: string | null;
  /** Uploaded folder that is deployed; null for another source. */
  upload: Upload | null;
  /** Image that is deployed; null for another source. */
  image: DeployedImage | null;
  reason: Reason | null;
  attempts: number;
  cancel_requested: boolean;
  /** True if the release command has succeeded for this deployment. */
  released: boolean;
  history: { status: DeploymentStatus; at: string }[];
  /** True if this deployment's instances serve now, or would serve if the site were not stopped. */
  is_current: boolean;
  /** Reason why a queued deployment waits. Only queries that select the column `waitingColumn` return this field. */
  waits_for?: WaitsFor | null;
}

/** Desired state of a site, or `down` if it can't be kept running. `asleep`: does not run until somebody visits it. */
export type SiteState = 'live' | 'stopped' | 'asleep' | 'down';

/** True if no process of the site should run. */
export const isResting = (state: SiteState): boolean => state === 'stopped' || state === 'asleep';
export const restingStates = sql`'stopped', 'asleep'`;

export type WaitsFor = 'no_host' | 'earlier_deployment' | 'other_deployments' | 'place_to_build';

/** Release: a build of a commit, of an uploaded folder or of an image, and how the build is run. */
export interface Release {
  release_id: string;
  application_uuid: string;
  /** Hash of the commit, or the SHA-256 of the uploaded folder or of the image's manifest. */
  commit_hash: string;
  /** First line of the commit's message; empty for another source. */
  commit_message: string;
  /** Name of the commit's author; null for another source. */
  commit_author: string | null;
  upload_id: string | null;
  /** Application that built a promoted release, if it still exists; null for the release's own application. */
  built_by: string | null;
  build_id: string;
  recipe: Recipe;
  artifact: Artifact;
  plan: RunPlan;
}

/**
 * Recipe for a build: everything that it is made from besides its commit. A machine without the build can repeat it.
 */
export interface Recipe {
  root: string;
  plan: BuildPlan;
}

export type Build = Pick<Release, 'build_id' | 'artifact'>;

export interface SiteRow {
  environment_id: string;
  application_uuid: string;
  deployment_uuid: string;
  variables_sealed: string;
  state: SiteState;
  restarts: number;
  note: Reason | null;
  subdomain: string;
  /** Requested number of replicas, by process. */
  requested: Readonly<Record<string, number>>;
  /** How the site's release is run; null if the release no longer exists. */
  plan: RunPlan | null;
  /** Instances that, according to the database, serve the site's requests now. */
  serving: readonly { id: string; process: string; number: number }[];
}

/** Thrown when the deployment in progress is no longer desired. */
export class Cancelled extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(describeReason(reason, 'en'));
    this.reason = reason;
  }
}

type Transaction = Kysely<unknown>;

const requestedRef = sql`
  case when deployments.ref_type is not null
    then jsonb_build_object('type', deployments.ref_type, 'name', deployments.ref_name) end`;
export const deploymentColumns = sql`
  deployments.deployment_uuid, deployments.application_uuid, deployments.environment_id, deployments.action, deployments.status,
  deployments.release_id, ${requestedRef} as requested_ref,
  deployments.promoted_from, deployments.promoted_from_application,
  deployments.commit_hash, deployments.commit_message, deployments.commit_author, deployments.triggered_by, deployments.traceparent,
  deployments.upload, deployments.image, deployments.reason,
  deployments.attempts, deployments.cancel_requested, deployments.released, deployments.history,
  exists (select from sites where sites.deployment_uuid = deployments.deployment_uuid) as is_current,
  (select nullif(environments.name, ${PRODUCTION}) from environments
    where environments.environment_id = deployments.environment_id) as preview`;
/** Column `waits_for` of a query: reason why a queued deployment waits. */
export const waitingColumn = sql`
  case when deployments.status <> 'queued' then null
    when not exists (select from hosting_lease where held_until > clock_timestamp()) then 'no_host'
    when exists (select from deployments other where other.environment_id = deployments.environment_id
      and other.status in ('building', 'starting')) then 'earlier_deployment'
    when jsonb_array_length(deployments.history) > 1 then 'place_to_build'
    else 'other_deployments' end as waits_for`;
export const releaseColumns = sql`
  releases.release_id, releases.application_uuid, releases.commit_hash, releases.commit_message, releases.commit_author,
  releases.upload_id, releases.built_by, releases.plan,
  builds.build_id, builds.recipe, builds.artifact`;
export const releaseTables = sql`releases join builds on builds.build_id = releases.build_id`;
export const siteQuery = sql`
  select sites.*, environments.application_uuid, environments.subdomain, environments.processes as requested, releases.plan,
    coalesce((
      select jsonb_agg(jsonb_build_object('id', instance_id, 'process', process, 'number', number))
      from instances where instances.environment_id = sites.environment_id and instances.state = 'serving'
    ), '[]') as serving
  from sites join environments on environments.environment_id = sites.environment_id
  left join deployments on deployments.deployment_uuid = sites.deployment_uuid
  left join releases on releases.release_id = deployments.release_id`;

export const isUnfinishedDeployment = sql.join(UNFINISHED.map((status) => sql.lit(status)));

/**
 * Locks an application's row before other rows of the application are changed. A deletion of the application locks this
 * row first as well, and then deletes the other rows in an order that the database chooses. So a change and a deletion
 * run one after the other.
 */
export async function lockApplicationRow(
  transaction: Transaction,
  applicationId: string | RawBuilder<unknown>,
): Promise<void> {
  await sql`
    select from applications where application_uuid = ${applicationId} for key share`.execute(transaction);
}

/**
 * Changes an environment's desired state, or the record of its present state, in a transaction that locks the
 * environment's row. If `through` is a transaction, the change is a part of it. Throws Cancelled if the environment no
 * longer exists.
 */
export function lockEnvironment<T>(
  through: Kysely<unknown>,
  environmentId: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(through, async (transaction) => {
    await lockApplicationRow(
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

/** Environments among `keys` that no longer exist. */
export async function findDeletedEnvironments(
  db: Kysely<unknown>,
  keys: readonly EnvironmentKey[],
): Promise<EnvironmentKey[]> {
  const ids = keys.map(({ environmentId }) => environmentId);
  const { rows } = await sql<{ id: string }>`
    select environment_id as id from environments where environment_id = any(${ids}::uuid[])`.execute(db);
  const there = new Set(rows.map(({ id }) => id));
  return keys.filter(({ environmentId }) => !there.has(environmentId));
}

/** Updates an environment's status, which follows from its site and its deployments. */
async function refreshStatus(transaction: Transaction, environmentId: string): Promise<void> {
  await sql`
    update environments set status = derived.status
    from (
      select case
        when exists (select from deployments where environment_id = ${environmentId} and status in (${isUnfinishedDeployment}))
          then 'deploying'
        else coalesce(
          (select state from sites where environment_id = ${environmentId}),
          case when exists (
            select from deployments where environment_id = ${environmentId} and status = 'live'
          ) then 'stopped' when exists (
            select from deployments where environment_id = ${environmentId} and status = 'failed'
          ) then 'failed' else 'created' end)
        end as status
    ) derived
    where environment_id = ${environmentId} and environments.status <> derived.status`.execute(transaction);
}

export function historyEntry(status: DeploymentStatus, now: Temporal.Instant) {
  return sql`${JSON.stringify([{ status, at: toTimestamp(now) }])}::jsonb`;
}

export function storedJson(why: Reason) {
  return sql`${JSON.stringify(why)}::jsonb`;
}

export function onlyRow<T>(rows: readonly T[]): T {
  if (rows[0] === undefined) throw new Error('insert returned no row');
  return rows[0];
}
