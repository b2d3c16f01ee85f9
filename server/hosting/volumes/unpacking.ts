import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportsFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Trash } from '../builds/trash.ts';
import { measureFolders } from '../sandbox/disk.ts';
import { type DiskExcess, watchDisk } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { EXTRACT, startTar } from '../sandbox/tar.ts';
import { messages } from './messages.ts';

export interface UnpackingParts {
  /** Sandbox, which makes folders that sites may write to, and knows the owner's account. */
  sandbox: Pick<Sandbox, 'ownFolder'> & { isolation: Pick<Sandbox['isolation'], 'account'> };
  trash: Trash;
  diskMb: number;
  log: Logger;
}

/** Uploads over the limit are read up to this multiple, to answer with an error; larger ones are cut off. */
export const READ_TIMES = 2;
/** End of a tar archive: two empty blocks. */
const END = Buffer.alloc(1_024);
const NEVER = new AbortController().signal;

/**
 * Creates a function that unpacks an untrusted archive into a new folder. The function throws Refusal if the archive is
 * invalid or too large; then nothing of it remains.
 */
export function createUnpacking({ sandbox, trash, diskMb, log }: UnpackingParts) {
  const isOver = async (folder: string): Promise<boolean> => {
    const size = await measureFolders([folder]);
    return !('bytes' in size) || size.bytes > diskMb * 2 ** 20;
  };

  return async (archive: Readable, into: string): Promise<void> => {
    // A killed server may have left part of another archive there.
    await trash.discard(into, NEVER);
    await sandbox.ownFolder(into);
    const { child, input, ended, errorOutput: said } = startTar(EXTRACT, into, sandbox.isolation.account);
    child.stdout.resume();
    let excess: DiskExcess | undefined;
    const watching = new AbortController();
    void watchDisk(
      [into],
      diskMb,
      (met) => {
        excess = met;
        child.kill('SIGKILL');
      },
      watching.signal,
    );
    try {
      let bytes = 0;
      let tail = Buffer.alloc(0);
      const isTooLong = (times = 1) => bytes > times * diskMb * 2 ** 20;
      const tooLarge = () => new Refusal(413, 'too_large', messages.tooLarge(diskMb));
      const counted = new Transform({
        // Excess data is read and dropped, up to the upload limit, because a client that is still sending can't receive
        // an error.
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          if (isTooLong(READ_TIMES)) return done(tooLarge());
          tail = Buffer.concat([tail, chunk]).subarray(-END.length);
          done(null, isTooLong() ? undefined : chunk);
        },
        flush(done) {
          if (isTooLong()) return done(tooLarge());
          // tar accepts an archive that is cut off between two files, so the end is checked here.
          done(tail.equals(END) ? null : new Error('the archive has no end'));
        },
      });
      const sent = pipeline(archive, counted, input).catch((error) => error as Error);
      const code = await ended;
      const failure = await sent;
      if (failure instanceof Refusal) throw failure;
      if (excess?.isFull || (await isOver(into))) throw tooLarge();
      if (reportsFullDisk(said())) throw Object.assign(new Error(said()), { code: 'ENOSPC' });
      if (code !== 0 || failure) {
        log.info({ said: said() }, 'an archive of a volume could not be unpacked');
        throw new Refusal(400, 'no_archive', messages.noTar);
      }
    } catch (error) {
      child.kill('SIGKILL');
      await ended.catch(() => {});
      await trash.discard(into, NEVER);
      throw error;
    } finally {
      watching.abort();
    }
  };
}
