import type { Kysely } from 'kysely';

/** Resources that an operator can limit for one owner, over all of their applications. */
export const RESOURCES = ['applications', 'replicas', 'memory_mb', 'processes', 'disk_mb'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Amounts of each resource: memory and disk in MiB, processes in threads. */
export type Amounts = Readonly<Record<Resource, number>>;

/** Upper limit of each resource for one owner; 0 means no limit. */
export type Budget = Amounts;

/** Account whose budget is meant: given by its id, or as the owner of an environment. */
export type BudgetOwner = { ownerId: string } | { environmentId: string };

/** Runs changes that affect an owner's resource use, within the owner's budget. Implemented in store.ts. */
export interface Admission {
  /**
   * Runs a change of an owner's resource use. If the owner's use would exceed the budget, throws OverBudget and rolls
   * the change back. Changes of one owner run one after the other.
   */
  admit<T>(
    through: Kysely<unknown>,
    owner: BudgetOwner,
    change: (transaction: Kysely<unknown>) => Promise<T>,
  ): Promise<T>;
}

/** Current resource use of one application. */
export interface ApplicationUse extends Amounts {
  application_uuid: string;
  name: string;
}

/** Use of one resource by one application. */
export interface Share {
  application_uuid: string;
  name: string;
  amount: number;
}

/** Resource of which an owner would use more than the budget allows, after a change. */
export interface Excess {
  resource: Resource;
  most: number;
  /** Amount of the resource that the owner would use after the change. */
  after: number;
  /** Amount of the resource that the owner uses now. */
  used: number;
  /** Number of the owner's applications that use the resource now. */
  applications: number;
}

/** Thread limit of one replica, over all its processes; a typical program today has a dozen. */
export const THREADS_OF_A_REPLICA = 500;

/** Maximum number of applications that `largestOf` returns. */
const MOST_LARGEST = 5;

export function totalOf(uses: readonly Amounts[]): Amounts {
  const sum = (resource: Resource) => uses.reduce((total, use) => total + use[resource], 0);
  return Object.fromEntries(RESOURCES.map((resource) => [resource, sum(resource)])) as Amounts;
}

/**
 * First resource for which a change would exceed the budget. A change that does not increase the use of a resource is
 * never refused, so an owner whose budget was lowered can still scale down.
 */
export function excessOf(
  budget: Budget,
  before: readonly ApplicationUse[],
  after: readonly ApplicationUse[],
): Excess | undefined {
  const [total, then] = [totalOf(before), totalOf(after)];
  const resource = RESOURCES.find(
    (one) => budget[one] > 0 && then[one] > budget[one] && then[one] > total[one],
  );
  if (!resource) return undefined;
  return {
    resource,
    most: budget[resource],
    after: then[resource],
    used: total[resource],
    applications: countUsing(before, resource),
  };
}

/** Number of applications that use any of a resource. */
export function countUsing(uses: readonly ApplicationUse[], resource: Resource): number {
  return uses.filter((use) => use[resource] > 0).length;
}

/** Applications that use the most of a resource, the largest first. */
export function largestOf(uses: readonly ApplicationUse[], resource: Resource): Share[] {
  return uses
    .map((use) => ({ application_uuid: use.application_uuid, name: use.name, amount: use[resource] }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, MOST_LARGEST);
}
