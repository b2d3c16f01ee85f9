import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../../kernel/clock.ts';
import { upsertInto } from '../../../kernel/database/rows.ts';
import type { Admission } from '../../budgets/budget.ts';
import { asFailure } from '../../budgets/over-budget.ts';
import type { DeployedImage } from '../../model/deployed-image.ts';
import {
  Cancelled,
  type DeploymentRow,
  deploymentColumns,
  historyEntry,
  isUnfinishedDeployment,
  type Release,
} from '../../model/deployment-rows.ts';
import { endDeployment } from '../../model/end-deployment.ts';
import type { Forecast, PlanRequest } from '../../model/forecast.ts';
import type { LeaseFence } from '../../model/lease-fence.ts';
import { MOST_ATTEMPTS } from '../../model/lifecycle.ts';
import { WEB } from '../../model/plan.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { queueDeploymentMessage, queueStateMessage } from '../../model/site-messages.ts';
import type { OwnerMails } from '../../owner-mails/owner-mails.ts';
import { isDown } from './site-state.ts';

/**
 * Release that a deployment is about to start. `made` is present if the release was just made and is not stored yet.
 */
export interface ReadyRelease {
  release: Release;
  /** Fingerprints of the release's input, and of its build's input if the build is new too. */
  made?: { release: Buffer; build?: Buffer | undefined };
}

/** Outcomes of a deployment that did not go live. */
export type Unsuccessful = 'failed' | 'cancelled' | 'superseded';

export interface DeploymentRecordsParts {
  db: Kysely<unknown>;
  fence: LeaseFence;
  budgets: Admission;
  /** Mails to owners; undefined: none. */
  mails?: OwnerMails | undefined;
}

/** Progress of deployments, and answers to plan requests, written by the lease holder. */
export class DeploymentRecords {
  readonly #db: Kysely<unknown>;
  readonly #fence: LeaseFence;
  readonly #budgets: Admission;
  readonly #mails: OwnerMails | undefined;

  constructor({ db, fence, budgets, mails }: DeploymentRecordsParts) {
    this.#db = db;
    this.#fence = fence;
    this.#budgets = budgets;
    this.#mails = mails;
  }

