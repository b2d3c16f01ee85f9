import { isResting, type SiteRow } from './deployment-rows.ts';
import { WEB } from './plan.ts';

/** Slot: the place of one replica of a process in an environment, such as its second `web`. */
export interface Slot {
  environmentId: string;
  /** Process name, such as `web`. */
  process: string;
  /** Number of the replica, starting at 1. */
  number: number;
}

/**
 * Map with slots (places of processes in environments) as keys. It also finds the values of all slots of one
 * environment.
 */
export class BySlot<T> {
  readonly #all = new Map<string, Map<string, T>>();

  get({ environmentId, ...slot }: Slot): T | undefined {
    return this.#all.get(environmentId)?.get(slotName(slot));
  }

  set({ environmentId, ...slot }: Slot, value: T): void {
    const there = this.#all.get(environmentId) ?? new Map<string, T>();
    this.#all.set(environmentId, there.set(slotName(slot), value));
  }

  delete({ environmentId, ...slot }: Slot): void {
    const there = this.#all.get(environmentId);
    there?.delete(slotName(slot));
    if (there?.size === 0) this.#all.delete(environmentId);
  }

  has(environmentId: string): boolean {
    return this.#all.has(environmentId);
  }

  /** Values of all slots of an environment. */
  of(environmentId: string): T[] {
    return [...(this.#all.get(environmentId)?.values() ?? [])];
  }

  environments(): string[] {
    return [...this.#all.keys()];
  }

  values(): T[] {
    return [...this.#all.values()].flatMap((there) => [...there.values()]);
  }

  clear(): void {
    this.#all.clear();
  }
}

/** Slot name as in logs: `worker.2`. */
export function slotName({ process, number }: Omit<Slot, 'environmentId'>): string {
  return `${process}.${number}`;
}

/**
 * Replicas of a site's processes that should run; none for a stopped or sleeping site. A site of static files counts as
 * one process `web` with one replica.
 */
export function slotsOf({
  plan,
  requested,
  state,
}: Pick<SiteRow, 'plan' | 'requested' | 'state'>): Omit<Slot, 'environmentId'>[] {
  if (isResting(state)) return [];
  const processes = Object.keys(plan?.processes ?? {});
  if (processes.length === 0) return [{ process: WEB, number: 1 }];
  return processes.flatMap((process) =>
    Array.from({ length: requested[process] ?? 1 }, (_, index) => ({ process, number: index + 1 })),
  );
}

/** Slots that are started together: all replicas of a process, or each replica separately. */
export interface SlotGroup extends Omit<Slot, 'environmentId'> {
  /** Number of replicas in the group; `number` is the number of the first of them. */
  replicas: number;
}

export function slotGroupsOf(
  row: Pick<SiteRow, 'plan' | 'requested' | 'state'>,
  areTogether: boolean,
): SlotGroup[] {
  const slots = slotsOf(row);
  if (!areTogether) return slots.map((slot) => ({ ...slot, replicas: 1 }));
  const byProcess = Map.groupBy(slots, ({ process }) => process);
  return [...byProcess].map(([process, all]) => ({ process, number: 1, replicas: all.length }));
}

export function isDesired(
  row: Pick<SiteRow, 'plan' | 'requested' | 'state'>,
  slot: Omit<Slot, 'environmentId'>,
): boolean {
  return slotsOf(row).some(({ process, number }) => process === slot.process && number === slot.number);
}
