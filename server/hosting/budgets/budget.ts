import type { Kysely } from 'kysely';

/** What an operator limits for one owner, over all of their applications. */
export const RESOURCES = ['applications', 'replicas', 'memory_mb', 'processes', 'disk_mb'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Amounts of each resource: memory and disk in MiB, processes in threads. */
export type Amounts = Readonly<Record<Resource, number>>;

/** The most that one owner may use of each resource; 0: no limit. */
export type Budget = Amounts;

/** Whose budget it is: an account's, or that of an environment's owner. */
export type Owner = { ownerId: string } | { environmentId: string };

/** Where changes of what an owner's applications use are made (store.ts). */
export interface Admission {
  /**
   * Makes a change of what an owner's applications use. Throws OverBudget, and rolls the change back, where it would take them
   * over their budget. Changes of one owner come one after the other.
   */
  admit<T>(
    through: Kysely<unknown>,
    owner: Owner,
    change: (transaction: Kysely<unknown>) => Promise<T>,
  ): Promise<T>;
}

/** What one application of an owner uses now. */
export interface ApplicationUse extends Amounts {
  application_uuid: string;
  name: string;
}

/** What one application uses of one resource. */
export interface Share {
  application_uuid: string;
  name: string;
  amount: number;
}

/** A resource of which a change would use more than the budget allows. */
export interface Excess {
  resource: Resource;
  most: number;
  /** What would be used after the change. */
  after: number;
  /** What uses the most of it now. */
  by: readonly Share[];
}

/** The most threads that one replica may have, of all its processes together; a program of today has a dozen. */
export const THREADS_OF_A_REPLICA = 500;

/** Applications that an error names. */
const MOST_NAMED = 5;

export function totalOf(uses: readonly Amounts[]): Amounts {
  const sum = (resource: Resource) => uses.reduce((total, use) => total + use[resource], 0);
  return Object.fromEntries(RESOURCES.map((resource) => [resource, sum(resource)])) as Amounts;
}

/**
 * The first resource that a change takes over the budget. A change that does not use more of a resource than before is never
 * refused for it, so that an owner whose budget was lowered can still scale down.
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
  return { resource, most: budget[resource], after: then[resource], by: largestOf(before, resource) };
}

/** The applications that use the most of a resource, the largest first. */
export function largestOf(uses: readonly ApplicationUse[], resource: Resource): Share[] {
  return uses
    .map((use) => ({ application_uuid: use.application_uuid, name: use.name, amount: use[resource] }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, MOST_NAMED);
}
