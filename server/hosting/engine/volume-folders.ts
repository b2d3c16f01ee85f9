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
  const places = isOwnImage ? await refuseOddUsers(engine, container, folders, signal) : [];
  for (const folder of folders) await refuseLinks(engine, container, folder, signal);
  // Once something has run there they are, and what is put into a container takes an engine longer than to create it.
  const isOpen = ({ path, at, found }: Place) =>
    at === path && found?.kind === 'folder' && found.mode === OPEN;
  if (isOwnImage && places.every(isOpen)) return;
  const archive = foldersOf(folders, SITE_USER, isOwnImage ? OPEN : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

/** A path, where it leads by the links in it, and what is there. */
interface Place {
  path: string;
  at: string;
  found: Entry | undefined;
}

/**
 * An engine opens them to start it, and waits for good for a pipe, as `/dev/stdout` is once it runs. Nobody is in there yet who could
 * change them, but where something is mounted, or has been by another release. Gives where the volumes are.
 */
async function refuseOddUsers(
  engine: Engine,
  container: string,
  volumes: readonly string[],
  signal: AbortSignal,
): Promise<Place[]> {
  const places = await Promise.all(volumes.map((one) => ledTo(engine, container, one, signal)));
  const mounted = [...MOUNTED, ...volumes, ...places.map(({ at }) => at)];
  const isWrong = (found: Entry | undefined, wanted: Entry['kind']): boolean =>
    found !== undefined && (found.kind !== wanted || (found.kind === 'file' && found.bytes > MOST_OF_USERS));
  const isOdd = async (path: string, wanted: Entry['kind']): Promise<boolean> => {
    const found = await engine.entryOf(container, path, signal);
    if (found?.kind !== 'link') return isWrong(found, wanted);
    const { target } = found;
    if (mounted.some((one) => `${target}/`.startsWith(`${one}/`))) return true;
    return isWrong(await engine.entryOf(container, target, signal), wanted);
  };
  const all = Object.entries(USERS);
  const odd = await Promise.all(all.map(([path, wanted]) => isOdd(path, wanted)));
  const [path] = all[odd.indexOf(true)] ?? [];
  if (path !== undefined) throw new RuntimeFailure(reason('odd_users', { path }));
  return places;
}

/** What is mounted at a path is mounted where its links lead. */
async function ledTo(engine: Engine, container: string, path: string, signal: AbortSignal): Promise<Place> {
  let at = '/';
  let found: Entry | undefined;
  for (const part of path.split('/').filter((one) => one !== '')) {
    const next = posix.join(at, part);
    found = await engine.entryOf(container, next, signal);
    at = found?.kind === 'link' ? found.target : next;
  }
  return { path, at, found };
}

/** A way that leads elsewhere within the release would have a volume where nobody looks for it. */
async function refuseLinks(
  engine: Engine,
  container: string,
  volume: string,
  signal: AbortSignal,
): Promise<void> {
  const [, below] = volume.split(`${APP}/`);
  const parts = volume.startsWith(`${APP}/`) ? (below ?? '').split('/') : [];
  for (const [index] of parts.entries()) {
    const path = parts.slice(0, index + 1).join('/');
    const found = await engine.entryOf(container, posix.join(APP, path), signal);
    if (found !== undefined && found.kind !== 'folder')
      throw new RuntimeFailure(reason('volume_through_link', { volume, path }));
  }
}
