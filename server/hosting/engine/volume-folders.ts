import { posix } from 'node:path';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { foldersOf } from './archives.ts';
import type { Engine, Entry } from './engine.ts';
import { APP, SITE_USER } from './site-containers.ts';

/** Whoever an image of its own runs as writes into its volumes. */
const OPEN = 0o777;

/** Who there is in an image, and what that has to be. */
const USERS = { '/etc': 'folder', '/etc/passwd': 'file', '/etc/group': 'file' } as const;
/** An engine has all of them in memory, many times over. */
const MOST_OF_USERS = 2 ** 20;
/** What is there once it runs is not what its image has there. */
const MOUNTED = ['/dev', '/proc', '/run', '/sys', '/tmp'];

/**
 * Makes the folders of a container that volumes are mounted at its user's, before anything runs in it. Throws a RuntimeFailure for one
 * behind a link, and for an image of its own in which nothing can be started.
 */
export async function placeFolders(
  engine: Engine,
  container: string,
  { folders, isOwnImage }: { folders: readonly string[]; isOwnImage: boolean },
  signal: AbortSignal,
): Promise<void> {
  const others = isOwnImage ? await volumesOf(engine, container, signal) : [];
  for (const path of others) {
    const volume = folders.find((one) => path.startsWith(`${one}/`));
    if (volume !== undefined) throw new RuntimeFailure(reason('volume_covered', { volume, path }));
  }
  const mounted = [...folders, ...others];
  const ways = mounted.map((one) => entryAt(engine, container, { volume: one, isOwnImage }, signal));
  const found = (await Promise.all(ways)).slice(0, folders.length);
  if (isOwnImage) await refuseOddUsers(engine, container, mounted, signal);
  // Once something has run there they are, and what is put into a container takes an engine longer than to create it.
  const isOpen = (one: Entry | undefined) => one?.kind === 'folder' && one.mode === OPEN;
  if (isOwnImage && found.every(isOpen)) return;
  const archive = foldersOf(folders, SITE_USER, isOwnImage ? OPEN : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

/** What the image of a container says that it has volumes at. */
async function volumesOf(engine: Engine, container: string, signal: AbortSignal): Promise<string[]> {
  const found = await engine.inspect(container, signal);
  return Object.keys(found?.Config.Volumes ?? {}).map((path) => posix.resolve('/', path));
}

/** What is said of a volume where something on the way to it is no folder. */
export function throughLink(volume: string, path: string): RuntimeFailure {
  const below = path.startsWith(`${APP}/`) ? posix.relative(APP, path) : path;
  return new RuntimeFailure(reason('volume_through_link', { volume, path: below }));
}

/**
 * What is where a volume is. Throws for a way that leads elsewhere, which would have it where nobody looks for it, or over what an
 * engine starts containers by. In an image of ours that may be so below the release alone.
 */
async function entryAt(
  engine: Engine,
  container: string,
  { volume, isOwnImage }: { volume: string; isOwnImage: boolean },
  signal: AbortSignal,
): Promise<Entry | undefined> {
  const parts = volume.slice(1).split('/');
  const paths = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  let found: Entry | undefined;
  for (const path of isOwnImage ? paths : paths.filter((one) => one.startsWith(`${APP}/`))) {
    found = await engine.entryOf(container, path, signal);
    if (found !== undefined && found.kind !== 'folder') throw throughLink(volume, path);
  }
  return found;
}

/**
 * An engine opens them to start it, and waits for good for a pipe, as `/dev/stdout` is once it runs. Nobody is in there yet who could
 * change them, but where something is mounted, or has been by another release.
 */
async function refuseOddUsers(
  engine: Engine,
  container: string,
  volumes: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const mounted = [...MOUNTED, ...volumes].map((one) => (one === '/' ? one : `${one}/`));
  const isWrong = (found: Entry | undefined, wanted: Entry['kind']): boolean =>
    found !== undefined && (found.kind !== wanted || (found.kind === 'file' && found.bytes > MOST_OF_USERS));
  const isOdd = async (path: string, wanted: Entry['kind']): Promise<boolean> => {
    const found = await engine.entryOf(container, path, signal);
    const at = found?.kind === 'link' ? found.target : path;
    // An engine looks before anything is mounted too, and sees something else there then.
    if (mounted.some((one) => `${at}/`.startsWith(one))) return true;
    return isWrong(at === path ? found : await engine.entryOf(container, at, signal), wanted);
  };
  const all = Object.entries(USERS);
  const odd = await Promise.all(all.map(([path, wanted]) => isOdd(path, wanted)));
  const [path] = all[odd.indexOf(true)] ?? [];
  if (path !== undefined) throw new RuntimeFailure(reason('odd_users', { path }));
}
