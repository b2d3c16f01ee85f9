import { type Kysely, sql } from 'kysely';
import { timestamp } from '../../kernel/clock.ts';
import { insertInto, putInto } from '../../kernel/database/rows.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import type { Artifact } from '../builds/builder.ts';
import { MOST_ATTEMPTS, type Status } from '../deployments/lifecycle.ts';
import {
  Cancelled,
  type DeploymentRow,
  deploymentColumns,
  end,
  history,
  inTurn,
  keepApplication,
  type Release,
  releaseColumns,
  type SiteRow,
  siteQuery,
  stored,
  unfinished,
} from '../deployments/rows.ts';
import type { Target } from '../gateway/sites.ts';
import { type Reason, reason } from '../reasons/reason.ts';
import type { Instance } from '../runtimes/runtime.ts';
import { requireLease } from './lease.ts';

export interface NewInstance {
  instance_id: string;
  environment_id: string;
  deployment_uuid: string;
  process: string;
}

/** A gateway that was not seen for so long is gone. */
export const GATEWAY_GONE = '10 seconds';

export type Record = ReturnType<typeof createRecord>;

/**
 * What becomes of what was asked for, written down by the holder of the lease alone: each change locks the application's
 * row and the environment's, and throws LeaseLost once the lease is another one's.
 */
