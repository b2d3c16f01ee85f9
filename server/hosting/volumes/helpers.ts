import type { Readable } from 'node:stream';
import type { VolumeName } from './contents.ts';

// Helper: a container that reads and writes a volume for the platform, on the machine with the volume. It has root's
// rights over files, and no other rights.

/** Path at which a helper finds its volume. */
export const MOUNT_POINT = '/volume';

export interface VolumeHelper {
  /**
   * Runs a shell script with arguments, which the shell does not interpret. Returns its output. Throws if its exit code
   * is not 0.
   */
  run(script: string, args: readonly string[], signal: AbortSignal): Promise<string>;
  /**
   * Streams the whole volume as a tar archive, which may have names that are not UTF-8; the stream is destroyed if it
   * can't be read to the end.
   */
  read(signal: AbortSignal): Promise<Readable>;
  /** Unpacks a tar archive, whose names are relative to the helper's root folder. */
  put(archive: Readable, signal: AbortSignal): Promise<void>;
  /** Removes the helper. Never rejects. */
  close(): Promise<void>;
}

export interface VolumeHelpers {
  /** Id of the machine that has the volume; undefined if the volume was never used. */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  /** Prepares a volume for its first use; does nothing if it already exists. */
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** Opens a helper for a volume, which is created if it does not exist. */
  open(volume: VolumeName, signal: AbortSignal): Promise<VolumeHelper>;
  /** Removes all files of a volume; does nothing if the volume does not exist. */
  empty(volume: VolumeName, signal: AbortSignal): Promise<void>;
}

/**
 * Capabilities of a helper: it also reads files that their owner may not read, because they belong to the volume too.
 */
export const HELPER_CAPABILITIES = ['DAC_OVERRIDE', 'FOWNER'];
export const HELPER_LIMITS = { memoryBytes: 256 * 2 ** 20, processes: 50 };
