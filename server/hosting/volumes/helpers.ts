import type { Readable } from 'node:stream';
import type { VolumeName } from './contents.ts';

// Helpers access volumes where they are, with root's rights over files and no other rights.

/** Mount point of the volume in a helper. */
export const MOUNT_POINT = '/volume';

export interface VolumeHelper {
  /**
   * Runs a shell script with arguments, which the shell does not interpret, and returns its output. Throws for exit
   * codes other than 0.
   */
  run(script: string, words: readonly string[], signal: AbortSignal): Promise<string>;
  /**
   * Streams the whole volume as a tar archive, with names as raw bytes; the stream is destroyed if it can't be read to
   * the end.
   */
  read(signal: AbortSignal): Promise<Readable>;
  /** Unpacks a tar archive, whose names are relative to the helper's root folder. */
  put(archive: Readable, signal: AbortSignal): Promise<void>;
  /** Removes the helper. Never rejects. */
  close(): Promise<void>;
}

export interface VolumeHelpers {
  /** Machine of the volume; undefined if the volume was never used. */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** Opens a helper for a volume, which is created if it does not exist. */
  open(volume: VolumeName, signal: AbortSignal): Promise<VolumeHelper>;
  /** Empties a volume; does nothing if it does not exist. */
  empty(volume: VolumeName, signal: AbortSignal): Promise<void>;
}

/** Capabilities for reading files that their owner has closed, which belong to the volume too. */
export const RIGHTS = ['DAC_OVERRIDE', 'FOWNER'];
export const MEMORY_BYTES = 256 * 2 ** 20;
export const PROCESSES = 50;
