import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../kernel/log.ts';
import { createTrash, type Trash } from '../builds/trash.ts';
import type { SiteFolders } from '../model/site-folders.ts';
import { measureFolders } from '../sandbox/disk.ts';
import { startTar } from '../sandbox/tar.ts';
import type { Contents, VolumeName } from './contents.ts';
import { Unpacker, type UnpackerParts } from './unpacker.ts';

export interface FolderContentsParts extends Pick<UnpackerParts, 'sandbox' | 'diskMb'> {
  folders: SiteFolders;
  log: Logger;
}

/** Arguments of tar that make an archive of the folder in which tar runs. */
const CREATE = ['--create', '--file=-', '--sparse', '.'];
/**
 * Exit codes of tar for a complete archive. With 1, a file changed while it was read, as may happen on a running site.
 */
const COMPLETE: readonly (number | null)[] = [0, 1];
/** Timeout for moving a folder to the trash. */
const DISCARD_MS = 60_000;
/** Timeout for making the files of a folder readable. */
const CHMOD_MS = 60_000;

/**
 * Contents of volumes in folders of this machine. Untrusted sites write there, so tar runs with only their rights, from
 * inside the folder: links can't lead tar to places that the sites could not reach themselves.
 */
export class FolderContents implements Contents {
  readonly #folders: SiteFolders;
  readonly #sandbox: FolderContentsParts['sandbox'];
  readonly #log: Logger;
  readonly #trash: Trash;
  readonly #unpacker: Unpacker;

  constructor({ folders, sandbox, diskMb, log }: FolderContentsParts) {
    this.#folders = folders;
    this.#sandbox = sandbox;
    this.#log = log;
    this.#trash = createTrash(folders.trash, log);
    this.#unpacker = new Unpacker({ sandbox, trash: this.#trash, diskMb, log });
  }

  async where(volume: VolumeName): Promise<string | undefined> {
    const folder = this.#folder(volume);
    return existsSync(folder) ? folder : undefined;
  }

  async make(volume: VolumeName, signal: AbortSignal): Promise<void> {
    await this.#sandbox.ownFolder(this.#folder(volume), signal);
  }

  async size(volume: VolumeName, signal: AbortSignal): Promise<number | null> {
    const size = await measureFolders([this.#folder(volume)], signal);
    return 'bytes' in size ? size.bytes : null;
  }

  async backup(volume: VolumeName): Promise<Readable> {
    const { account } = this.#sandbox.isolation;
    const folder = await this.#sandbox.ownFolder(this.#folder(volume));
    await makeReadable(folder, account);
    const { child, ended, errorOutput } = startTar(CREATE, folder, account);
    child.stdin.end();
    const archive = new Transform({
      transform: (chunk, _encoding, done) => done(null, chunk),
      flush: (done) => {
        const check = (code: number | null) =>
          done(COMPLETE.includes(code) ? null : new Error(`tar ended with ${code}: ${errorOutput()}`));
        ended.then(check, done);
      },
    });
    archive.on('close', () => child.kill('SIGKILL'));
    pipeline(child.stdout, archive).catch((error) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        this.#log.warn({ err: error }, 'a volume could not be read');
    });
    return archive;
  }

  fill(volume: VolumeName, archive: Readable): Promise<void> {
    return this.#unpacker.unpack(archive, this.#folder(volume));
  }

  /** Moves the volume's folder to the trash, whose files are deleted in the background. */
  async empty(volume: VolumeName): Promise<void> {
    const folder = this.#folder(volume);
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await this.#trash.discard(folder, AbortSignal.timeout(DISCARD_MS));
  }

  close(): Promise<void> {
    return this.#trash.close();
  }

  #folder(volume: VolumeName): string {
    return this.#folders.volume(volume, volume.name);
  }
}

/**
 * Makes all files of a folder readable for their owner, because files without that permission belong to the volume too.
 * Runs with the owner's rights, unlike `openUp` (sandbox/disk.ts), because a running site may place links in the way.
 */
async function makeReadable(folder: string, account: number | undefined): Promise<void> {
  const child = spawn('/usr/bin/chmod', ['--recursive', '--silent', 'u+rX', '.'], {
    cwd: folder,
    stdio: 'ignore',
    env: {},
    timeout: CHMOD_MS,
    ...(account !== undefined && { uid: account, gid: account }),
  });
  // Failures to make files readable are ignored here: tar later reports the files that it can't read.
  await once(child, 'close').catch(() => {});
}
