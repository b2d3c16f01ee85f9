import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportsFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Trash } from '../builds/trash.ts';
import { measureFolders } from '../sandbox/disk.ts';
import { type DiskExcess, watchDisk } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { EXTRACT, startTar } from '../sandbox/tar.ts';
import { checkArchive } from './archive-check.ts';
import { messages } from './messages.ts';

export interface UnpackerParts {
  /** Sandbox, which makes folders that sites may write to, and knows the account that owns these folders. */
  sandbox: Pick<Sandbox, 'ownFolder'> & { isolation: Pick<Sandbox['isolation'], 'account'> };
  trash: Trash;
  /** Maximum size of an archive, and of the files unpacked from it, in MiB. */
  diskMb: number;
  log: Logger;
}

/** Result of running tar and of sending an archive to it. */
interface Outcome {
  /** Exit code of tar; null if a signal ended it. */
  code: number | null;
  errorOutput: string;
  /** Error of sending the archive to tar; undefined if all was sent. */
  failure: Error | undefined;
  /**
   * Excess of the unpacked files over their disk limit, because of which tar was ended; undefined if there was none.
   */
  excess: DiskExcess | undefined;
}

const MEBIBYTE = 2 ** 20;
const NEVER = new AbortController().signal;

/** Unpacks untrusted archives into new folders. */
export class Unpacker {
  readonly #parts: UnpackerParts;

  constructor(parts: UnpackerParts) {
    this.#parts = parts;
  }

  /**
   * Unpacks an archive into a new folder. Throws Refusal if the archive is invalid or too large; then nothing of it
   * remains.
   */
  async unpack(archive: Readable, into: string): Promise<void> {
    const { sandbox, trash } = this.#parts;
    // The folder may have files of another archive, left by a server that was killed.
    await trash.discard(into, NEVER);
    await sandbox.ownFolder(into);
    const tar = startTar(EXTRACT, into, sandbox.isolation.account);
    try {
      await this.#refuseFailed(await this.#run(tar, archive, into), into);
    } catch (error) {
      tar.child.kill('SIGKILL');
      await tar.ended.catch(() => {});
      await trash.discard(into, NEVER);
      throw error;
    }
  }

  /** Sends an archive to tar and waits for tar's end. Ends tar once the folder is over the limit. */
  async #run(tar: ReturnType<typeof startTar>, archive: Readable, into: string): Promise<Outcome> {
    const { diskMb } = this.#parts;
    const { child, input, ended, errorOutput } = tar;
    child.stdout.resume();
    let excess: DiskExcess | undefined;
    const end = (found: DiskExcess) => {
      excess = found;
      child.kill('SIGKILL');
    };
    const watching = new AbortController();
    void watchDisk([into], diskMb, end, watching.signal);
    try {
      const check = checkArchive(diskMb * MEBIBYTE, () => this.#tooLarge());
      const sent = pipeline(archive, check, input).then(
        () => undefined,
        (error: Error) => error,
      );
      const code = await ended;
      return { code, errorOutput: errorOutput(), failure: await sent, excess };
    } finally {
      watching.abort();
    }
  }

  async #refuseFailed({ code, errorOutput, failure, excess }: Outcome, into: string): Promise<void> {
    if (failure instanceof Refusal) throw failure;
    if (excess?.isFull || (await this.#isOverLimit(into))) throw this.#tooLarge();
    if (reportsFullDisk(errorOutput)) throw Object.assign(new Error(errorOutput), { code: 'ENOSPC' });
    if (code === 0 && !failure) return;
    this.#parts.log.info({ errorOutput }, 'an archive of a volume could not be unpacked');
    throw new Refusal(400, 'no_archive', messages.noTar);
  }

  async #isOverLimit(folder: string): Promise<boolean> {
    const size = await measureFolders([folder]);
    return !('bytes' in size) || size.bytes > this.#parts.diskMb * MEBIBYTE;
  }

  #tooLarge(): Refusal {
    return new Refusal(413, 'too_large', messages.tooLarge(this.#parts.diskMb));
  }
}
