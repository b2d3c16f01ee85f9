import type { Readable } from 'node:stream';
import type { EnvironmentKey } from '../model/site-folders.ts';

/** Name of a content: the files of a volume. Each restore gives the volume a new content, with a name of its own. */
export interface VolumeName extends EnvironmentKey {
  name: string;
}

/** Contents of volumes, in any runtime. */
export interface Contents {
  /**
   * Location that distinguishes a content from others, such as the machine and the folder; undefined if the content was
   * never created.
   */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  /** Creates a content; does nothing if it already exists. */
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** Size in bytes: 0 for a content that was never created, null if it can't be measured. */
  size(volume: VolumeName, signal: AbortSignal): Promise<number | null>;
  /** Streams the whole content as a tar archive; the stream is destroyed if it can't be read to the end. */
  backup(volume: VolumeName): Promise<Readable>;
  /**
   * Creates a content from an archive. Throws Refusal if the archive is invalid or too large; then part of it may
   * remain.
   */
  fill(volume: VolumeName, archive: Readable): Promise<void>;
  /** Removes all files of a content. */
  empty(volume: VolumeName): Promise<void>;
  close(): Promise<void>;
}
