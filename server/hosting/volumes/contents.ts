import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../kernel/log.ts';
import { createTrash } from '../builds/trash.ts';
import type { EnvironmentKey, SiteFolders } from '../model/site-folders.ts';
import { measure } from '../sandbox/disk.ts';
import { startTar } from '../sandbox/tar.ts';
import { createUnpacking, type UnpackingParts } from './unpacking.ts';

export interface VolumeName extends EnvironmentKey {
  /** Its content's: a volume that was restored is another one. */
  name: string;
}

/** What is in volumes, wherever they are. */
export interface Contents {
  /** The machine's name and the folder's there, or what else tells one from another; undefined where nothing has ever been made. */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  /** Makes one that is not there yet. */
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** In bytes; null where it can't be measured. One that nothing has run with yet is empty. */
  size(volume: VolumeName, signal: AbortSignal): Promise<number | null>;
  /** A tar archive of all of it, as it comes; destroyed where it can't be read to its end. */
  backup(volume: VolumeName): Promise<Readable>;
  /** Makes one that was not there of an archive. Throws a Refusal where it is none, or holds too much; then some of it may be there. */
  fill(volume: VolumeName, archive: Readable): Promise<void>;
  empty(volume: VolumeName): Promise<void>;
  close(): Promise<void>;
}

export interface ContentsParts extends Pick<UnpackingParts, 'walls' | 'diskMb'> {
  folders: SiteFolders;
  log: Logger;
}

/**
 * In folders of this machine. Strangers write there, so that tar goes through it with their rights alone, from within: links
 * lead it nowhere that they could not go themselves.
 */
export function createContents({ folders, walls, diskMb, log }: ContentsParts): Contents {
  const trash = createTrash(folders.trash, log);
  const folderOf = (volume: VolumeName) => folders.volume(volume, volume.name);
  const unpack = createUnpacking({ walls, trash, diskMb, log });

  return {
    async where(volume) {
      const folder = folderOf(volume);
      return existsSync(folder) ? folder : undefined;
    },

    async make(volume, signal) {
      await walls.ownFolder(folderOf(volume), signal);
    },

    async size(volume, signal) {
      const size = await measure([folderOf(volume)], signal);
      return 'bytes' in size ? size.bytes : null;
    },

    async backup(volume) {
      const cwd = await walls.ownFolder(folderOf(volume));
      await openTo(walls.isolation.account, cwd);
      const words = ['--create', '--file=-', '--sparse', '.'];
      const { child, ended, said } = startTar(words, cwd, walls.isolation.account);
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

    fill: (volume, archive) => unpack(archive, folderOf(volume)),

    /** What was in it is removed in the background. */
    async empty(volume) {
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

/** A file that its owner closed to themselves as well is part of a volume. Not by our rights, as `openUp`: a site that runs may put links in the way. */
async function openTo(account: number | undefined, folder: string): Promise<void> {
  const asOwner = account === undefined ? {} : { uid: account, gid: account };
  const child = spawn('/usr/bin/chmod', ['--recursive', '--silent', 'u+rX', '.'], {
    cwd: folder,
    stdio: 'ignore',
    env: {},
    timeout: OPENED_MS,
    ...asOwner,
  });
  // What stays closed tar tells of.
  await once(child, 'close').catch(() => {});
}

const OPENED_MS = 60_000;
