import { largestOf } from '../../budgets/budget.ts';
import type { Budgets } from '../../budgets/store.ts';
import type { Builder } from '../../builds/builder.ts';

export type DiskBudget = ReturnType<typeof createDiskBudget>;

/** How much of the disk an owner's applications fill, measured after each deployment, and asked before each build. */
export function createDiskBudget(
  budgets: Pick<Budgets, 'diskExcess' | 'noteDisk' | 'usesOf'>,
  builder: Pick<Builder, 'size'>,
) {
  const note = async (applicationId: string, signal: AbortSignal): Promise<void> => {
    const bytes = await builder.size?.(applicationId, signal);
    if (bytes !== undefined) await budgets.noteDisk(applicationId, bytes);
  };

  return {
    /** Measures an application and writes it down. Does nothing where the builder can't tell. */
    note,

    /** Throws a RuntimeFailure where the share is full; the largest applications are measured again before that is said. */
    async admitBuild(ownerId: string, signal: AbortSignal): Promise<void> {
      if (!(await budgets.diskExcess(ownerId))) return;
      for (const { application_uuid: id } of largestOf(await budgets.usesOf(ownerId), 'disk_mb'))
        await note(id, signal);
      const excess = await budgets.diskExcess(ownerId);
      if (excess) throw excess;
    },
  };
}
