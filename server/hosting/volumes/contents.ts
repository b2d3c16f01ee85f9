import { spawn } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { EnvironmentKey, SiteFolders } from '../builds/site-folders.ts';
import { createTrash } from '../builds/trash.ts';
import { measure } from '../walls/disk.ts';
import type { Excess } from '../walls/limits.ts';
import { watchDisk } from '../walls/limits.ts';
import type { Walls } from '../walls/walls.ts';
import { messages } from './messages.ts';

export interface VolumeName extends EnvironmentKey {
  name: string;
}

export interface ContentsParts {
  folders: SiteFolders;
  /** Makes a folder that sites may write to, and knows whose it is. */
  walls: Pick<Walls, 'ownFolder'> & { isolation: Pick<Walls['isolation'], 'account'> };
  diskMb: number;
  log: Logger;
}

export type Contents = ReturnType<typeof createContents>;

const TAR = '/usr/bin/tar';
/** What an archive ends with: two empty blocks. */
const END = Buffer.alloc(1_024);
/** What tar says is for our log. */
const MOST_SAID = 10_000;

/**
 * What is in volumes on this machine. Strangers write there, so that tar goes through it with their rights alone, from
 * within: links lead it nowhere that they could not go themselves.
 */
export function createContents({ folders, walls, diskMb, log }: ContentsParts) {
  const trash = createTrash(folders.trash, log);
  const folderOf = (volume: VolumeName) => folders.volume(volume, volume.name);

  const tar = (args: readonly string[], cwd: string) => {
    const { account } = walls.isolation;
    const child = spawn(TAR, args, {
      cwd,
      ...(account !== undefined && { uid: account, gid: account }),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MOST_SAID);
    });
    // One that ends early does not take what is still written to it.
    child.stdin.on('error', () => {});
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    ended.catch(() => {});
    return { child, ended, said: () => said };
  };

  return {
    /** In bytes; null where it can't be measured. One that nothing has run with yet is empty. */
    async size(volume: VolumeName, signal: AbortSignal): Promise<number | null> {
      const size = await measure([folderOf(volume)], signal);
      return 'bytes' in size ? size.bytes : null;
    },

    /** A tar archive of all of it, as it comes; destroyed where it can't be read to its end. */
    async backup(volume: VolumeName): Promise<Readable> {
      const cwd = await walls.ownFolder(folderOf(volume));
      const { child, ended, said } = tar(['--create', '--file=-', '--sparse', '.'], cwd);
      child.stdin.end();
      // tar's 1: something changed while it was read, as it may on a site that runs.
      const whole = new Transform({
        transform: (chunk, _encoding, done) => done(null, chunk),
        flush(done) {
          ended.then(
            (code) => done(code === 0 || code === 1 ? null : new Error(`tar ended with ${code}: ${said()}`)),
            done,
          );
        },
      });
      whole.on('close', () => child.kill('SIGKILL'));
      pipeline(child.stdout, whole).catch((error) => {
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
          log.warn({ err: error }, 'a volume could not be read');
      });
      return whole;
    },

    /**
     * Unpacks an archive beside the volume, whose content it is to be once `swap` does so. Throws a Refusal where it is none,
     * or holds too much; then nothing of it is left.
     */
    async unpack(
      volume: VolumeName,
      archive: Readable,
    ): Promise<{ swap(): Promise<void>; drop(): Promise<void> }> {
      const fresh = `${folderOf(volume)}.${newId()}`;
      const until = new AbortController();
      const drop = () => trash.discard(fresh, until.signal);
      await walls.ownFolder(fresh);
      const { child, ended, said } = tar(
        ['--extract', '--file=-', '--no-same-owner', '--no-same-permissions'],
        fresh,
      );
      child.stdout.resume();
      let excess: Excess | undefined;
      const watching = new AbortController();
      void watchDisk(
        [fresh],
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
        const isTooLong = () => bytes > diskMb * 2 ** 20;
        const counted = new Transform({
          // The rest is read all the same: whoever still sends hears of nothing.
          transform(chunk: Buffer, _encoding, done) {
            bytes += chunk.length;
            tail = Buffer.concat([tail, chunk]).subarray(-END.length);
            done(null, isTooLong() ? undefined : chunk);
          },
          flush(done) {
            if (isTooLong()) return done(new Refusal(413, 'too_large', messages.tooLarge(diskMb)));
            // tar takes one that is cut off between two files for all there is.
            done(tail.equals(END) ? null : new Error('the archive has no end'));
          },
        });
        const sent = pipeline(archive, counted, child.stdin).catch((error) => error as Error);
        const code = await ended;
        const failure = await sent;
        if (failure instanceof Refusal) throw failure;
        const isFull = excess?.full || (await sizeBeyond(fresh));
        if (isFull) throw new Refusal(413, 'too_large', messages.tooLarge(diskMb));
        if (code !== 0 || failure) {
          log.info({ said: said() }, 'an archive of a volume could not be unpacked');
          throw new Refusal(400, 'no_archive', messages.noTar);
        }
      } catch (error) {
        child.kill('SIGKILL');
        await ended.catch(() => {});
        await drop();
        throw error;
      } finally {
        watching.abort();
      }
      return {
        async swap() {
          await trash.discard(folderOf(volume), until.signal);
          await rename(fresh, folderOf(volume));
        },
        drop,
      };

      async function sizeBeyond(folder: string): Promise<boolean> {
        const size = await measure([folder]);
        return !('bytes' in size) || size.bytes > diskMb * 2 ** 20;
      }
    },

    /** What was in it is removed in the background. */
    async empty(volume: VolumeName): Promise<void> {
      const folder = folderOf(volume);
      await mkdir(dirname(folder), {
        recursive: true,
        mode: 0o700,
      });
      await trash.discard(folder, AbortSignal.timeout(60_000));
    },

    close: () => trash.close(),
  };
}
