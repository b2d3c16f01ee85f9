import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../kernel/clock.ts';
import { insertInto, upsertInto } from '../../kernel/database/rows.ts';
import type { EnvironmentName } from '../applications/store.ts';
import type { Admission } from '../budgets/budget.ts';
import { asFailure } from '../budgets/over-budget.ts';
import type { Artifact } from '../model/artifact.ts';
import type { BackendLocation } from '../model/backend-location.ts';
import {
  type Build,
  Cancelled,
  type DeploymentRow,
  deploymentColumns,
  endDeployment,
  historyEntry,
  isUnfinishedDeployment,
  type Release,
  releaseColumns,
  releaseTables,
  restingStates,
  type SiteRow,
  siteQuery,
  storedJson,
} from '../model/deployment-rows.ts';
import { PRODUCTION } from '../model/environments.ts';
import type { Forecast, PlanRequest } from '../model/forecast.ts';
import { createFencedWrites, LeaseLost } from '../model/lease-fence.ts';
import { type DeploymentStatus, MOST_ATTEMPTS } from '../model/lifecycle.ts';
import { WEB } from '../model/plan.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { BuildName } from '../model/site-folders.ts';
import type { Slot } from '../model/slots.ts';
import type { Instance } from '../runtimes/runtime.ts';
import { targetsOf } from './instances.ts';
import type { ReplicaState } from './replicas.ts';

export interface NewInstance {
  instance_id: string;
  environment_id: string;
  deployment_uuid: string;
  process: string;
  number: number;
  /** All that it is of its process; itself, where it is one alone. */
  numbers: readonly number[];
  /** Where its requests go, of one that answers from the first. */
  targets?: readonly BackendLocation[] | undefined;
}

/** What a deployment has its site run. */
export type SiteRowKey = Pick<SiteRow, 'environment_id' | 'deployment_uuid'>;

/** A release to be started; what it was made of, and its build, where they were just made and are written down with that. */
export interface ReadyRelease {
  release: Release;
  made?: { release: Buffer; build?: Buffer | undefined };
}

/** An instance that is a build of files. */
export interface ServedFiles extends BuildName {
  instance: string;
}

/** A gateway that was not seen for so long is gone. */
const GATEWAY_GONE = '10 seconds';

/** By which a folder of sites is known to be this database's; made by the first holder of the lease. */
export async function sitesIdentity(db: Kysely<unknown>): Promise<string> {
  await sql`insert into sites_identity default values on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from sites_identity`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a database has no identity');
  return row.id;
}

/** Whether a server runs on this database: each tells the others every few seconds that it is there. */
export async function isServed(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`
    select from gateways where seen_at > clock_timestamp() - ${GATEWAY_GONE}::interval`.execute(db);
  return rows.length > 0;
}

export type Record = ReturnType<typeof createRecord>;

/**
 * What becomes of what was asked for, written down by the holder of the lease alone: each change locks the application's
 * row and the environment's, and throws LeaseLost once the lease is another one's.
 */
