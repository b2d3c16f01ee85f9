import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { EXTRACT, startTar } from '../sandbox/tar.ts';

// What goes into containers, as tar archives.

/** Whom things in a container belong to. */
export interface Owner {
  uid: number;
  gid: number;
}

const MODE = 0o755;
/** Of nothing, after the last of an archive's entries. */
const END_BYTES = 1_024;

/** Empty folders, or who is to own those that are there, and how: `path` is absolute. */
export function foldersOf(paths: readonly string[], { uid, gid }: Owner, mode = MODE): Readable {
  const archive = pack();
  for (const path of paths) {
    archive.entry({ name: `${path.slice(1)}/`, type: 'directory', mode, uid, gid });
  }
  archive.finalize();
  return Readable.from(archive);
}

/** Files by their absolute paths, in folders that are there. */
export function filesOf(texts: Readonly<Record<string, string>>, { uid, gid }: Owner): Readable {
  const archive = pack();
  for (const [path, text] of Object.entries(texts)) archive.entry({ name: path.slice(1), uid, gid }, text);
  archive.finalize();
  return Readable.from(archive);
}

/**
 * All of a folder of this machine, as the folder `into`, absolute. Links are taken for what they are, and other file systems are
 * left out. Ends with an error where it can't be read to its end.
 */
export function treeOf(folder: string, into: string, { uid, gid }: Owner): Readable {
  const words = [
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
  return readBy(words, '');
}

/** Two archives as one, which an engine takes sooner than both: each has it mount the container's disk. */
export function joined(first: Readable, second: () => Readable): Readable {
  return Readable.from(
    (async function* () {
      yield (await buffer(first)).subarray(0, -END_BYTES);
      yield* second();
    })(),
  );
}

/** Some of a folder of this machine, by the names of all files, links and folders, each below it and as its bytes are. */
export function someOf(folder: string, names: readonly Uint8Array[]): Readable {
  const words = [
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
  return readBy(words, Buffer.concat(names.flatMap((name) => [Buffer.from('./'), name, Buffer.alloc(1)])));
}

/** What tar makes of a list that it is given. */
function readBy(words: readonly string[], list: string | Buffer): Readable {
  const { child, said } = startTar(words, '/');
  child.stdin.end(list);
  child.once('error', (error) => child.stdout.destroy(error));
  child.once('exit', (code) => {
    if (code !== 0) child.stdout.destroy(new Error(`tar ended with ${code}: ${said()}`));
  });
  child.stdout.on('close', () => child.kill('SIGKILL'));
  return child.stdout;
}

/** Where the link leads that an archive begins with; nowhere for one that begins with anything else. */
export async function linkIn(archive: Readable): Promise<string> {
  const entries = extract();
  try {
    archive.once('error', (error) => entries.destroy(error));
    for await (const { header } of archive.pipe(entries)) return header.linkname ?? '';
    return '';
  } finally {
    archive.destroy();
    entries.destroy();
  }
}

export class TooLarge extends Error {}

/** Passes an archive on; ends with TooLarge once it is more than that. */
export function limited(mostBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > mostBytes ? new TooLarge('the archive is too large') : null, chunk);
    },
  });
}

/**
 * Unpacks a container's folder, without the name that all in it begins with, into an empty one of this machine that belongs to
 * `account`, with no more rights than that has. Throws TooLarge for what is more than `mostBytes`; then part of it is there.
 */
export async function unpack(
  archive: Readable,
  into: string,
  { account, mostBytes, signal }: { account: number | undefined; mostBytes: number; signal: AbortSignal },
): Promise<void> {
  const { child, input, ended, said } = startTar([...EXTRACT, '--strip-components=1'], into, account);
  child.stdout.resume();
  try {
    await pipeline(archive, limited(mostBytes), input, { signal });
    const code = await ended;
    if (code !== 0) throw new Error(`tar ended with ${code}: ${said()}`);
  } catch (error) {
    child.kill('SIGKILL');
    await ended.catch(() => {});
    throw error;
  }
}
