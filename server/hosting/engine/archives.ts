import { spawn } from 'node:child_process';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

// What goes into containers, as tar archives.

/** Whom things in a container belong to. */
export interface Owner {
  uid: number;
  gid: number;
}

const MODE = 0o755;

/** Empty folders, or who is to own those that are there: `path` is absolute. */
export function foldersOf(paths: readonly string[], { uid, gid }: Owner): Readable {
  const archive = pack();
  for (const path of paths) {
    archive.entry({ name: `${path.slice(1)}/`, type: 'directory', mode: MODE, uid, gid });
  }
  archive.finalize();
  return Readable.from(archive);
}

/**
 * All of a folder of this machine, as the folder `into`, absolute. Links are taken for what they are, and other file systems are
 * left out. Ends with an error where it can't be read to its end.
 */
export function treeOf(folder: string, into: string, { uid, gid }: Owner): Readable {
  const child = spawn(
    '/usr/bin/tar',
    [
      ...['--create', '--file=-', '--one-file-system', '--sparse', '--sort=none', '--numeric-owner'],
      ...[`--owner=${uid}`, `--group=${gid}`, `--transform=flags=rh;s,^\\.,${into.slice(1)},`],
      ...['--directory', folder, '.'],
    ],
    { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  child.once('error', (error) => child.stdout.destroy(error));
  child.once('exit', (code) => {
    if (code !== 0) child.stdout.destroy(new Error(`tar ended with ${code}`));
  });
  child.stdout.on('close', () => child.kill('SIGKILL'));
  return child.stdout;
}

export class TooLarge extends Error {}

/**
 * Unpacks a container's folder, without the name that all in it begins with, into an empty one of this machine that belongs to
 * `account`, with no more rights than that has. Throws TooLarge for what is more than `mostBytes`; then part of it is there.
 */
export async function unpack(
  archive: Readable,
  into: string,
  { account, mostBytes, signal }: { account: number | undefined; mostBytes: number; signal: AbortSignal },
): Promise<void> {
  const child = spawn(
    '/usr/bin/tar',
    ['--extract', '--file=-', '--strip-components=1', '--no-same-owner', '--no-same-permissions'],
    {
      cwd: into,
      ...(account !== undefined && { uid: account, gid: account }),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > mostBytes ? new TooLarge('the archive is too large') : null, chunk);
    },
  });
  try {
    await pipeline(archive, counted, child.stdin, { signal });
    const code = await ended;
    if (code !== 0) throw new Error(`tar ended with ${code}`);
  } catch (error) {
    child.kill('SIGKILL');
    await ended.catch(() => {});
    throw error;
  }
}
