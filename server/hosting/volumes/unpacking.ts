import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reportsFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Trash } from '../builds/trash.ts';
import { measure } from '../sandbox/disk.ts';
import { type Excess, watchDisk } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { EXTRACT, startTar } from '../sandbox/tar.ts';
import { messages } from './messages.ts';

export interface UnpackingParts {
  /** Makes a folder that sites may write to, and knows whose it is. */
  walls: Pick<Sandbox, 'ownFolder'> & { isolation: Pick<Sandbox['isolation'], 'account'> };
  trash: Trash;
  diskMb: number;
  log: Logger;
}

/** What is over its limit is told so; what is over so many times that is cut off. */
export const READ_TIMES = 2;
/** What an archive ends with: two empty blocks. */
const END = Buffer.alloc(1_024);
const NEVER = new AbortController().signal;

/**
 * Gives a function that unpacks a stranger's archive into a new folder. Throws a Refusal where it is none, or holds too much; then
 * nothing of it is left.
 */
export function createUnpacking({ walls, trash, diskMb, log }: UnpackingParts) {
  const isOver = async (folder: string): Promise<boolean> => {
    const size = await measure([folder]);
    return !('bytes' in size) || size.bytes > diskMb * 2 ** 20;
  };

  return async (archive: Readable, into: string): Promise<void> => {
    // A server that was killed may have left some of another one there.
    await trash.discard(into, NEVER);
    await walls.ownFolder(into);
    const { child, input, ended, said } = startTar(EXTRACT, into, walls.isolation.account);
    child.stdout.resume();
    let excess: Excess | undefined;
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
        // The rest is read all the same, as far as an upload may go: whoever still sends hears of nothing.
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          if (isTooLong(READ_TIMES)) return done(tooLarge());
          tail = Buffer.concat([tail, chunk]).subarray(-END.length);
          done(null, isTooLong() ? undefined : chunk);
        },
        flush(done) {
          if (isTooLong()) return done(tooLarge());
          // tar takes one that is cut off between two files for all there is.
          done(tail.equals(END) ? null : new Error('the archive has no end'));
        },
      });
      const sent = pipeline(archive, counted, input).catch((error) => error as Error);
      const code = await ended;
      const failure = await sent;
      if (failure instanceof Refusal) throw failure;
      if (excess?.full || (await isOver(into))) throw tooLarge();
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
