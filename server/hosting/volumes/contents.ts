import type { Readable } from 'node:stream';
import type { EnvironmentKey } from '../model/site-folders.ts';

/**
 * Name of a volume's content, which is the volume's files. Each restore gives the volume a new content, with a name of
 * its own.
 */
export interface VolumeName extends EnvironmentKey {
  name: string;
}

/** Contents of volumes, which are the volumes' files, in any runtime. */
export interface Contents {
  /**
   * Place where a volume's content is stored, such as the machine and the folder, as a text that is different for
   * different places; undefined if the content was never created.
   */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  /** Creates a volume's content; does nothing if it already exists. */
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** Size of a volume's content in bytes: 0 if it was never created, null if it can't be measured. */
  size(volume: VolumeName, signal: AbortSignal): Promise<number | null>;
  /**
   * Streams a volume's whole content as a tar archive; the stream is destroyed if the content can't be read to the end.
   */
  backup(volume: VolumeName): Promise<Readable>;
  /**
   * Creates a volume's content from an archive. Throws Refusal if the archive is invalid or too large; then part of its
   * files may remain.
   */
  fill(volume: VolumeName, archive: Readable): Promise<void>;
  /** Removes all files of a volume's content. */
  empty(volume: VolumeName): Promise<void>;
  close(): Promise<void>;
}
