import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
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
