import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { VolumeName } from './contents.ts';
import type { VolumeStore } from './store.ts';
import type { VolumeMigration } from './volume-migration.ts';

export interface OrphanedVolumesParts {
  store: Pick<VolumeStore, 'leftovers' | 'forget'>;
  keeping: Pick<VolumeMigration, 'empty'>;
  log: Pick<Logger, 'warn'>;
}

const LOOK_MS = 600_000;

/** Contents that are no volume's: what a restore was to bring, or what it took the place of. */
export function createOrphanedVolumes({ store, keeping, log }: OrphanedVolumesParts) {
  /** What can't be removed now is later. Rejects for nothing. */
  const remove = async (volume: VolumeName): Promise<void> => {
    try {
      await keeping.empty(volume);
      await store.forget(volume);
    } catch (error) {
      log.warn({ err: error, volume: volume.name }, 'what is in no volume any more could not be removed');
    }
  };
  return {
    remove,

    /** Removes what is left over, now and then, until the signal. Rejects for nothing. */
    async keepRemoving(signal: AbortSignal): Promise<void> {
      for (;;) {
        await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
        if (signal.aborted) return;
        try {
          for (const volume of await store.leftovers()) await remove(volume);
        } catch (error) {
          log.warn({ err: error }, 'what is in no volume any more could not be looked for');
        }
      }
    },
  };
}