export function createRecord(db: Kysely<unknown>, generation: number) {
  const asHolder = <T>(
    environmentId: string,
    work: (transaction: Kysely<unknown>) => Promise<T>,
  ): Promise<T> =>
    inTurn(db, environmentId, async (transaction) => {
      await requireLease(transaction, generation);
      return work(transaction);
    });
  /** The same for what is no change of an environment, and of many rows of an application where that is named. */
  const holding = <T>(
    work: (transaction: Kysely<unknown>) => Promise<T>,
    applicationId?: string,
  ): Promise<T> =>
    inTransaction(db, async (transaction) => {
      if (applicationId !== undefined) await keepApplication(transaction, applicationId);
      await requireLease(transaction, generation);
      return work(transaction);
    });

  return {
    /**
     * The deployment of the environment to work on now, its attempt counted: the newest unfinished one. Older ones,
     * which a crash left unfinished, end as superseded; so does nothing else here.
     */
    claim(environmentId: string, now: Temporal.Instant): Promise<DeploymentRow | undefined> {
      return asHolder(environmentId, async (transaction) => {
        const { rows } = await sql<DeploymentRow>`
          select ${deploymentColumns} from deployments
          where environment_id = ${environmentId} and status in (${unfinished})
          order by deployment_uuid desc`.execute(transaction);
        const [newest, ...older] = rows;
        const endOne = async (row: DeploymentRow, status: Status, why: Reason) => {
          await end(transaction, sql`deployment_uuid = ${row.deployment_uuid}`, status, why, now);
        };
        for (const row of older) await endOne(row, 'superseded', reason('superseded'));
        if (!newest) return undefined;
        if (newest.cancel_requested) await endOne(newest, 'cancelled', reason('cancelled'));
        else if (newest.attempts >= MOST_ATTEMPTS)
          await endOne(newest, 'failed', reason('too_many_attempts'));
        else {
          const status = newest.action === 'deploy' ? 'building' : 'starting';
          const { rows: claimed } = await sql<DeploymentRow>`
            update deployments set status = ${status}, attempts = attempts + 1,
              history = history || ${history(status, now)}
            where deployment_uuid = ${newest.deployment_uuid}
            returning ${deploymentColumns}`.execute(transaction);
          return claimed[0];
        }
        return undefined;
      });
    },

    noteCommit(deploymentId: string, commit: { hash: string; message: string }): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update deployments set commit_hash = ${commit.hash}, commit_message = ${commit.message}
          where deployment_uuid = ${deploymentId}`.execute(transaction);
      });
    },

    /** From building to starting, with the release it has. Throws Cancelled when it is not wanted any more. */
    moveToStarting(row: DeploymentRow, releaseId: string, now: Temporal.Instant): Promise<void> {
      return asHolder(row.environment_id, async (transaction) => {
        const { rows } = await sql`
          update deployments set status = 'starting', release_id = ${releaseId},
            history = history || ${history('starting', now)}
          where deployment_uuid = ${row.deployment_uuid} and status = 'building' and not cancel_requested
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) throw new Cancelled(reason('cancelled'));
      });
    },

    /**
     * The deployment is live, and the site's from now on. Throws Cancelled when it is not wanted any more. May be asked for
     * again by whoever did not hear the answer.
     */
    goLive(
      row: DeploymentRow,
      instanceId: string,
      variablesSealed: string,
      now: Temporal.Instant,
    ): Promise<void> {
      return asHolder(row.environment_id, async (transaction) => {
        const { rows } = await sql`
          update deployments set status = 'live', history = history || ${history('live', now)}
          where deployment_uuid = ${row.deployment_uuid} and status = 'starting' and not cancel_requested
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) {
          if (await isServing(transaction, instanceId)) return;
          throw new Cancelled(reason('cancelled'));
        }
        const key = { environment_id: row.environment_id };
        await putInto('sites', key, {
          deployment_uuid: row.deployment_uuid,
          variables_sealed: variablesSealed,
          state: 'live',
          restarts: 0,
          note: null,
          changed_at: now,
        }).execute(transaction);
        await serve(transaction, row.environment_id, instanceId);
        await sql`
          update environments set deployed_at = ${timestamp(now)}
          where environment_id = ${row.environment_id}`.execute(transaction);
      });
    },

    /** A deployment that did not go live. */
    finish(
      row: DeploymentRow,
      status: 'failed' | 'cancelled' | 'superseded',
      why: Reason,
      now: Temporal.Instant,
    ): Promise<void> {
      return asHolder(row.environment_id, async (transaction) => {
        const condition = sql`deployment_uuid = ${row.deployment_uuid} and status in (${unfinished})`;
        await end(transaction, condition, status, why, now);
      });
    },

    /** A site that ended by itself has come back. False when it is stopped, or another deployment's by now. */
    cameBack(site: SiteRow, instanceId: string, now: Temporal.Instant): Promise<boolean> {
      return asHolder(site.environment_id, async (transaction) => {
        const wanted = await noteSite(transaction, site, { state: 'live', note: null, ended: false }, now);
        if (wanted) await serve(transaction, site.environment_id, instanceId);
        return wanted;
      });
    },

    /**
     * A site has ended by itself, or did not come back. While it comes back `soon`, requests wait for it. False when it is
     * stopped, or another deployment's by now.
     */
    wentDown(
      site: SiteRow,
      { note, soon }: { note: Reason; soon: boolean },
      now: Temporal.Instant,
    ): Promise<boolean> {
      const state = soon ? 'live' : 'down';
      return asHolder(site.environment_id, (transaction) =>
        noteSite(transaction, site, { state, note, ended: true }, now),
      );
    },

    /** An instance that is being started: known before it is there. */
    async begin(instance: NewInstance, now: Temporal.Instant): Promise<void> {
      await asHolder(instance.environment_id, async (transaction) => {
        await insertInto('instances', {
          ...instance,
          generation,
          state: 'starting',
          started_at: now,
        }).execute(transaction);
      });
    },

    /** Where its requests go, once it answers. */
    answers(instanceId: string, target: Target): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update instances set target = ${JSON.stringify(target)}::jsonb
          where instance_id = ${instanceId}`.execute(transaction);
      });
    },

    /** No requests are to go to it any more. */
    retire(instanceId: string): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update instances set state = 'draining'
          where instance_id = ${instanceId} and state = 'serving'`.execute(transaction);
      });
    },

    /** The same of all of this tenure. */
    async retireAll(): Promise<void> {
      await sql`
        update instances set state = 'draining' where generation = ${generation} and state = 'serving'`.execute(
        db,
      );
    },

    /** Whether each gateway that is there has finished with an instance that is retired; of a deleted site's nobody tells. */
    async isLetGo(instanceId: string): Promise<boolean> {
      const { rows } = await sql<{ waited_for: boolean }>`
        select exists (select from instances where instance_id = ${instanceId}) and exists (
          select from gateways where seen_at > clock_timestamp() - ${GATEWAY_GONE}::interval
            and not exists (
              select from instances_let_go let_go
              where let_go.gateway_id = gateways.gateway_id and let_go.instance_id = ${instanceId})
        ) as waited_for`.execute(db);
      return !rows[0]?.waited_for;
    },

    /** It is nobody's any more, whoever has the lease by now. */
    async ended(instanceId: string): Promise<void> {
      await sql`delete from instances where instance_id = ${instanceId}`.execute(db);
    },

    /**
     * Takes over those of the instances found running that serve what is still asked for: by their name, or, where a
     * database of before has lost it, by their labels. Forgets whatever else ran under earlier holders of the lease. Gives
     * the sites that are served now.
     */
    takeOver(found: readonly Instance[], now: Temporal.Instant): Promise<SiteRow[]> {
      const names = found.map(({ instance }) => instance);
      return holding(async (transaction) => {
        await sql`
          update instances set generation = ${generation} from sites
          where instances.instance_id = any(${names}::uuid[]) and instances.state = 'serving'
            and sites.environment_id = instances.environment_id
            and sites.deployment_uuid = instances.deployment_uuid and sites.state = 'live'`.execute(
          transaction,
        );
        const { rows: forgotten } = await sql<{ instance_id: string }>`
          delete from instances where generation <> ${generation} returning instance_id`.execute(transaction);
        const known = new Set(forgotten.map((row) => row.instance_id));
        const unknown = found.flatMap(({ instance, labels, origins: [origin] }) => {
          if (origin === undefined || known.has(instance)) return [];
          return [{ instance, ...labels, target: { kind: 'server', origin } satisfies Target }];
        });
        await sql`
          insert into instances (instance_id, environment_id, deployment_uuid, process, generation, state, target, started_at)
          select one.instance, environment_id, deployment_uuid, one.process, ${generation}, 'serving', one.target, ${timestamp(now)}
          from jsonb_to_recordset(${JSON.stringify(unknown)}::jsonb)
            as one (instance uuid, "environmentId" uuid, "deploymentId" uuid, process text, target jsonb)
          join sites on environment_id = one."environmentId" and deployment_uuid = one."deploymentId"
          where sites.state = 'live'
          on conflict do nothing`.execute(transaction);
        const { rows } = await sql<SiteRow>`
          select site.* from (${siteQuery}) as site where site.serving is not null`.execute(transaction);
        return rows;
      });
    },

    /** The newest release made of exactly the same. */
    async sameRelease(applicationId: string, fingerprint: Buffer): Promise<Release | undefined> {
      const { rows } = await sql<Release>`
        select ${releaseColumns} from releases
        where application_uuid = ${applicationId} and fingerprint = ${fingerprint}
        order by release_id desc limit 1`.execute(db);
      return rows[0];
    },

    addRelease(release: Release, fingerprint: Buffer, now: Temporal.Instant): Promise<void> {
      const { release_id, artifact, recipe, ...rest } = release;
      const made = { artifact: JSON.stringify(artifact), recipe: JSON.stringify(recipe) };
      const row = { ...rest, ...made, fingerprint, built_at: now };
      return holding(async (transaction) => {
        await putInto('releases', { release_id }, row).execute(transaction);
      });
    },

    /** The release was made again, on this machine. */
    madeAgain(releaseId: string, artifact: Artifact): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update releases set artifact = ${JSON.stringify(artifact)}::jsonb
          where release_id = ${releaseId}`.execute(transaction);
      });
    },

    /** Forgets all but the newest releases, what the site runs, and what a waiting deployment needs; gives those kept. */
    pruneReleases(applicationId: string, most: number): Promise<Set<string>> {
      return holding(async (transaction) => {
        // Whoever asks for one of them, in any environment, comes before or after.
        await sql`select from environments where application_uuid = ${applicationId} for update`.execute(
          transaction,
        );
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
      }, applicationId);
    },

    /** Forgets all but the newest deployments, and their logs with them. */
    pruneDeployments(applicationId: string, most: number): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          delete from deployments where application_uuid = ${applicationId} and status not in (${unfinished})
            and deployment_uuid not in (select deployment_uuid from sites)
            and deployment_uuid < (
              select deployment_uuid from deployments where application_uuid = ${applicationId}
              order by deployment_uuid desc limit 1 offset ${most - 1})`.execute(transaction);
      }, applicationId);
    },
  };
}

/** The instance takes the requests from now on, and the one that had them no more. */
async function serve(transaction: Kysely<unknown>, environmentId: string, instanceId: string): Promise<void> {
  await sql`
    update instances set state = 'draining'
    where environment_id = ${environmentId} and state = 'serving'
      and process = (select process from instances where instance_id = ${instanceId})`.execute(transaction);
  await sql`update instances set state = 'serving' where instance_id = ${instanceId}`.execute(transaction);
}

async function isServing(transaction: Kysely<unknown>, instanceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from instances where instance_id = ${instanceId} and state = 'serving'`.execute(transaction);
  return rows.length > 0;
}

async function noteSite(
  transaction: Kysely<unknown>,
  { environment_id, deployment_uuid }: SiteRow,
  { state, note, ended }: { state: 'live' | 'down'; note: Reason | null; ended: boolean },
  now: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update sites set state = ${state}, note = ${note && stored(note)}, changed_at = ${timestamp(now)},
      restarts = restarts + ${ended ? 1 : 0}
    where environment_id = ${environment_id} and deployment_uuid = ${deployment_uuid} and state <> 'stopped'
    returning environment_id`.execute(transaction);
  return rows.length > 0;
}