  /**
   * Claims the newest unfinished deployment of the environment, and counts the attempt. Older unfinished deployments,
   * which a crash may leave, end as superseded. Returns undefined if there is nothing to do.
   */
  claim(environmentId: string, now: Temporal.Instant): Promise<DeploymentRow | undefined> {
    return this.#fence.changeEnvironment(environmentId, async (transaction) => {
      const { rows } = await sql<DeploymentRow>`
        select ${deploymentColumns} from deployments
        where environment_id = ${environmentId} and status in (${isUnfinishedDeployment})
        order by deployment_uuid desc`.execute(transaction);
      const [newest, ...older] = rows;
      const end = (row: DeploymentRow, status: Unsuccessful, why: Reason) =>
        this.#end(transaction, row, status, why, now);
      for (const row of older) await end(row, 'superseded', reason('superseded'));
      if (!newest) return undefined;
      if (newest.cancel_requested) await end(newest, 'cancelled', reason('cancelled'));
      else if (newest.attempts >= MOST_ATTEMPTS) await end(newest, 'failed', reason('too_many_attempts'));
      else return beginAttempt(transaction, newest, now);
      return undefined;
    });
  }

  /**
   * Queues a deployment again that waits for a build slot, so that a newer one may supersede it. Throws Cancelled if it
   * is no longer wanted.
   */
  returnToQueue(row: DeploymentRow, now: Temporal.Instant): Promise<void> {
    return this.#fence.changeEnvironment(row.environment_id, async (transaction) => {
      const { rows } = await sql`
        update deployments set status = 'queued', attempts = attempts - 1,
          history = history || ${historyEntry('queued', now)}
        where deployment_uuid = ${row.deployment_uuid} and status = ${row.status} and not cancel_requested
        returning deployment_uuid`.execute(transaction);
      if (rows.length === 0) throw new Cancelled(reason('cancelled'));
    });
  }

  /** Continues a deployment that has got its build slot. Throws Cancelled if it ended meanwhile. */
  leaveQueue(row: DeploymentRow, now: Temporal.Instant): Promise<void> {
    return this.#fence.changeEnvironment(row.environment_id, async (transaction) => {
      const { rows } = await sql`
        update deployments set status = ${row.status}, attempts = attempts + 1,
          history = history || ${historyEntry(row.status, now)}
        where deployment_uuid = ${row.deployment_uuid} and status = 'queued'
        returning deployment_uuid`.execute(transaction);
      if (rows.length === 0) throw new Cancelled(reason('superseded'));
    });
  }

  noteCommit(
    deploymentId: string,
    commit: { hash: string; message: string; author: string | null },
  ): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update deployments set commit_hash = ${commit.hash}, commit_message = ${commit.message},
          commit_author = ${commit.author}
        where deployment_uuid = ${deploymentId}`.execute(transaction);
    });
  }

  /** Records the image that a deployment runs, once its digest is known. */
  noteImage(deploymentId: string, image: DeployedImage): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update deployments set image = ${JSON.stringify(image)}::jsonb
        where deployment_uuid = ${deploymentId}`.execute(transaction);
    });
  }

  /**
   * Moves a deployment from building to starting, and stores its release and build if they are new. Throws Cancelled if
   * the deployment is no longer desired, and RuntimeFailure if it would exceed its owner's budget.
   */
  moveToStarting(row: DeploymentRow, ready: ReadyRelease, now: Temporal.Instant): Promise<void> {
    const { environment_id: environmentId } = row;
    const move = async (transaction: Kysely<unknown>) => {
      await storeRelease(transaction, ready, now);
      const { rows } = await sql`
        update deployments set status = 'starting', release_id = ${ready.release.release_id},
          history = history || ${historyEntry('starting', now)}
        where deployment_uuid = ${row.deployment_uuid} and status = 'building' and not cancel_requested
        returning deployment_uuid`.execute(transaction);
      if (rows.length === 0) throw new Cancelled(reason('cancelled'));
    };
    return this.#budgets
      .admit(this.#db, { environmentId }, (transaction) =>
        this.#fence.changeEnvironment(environmentId, move, transaction),
      )
      .catch(asFailure);
  }

  /**
   * Makes a promotion use a release of its own application instead of another one's, and stores the release if it is
   * new. Throws Cancelled if the deployment is no longer desired.
   */
  useRelease(row: DeploymentRow, ready: ReadyRelease, now: Temporal.Instant): Promise<void> {
    const { release_id: releaseId, upload_id: uploadId } = ready.release;
    return this.#fence.changeEnvironment(row.environment_id, async (transaction) => {
      if (uploadId !== null)
        await sql`update uploads set complete = true where upload_id = ${uploadId}`.execute(transaction);
      await storeRelease(transaction, ready, now);
      const { rows } = await sql`
        update deployments set release_id = ${releaseId},
          upload = case when upload is not null then upload || jsonb_build_object('upload_id', ${uploadId}::text) end
        where deployment_uuid = ${row.deployment_uuid} and status = 'starting' and not cancel_requested
        returning deployment_uuid`.execute(transaction);
      if (rows.length === 0) throw new Cancelled(reason('cancelled'));
    });
  }

  /** Records that the release command has succeeded, so that it is not run again for this deployment. */
  noteReleased({ deployment_uuid: id, environment_id }: DeploymentRow): Promise<void> {
    return this.#fence.changeEnvironment(environment_id, async (transaction) => {
      await sql`update deployments set released = true where deployment_uuid = ${id}`.execute(transaction);
    });
  }

  /**
   * Makes a deployment the site's current one; its instances then serve requests. Throws Cancelled if the deployment is
   * no longer desired. May be called again if the database's answer was lost.
   */
  goLive(
    row: DeploymentRow,
    instanceIds: readonly string[],
    variablesSealed: string,
    now: Temporal.Instant,
  ): Promise<void> {
    return this.#fence.changeEnvironment(row.environment_id, async (transaction) => {
      const { rows } = await sql`
        update deployments set status = 'live', history = history || ${historyEntry('live', now)}
        where deployment_uuid = ${row.deployment_uuid} and status = 'starting' and not cancel_requested
        returning deployment_uuid`.execute(transaction);
      if (rows.length > 0) {
        const wasDown = await isDown(transaction, row.environment_id);
        await switchSite(transaction, row, instanceIds, variablesSealed, now);
        await this.#announceLive(transaction, row, wasDown, now);
      } else if (!(await areServing(transaction, instanceIds))) throw new Cancelled(reason('cancelled'));
    });
  }

  /** Queues the messages to webhooks, and the mail, about a deployment that went live. */
  async #announceLive(
    transaction: Kysely<unknown>,
    { deployment_uuid, environment_id }: DeploymentRow,
    wasDown: boolean,
    now: Temporal.Instant,
  ): Promise<void> {
    const { rows } = await sql<DeploymentRow>`
      select ${deploymentColumns} from deployments where deployment_uuid = ${deployment_uuid}`.execute(
      transaction,
    );
    if (rows[0]) await queueDeploymentMessage(transaction, 'deployment.succeeded', rows[0], now);
    if (!wasDown) return;
    await queueStateMessage(transaction, 'site.up', environment_id, null, now);
    await this.#mails?.mailState(transaction, 'site_up', environment_id, null, now);
  }

  /** Records the end of a deployment that did not go live. */
  finish(row: DeploymentRow, status: Unsuccessful, why: Reason, now: Temporal.Instant): Promise<void> {
    return this.#fence.changeEnvironment(row.environment_id, async (transaction) => {
      await this.#end(transaction, row, status, why, now);
    });
  }

  /** Ends an unfinished deployment; its owner gets a mail if it failed. */
  async #end(
    transaction: Kysely<unknown>,
    row: DeploymentRow,
    status: Unsuccessful,
    why: Reason,
    now: Temporal.Instant,
  ): Promise<void> {
    const condition = sql`deployment_uuid = ${row.deployment_uuid} and status in (${isUnfinishedDeployment})`;
    const hasEnded = await endDeployment(transaction, condition, status, why, now);
    if (hasEnded && status === 'failed') await this.#mails?.mailFailedDeployment(transaction, row, why, now);
  }

  /** Deletes all but the newest deployments of an environment, and their logs with them. */
  prune(environmentId: string, most: number): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        delete from deployments where environment_id = ${environmentId} and status not in (${isUnfinishedDeployment})
          and deployment_uuid not in (select deployment_uuid from sites)
          and deployment_uuid < (
            select deployment_uuid from deployments where environment_id = ${environmentId}
            order by deployment_uuid desc limit 1 offset ${most - 1})`.execute(transaction);
    }, sql`(select application_uuid from environments where environment_id = ${environmentId})`);
  }

  /** Finds the oldest unanswered plan request of an environment. */
  async findPlanRequest(environmentId: string): Promise<PlanRequest | undefined> {
    const { rows } = await sql<PlanRequest>`
      select plan_id, application_uuid, plan_requests.environment_id,
        case when ref_type <> '' then jsonb_build_object('type', ref_type, 'name', ref_name) end as ref
      from plan_requests
      join environments on environments.environment_id = plan_requests.environment_id
      where plan_requests.environment_id = ${environmentId} and answer is null
      order by plan_id limit 1`.execute(this.#db);
    return rows[0];
  }

  answerPlanRequest({ plan_id: id }: PlanRequest, answer: Forecast): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update plan_requests set answer = ${JSON.stringify(answer)}::jsonb where plan_id = ${id}`.execute(
        transaction,
      );
    });
  }
}