export function createRecord(db: Kysely<unknown>, generation: number, budgets: Admission) {
  const { changeEnvironment: asHolder, writeFenced: holding } = createFencedWrites(db, generation);

  return {
    /**
     * The deployment of the environment to work on now, its attempt counted: the newest unfinished one. Older ones,
     * which a crash left unfinished, end as superseded; so does nothing else here.
     */
    claim(environmentId: string, now: Temporal.Instant): Promise<DeploymentRow | undefined> {
      return asHolder(environmentId, async (transaction) => {
        const { rows } = await sql<DeploymentRow>`
          select ${deploymentColumns} from deployments
          where environment_id = ${environmentId} and status in (${isUnfinishedDeployment})
          order by deployment_uuid desc`.execute(transaction);
        const [newest, ...older] = rows;
        const endOne = async (row: DeploymentRow, status: DeploymentStatus, why: Reason) => {
          await endDeployment(transaction, sql`deployment_uuid = ${row.deployment_uuid}`, status, why, now);
        };
        for (const row of older) await endOne(row, 'superseded', reason('superseded'));
        if (!newest) return undefined;
        if (newest.cancel_requested) await endOne(newest, 'cancelled', reason('cancelled'));
        else if (newest.attempts >= MOST_ATTEMPTS)
          await endOne(newest, 'failed', reason('too_many_attempts'));
        else {
          const status = newest.action === 'deploy' ? 'building' : 'starting';
          // Another release may have gone live since it was asked for.
          if (newest.action === 'restart' || newest.action === 'start')
            await sql`
              update deployments set release_id = live.release_id, commit_hash = live.commit_hash,
                commit_message = live.commit_message
              from sites join deployments live using (deployment_uuid)
              where deployments.deployment_uuid = ${newest.deployment_uuid}
                and sites.environment_id = ${environmentId}`.execute(transaction);
          const { rows: claimed } = await sql<DeploymentRow>`
            update deployments set status = ${status}, attempts = attempts + 1,
              history = history || ${historyEntry(status, now)}
            where deployment_uuid = ${newest.deployment_uuid}
            returning ${deploymentColumns}`.execute(transaction);
          return claimed[0];
        }
        return undefined;
      });
    },

    /** It waits for a place to build: a newer one may take its place. Throws Cancelled when it is not wanted any more. */
    backToQueue(row: DeploymentRow, now: Temporal.Instant): Promise<void> {
      return asHolder(row.environment_id, async (transaction) => {
        const { rows } = await sql`
          update deployments set status = 'queued', attempts = attempts - 1,
            history = history || ${historyEntry('queued', now)}
          where deployment_uuid = ${row.deployment_uuid} and status = ${row.status} and not cancel_requested
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) throw new Cancelled(reason('cancelled'));
      });
    },

    /** It has a place to build, and goes on as it was. Throws Cancelled when it ended meanwhile. */
    outOfQueue(row: DeploymentRow, now: Temporal.Instant): Promise<void> {
      return asHolder(row.environment_id, async (transaction) => {
        const { rows } = await sql`
          update deployments set status = ${row.status}, attempts = attempts + 1,
            history = history || ${historyEntry(row.status, now)}
          where deployment_uuid = ${row.deployment_uuid} and status = 'queued'
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) throw new Cancelled(reason('superseded'));
      });
    },

    noteCommit(deploymentId: string, commit: { hash: string; message: string }): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update deployments set commit_hash = ${commit.hash}, commit_message = ${commit.message}
          where deployment_uuid = ${deploymentId}`.execute(transaction);
      });
    },

    /**
     * From building to starting, with the release it has, which is written down with its build where they were just made. Throws
     * Cancelled when it is not wanted any more, and a RuntimeFailure where it asks for more than its owner may have.
     */
    moveToStarting(
      row: DeploymentRow,
      { release, made }: ReadyRelease,
      now: Temporal.Instant,
    ): Promise<void> {
      const move = async (transaction: Kysely<unknown>) => {
        const { release_id, artifact, recipe, plan, ...rest } = release;
        const { build_id, application_uuid } = rest;
        if (made?.build) {
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
        if (made) {
          const its = { ...rest, plan: JSON.stringify(plan), fingerprint: made.release, made_at: now };
          await upsertInto('releases', { release_id }, its).execute(transaction);
        }
        const { rows } = await sql`
          update deployments set status = 'starting', release_id = ${release_id},
            history = history || ${historyEntry('starting', now)}
          where deployment_uuid = ${row.deployment_uuid} and status = 'building' and not cancel_requested
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) throw new Cancelled(reason('cancelled'));
      };
      const { environment_id: environmentId } = row;
      return budgets
        .admit(db, { environmentId }, (transaction) =>
          createFencedWrites(transaction, generation).changeEnvironment(environmentId, move),
        )
        .catch(asFailure);
    },

    /**
     * The deployment is live, and the site's from now on; these instances have its requests. Throws Cancelled when it is not
     * wanted any more. May be asked for again by whoever did not hear the answer.
     */
    goLive(
      row: DeploymentRow,
      instanceIds: readonly string[],
      variablesSealed: string,
      now: Temporal.Instant,
    ): Promise<void> {
      return asHolder(row.environment_id, async (transaction) => {
        const { rows } = await sql`
          update deployments set status = 'live', history = history || ${historyEntry('live', now)}
          where deployment_uuid = ${row.deployment_uuid} and status = 'starting' and not cancel_requested
          returning deployment_uuid`.execute(transaction);
        if (rows.length === 0) {
          if (await areServing(transaction, instanceIds)) return;
          throw new Cancelled(reason('cancelled'));
        }
        const key = { environment_id: row.environment_id };
        await upsertInto('sites', key, {
          deployment_uuid: row.deployment_uuid,
          variables_sealed: variablesSealed,
          state: 'live',
          restarts: 0,
          note: null,
          changed_at: now,
        }).execute(transaction);
        await sql`
          update instances set state = 'draining'
          where environment_id = ${row.environment_id} and process = ${WEB} and state = 'serving'`.execute(
          transaction,
        );
        await sql`
          update instances set state = 'serving' where instance_id = any(${instanceIds}::uuid[])`.execute(
          transaction,
        );
        await sql`delete from replicas where environment_id = ${row.environment_id}`.execute(transaction);
        await sql`
          update environments set deployed_at = ${toTimestamp(now)}
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
        const condition = sql`deployment_uuid = ${row.deployment_uuid} and status in (${isUnfinishedDeployment})`;
        await endDeployment(transaction, condition, status, why, now);
      });
    },

    /** A process that ended by itself, or was not there yet, runs. False when its site is stopped, or another deployment's by now. */
    cameBack(site: SiteRow, slot: Slot, instanceId: string, now: Temporal.Instant): Promise<boolean> {
      return asHolder(site.environment_id, async (transaction) => {
        const wanted =
          slot.process === WEB
            ? await noteSite(transaction, site, { state: 'live', note: null, ended: false }, now)
            : await isStill(transaction, site);
        if (!wanted) return false;
        await noteReplica(transaction, slot, { note: null, ended: false }, now);
        await sql`
          update instances set state = 'draining'
          where environment_id = ${slot.environmentId} and process = ${slot.process} and number = ${slot.number}
            and state = 'serving'`.execute(transaction);
        await sql`update instances set state = 'serving' where instance_id = ${instanceId}`.execute(
          transaction,
        );
        return true;
      });
    },

    /**
     * A process has ended by itself, or did not come back. While the last that takes requests comes back `soon`, they wait
     * for it. False when its site is stopped, or another deployment's by now.
     */
    wentDown(
      site: SiteRow,
      slot: Slot,
      { note, soon }: { note: Reason; soon: boolean },
      now: Temporal.Instant,
    ): Promise<boolean> {
      return asHolder(site.environment_id, async (transaction) => {
        if (!(await isStill(transaction, site))) return false;
        await noteReplica(transaction, slot, { note, ended: true }, now);
        if (slot.process !== WEB || (await hasWeb(transaction, slot.environmentId))) return true;
        return noteSite(transaction, site, { state: soon ? 'live' : 'down', note, ended: true }, now);
      });
    },

    /** The release's own command has succeeded: it is not run again for this deployment. */
    noteReleased({ deployment_uuid: id, environment_id }: DeploymentRow): Promise<void> {
      return asHolder(environment_id, async (transaction) => {
        await sql`update deployments set released = true where deployment_uuid = ${id}`.execute(transaction);
      });
    },

    /** An instance that is being started: known before it is there. */
    async begin({ targets = [], ...instance }: NewInstance, now: Temporal.Instant): Promise<void> {
      await asHolder(instance.environment_id, async (transaction) => {
        await insertInto('instances', {
          ...instance,
          targets: JSON.stringify(targets),
          generation,
          state: 'starting',
          started_at: now,
        }).execute(transaction);
      });
    },

    /** Where its requests go, once it answers. */
    answers(instanceId: string, targets: readonly BackendLocation[]): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update instances set targets = ${JSON.stringify(targets)}::jsonb
          where instance_id = ${instanceId}`.execute(transaction);
      });
    },

    /**
     * What became of those of an instance that its runtime starts again by itself. Where none takes requests, with `note` as the
     * reason, they wait for one unless the site is `down`.
     */
    async noteStanding(
      { instanceId, site, slot }: { instanceId: string; site: SiteRowKey; slot: Slot },
      standing: Pick<ReplicaState, 'numbers' | 'news'> & {
        targets: readonly BackendLocation[];
        note: Reason | null;
        down: boolean;
      },
      now: Temporal.Instant,
    ): Promise<void> {
      await asHolder(site.environment_id, async (transaction) => {
        if (!(await isStill(transaction, site))) return;
        const targets = JSON.stringify(standing.targets);
        const { rows } = await sql<{ had_any: boolean }>`
          update instances set targets = ${targets}::jsonb, numbers = ${standing.numbers}::integer[]
          from instances before
          where instances.instance_id = ${instanceId} and before.instance_id = instances.instance_id
            and (instances.targets <> ${targets}::jsonb or instances.numbers <> ${standing.numbers}::integer[])
          returning before.targets <> '[]' as had_any`.execute(transaction);
        for (const { number, ...how } of standing.news)
          await noteReplica(transaction, { ...slot, number }, how, now);
        if (slot.process !== WEB) return;
        const [changed] = rows;
        const { note, down } = standing;
        if (standing.targets.length === 0 && (changed || down))
          await noteSite(transaction, site, { state: down ? 'down' : 'live', note, ended: !down }, now);
        else if (changed?.had_any === false)
          await noteSite(transaction, site, { state: 'live', note: null, ended: false }, now);
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

    /** Whether a gateway has WebSockets open to an instance that it has otherwise finished with. */
    async hasTunnels(instanceId: string): Promise<boolean> {
      const { rows } = await sql`
        select from instances_let_go where instance_id = ${instanceId} and has_tunnels limit 1`.execute(db);
      return rows.length > 0;
    },

    /**
     * Does what has an effect outside the database, where the lease is nobody else's by now: the database is asked, for a process that was
     * frozen has not heard of it. Throws LeaseLost.
     */
    async effect<T>(work: () => Promise<T>): Promise<T> {
      const { rows } = await sql`select from hosting_lease where generation = ${generation}`.execute(db);
      if (rows.length === 0) throw new LeaseLost();
      return work();
    },

    /** Whether the lease is this holder's still. */
    async holds(): Promise<boolean> {
      const { rows } = await sql`
        select from hosting_lease where generation = ${generation} and held_until > clock_timestamp()`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** It is nobody's any more, whoever has the lease by now. */
    async ended(instanceId: string): Promise<void> {
      await sql`delete from instances where instance_id = ${instanceId}`.execute(db);
    },

    /** What was served of files, by whomever. */
    async servedFiles(): Promise<ServedFiles[]> {
      const { rows } = await sql<ServedFiles>`
        select instance_id as instance, targets -> 0 ->> 'applicationId' as "applicationId",
          targets -> 0 ->> 'buildId' as "buildId"
        from instances where state = 'serving' and targets @> '[{"kind": "files"}]'`.execute(db);
      return rows;
    },

    /**
     * Takes over those of the instances found running, or served of files, that serve what is still asked for: by their name, or, where a
     * database of before has lost it, by their labels. Forgets whatever else ran under earlier holders of the lease. Gives
     * the sites that are served now.
     */
    takeOver(
      found: readonly Instance[],
      files: readonly ServedFiles[],
      now: Temporal.Instant,
    ): Promise<SiteRow[]> {
      const names = [...found, ...files].map(({ instance }) => instance);
      return holding(async (transaction) => {
        const { rows: taken } = await sql<{ instance_id: string }>`
          update instances set generation = ${generation} from sites
          where instances.instance_id = any(${names}::uuid[]) and instances.state = 'serving'
            and sites.environment_id = instances.environment_id
            and sites.deployment_uuid = instances.deployment_uuid and sites.state = 'live'
          returning instance_id`.execute(transaction);
        const ids = taken.map((row) => row.instance_id);
        const { rows: forgotten } = await sql<{ instance_id: string }>`
          delete from instances where instance_id <> all(${ids}::uuid[]) returning instance_id`.execute(
          transaction,
        );
        const known = new Set(forgotten.map((row) => row.instance_id));
        const unknown = found.flatMap(({ instance, labels, replicas, ended }) => {
          if (ended || known.has(instance)) return [];
          return [{ instance, ...labels, targets: targetsOf({ replicas }) }];
        });
        await sql`
          insert into instances (instance_id, environment_id, deployment_uuid, process, number, numbers, generation, state, targets, started_at)
          select one.instance, environment_id, deployment_uuid, one.process, one.number, array[one.number], ${generation}, 'serving', one.targets, ${toTimestamp(now)}
          from jsonb_to_recordset(${JSON.stringify(unknown)}::jsonb)
            as one (instance uuid, "environmentId" uuid, "deploymentId" uuid, process text, number integer, targets jsonb)
          join sites on environment_id = one."environmentId" and deployment_uuid = one."deploymentId"
          where sites.state = 'live' and (one.process <> ${WEB} or one.targets <> '[]')
          on conflict do nothing`.execute(transaction);
        const { rows } = await sql<SiteRow>`
          select site.* from (${siteQuery}) as site where site.serving <> '[]'`.execute(transaction);
        return rows;
      });
    },

    /** Stops what is said to run and has no release to be started from, such as after an upgrade that forgot it; gives their environments. */
    async stopWithoutRelease(now: Temporal.Instant): Promise<EnvironmentName[]> {
      const { rows } = await sql<EnvironmentName>`
        select environments.environment_id, environments.application_uuid from environments
        left join sites on sites.environment_id = environments.environment_id
        left join deployments on deployments.deployment_uuid = sites.deployment_uuid
        left join releases on releases.release_id = deployments.release_id
        where environments.status in ('live', 'down', 'asleep') and releases.release_id is null`.execute(db);
      for (const { environment_id: id } of rows) {
        await asHolder(id, async (transaction) => {
          await sql`
            update sites set state = 'stopped', note = ${storedJson(reason('release_gone'))}, changed_at = ${toTimestamp(now)}
            where environment_id = ${id}`.execute(transaction);
        });
      }
      return rows;
    },

    /** The newest release made of exactly the same. */
    async sameRelease(applicationId: string, fingerprint: Buffer): Promise<Release | undefined> {
      const { rows } = await sql<Release>`
        select ${releaseColumns} from ${releaseTables}
        where releases.application_uuid = ${applicationId} and releases.fingerprint = ${fingerprint}
        order by release_id desc limit 1`.execute(db);
      return rows[0];
    },

    /** The newest build made of exactly the same. */
    async sameBuild(applicationId: string, fingerprint: Buffer): Promise<Build | undefined> {
      const { rows } = await sql<Build>`
        select build_id, artifact from builds
        where application_uuid = ${applicationId} and fingerprint = ${fingerprint}
        order by build_id desc limit 1`.execute(db);
      return rows[0];
    },

    /** The question what a deployment of the environment would do, if one is open. */
    async askedPlan(environmentId: string): Promise<PlanRequest | undefined> {
      const { rows } = await sql<PlanRequest>`
        select plan_id, application_uuid, plan_requests.environment_id from plan_requests
        join environments on environments.environment_id = plan_requests.environment_id
        where plan_requests.environment_id = ${environmentId} and answer is null`.execute(db);
      return rows[0];
    },

    answerPlan({ plan_id: id }: PlanRequest, answer: Forecast): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update plan_requests set answer = ${JSON.stringify(answer)}::jsonb where plan_id = ${id}`.execute(
          transaction,
        );
      });
    },

    /** Where a release was found to listen, so that it is not looked for again. */
    notePort(releaseId: string, port: number): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update releases set plan = plan || ${JSON.stringify({ port })}::jsonb
          where release_id = ${releaseId}`.execute(transaction);
      });
    },

    /** The build was made again, on this machine. */
    /** What a build is by now; undefined where it is forgotten. */
    async artifactOf(buildId: string): Promise<Artifact | undefined> {
      const { rows } = await sql<Pick<Build, 'artifact'>>`
        select artifact from builds where build_id = ${buildId}`.execute(db);
      return rows[0]?.artifact;
    },

    madeAgain(buildId: string, artifact: Artifact): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          update builds set artifact = ${JSON.stringify(artifact)}::jsonb
          where build_id = ${buildId}`.execute(transaction);
      });
    },

    /**
     * Forgets all but the newest releases of production, what the sites run, and what a waiting deployment needs, and the
     * builds that none of them needs any more; gives the builds that are kept. None of the application's is being made.
     */
    pruneReleases(applicationId: string, most: number): Promise<Set<string>> {
      return holding(async (transaction) => {
        // Whoever asks for one of them, in any environment, comes before or after.
        await sql`select from environments where application_uuid = ${applicationId} for update`.execute(
          transaction,
        );
        await sql`
          delete from releases where application_uuid = ${applicationId} and release_id not in (
            (select release_id from deployments
             join environments on environments.environment_id = deployments.environment_id
             where deployments.application_uuid = ${applicationId} and environments.name = ${PRODUCTION}
               and release_id is not null
             group by release_id order by release_id desc limit ${most})
            union
            select release_id from deployments where application_uuid = ${applicationId} and release_id is not null
              and (status in (${isUnfinishedDeployment}) or deployment_uuid in (select deployment_uuid from sites))
          )`.execute(transaction);
        await sql`
          delete from builds where application_uuid = ${applicationId}
            and not exists (select from releases where releases.build_id = builds.build_id)`.execute(
          transaction,
        );
        const kept = await sql<{ build_id: string }>`
          select build_id from builds where application_uuid = ${applicationId}`.execute(transaction);
        return new Set(kept.rows.map((row) => row.build_id));
      }, applicationId);
    },

    /** Versions of Node.js that builds were made with. */
    async nodesInUse(): Promise<Set<string>> {
      const { rows } = await sql<{ node: string }>`
        select distinct artifact ->> 'node' as node from builds where artifact ->> 'node' is not null`.execute(
        db,
      );
      return new Set(rows.map(({ node }) => node));
    },

    /** Forgets all but the newest deployments of an environment, and their logs with them. */
    pruneDeployments(environmentId: string, most: number): Promise<void> {
      return holding(async (transaction) => {
        await sql`
          delete from deployments where environment_id = ${environmentId} and status not in (${isUnfinishedDeployment})
            and deployment_uuid not in (select deployment_uuid from sites)
            and deployment_uuid < (
              select deployment_uuid from deployments where environment_id = ${environmentId}
              order by deployment_uuid desc limit 1 offset ${most - 1})`.execute(transaction);
      }, sql`(select application_uuid from environments where environment_id = ${environmentId})`);
    },
  };
}

async function areServing(transaction: Kysely<unknown>, instanceIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from instances where instance_id = any(${instanceIds}::uuid[]) and state = 'serving'`.execute(
    transaction,
  );
  return rows.length === instanceIds.length;
}

