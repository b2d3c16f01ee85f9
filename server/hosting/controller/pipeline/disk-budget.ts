import { largestOf } from '../../budgets/budget.ts';
import type { Budgets } from '../../budgets/store.ts';
import type { Builder } from '../../builds/builder.ts';

export type DiskBudget = ReturnType<typeof createDiskBudget>;

/** Disk usage of an owner's applications: measured after each deployment, and checked before each build. */
export function createDiskBudget(
  budgets: Pick<Budgets, 'diskExcess' | 'noteDisk' | 'usesOf'>,
  builder: Pick<Builder, 'size'>,
) {
  const note = async (applicationId: string, signal: AbortSignal): Promise<void> => {
    const bytes = await builder.size?.(applicationId, signal);
    if (bytes !== undefined) await budgets.noteDisk(applicationId, bytes);
  };

  return {
    /** Measures an application's disk usage and stores the result. Does nothing if the builder can't measure it. */
    note,

    /**
     * Throws a RuntimeFailure if the owner's disk budget is full, even after the owner's largest applications were
     * measured again.
     */
    async admitBuild(ownerId: string, signal: AbortSignal): Promise<void> {
      if (!(await budgets.diskExcess(ownerId))) return;
      for (const { application_uuid: id } of largestOf(await budgets.usesOf(ownerId), 'disk_mb'))
        await note(id, signal);
      const excess = await budgets.diskExcess(ownerId);
      if (excess) throw excess;
    },
  };
}
