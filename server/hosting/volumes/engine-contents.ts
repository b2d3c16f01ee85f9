import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeAbortable } from '../../kernel/abortable.ts';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createTrash, type Trash } from '../builds/trash.ts';
import { archiveOfFolders, archiveOfTree, limitArchive, TooLarge } from '../engine/archives.ts';
import { EngineAway } from '../engine/errors.ts';
import { SITE_USER } from '../engine/site-containers.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import type { Contents, VolumeName } from './contents.ts';
import { MOUNT_POINT, type VolumeHelpers } from './helpers.ts';
import { messages } from './messages.ts';
import { Unpacker, type UnpackerParts } from './unpacker.ts';

export interface EngineContentsParts extends Pick<UnpackerParts, 'sandbox' | 'diskMb'> {
  helpers: VolumeHelpers;
  /** Folders in which an archive is unpacked before it is copied to the volume. */
  folders: SiteFolders;
  log: Logger;
}

const NEVER = new AbortController().signal;
/** Timeout for backing up, restoring or emptying a volume. */
const LONGEST_MS = 600_000;
const KIBIBYTE = 1_024;
/** Maximum number of volumes that are measured at once; each one needs a helper. */
const MOST_MEASUREMENTS = 4;

/** Shell script that lets all users write to the volume's folder ($1), because an image may run as any user. */
const OPEN = 'chmod 777 "$1"';

/** Contents of volumes in an engine or a cluster, which the platform reads and writes through helper containers. */
export class EngineContents implements Contents {
  readonly #helpers: VolumeHelpers;
  readonly #folders: SiteFolders;
  readonly #diskMb: number;
  readonly #log: Logger;
  readonly #trash: Trash;
  readonly #unpacker: Unpacker;
  readonly #measurements = createFairQueue(MOST_MEASUREMENTS);

  constructor({ helpers, folders, sandbox, diskMb, log }: EngineContentsParts) {
    this.#helpers = helpers;
    this.#folders = folders;
    this.#diskMb = diskMb;
    this.#log = log;
    this.#trash = createTrash(folders.trash, log);
    this.#unpacker = new Unpacker({ sandbox, trash: this.#trash, diskMb, log });
  }

  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined> {
    return this.#helpers.where(volume, signal);
  }

  make(volume: VolumeName, signal: AbortSignal): Promise<void> {
    return this.#helpers.make(volume, signal);
  }

  async size(volume: VolumeName, signal: AbortSignal): Promise<number | null> {
    try {
      if ((await this.#helpers.where(volume, signal)) === undefined) return 0;
      return await makeAbortable(
        this.#measurements(volume.applicationId, () => this.#measure(volume, signal)),
        signal,
      );
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ err: error }, 'a volume could not be measured');
      return null;
    }
  }

  backup(volume: VolumeName): Promise<Readable> {
    return this.#refuseIfAway(this.#read(volume));
  }

  async fill(volume: VolumeName, archive: Readable): Promise<void> {
    const staged = `${this.#folders.volume(volume, volume.name)}.staged`;
    await this.#unpacker.unpack(archive, staged);
    try {
      await this.#refuseIfAway(this.#put(volume, staged, AbortSignal.timeout(LONGEST_MS)));
    } finally {
      await this.#trash.discard(staged, NEVER);
    }
  }

  empty(volume: VolumeName): Promise<void> {
    return this.#refuseIfAway(this.#helpers.empty(volume, AbortSignal.timeout(LONGEST_MS)));
  }

  close(): Promise<void> {
    return this.#trash.close();
  }

  /** Waits for work of the engine, and returns the result. Throws a 503 if the engine does not answer. */
  async #refuseIfAway<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error;
      this.#log.warn({ err: error }, 'the engine of a volume does not answer');
      throw new Refusal(503, 'unhosted', messages.machineAway);
    }
  }

  async #read(volume: VolumeName): Promise<Readable> {
    const signal = AbortSignal.timeout(LONGEST_MS);
    if ((await this.#helpers.where(volume, signal)) === undefined) return archiveOfFolders(['/.'], SITE_USER);
    const helper = await this.#helpers.open(volume, signal);
    const archive = await helper.read(signal).catch(async (error) => {
      await helper.close();
      throw error;
    });
    archive.once('close', () => void helper.close());
    return archive;
  }

  async #put(volume: VolumeName, staged: string, signal: AbortSignal): Promise<void> {
    const helper = await this.#helpers.open(volume, signal);
    // Holes of sparse files are sent as zeros, because engines accept no sparse archives.
    const dense = limitArchive(this.#diskMb * 2 ** 20);
    const sent = pipeline(archiveOfTree(staged, MOUNT_POINT, SITE_USER), dense).catch(
      (error) => error as Error,
    );
    try {
      await helper.put(dense, signal);
      await helper.run(OPEN, [MOUNT_POINT], signal);
    } catch (error) {
      dense.destroy();
      if ((await sent) instanceof TooLarge)
        throw new Refusal(413, 'too_large', messages.tooLarge(this.#diskMb));
      throw error;
    } finally {
      await helper.close();
    }
  }

  async #measure(volume: VolumeName, signal: AbortSignal): Promise<number> {
    const helper = await this.#helpers.open(volume, signal);
    try {
      const output = await helper.run('du -skx "$1"', [MOUNT_POINT], signal);
      return Number.parseInt(output, 10) * KIBIBYTE;
    } finally {
      await helper.close();
    }
  }
}
