import { type Kysely, sql } from 'kysely';
import { toTimestamp } from '../../../kernel/clock.ts';
import { insertInto } from '../../../kernel/database/rows.ts';
import type { EnvironmentName } from '../../applications/store.ts';
import type { BackendLocation } from '../../model/backend-location.ts';
import { type SiteRow, siteQuery, storedJson } from '../../model/deployment-rows.ts';
import type { LeaseFence } from '../../model/lease-fence.ts';
import { WEB } from '../../model/plan.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import type { BuildName } from '../../model/site-folders.ts';
import type { Slot } from '../../model/slots.ts';
import type { OwnerMails } from '../../owner-mails/owner-mails.ts';
import type { Instance } from '../../runtimes/runtime.ts';
import type { ReplicaState } from '../supervision/replicas.ts';
import { targetsOf } from '../supervision/tracked-instance.ts';
import { isRunningGateway } from './gateways.ts';
import { hasServingWeb, isStillDesired, noteReplica, noteSite, type SiteKey } from './site-state.ts';

export interface NewInstance {
  instance_id: string;
  environment_id: string;
  deployment_uuid: string;
  process: string;
  number: number;
  /** Numbers of the replicas that run in this instance; only one number if each replica is an instance of its own. */
  numbers: readonly number[];
  /** Backends that take the instance's requests, if they are known from the start. */
  targets?: readonly BackendLocation[] | undefined;
}

/** An instance that serves the files of a build. */
export interface ServedFiles extends BuildName {
  instance: string;
}

/** State of an instance whose replicas its runtime restarts by itself. */
export interface InstanceState extends Pick<ReplicaState, 'numbers' | 'changes'> {
  targets: readonly BackendLocation[];
  note: Reason | null;
  /** True if requests fail at once, rather than wait for the site, while no replica of the instance takes requests. */
  down: boolean;
}

export interface InstanceRecordsParts {
  db: Kysely<unknown>;
  fence: LeaseFence;
  /** Time after which a gateway that has not updated its row in the database counts as gone. */
  gatewayGoneMs: number;
  /** Mails to owners; undefined: none. */
  mails?: OwnerMails | undefined;
}

/** Instances and the state of their sites, written by the lease holder. */
export class InstanceRecords {
  readonly #db: Kysely<unknown>;
  readonly #fence: LeaseFence;
  readonly #gatewayGoneMs: number;
  readonly #mails: OwnerMails | undefined;

  constructor({ db, fence, gatewayGoneMs, mails }: InstanceRecordsParts) {
    this.#db = db;
    this.#fence = fence;
    this.#gatewayGoneMs = gatewayGoneMs;
    this.#mails = mails;
  }

