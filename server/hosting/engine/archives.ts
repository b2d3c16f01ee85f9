import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { EXTRACT, startTar } from '../sandbox/tar.ts';

// Tar archives of files that go into containers.

export interface FileOwner {
  uid: number;
  gid: number;
}

const MODE = 0o755;
/** Size of the two empty blocks at the end of a tar archive. */
const END_BYTES = 1_024;

/** Archive of empty folders; extracting it over existing folders changes their owner and mode. Paths are absolute. */
export function archiveOfFolders(paths: readonly string[], { uid, gid }: FileOwner, mode = MODE): Readable {
  const archive = pack();
  for (const path of paths) {
    archive.entry({ name: `${path.slice(1)}/`, type: 'directory', mode, uid, gid });
  }
  archive.finalize();
  return Readable.from(archive);
}

/** Tar archive of files by their absolute paths; the folders that contain them must exist. */
export function archiveOfFiles(texts: Readonly<Record<string, string>>, { uid, gid }: FileOwner): Readable {
  const archive = pack();
  for (const [path, text] of Object.entries(texts)) archive.entry({ name: path.slice(1), uid, gid }, text);
  archive.finalize();
  return Readable.from(archive);
}

/**
 * Archive of a folder of this machine, as the folder `into` (absolute path). Symbolic links are archived as links,
 * other file systems are left out. The stream fails if the folder can't be read completely.
 */
export function archiveOfTree(folder: string, into: string, { uid, gid }: FileOwner): Readable {
  const args = [
    '--create',
    '--file=-',
    '--one-file-system',
    '--sort=none',
    '--numeric-owner',
    `--owner=${uid}`,
    `--group=${gid}`,
    `--transform=flags=rh;s,^\\.,${into.slice(1)},`,
    '--directory',
    folder,
    '.',
  ];
  return tarOutput(args, '');
}

/** Joins two archives into one, because an engine mounts the container's disk once for each archive that it unpacks. */
export function joinArchives(first: Readable, second: () => Readable): Readable {
  return Readable.from(
    (async function* () {
      yield (await buffer(first)).subarray(0, -END_BYTES);
      yield* second();
    })(),
  );
}

/**
 * Archive of some contents of a folder on this machine. `names` are the paths of all files, links and folders to
 * include, relative to the folder, as raw bytes.
 */
export function archiveOfNames(folder: string, names: readonly Uint8Array[]): Readable {
  const args = [
    '--create',
    '--file=-',
    '--one-file-system',
    '--numeric-owner',
    '--owner=0',
    '--group=0',
    '--directory',
    folder,
    '--null',
    '--no-recursion',
    '--files-from=-',
  ];
  return tarOutput(args, Buffer.concat(names.flatMap((name) => [Buffer.from('./'), name, Buffer.alloc(1)])));
}

/** Output of a tar process that reads the names of the files to archive from its input. */
function tarOutput(args: readonly string[], list: string | Buffer): Readable {
  const { child, errorOutput: said } = startTar(args, '/');
  child.stdin.end(list);
  child.once('error', (error) => child.stdout.destroy(error));
  child.once('exit', (code) => {
    if (code !== 0) child.stdout.destroy(new Error(`tar ended with ${code}: ${said()}`));
  });
  child.stdout.on('close', () => child.kill('SIGKILL'));
  return child.stdout;
}

export class TooLarge extends Error {}

/** Makes a stream that passes a tar archive on unchanged; it fails with TooLarge after more than `mostBytes`. */
export function limitArchive(mostBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > mostBytes ? new TooLarge('the archive is too large') : null, chunk);
    },
  });
}

/**
 * Unpacks the archive of a container's folder into an empty folder of this machine that belongs to `account`, with only
 * that account's rights. The first path component of each entry is removed. Throws TooLarge beyond `mostBytes`; part of
 * the archive has then been unpacked.
 */
export async function unpackArchive(
  archive: Readable,
  into: string,
  { account, mostBytes, signal }: { account: number | undefined; mostBytes: number; signal: AbortSignal },
): Promise<void> {
  const {
    child,
    input,
    ended,
    errorOutput: said,
  } = startTar([...EXTRACT, '--strip-components=1'], into, account);
  child.stdout.resume();
  try {
    await pipeline(archive, limitArchive(mostBytes), input, { signal });
    const code = await ended;
    if (code !== 0) throw new Error(`tar ended with ${code}: ${said()}`);
  } catch (error) {
    child.kill('SIGKILL');
    await ended.catch(() => {});
    throw error;
  }
}