async function beginAttempt(
  transaction: Kysely<unknown>,
  { deployment_uuid: id, environment_id: environmentId, action, history }: DeploymentRow,
  now: Temporal.Instant,
): Promise<DeploymentRow | undefined> {
  const status = action === 'deploy' ? 'building' : 'starting';
  // Another release may have gone live since the request; this deployment then uses that release.
  if (action === 'restart' || action === 'start')
    await sql`
      update deployments set release_id = live.release_id, commit_hash = live.commit_hash,
        commit_message = live.commit_message, commit_author = live.commit_author,
        upload = live.upload, image = live.image
      from sites join deployments live using (deployment_uuid)
      where deployments.deployment_uuid = ${id}
        and sites.environment_id = ${environmentId}`.execute(transaction);
  const { rows } = await sql<DeploymentRow>`
    update deployments set status = ${status}, attempts = attempts + 1,
      history = history || ${historyEntry(status, now)}
    where deployment_uuid = ${id}
    returning ${deploymentColumns}`.execute(transaction);
  const [begun] = rows;
  // A deployment that a crash or the wait for a build slot interrupted began before.
  const isFirst = history.every((entry) => entry.status === 'queued');
  if (begun && isFirst) await queueDeploymentMessage(transaction, 'deployment.started', begun, now);
  return begun;
}

/** Stores a release that was just made, and its build if that is new. */
async function storeRelease(
  transaction: Kysely<unknown>,
  { release, made }: ReadyRelease,
  now: Temporal.Instant,
): Promise<void> {
  if (!made) return;
  const { release_id, artifact, recipe, plan, ...rest } = release;
  const { build_id, application_uuid } = rest;
  if (made.build) {
    await upsertInto(
      'builds',
      { build_id },
      {
        application_uuid,
        fingerprint: made.build,
        built_at: now,
        artifact: JSON.stringify(artifact),
        recipe: JSON.stringify(recipe),
      },
    ).execute(transaction);
  }
  const values = { ...rest, plan: JSON.stringify(plan), fingerprint: made.release, made_at: now };
  await upsertInto('releases', { release_id }, values).execute(transaction);
}

/** Points the site to a deployment: its instances serve, and those that served before drain. */
async function switchSite(
  transaction: Kysely<unknown>,
  { environment_id, deployment_uuid }: DeploymentRow,
  instanceIds: readonly string[],
  variablesSealed: string,
  now: Temporal.Instant,
): Promise<void> {
  await upsertInto(
    'sites',
    { environment_id },
    {
      deployment_uuid,
      variables_sealed: variablesSealed,
      state: 'live',
      restarts: 0,
      note: null,
      changed_at: now,
    },
  ).execute(transaction);
  await sql`
    update instances set state = 'draining'
    where environment_id = ${environment_id} and process = ${WEB} and state = 'serving'`.execute(transaction);
  await sql`
    update instances set state = 'serving' where instance_id = any(${instanceIds}::uuid[])`.execute(
    transaction,
  );
  await sql`delete from replicas where environment_id = ${environment_id}`.execute(transaction);
  await sql`
    update environments set deployed_at = ${toTimestamp(now)}
    where environment_id = ${environment_id}`.execute(transaction);
}

async function areServing(transaction: Kysely<unknown>, instanceIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from instances where instance_id = any(${instanceIds}::uuid[]) and state = 'serving'`.execute(
    transaction,
  );
  return rows.length === instanceIds.length;
}