  /** Records an instance in the database before it is started. */
  async begin({ targets = [], ...instance }: NewInstance, now: Temporal.Instant): Promise<void> {
    await this.#fence.changeEnvironment(instance.environment_id, async (transaction) => {
      await insertInto('instances', {
        ...instance,
        targets: JSON.stringify(targets),
        generation: this.#fence.generation,
        state: 'starting',
        started_at: now,
      }).execute(transaction);
    });
  }

  /** Records the backends of an instance once it answers. */
  noteTargets(instanceId: string, targets: readonly BackendLocation[]): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update instances set targets = ${JSON.stringify(targets)}::jsonb
        where instance_id = ${instanceId}`.execute(transaction);
    });
  }

  /**
   * Makes a restarted or additional instance the one that serves in its slot. Returns false if its site is stopped, or
   * runs another deployment by now.
   */
  noteServing(site: SiteRow, slot: Slot, instanceId: string, now: Temporal.Instant): Promise<boolean> {
    return this.#fence.changeEnvironment(site.environment_id, async (transaction) => {
      const isDesired =
        slot.process === WEB
          ? await noteSite(transaction, site, { state: 'live', note: null, ended: false }, now, this.#mails)
          : await isStillDesired(transaction, site);
      if (!isDesired) return false;
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
  }

  /**
   * Records that a process of a site has ended by itself, or could not be restarted. `soon`: the process comes back
   * soon, so requests wait for it if no other instance takes them. Returns false if the site is stopped, or runs
   * another deployment by now.
   */
  noteDown(
    site: SiteRow,
    slot: Slot,
    { note, soon }: { note: Reason; soon: boolean },
    now: Temporal.Instant,
  ): Promise<boolean> {
    return this.#fence.changeEnvironment(site.environment_id, async (transaction) => {
      if (!(await isStillDesired(transaction, site))) return false;
      await noteReplica(transaction, slot, { note, ended: true }, now);
      if (slot.process !== WEB || (await hasServingWeb(transaction, slot.environmentId))) return true;
      return noteSite(
        transaction,
        site,
        { state: soon ? 'live' : 'down', note, ended: true },
        now,
        this.#mails,
      );
    });
  }

  /**
   * Records the replicas of an instance whose runtime restarts them by itself. If no replica takes requests, `note` is
   * the reason. Requests then wait for a replica, unless `down` is set.
   */
  async noteReplicas(
    { instanceId, site, slot }: { instanceId: string; site: SiteKey; slot: Slot },
    { targets, numbers, changes, note, down }: InstanceState,
    now: Temporal.Instant,
  ): Promise<void> {
    await this.#fence.changeEnvironment(site.environment_id, async (transaction) => {
      if (!(await isStillDesired(transaction, site))) return;
      const written = JSON.stringify(targets);
      const { rows } = await sql<{ had_any: boolean }>`
        update instances set targets = ${written}::jsonb, numbers = ${numbers}::integer[]
        from instances before
        where instances.instance_id = ${instanceId} and before.instance_id = instances.instance_id
          and (instances.targets <> ${written}::jsonb or instances.numbers <> ${numbers}::integer[])
        returning before.targets <> '[]' as had_any`.execute(transaction);
      for (const { number, ...how } of changes) await noteReplica(transaction, { ...slot, number }, how, now);
      if (slot.process !== WEB) return;
      const [changed] = rows;
      if (targets.length === 0 && (changed || down))
        await noteSite(
          transaction,
          site,
          { state: down ? 'down' : 'live', note, ended: !down },
          now,
          this.#mails,
        );
      else if (changed?.had_any === false)
        await noteSite(transaction, site, { state: 'live', note: null, ended: false }, now, this.#mails);
    });
  }

  /** Records that no further requests should go to an instance. */
  noteDraining(instanceId: string): Promise<void> {
    return this.#fence.write(async (transaction) => {
      await sql`
        update instances set state = 'draining'
        where instance_id = ${instanceId} and state = 'serving'`.execute(transaction);
    });
  }

  /** Records that no further requests should go to any instance of this lease term. */
  async noteAllDraining(): Promise<void> {
    await sql`
      update instances set state = 'draining'
      where generation = ${this.#fence.generation} and state = 'serving'`.execute(this.#db);
  }

  /**
   * True if every running gateway has acknowledged that a draining instance is drained. Gateways acknowledge nothing
   * about instances of deleted sites, which count as drained.
   */
  async isDrained(instanceId: string): Promise<boolean> {
    const { rows } = await sql<{ waited_for: boolean }>`
      select exists (select from instances where instance_id = ${instanceId}) and exists (
        select from gateways where ${isRunningGateway(this.#gatewayGoneMs)}
          and not exists (
            select from instances_let_go let_go
            where let_go.gateway_id = gateways.gateway_id and let_go.instance_id = ${instanceId})
      ) as waited_for`.execute(this.#db);
    return !rows[0]?.waited_for;
  }

  /** True if a gateway still has WebSockets open to an instance that it has acknowledged as drained. */
  async hasTunnels(instanceId: string): Promise<boolean> {
    const { rows } = await sql`
      select from instances_let_go where instance_id = ${instanceId} and has_tunnels limit 1`.execute(
      this.#db,
    );
    return rows.length > 0;
  }

  /** Deletes the record of an instance that has ended, whichever server holds the lease by now. */
  async remove(instanceId: string): Promise<void> {
    await sql`delete from instances where instance_id = ${instanceId}`.execute(this.#db);
  }

  /** Instances that serve files, whichever holder of the lease started them. */
  async findServedFiles(): Promise<ServedFiles[]> {
    const { rows } = await sql<ServedFiles>`
      select instance_id as instance, targets -> 0 ->> 'applicationId' as "applicationId",
        targets -> 0 ->> 'buildId' as "buildId"
      from instances where state = 'serving' and targets @> '[{"kind": "files"}]'`.execute(this.#db);
    return rows;
  }

  /**
   * Takes over instances of earlier lease terms that run or serve files, if their site should still run them. Running
   * instances that the database does not know, because an older copy was restored, are recognised by their labels.
   * Deletes the records of all other instances. Returns the sites that are served now.
   */
  takeOver(
    found: readonly Instance[],
    files: readonly ServedFiles[],
    now: Temporal.Instant,
  ): Promise<SiteRow[]> {
    const ids = [...found, ...files].map(({ instance }) => instance);
    return this.#fence.write(async (transaction) => {
      const deleted = await keepInstances(transaction, ids, this.#fence.generation);
      const unknown = found.filter(({ instance, ended }) => !ended && !deleted.has(instance));
      await insertByLabels(transaction, unknown, this.#fence.generation, now);
      const { rows } = await sql<SiteRow>`
        select site.* from (${siteQuery}) as site where site.serving <> '[]'`.execute(transaction);
      return rows;
    });
  }

  /**
   * Stops sites that should run but have no release to start from, such as after an upgrade that deleted it. Returns
   * their environments.
   */
  async stopWithoutRelease(now: Temporal.Instant): Promise<EnvironmentName[]> {
    const { rows } = await sql<EnvironmentName>`
      select environments.environment_id, environments.application_uuid from environments
      left join sites on sites.environment_id = environments.environment_id
      left join deployments on deployments.deployment_uuid = sites.deployment_uuid
      left join releases on releases.release_id = deployments.release_id
      where environments.status in ('live', 'down', 'asleep') and releases.release_id is null`.execute(
      this.#db,
    );
    for (const { environment_id: id } of rows) {
      await this.#fence.changeEnvironment(id, async (transaction) => {
        await sql`
          update sites set state = 'stopped', note = ${storedJson(reason('release_gone'))}, changed_at = ${toTimestamp(now)}
          where environment_id = ${id}`.execute(transaction);
      });
    }
    return rows;
  }
}

