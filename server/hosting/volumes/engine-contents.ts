import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeAbortable } from '../../kernel/abortable.ts';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createTrash } from '../builds/trash.ts';
import { archiveOfFolders, archiveOfTree, limitArchive, TooLarge } from '../engine/archives.ts';
import { EngineAway } from '../engine/errors.ts';
import { SITE_USER } from '../engine/site-containers.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import type { Contents, VolumeName } from './contents.ts';
import { MOUNT_POINT, type VolumeHelpers } from './helpers.ts';
import { messages } from './messages.ts';
import { createUnpacking, type UnpackingParts } from './unpacking.ts';

export interface EngineContentsParts extends Pick<UnpackingParts, 'sandbox' | 'diskMb'> {
  helpers: VolumeHelpers;
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
  const { helpers, folders, sandbox, diskMb, log } = parts;
  const trash = createTrash(folders.trash, log);
  const unpack = createUnpacking({ sandbox, trash, diskMb, log });

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
    if ((await helpers.where(volume, signal)) === undefined) return archiveOfFolders(['/.'], SITE_USER);
    const helper = await helpers.open(volume, signal);
    const archive = await helper.read(signal).catch(async (error) => {
      await helper.close();
      throw error;
    });
    archive.once('close', () => void helper.close());
    return archive;
  };

  const put = async (volume: VolumeName, staged: string, signal: AbortSignal): Promise<void> => {
    const helper = await helpers.open(volume, signal);
    // Holes of sparse files are sent as zeros, because engines accept no sparse archives.
    const dense = limitArchive(diskMb * 2 ** 20);
    const sent = pipeline(archiveOfTree(staged, MOUNT_POINT, SITE_USER), dense).catch(
      (error) => error as Error,
    );
    try {
      await helper.put(dense, signal);
      await helper.run(OPEN, [MOUNT_POINT], signal);
    } catch (error) {
      dense.destroy();
      if ((await sent) instanceof TooLarge) throw new Refusal(413, 'too_large', messages.tooLarge(diskMb));
      throw error;
    } finally {
      await helper.close();
    }
  };

  const looking = createFairQueue(MOST_LOOKS);
  const measured = async (volume: VolumeName, signal: AbortSignal): Promise<number> => {
    const helper = await helpers.open(volume, signal);
    try {
      const output = await helper.run('du -skx "$1"', [MOUNT_POINT], signal);
      return Number.parseInt(output, 10) * KIBIBYTE;
    } finally {
      await helper.close();
    }
  };

  return {
    where: helpers.where,

    make: helpers.make,

    async size(volume, signal) {
      try {
        if ((await helpers.where(volume, signal)) === undefined) return 0;
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

    empty: (volume) => unlessAway(helpers.empty(volume, AbortSignal.timeout(LONGEST_MS))),

    close: () => trash.close(),
  };
}
