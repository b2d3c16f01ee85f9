import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Config } from '../../kernel/config.ts';
import { upsertInto } from '../../kernel/database/rows.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { isUnfinishedDeployment } from '../model/deployment-rows.ts';
import type { RuntimeFailure } from '../model/reasons/failure.ts';
import type { Reason } from '../model/reasons/reason.ts';
import { isUnfinishedRun } from '../model/run-rows.ts';
import {
  type ApplicationUse,
  type Budget,
  type BudgetOwner,
  excessOf,
  RESOURCES,
  type Resource,
  THREADS_OF_A_REPLICA,
  totalOf,
} from './budget.ts';
import { diskIsFull, OverBudget } from './over-budget.ts';

export type BudgetSettings = Pick<
  Config,
  'ownerApplications' | 'ownerReplicas' | 'ownerMemoryMb' | 'ownerProcesses' | 'ownerDiskMb' | 'appsMemoryMb'
>;

/** Limits that an operator set for one owner; null means the default from the settings. */
export type OwnBudget = Readonly<Record<Resource, number | null>>;
const columns = sql.join(RESOURCES.map((resource) => sql.ref(resource)));

/** Number of replicas that a release needs in an environment: one of each process, or the number that was requested. */
const replicasOf = (plan: RawBuilder<unknown>) => sql`(
  select coalesce(sum(coalesce((environments.processes ->> process)::integer, 1)), 0)
  from jsonb_object_keys(${plan} -> 'processes') as process)`;

/**
 * Budgets of owners and their applications' resource use. A replica counts while its site should run, and from the
 * moment a deployment has its release. During a switch between two releases, a replica is not counted for both. Stopped
 * and sleeping sites do not count. A command that runs beside a site counts as one replica.
 */
export class Budgets {
  readonly #db: Kysely<unknown>;
  /** Budget of owners without limits of their own. */
  readonly #defaults: Budget;
  readonly #replicaMemoryMb: number;

