import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { VolumeName } from './contents.ts';
import type { VolumeStore } from './store.ts';
import type { VolumeMigration } from './volume-migration.ts';

export interface OrphanedVolumesParts {
  store: Pick<VolumeStore, 'orphans' | 'forget'>;
  volumeMigration: Pick<VolumeMigration, 'empty'>;
  log: Pick<Logger, 'warn'>;
}

/** Interval at which orphaned contents of volumes are removed. */
const LOOK_MS = 600_000;

export type OrphanedVolumes = ReturnType<typeof createOrphanedVolumes>;

/**
 * Removes orphaned contents of volumes: contents of failed restores, contents that a restore replaced, and those of
 * deleted volumes.
 */
export function createOrphanedVolumes({ store, volumeMigration, log }: OrphanedVolumesParts) {
  /**
   * Removes an orphaned content. If it can't be removed now, it stays on record, for a later removal. Never rejects.
   */
  const remove = async (volume: VolumeName): Promise<void> => {
    try {
      await volumeMigration.empty(volume);
      await store.forget(volume);
    } catch (error) {
      log.warn({ err: error, volume: volume.name }, 'an orphaned volume could not be removed');
    }
  };
  return {
    remove,

    /** Removes orphaned contents of volumes regularly, until the signal aborts. Never rejects. */
    async keepRemoving(signal: AbortSignal): Promise<void> {
      for (;;) {
        await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
        if (signal.aborted) return;
        try {
          for (const volume of await store.orphans()) await remove(volume);
        } catch (error) {
          log.warn({ err: error }, 'orphaned volumes could not be listed');
        }
      }
    },
  };
}
