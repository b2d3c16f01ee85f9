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
import { measureFolders } from '../sandbox/disk.ts';
import { startTar } from '../sandbox/tar.ts';
import { createUnpacking, type UnpackingParts } from './unpacking.ts';

export interface VolumeName extends EnvironmentKey {
  /** Name of the content; a restored volume has a new content. */
  name: string;
}

/** Contents of volumes, in any runtime. */
export interface Contents {
  /**
   * Location that distinguishes a content from others, such as the machine and the folder; undefined if the content was
   * never created.
   */
  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined>;
  /** Creates a content that does not exist yet. */
  make(volume: VolumeName, signal: AbortSignal): Promise<void>;
  /** Size in bytes; null if it can't be measured. A content that was never used is empty. */
  size(volume: VolumeName, signal: AbortSignal): Promise<number | null>;
  /** Streams the whole content as a tar archive; the stream is destroyed if it can't be read to the end. */
  backup(volume: VolumeName): Promise<Readable>;
  /**
   * Creates a content from an archive. Throws Refusal if the archive is invalid or too large; then part of it may
   * remain.
   */
  fill(volume: VolumeName, archive: Readable): Promise<void>;
  empty(volume: VolumeName): Promise<void>;
  close(): Promise<void>;
}

export interface ContentsParts extends Pick<UnpackingParts, 'sandbox' | 'diskMb'> {
  folders: SiteFolders;
  log: Logger;
}

/**
 * Contents in folders of this machine. Untrusted sites write there, so tar runs with their rights only, from inside the
 * folder: links can't lead it to places that the sites could not reach themselves.
 */
export function createContents({ folders, sandbox, diskMb, log }: ContentsParts): Contents {
  const trash = createTrash(folders.trash, log);
  const folderOf = (volume: VolumeName) => folders.volume(volume, volume.name);
  const unpack = createUnpacking({ sandbox, trash, diskMb, log });

  return {
    async where(volume) {
      const folder = folderOf(volume);
      return existsSync(folder) ? folder : undefined;
    },

    async make(volume, signal) {
      await sandbox.ownFolder(folderOf(volume), signal);
    },

    async size(volume, signal) {
      const size = await measureFolders([folderOf(volume)], signal);
      return 'bytes' in size ? size.bytes : null;
    },

    async backup(volume) {
      const cwd = await sandbox.ownFolder(folderOf(volume));
      await openTo(sandbox.isolation.account, cwd);
      const words = ['--create', '--file=-', '--sparse', '.'];
      const { child, ended, errorOutput: said } = startTar(words, cwd, sandbox.isolation.account);
      child.stdin.end();
      // Exit code 1 of tar: a file changed while it was read, as may happen on a running site.
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

    /** Old content is deleted in the background. */
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

/**
 * Makes files readable that their owner has closed, because they belong to the volume. Runs with the owner's rights,
 * unlike `openUp`, because a running site may place links in the way.
 */
async function openTo(account: number | undefined, folder: string): Promise<void> {
  const asOwner = account === undefined ? {} : { uid: account, gid: account };
  const child = spawn('/usr/bin/chmod', ['--recursive', '--silent', 'u+rX', '.'], {
    cwd: folder,
    stdio: 'ignore',
    env: {},
    timeout: OPENED_MS,
    ...asOwner,
  });
  // Files that stay closed are reported by tar.
  await once(child, 'close').catch(() => {});
}

const OPENED_MS = 60_000;