/** Whether the site is to run, by the same deployment. */
async function isStill(
  transaction: Kysely<unknown>,
  { environment_id, deployment_uuid }: SiteRowKey,
): Promise<boolean> {
  const { rows } = await sql`
    select from sites
    where environment_id = ${environment_id} and deployment_uuid = ${deployment_uuid}
      and state not in (${restingStates})`.execute(transaction);
  return rows.length > 0;
}

/** Whether anything takes the environment's requests. */
async function hasWeb(transaction: Kysely<unknown>, environmentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from instances
    where environment_id = ${environmentId} and process = ${WEB} and state = 'serving' and targets <> '[]' limit 1`.execute(
    transaction,
  );
  return rows.length > 0;
}

async function noteReplica(
  transaction: Kysely<unknown>,
  { environmentId, process, number }: Slot,
  { note, ended }: { note: Reason | null; ended: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const at = toTimestamp(now);
  const restarts = ended ? 1 : 0;
  await sql`
    insert into replicas (environment_id, process, number, restarts, note, changed_at)
    values (${environmentId}, ${process}, ${number}, ${restarts}, ${note && storedJson(note)}, ${at})
    on conflict (environment_id, process, number) do update
    set restarts = replicas.restarts + excluded.restarts, note = excluded.note, changed_at = excluded.changed_at`.execute(
    transaction,
  );
}

async function noteSite(
  transaction: Kysely<unknown>,
  { environment_id, deployment_uuid }: SiteRowKey,
  { state, note, ended }: { state: 'live' | 'down'; note: Reason | null; ended: boolean },
  now: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update sites set state = ${state}, note = ${note && storedJson(note)}, changed_at = ${toTimestamp(now)},
      restarts = restarts + ${ended ? 1 : 0}
    where environment_id = ${environment_id} and deployment_uuid = ${deployment_uuid}
      and state not in (${restingStates})
    returning environment_id`.execute(transaction);
  return rows.length > 0;
}
