import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { reportsFullDisk } from '../../kernel/full-disk.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { measureExcess } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { EXTRACT, startTar } from '../sandbox/tar.ts';
import type { UploadStore } from '../uploads/store.ts';

export interface UploadedFoldersParts {
  uploads: Pick<UploadStore, 'read'>;
  sandbox: Pick<Sandbox, 'changeOwner'> & { isolation: Pick<Sandbox['isolation'], 'account'> };
  /** Size limit of an unpacked folder, in MiB: it may be lower than it was at the upload. */
  diskMb: number;
}

/** Uploaded folders, unpacked where they are built. */
export class UploadedFolders {
  readonly #parts: UploadedFoldersParts;

  constructor(parts: UploadedFoldersParts) {
    this.#parts = parts;
  }

  /**
   * Unpacks an upload into an empty folder, with only the rights of the account that builds run as. Throws a
   * RuntimeFailure.
   */
  async unpack(uploadId: string, into: string, signal: AbortSignal): Promise<void> {
    const { uploads, sandbox, diskMb } = this.#parts;
    await sandbox.changeOwner(into, signal);
    const { child, input, ended, errorOutput } = startTar(EXTRACT, into, sandbox.isolation.account);
    child.stdout.resume();
    const stop = () => child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    try {
      await pipeline(Readable.from(uploads.read(uploadId)), createGunzip(), input, { signal });
      const code = await ended;
      signal.throwIfAborted();
      if (reportsFullDisk(errorOutput())) throw new RuntimeFailure(reason('no_room'));
      if (code !== 0) throw new RuntimeFailure(reason('upload_gone'));
    } catch (error) {
      stop();
      await ended.catch(() => {});
      signal.throwIfAborted();
      // The upload's data ends too early if the upload was deleted while it was read.
      throw isCutOff(error) ? new RuntimeFailure(reason('upload_gone')) : error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    const excess = await measureExcess([into], diskMb, signal);
    if (excess) throw new RuntimeFailure(reason('upload_too_large', { mebibytes: diskMb }));
  }
}

function isCutOff(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
}