/**
 * Moves the records of the instances with these ids to this lease term if their site should still run them, and deletes
 * all others. Returns the ids of the deleted records.
 */
async function keepInstances(
  transaction: Kysely<unknown>,
  ids: readonly string[],
  generation: number,
): Promise<Set<string>> {
  const { rows: taken } = await sql<{ instance_id: string }>`
    update instances set generation = ${generation} from sites
    where instances.instance_id = any(${ids}::uuid[]) and instances.state = 'serving'
      and sites.environment_id = instances.environment_id
      and sites.deployment_uuid = instances.deployment_uuid and sites.state = 'live'
    returning instance_id`.execute(transaction);
  const kept = taken.map((row) => row.instance_id);
  const { rows: deleted } = await sql<{ instance_id: string }>`
    delete from instances where instance_id <> all(${kept}::uuid[]) returning instance_id`.execute(
    transaction,
  );
  return new Set(deleted.map((row) => row.instance_id));
}

/**
 * Inserts running instances that the database does not know, if their labels name the current deployment of a live
 * site.
 */
async function insertByLabels(
  transaction: Kysely<unknown>,
  found: readonly Instance[],
  generation: number,
  now: Temporal.Instant,
): Promise<void> {
  const unknown = found.map(({ instance, labels, replicas }) => ({
    instance,
    ...labels,
    targets: targetsOf({ replicas }),
  }));
  await sql`
    insert into instances (instance_id, environment_id, deployment_uuid, process, number, numbers, generation, state, targets, started_at)
    select one.instance, environment_id, deployment_uuid, one.process, one.number, array[one.number], ${generation}, 'serving', one.targets, ${toTimestamp(now)}
    from jsonb_to_recordset(${JSON.stringify(unknown)}::jsonb)
      as one (instance uuid, "environmentId" uuid, "deploymentId" uuid, process text, number integer, targets jsonb)
    join sites on environment_id = one."environmentId" and deployment_uuid = one."deploymentId"
    where sites.state = 'live' and (one.process <> ${WEB} or one.targets <> '[]')
    on conflict do nothing`.execute(transaction);
}