  constructor(db: Kysely<unknown>, settings: BudgetSettings) {
    this.#db = db;
    this.#replicaMemoryMb = settings.appsMemoryMb;
    this.#defaults = {
      applications: settings.ownerApplications,
      replicas: settings.ownerReplicas,
      memory_mb: settings.ownerMemoryMb,
      processes: settings.ownerProcesses,
      disk_mb: settings.ownerDiskMb,
    };
  }

  async budgetOf(ownerId: string, through = this.#db): Promise<Budget> {
    return this.#withDefaults(await ownBudget(ownerId, through));
  }

  async usesOf(ownerId: string, through = this.#db): Promise<ApplicationUse[]> {
    return (await this.#usesOfEach([ownerId], through)).get(ownerId) ?? [];
  }

  /** Budgets of several owners and what they use of them, in two queries. */
  async readEach(ownerIds: readonly string[]): Promise<Map<string, { budget: Budget; used: Budget }>> {
    const [own, uses] = await Promise.all([
      ownBudgets(ownerIds, this.#db),
      this.#usesOfEach(ownerIds, this.#db),
    ]);
    return new Map(
      ownerIds.map((id) => [
        id,
        { budget: this.#withDefaults(own.get(id)), used: totalOf(uses.get(id) ?? []) },
      ]),
    );
  }

  async #usesOfEach(
    ownerIds: readonly string[],
    through: Kysely<unknown>,
  ): Promise<Map<string, ApplicationUse[]>> {
    const { rows } = await sql<{
      owner_id: string;
      id: string;
      name: string;
      replicas: number;
      disk_mb: number;
    }>`
      select applications.owner_id, applications.application_uuid as id, applications.name,
        ceil(applications.disk_bytes / 1048576.0)::integer as disk_mb,
        coalesce(sum(
          greatest(
            case when sites.state in ('live', 'down') then ${replicasOf(sql`live.plan`)} else 0 end,
            (select max(${replicasOf(sql`coming.plan`)}) from deployments
              join releases coming on coming.release_id = deployments.release_id
              where deployments.environment_id = environments.environment_id
                and deployments.status in (${isUnfinishedDeployment})))
          + (select count(*) from runs
              where runs.environment_id = environments.environment_id and ${isUnfinishedRun})), 0)::integer as replicas
      from applications
      left join environments on environments.application_uuid = applications.application_uuid
      left join sites on sites.environment_id = environments.environment_id
      left join deployments current on current.deployment_uuid = sites.deployment_uuid
      left join releases live on live.release_id = current.release_id
      where applications.owner_id = any (${ownerIds}::uuid[])
      group by applications.application_uuid`.execute(through);
    const uses = new Map<string, ApplicationUse[]>();
    for (const { owner_id, id, name, replicas, disk_mb } of rows) {
      const use = { application_uuid: id, name, applications: 1, ...this.#amountsOf(replicas), disk_mb };
      uses.set(owner_id, [...(uses.get(owner_id) ?? []), use]);
    }
    return uses;
  }

  admit<T>(
    through: Kysely<unknown>,
    owner: BudgetOwner,
    change: (transaction: Kysely<unknown>) => Promise<T>,
  ): Promise<T> {
    return this.inTurn(through, owner, async (transaction, ownerId) => {
      // If the owner no longer exists, there is no budget to check, and the change reports the missing owner itself.
      if (ownerId === undefined) return change(transaction);
      const before = await this.usesOf(ownerId, transaction);
      const result = await change(transaction);
      const after = await this.usesOf(ownerId, transaction);
      const excess = excessOf(await this.budgetOf(ownerId, transaction), before, after);
      if (excess) throw new OverBudget(excess);
      return result;
    });
  }

  /**
   * Runs `work` while no other change of the owner's resource use can run: it holds the owner's row until the
   * transaction ends. Locks of applications and environments are taken within it, never before, to avoid deadlocks.
   */
  inTurn<T>(
    through: Kysely<unknown>,
    owner: BudgetOwner,
    work: (transaction: Kysely<unknown>, ownerId: string | undefined) => Promise<T>,
  ): Promise<T> {
    return inTransaction(through, async (transaction) =>
      work(transaction, await ownerOf(transaction, owner, 'lock')),
    );
  }

  /** Reason why an owner may not run another replica; undefined if they may. */
  async whyNoReplica(transaction: Kysely<unknown>, environmentId: string): Promise<Reason | undefined> {
    const ownerId = await ownerOf(transaction, { environmentId }, 'read');
    if (ownerId === undefined) return undefined;
    const [budget, uses] = [
      await this.budgetOf(ownerId, transaction),
      await this.usesOf(ownerId, transaction),
    ];
    const one = { applications: 0, ...this.#amountsOf(1), disk_mb: 0, application_uuid: '', name: '' };
    const excess = excessOf(budget, uses, [...uses, one]);
    return excess && new OverBudget(excess).reason;
  }

  /** Failure for an owner whose applications fill their disk budget; undefined if there is space left. */
  async diskExcess(ownerId: string): Promise<RuntimeFailure | undefined> {
    const [budget, uses] = await Promise.all([
      this.budgetOf(ownerId, this.#db),
      this.usesOf(ownerId, this.#db),
    ]);
    const isFull = budget.disk_mb > 0 && totalOf(uses).disk_mb >= budget.disk_mb;
    return isFull ? diskIsFull(budget, uses) : undefined;
  }

  /** Stores the disk use of an application, in bytes. */
  async noteDisk(applicationId: string, bytes: number): Promise<void> {
    await sql`
      update applications set disk_bytes = ${bytes} where application_uuid = ${applicationId}`.execute(
      this.#db,
    );
  }

  #withDefaults(own: OwnBudget | undefined): Budget {
    const entries = RESOURCES.map((resource) => [resource, own?.[resource] ?? this.#defaults[resource]]);
    return Object.fromEntries(entries) as Budget;
  }

  #amountsOf(replicas: number) {
    return {
      replicas,
      memory_mb: replicas * this.#replicaMemoryMb,
      processes: replicas * THREADS_OF_A_REPLICA,
    };
  }
}

/** Finds the account of a budget's owner; undefined if the account no longer exists. */
async function ownerOf(
  transaction: Kysely<unknown>,
  owner: BudgetOwner,
  how: 'read' | 'lock',
): Promise<string | undefined> {
  const which =
    'ownerId' in owner
      ? sql`${owner.ownerId}`
      : sql`(select owner_id from applications join environments using (application_uuid)
          where environment_id = ${owner.environmentId})`;
  const { rows } = await sql<{ account_id: string }>`
    select account_id from users where account_id = ${which} ${how === 'lock' ? sql`for no key update` : sql``}`.execute(
    transaction,
  );
  return rows[0]?.account_id;
}

async function ownBudget(ownerId: string, through: Kysely<unknown>): Promise<OwnBudget | undefined> {
  return (await ownBudgets([ownerId], through)).get(ownerId);
}

async function ownBudgets(
  ownerIds: readonly string[],
  through: Kysely<unknown>,
): Promise<Map<string, OwnBudget>> {
  const { rows } = await sql<OwnBudget & { account_id: string }>`
    select account_id, ${columns} from owner_budgets where account_id = any (${ownerIds}::uuid[])`.execute(
    through,
  );
  return new Map(rows.map(({ account_id, ...own }) => [account_id, own]));
}

/** Sets the limits of one owner; null means the default from the settings. Returns the limits as stored. */
export async function setOwnBudget(
  db: Kysely<unknown>,
  ownerId: string,
  changes: Partial<OwnBudget>,
): Promise<OwnBudget> {
  const before = await ownBudget(ownerId, db);
  const entries = RESOURCES.map((resource) => {
    const change = changes[resource];
    return [resource, change === undefined ? (before?.[resource] ?? null) : change];
  });
  const next = Object.fromEntries(entries) as OwnBudget;
  await upsertInto('owner_budgets', { account_id: ownerId }, next).execute(db);
  return next;
}
