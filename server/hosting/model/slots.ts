import { isResting, type SiteRow } from './deployment-rows.ts';
import { WEB } from './plan.ts';

/** One place in which a process of an environment runs: its second `web`, say. */
export interface Slot {
  environmentId: string;
  /** Such as `web`. */
  process: string;
  /** From 1. */
  number: number;
}

/** Something for each slot, found by its environment too. */
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

  /** All of an environment's. */
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

/** As logs call it: `worker.2`. */
export function slotName({ process, number }: Omit<Slot, 'environmentId'>): string {
  return `${process}.${number}`;
}

/** Which processes of a site should run, as long as it is not stopped or asleep: files are served as the first `web`. */
export function slotsOf({
  plan,
  asked,
  state,
}: Pick<SiteRow, 'plan' | 'asked' | 'state'>): Omit<Slot, 'environmentId'>[] {
  if (isResting(state)) return [];
  const processes = Object.keys(plan?.processes ?? {});
  if (processes.length === 0) return [{ process: WEB, number: 1 }];
  return processes.flatMap((process) =>
    Array.from({ length: asked[process] ?? 1 }, (_, index) => ({ process, number: index + 1 })),
  );
}

/** What is started as one: all of a process, or each by itself. */
export interface SlotPlace extends Omit<Slot, 'environmentId'> {
  /** How many of the process, from its number on. */
  replicas: number;
}

export function placesOf(row: Pick<SiteRow, 'plan' | 'asked' | 'state'>, areTogether: boolean): SlotPlace[] {
  const slots = slotsOf(row);
  if (!areTogether) return slots.map((slot) => ({ ...slot, replicas: 1 }));
  const byProcess = Map.groupBy(slots, ({ process }) => process);
  return [...byProcess].map(([process, all]) => ({ process, number: 1, replicas: all.length }));
}

export function isDesired(
  row: Pick<SiteRow, 'plan' | 'asked' | 'state'>,
  slot: Omit<Slot, 'environmentId'>,
): boolean {
  return slotsOf(row).some(({ process, number }) => process === slot.process && number === slot.number);
}
