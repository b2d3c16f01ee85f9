import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { pageOfRows } from '../../kernel/database/pages.ts';
import { insertInto } from '../../kernel/database/rows.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { invalidField } from '../../kernel/fields.ts';
import { newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { NO_TRACING, type Tracing } from '../../kernel/tracing/tracing.ts';
import { noSuchApplication, noSuchPreview } from '../applications/access.ts';
import { imageToDeploy, type SourceColumns } from '../applications/source.ts';
import type { EnvironmentName } from '../applications/store.ts';
import type { Admission } from '../budgets/budget.ts';
import type { DeployedImage } from '../model/deployed-image.ts';
import {
  type DeploymentRow,
  deploymentColumns,
  historyEntry,
  isUnfinishedDeployment,
  lockEnvironment,
  onlyRow,
  type Release,
  releaseColumns,
  releaseTables,
  type SiteRow,
  siteQuery,
  storedJson,
  waitingColumn,
} from '../model/deployment-rows.ts';
import { endDeployment } from '../model/end-deployment.ts';
import { PRODUCTION } from '../model/environments.ts';
import {
  type DeploymentAction,
  type DeploymentStatus,
  type DeploymentTrigger,
  isFinal,
} from '../model/lifecycle.ts';
import { accessibleApplications } from '../model/people.ts';
import { reason } from '../model/reasons/reason.ts';
import type { EnvironmentKey } from '../model/site-folders.ts';
import type { SourceRef } from '../model/source-ref.ts';
import type { Upload } from '../model/upload.ts';
import { findUpload, newestUpload } from '../uploads/store.ts';
import { messages } from './messages.ts';

type Transaction = Kysely<unknown>;

export interface DeploymentRequest {
  action: DeploymentAction;
  /** Deployment whose release a rollback runs again; absent: the release that was live before. */
  target?: string;
  /** Release of another environment that a promotion runs. */
  source?: ReleaseSource;
  /** Commit, branch or tag to deploy; absent: the newest commit of the environment's branch. */
  ref?: SourceRef;
  /** Cause of the request; by default a call of the API. */
  trigger?: DeploymentTrigger;
}

/**
 * Release of another environment: that of a deployment, or the one that a preview or another application runs. At least
 * one field is given.
 */
export interface ReleaseSource {
  /** Other application; absent: the application of the request. */
  application?: { id: string; name: string };
  preview?: string;
  deployment?: string;
}

/** Release with the names of the preview and the application that it is promoted from. */
type ChosenRelease = Release & { promoted_from?: string | null; promoted_from_application?: string };

/** Name of a deployment of an environment, besides its UUID. `current`: the one that serves. */
export type DeploymentName = 'latest' | 'current' | { commit: string };

/** Stored requests of an application's environments: deployments, and whether the site should run. */
export class DeploymentStore {
  readonly #db: Kysely<unknown>;
  readonly #budgets: Admission;
  readonly #tracing: Pick<Tracing, 'traceparent'>;

  constructor(db: Kysely<unknown>, budgets: Admission, tracing: Pick<Tracing, 'traceparent'> = NO_TRACING) {
    this.#db = db;
    this.#budgets = budgets;
    this.#tracing = tracing;
  }

  /**
   * Requests a deployment. It supersedes a deployment that still waits, unless the waiting one already does what the
   * request asks for. Throws Refusal if there is nothing to restart or roll back to, and OverBudget if the release
   * needs more than the owner's budget; a deploy is checked later, when its release exists.
   */
  request(
    { application_uuid: applicationId, environment_id: environmentId }: EnvironmentName,
    requested: DeploymentRequest,
    now: Temporal.Instant,
    through?: Kysely<unknown>,
  ): Promise<DeploymentRow> {
    const ask = async (transaction: Transaction) => {
      const release = await releaseFor(transaction, { applicationId, environmentId }, requested);
      const { upload, image } = await sourceFor(transaction, applicationId, requested, release);
      const isCommit = !upload && !image;
      const { rows: waiting } = await sql<DeploymentRow>`
        select ${deploymentColumns} from deployments
        where environment_id = ${environmentId} and status = 'queued'`.execute(transaction);
      if (waiting[0] && isCoveredBy(waiting[0], requested)) return waiting[0];
      await endDeployment(
        transaction,
        sql`environment_id = ${environmentId} and status = 'queued'`,
        'superseded',
        reason('superseded'),
        now,
      );
      const { rows } = await sql<DeploymentRow>`
        ${insertInto('deployments', {
          deployment_uuid: newId(),
          application_uuid: applicationId,
          environment_id: environmentId,
          action: requested.action,
          status: 'queued',
          release_id: release?.release_id ?? null,
          promoted_from: release?.promoted_from ?? null,
          promoted_from_application: release?.promoted_from_application ?? null,
          ref_type: requested.ref?.type ?? null,
          ref_name: requested.ref?.name ?? null,
          commit_hash: isCommit ? (release?.commit_hash ?? null) : null,
          commit_message: isCommit ? (release?.commit_message ?? null) : null,
          commit_author: isCommit ? (release?.commit_author ?? null) : null,
          triggered_by: requested.trigger ?? 'request',
          traceparent: this.#tracing.traceparent() ?? null,
          upload: upload ? JSON.stringify(upload) : null,
          image: image ? JSON.stringify(image) : null,
          history: historyEntry('queued', now),
        })}
        returning ${deploymentColumns}`.execute(transaction);
      return onlyRow(rows);
    };
    const inItsTurn = (executor: Kysely<unknown>) => lockEnvironment(executor, environmentId, ask);
    if (requested.action === 'deploy') return inItsTurn(through ?? this.#db);
    return this.#budgets.admit(through ?? this.#db, { environmentId }, inItsTurn);
  }

  /** A page of an environment's deployments, newest first, and their total number. */
  async list(
    environmentId: string,
    page: { limit: number; offset: bigint },
  ): Promise<{ deployments: DeploymentRow[]; total: number }> {
    const from = sql`deployments where environment_id = ${environmentId}`;
    const columns = sql`${deploymentColumns}, ${waitingColumn}`;
    const source = { columns, from, order: sql`deployment_uuid desc` };
    const { rows, total } = await pageOfRows<DeploymentRow>(this.#db, source, page);
    return { deployments: rows, total };
  }

  /** The newest deployment of the production site of each application to which an account has access. */
  async lastOfEach(accountId: string): Promise<DeploymentRow[]> {
    const { rows } = await sql<DeploymentRow>`
      select ${deploymentColumns}, ${waitingColumn}
      from applications
        join environments on environments.application_uuid = applications.application_uuid
          and environments.name = ${PRODUCTION}
        cross join lateral (
          select * from deployments newest where newest.environment_id = environments.environment_id
          order by newest.deployment_uuid desc limit 1) deployments
      where applications.application_uuid in (${accessibleApplications(accountId)})
      order by deployments.deployment_uuid desc`.execute(this.#db);
    return rows;
  }

  async find(applicationId: string, deploymentId: string): Promise<DeploymentRow | undefined> {
    const { rows } = await sql<DeploymentRow>`
      select ${deploymentColumns}, ${waitingColumn} from deployments
      where deployment_uuid = ${deploymentId} and application_uuid = ${applicationId}`.execute(this.#db);
    return rows[0];
  }

  /** Finds a deployment of an environment by a word, or the newest one of a commit by the beginning of its hash. */
  async findNamed(environmentId: string, name: DeploymentName): Promise<DeploymentRow | undefined> {
    const { rows } = await sql<DeploymentRow>`
      select ${deploymentColumns}, ${waitingColumn} from deployments
      where environment_id = ${environmentId} and ${conditionOf(name)}
      order by deployment_uuid desc limit 1`.execute(this.#db);
    return rows[0];
  }

  /**
   * Cancels a waiting deployment at once, and requests the end of a running one. Undefined if the deployment does not
   * exist.
   */
  cancel(
    environmentId: string,
    deploymentId: string,
    now: Temporal.Instant,
    through: Kysely<unknown>,
  ): Promise<DeploymentRow | undefined> {
    const cancelIt = async (transaction: Transaction) => {
      const condition = sql`deployment_uuid = ${deploymentId} and environment_id = ${environmentId}`;
      const { rows } = await sql<{ status: DeploymentStatus }>`
        select status from deployments where ${condition}`.execute(transaction);
      const [before] = rows;
      if (before && isFinal(before.status)) {
        throw new Refusal(409, 'finished', messages.finished(before.status));
      }
      return cancelWhere(transaction, condition, now);
    };
    return lockEnvironment(through ?? this.#db, environmentId, cancelIt);
  }

  /** Stops the site, and cancels all deployments that would start it. */
  stop(environmentId: string, now: Temporal.Instant, through: Kysely<unknown>): Promise<void> {
    const stopIt = async (transaction: Transaction) => {
      const { rows } = await sql`
        update sites set state = 'stopped', note = ${storedJson(reason('site_stopped'))}, changed_at = ${toTimestamp(now)}
        where environment_id = ${environmentId} returning environment_id`.execute(transaction);
      const { rows: open } = await sql<{ deployment_uuid: string }>`
        select deployment_uuid from deployments
        where environment_id = ${environmentId} and status in (${isUnfinishedDeployment})`.execute(
        transaction,
      );
      if (rows.length === 0 && open.length === 0) throw new Refusal(409, 'not_running', messages.notRunning);
      for (const { deployment_uuid: id } of open) {
        await cancelWhere(transaction, sql`deployment_uuid = ${id}`, now);
      }
    };
    return lockEnvironment(through ?? this.#db, environmentId, stopIt);
  }

  async site(environmentId: string): Promise<SiteRow | undefined> {
    const { rows } = await sql<SiteRow>`
      ${siteQuery} where sites.environment_id = ${environmentId}`.execute(this.#db);
    return rows[0];
  }

  async release(deploymentId: string): Promise<Release | undefined> {
    const { rows } = await sql<Release>`
      select ${releaseColumns} from ${releaseTables}
      join deployments on deployments.release_id = releases.release_id
      where deployments.deployment_uuid = ${deploymentId}`.execute(this.#db);
    return rows[0];
  }
}

function conditionOf(name: DeploymentName) {
  if (name === 'latest') return sql`true`;
  if (name === 'current')
    return sql`deployment_uuid in (select deployment_uuid from sites where environment_id = deployments.environment_id)`;
  return sql`starts_with(deployments.commit_hash, ${name.commit})`;
}

/** Source of a deployment that is no commit. */
interface OtherSource {
  upload?: Upload | undefined;
  image?: DeployedImage | undefined;
}

/**
 * Uploaded folder or image that a deployment uses. A restart, rollback or promotion uses that of its release. A deploy
 * uses the newest folder or the image of the application, if the application has no repository.
 */
async function sourceFor(
  transaction: Transaction,
  applicationId: string,
  { action, ref }: DeploymentRequest,
  release: Release | undefined,
): Promise<OtherSource> {
  if (action !== 'deploy') {
    const upload = release?.upload_id ? await findUpload(transaction, release.upload_id) : undefined;
    return { upload, image: release?.recipe.plan.image };
  }
  const { rows } = await sql<SourceColumns>`
    select repository, image from applications where application_uuid = ${applicationId}`.execute(
    transaction,
  );
  const [columns] = rows;
  if (!columns || columns.repository !== null) return {};
  if (columns.image !== null) return { image: { name: imageToDeploy(columns.image, ref), digest: null } };
  if (ref) throw invalidField(ref.type, messages.uploadedRef);
  const upload = await newestUpload(transaction, applicationId);
  if (!upload) throw new Refusal(409, 'no_source', messages.notUploaded);
  return { upload };
}

/** True if a waiting deployment does all that a new request asks for, so that no further deployment is needed. */
function isCoveredBy(waiting: DeploymentRow, { action, ref }: DeploymentRequest): boolean {
  if (action === 'restart' || action === 'start') return true;
  const { type, name } = waiting.requested_ref ?? {};
  return ref?.type === 'commit' && type === 'commit' && name === ref.name;
}

/** Release for a rollback, a promotion, a restart or a start; undefined for a deploy, which makes its own. */
async function releaseFor(
  transaction: Transaction,
  { applicationId, environmentId }: EnvironmentKey,
  { action, target, source = {} }: DeploymentRequest,
): Promise<ChosenRelease | undefined> {
  if (action === 'deploy') return undefined;
  if (action === 'promote') return releaseToPromote(transaction, applicationId, source);
  if (action === 'rollback') {
    if (target === undefined) return releaseBefore(transaction, environmentId);
    // A rollback accepts only releases that have served requests: for others, the release command may not have run.
    const { rows } = await sql<Release & { was_live: boolean }>`
      select ${releaseColumns}, deployments.status = 'live' as was_live from deployments left join (${releaseTables}) on releases.release_id = deployments.release_id
      where deployments.deployment_uuid = ${target} and deployments.environment_id = ${environmentId}`.execute(
      transaction,
    );
    if (!rows[0]) throw new Refusal(404, 'not_found', messages.noSuchDeployment);
    if (!rows[0].release_id || !rows[0].was_live) throw new Refusal(409, 'no_release', messages.cantRollBack);
    return rows[0];
  }
  const { rows } = await sql<Release & { state: SiteRow['state'] }>`
    select ${releaseColumns}, sites.state from sites
    join deployments on deployments.deployment_uuid = sites.deployment_uuid
    join (${releaseTables}) on releases.release_id = deployments.release_id
    where sites.environment_id = ${environmentId}`.execute(transaction);
  const [current] = rows;
  if (!current) {
    const { rows: begun } = await sql`
      select from deployments where environment_id = ${environmentId} and status in (${isUnfinishedDeployment}) limit 1`.execute(
      transaction,
    );
    throw new Refusal(409, 'no_release', begun.length > 0 ? messages.noReleaseYet : messages.noRelease);
  }
  if (action === 'restart' && current.state === 'stopped') {
    throw new Refusal(409, 'not_running', messages.stopped);
  }
  if (action === 'start' && current.state === 'live') {
    throw new Refusal(409, 'already_running', messages.alreadyRunning);
  }
  return current;
}

/**
 * Release that production gets from another environment. Like a rollback, it accepts only releases that have served
 * requests.
 */
async function releaseToPromote(
  transaction: Transaction,
  applicationId: string,
  from: ReleaseSource,
): Promise<ChosenRelease> {
  const { application, preview, deployment } = from;
  const chosen =
    deployment ?? sql`(select deployment_uuid from sites where environment_id = source.environment_id)`;
  const { rows } = await sql<Release & { source: string; was_live: boolean | null }>`
    select source.name as source, deployments.status = 'live' as was_live, ${releaseColumns}
    from environments source
    left join deployments on deployments.environment_id = source.environment_id
      and deployments.deployment_uuid = ${chosen}
    left join (${releaseTables}) on releases.release_id = deployments.release_id
    where source.application_uuid = ${application?.id ?? applicationId} and ${isPromoted(from)}
    order by deployments.deployment_uuid nulls last limit 1`.execute(transaction);
  const [found] = rows;
  if (!found) throw preview === undefined ? noSuchApplication() : noSuchPreview();
  if (found.was_live === null && deployment !== undefined)
    throw new Refusal(404, 'not_found', messages.noSuchDeployment);
  const { source, ...release } = found;
  const isProduction = source === PRODUCTION;
  if (isProduction && !application) throw invalidField('deployment_uuid', messages.ofProduction);
  if (!found.release_id || !found.was_live)
    throw new Refusal(409, 'no_release', isProduction ? messages.sourceNotLive : messages.cantPromote);
  return {
    ...release,
    promoted_from: isProduction ? null : source,
    ...(application && { promoted_from_application: application.name }),
  };
}

/** Condition for the environment that a promotion names: a preview, that of a deployment, or an application's production. */
function isPromoted({ preview, deployment }: ReleaseSource) {
  if (preview !== undefined)
    return sql`source.name = ${toStorableText(preview)} and source.name <> ${PRODUCTION}`;
  return deployment === undefined ? sql`source.name = ${PRODUCTION}` : sql`true`;
}

/** Release that was live before the current one; restarts of the current release do not count. */
async function releaseBefore(transaction: Transaction, environmentId: string): Promise<Release> {
  const { rows } = await sql<Release & { current: string; before: string | null }>`
    select current.deployment_uuid as current, before.deployment_uuid as before, ${releaseColumns}
    from sites
    join deployments current on current.deployment_uuid = sites.deployment_uuid
    left join lateral (
      select earlier.deployment_uuid, earlier.release_id from deployments earlier
      where earlier.environment_id = sites.environment_id and earlier.status = 'live'
        and earlier.deployment_uuid < current.deployment_uuid
        and earlier.release_id is distinct from current.release_id
      order by earlier.deployment_uuid desc limit 1) before on true
    left join (${releaseTables}) on releases.release_id = before.release_id
    where sites.environment_id = ${environmentId}`.execute(transaction);
  const [found] = rows;
  if (!found) throw new Refusal(409, 'no_release', messages.noRelease);
  if (found.before === null) throw new Refusal(409, 'no_release', messages.noReleaseBefore);
  if (!found.release_id) throw new Refusal(409, 'no_release', messages.releaseBeforeGone);
  return found;
}

async function cancelWhere(
  transaction: Transaction,
  condition: ReturnType<typeof sql>,
  now: Temporal.Instant,
): Promise<DeploymentRow | undefined> {
  await endDeployment(
    transaction,
    sql`${condition} and status = 'queued'`,
    'cancelled',
    reason('cancelled'),
    now,
  );
  await sql`
    update deployments set cancel_requested = true
    where ${condition} and status in (${isUnfinishedDeployment})`.execute(transaction);
  const { rows } = await sql<DeploymentRow>`
    select ${deploymentColumns} from deployments where ${condition}`.execute(transaction);
  return rows[0];
}
