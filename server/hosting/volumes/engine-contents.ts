import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeAbortable } from '../../kernel/abortable.ts';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createTrash } from '../builds/trash.ts';
import { foldersOf, limited, TooLarge, treeOf } from '../engine/archives.ts';
import { EngineAway } from '../engine/connection.ts';
import { SITE_USER } from '../engine/site-containers.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import type { Contents, VolumeName } from './contents.ts';
import { type Helpers, MOUNT_POINT } from './helpers.ts';
import { messages } from './messages.ts';
import { createUnpacking, type UnpackingParts } from './unpacking.ts';

export interface EngineContentsParts extends Pick<UnpackingParts, 'walls' | 'diskMb'> {
  hands: Helpers;
  /** Folders in which an archive is unpacked before it is copied to the volume. */
  folders: SiteFolders;
  log: Logger;
}

const NEVER = new AbortController().signal;
/** Timeout for all operations. */
const LONGEST_MS = 600_000;
const KIBIBYTE = 1_024;
/** Limit for concurrent measurements; each one needs a container. */
const MOST_LOOKS = 4;

/** Opens the volume's folder, because an image may run as any user and must be able to write. */
const OPEN = 'chmod 777 "$1"';

/** Contents in volumes of an engine or a cluster, which helper containers access. */
export function createEngineContents(parts: EngineContentsParts): Contents {
  const { hands, folders, walls, diskMb, log } = parts;
  const trash = createTrash(folders.trash, log);
  const unpack = createUnpacking({ walls, trash, diskMb, log });

  const unlessAway = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error;
      log.warn({ err: error }, 'the engine of a volume does not answer');
      throw new Refusal(503, 'unhosted', messages.machineAway);
    }
  };

  const read = async (volume: VolumeName): Promise<Readable> => {
    const signal = AbortSignal.timeout(LONGEST_MS);
    if ((await hands.where(volume, signal)) === undefined) return foldersOf(['/.'], SITE_USER);
    const hand = await hands.open(volume, signal);
    const archive = await hand.read(signal).catch(async (error) => {
      await hand.close();
      throw error;
    });
    archive.once('close', () => void hand.close());
    return archive;
  };

  const put = async (volume: VolumeName, staged: string, signal: AbortSignal): Promise<void> => {
    const hand = await hands.open(volume, signal);
    // Holes of sparse files are sent as zeros, because engines accept no sparse archives.
    const dense = limited(diskMb * 2 ** 20);
    const sent = pipeline(treeOf(staged, MOUNT_POINT, SITE_USER), dense).catch((error) => error as Error);
    try {
      await hand.put(dense, signal);
      await hand.run(OPEN, [MOUNT_POINT], signal);
    } catch (error) {
      dense.destroy();
      if ((await sent) instanceof TooLarge) throw new Refusal(413, 'too_large', messages.tooLarge(diskMb));
      throw error;
    } finally {
      await hand.close();
    }
  };

  const looking = createFairQueue(MOST_LOOKS);
  const measured = async (volume: VolumeName, signal: AbortSignal): Promise<number> => {
    const hand = await hands.open(volume, signal);
    try {
      const said = await hand.run('du -skx "$1"', [MOUNT_POINT], signal);
      return Number.parseInt(said, 10) * KIBIBYTE;
    } finally {
      await hand.close();
    }
  };

  return {
    where: hands.where,

    make: hands.make,

    async size(volume, signal) {
      try {
        if ((await hands.where(volume, signal)) === undefined) return 0;
        return await makeAbortable(
          looking(volume.applicationId, () => measured(volume, signal)),
          signal,
        );
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'a volume could not be measured');
        return null;
      }
    },

    backup: (volume) => unlessAway(read(volume)),

    async fill(volume, archive) {
      const staged = `${folders.volume(volume, volume.name)}.staged`;
      await unpack(archive, staged);
      try {
        await unlessAway(put(volume, staged, AbortSignal.timeout(LONGEST_MS)));
      } finally {
        await trash.discard(staged, NEVER);
      }
    },

    empty: (volume) => unlessAway(hands.empty(volume, AbortSignal.timeout(LONGEST_MS))),

    close: () => trash.close(),
  };
}
