import type { Readable } from 'node:stream';
import type { VolumeName } from './contents.ts';

// What looks into volumes where they are, with the rights of their machine's root over files and nothing else.

/** Where a hand finds its volume, in files that are its own. */
export const MOUNT_POINT = '/volume';

export interface Helper {
  /** Runs a script of a shell with words, which no shell reads, and gives what it wrote. Throws where it ends with another code than 0. */
  run(script: string, words: readonly string[], signal: AbortSignal): Promise<string>;
  /** All that is in the volume as a tar archive, names as the bytes that they are; destroyed where it can't be read to its end. */
  read(signal: AbortSignal): Promise<Readable>;
  /** Unpacks a tar archive, whose names are those of the hand's own files. */
  put(archive: Readable, signal: AbortSignal): Promise<void>;
  /** Rejects for nothing. */
  close(): Promise<void>;
}

export interface Helpers {
  /** The machine that it is on; undefined where nothing has ever been in it. */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** One that is not there yet is made. */
  open(volume: VolumeName, signal: AbortSignal): Promise<Helper>;
  /** Nothing where it is not there. */
  empty(volume: VolumeName, signal: AbortSignal): Promise<void>;
}

/** Files that their owner closed are part of a volume. */
export const RIGHTS = ['DAC_OVERRIDE', 'FOWNER'];
export const MEMORY_BYTES = 256 * 2 ** 20;
export const PROCESSES = 50;
