import { posix } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { foldersOf, linkIn } from './archives.ts';
import type { Engine, Entry } from './engine.ts';
import { APP, SITE_USER } from './site-containers.ts';

/** Mode of volumes for an application's own image: it may run as any user and must be able to write. */
const OPEN = 0o777;

/** Files of users in an image, which an engine opens to start a container. */
const USERS = ['/etc/passwd', '/etc/group'];
/** Maximum size of these files, in bytes: an engine reads them into memory, many times over. */
const MOST_OF_USERS = 2 ** 20;
/** Character that stands for bytes that are not UTF-8. */
const NO_UTF8 = '\ufffd';
/** Maximum number of paths to inspect: an engine mounts all volumes of the container for each. */
const MOST_LOOKED_AT = 60;
/** Paths that the engine mounts over at run time, so the image's own files there do not count. */
const MOUNTED = ['/dev', '/proc', '/run', '/sys', '/tmp'];

/**
 * Makes a container's volume folders belong to its user, before anything runs in it. Throws a RuntimeFailure for a
 * folder behind a link, and for an own image that can't be started safely.
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
  const mounted = [...new Set([...folders, ...others])];
  // Links matter everywhere in an application's own image, but only below the release in an image of ours.
  const ways = mounted.map((volume) => ({
    volume,
    paths: waysTo(volume).filter((one) => isOwnImage || one.startsWith(`${APP}/`)),
  }));
  const most = MOST_LOOKED_AT;
  if (new Set(ways.flatMap(({ paths }) => paths)).size > most)
    throw new RuntimeFailure(reason('volumes_deep', { most }));
  const look = lookInto(engine, container, signal);
  const found: (Entry | undefined)[] = [];
  for (const way of ways) found.push(await atEndOf(way, look));
  if (isOwnImage) await refuseOddUsers(mounted, look);
  // Folders are already open after the first run. The check is worth it: copying into a container takes an engine
  // longer than creating it.
  const isOpen = (one: Entry | undefined) => one?.kind === 'folder' && one.mode === OPEN;
  if (isOwnImage && found.slice(0, folders.length).every(isOpen)) return;
  const archive = foldersOf(folders, SITE_USER, isOwnImage ? OPEN : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

/**
 * Reads entries of a container: an entry without following it, and a link's literal target. Each path is read once,
 * because nothing in the container changes yet.
 */
interface Look {
  entryOf: (path: string) => Promise<Entry | undefined>;
  targetOf: (path: string) => Promise<string>;
}

function lookInto(engine: Engine, container: string, signal: AbortSignal): Look {
  const found = new Map<string, Promise<Entry | undefined>>();
  return {
    entryOf(path) {
      const asked = found.get(path) ?? engine.entryOf(container, path, signal);
      found.set(path, asked);
      return asked;
    },
    async targetOf(path) {
      const archive = await engine.files(container, path, signal);
      return archive ? linkIn(archive) : '';
    },
  };
}

/** Paths at which a container's image declares volumes. */
async function volumesOf(engine: Engine, container: string, signal: AbortSignal): Promise<string[]> {
  const found = await engine.inspect(container, signal);
  return Object.keys(found?.Config.Volumes ?? {}).map((path) => posix.resolve('/', path));
}

/** Failure of a volume with something other than a folder on its path. */
export function throughLink(volume: string, path: string): RuntimeFailure {
  const below = path.startsWith(`${APP}/`) ? posix.relative(APP, path) : path;
  return new RuntimeFailure(reason('volume_through_link', { volume, path: below }));
}

/** Path and all its parents except the root, from the top. */
function waysTo(path: string): string[] {
  const parts = path.slice(1).split('/');
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

/**
 * Entry at a volume's path. Throws if a link on the way leads elsewhere: the data would be where nobody expects it, or
 * replace files by which an engine starts containers.
 */
async function atEndOf(
  { volume, paths }: { volume: string; paths: readonly string[] },
  { entryOf }: Look,
): Promise<Entry | undefined> {
  let found: Entry | undefined;
  for (const path of paths) {
    found = await entryOf(path);
    if (found !== undefined && found.kind !== 'folder') throw throughLink(volume, path);
  }
  return found;
}

/**
 * Refuses user files that are no plain files: an engine waits forever for a pipe, which `/dev/stdout` is at run time.
 */
async function refuseOddUsers(volumes: readonly string[], look: Look): Promise<void> {
  const mounted = [...MOUNTED, ...volumes].map((one) => (one === '/' ? one : `${one}/`));
  const refuse = (path: string) => new RuntimeFailure(reason('odd_users', { path }));
  // The final entries are checked first: Docker 20.10 opens both files to report a link's literal target, because it
  // looks up the link's owner.
  for (const path of USERS) if (await endsOddly(path, look)) throw refuse(path);
  for (const path of USERS) if (await isOdd(path, mounted, look)) throw refuse(path);
}

/**
 * True if the engine reports that a user file is finally something that must not be opened. Does not read a link's
 * literal target.
 */
async function endsOddly(path: string, { entryOf }: Look): Promise<boolean> {
  const first = await entryOf(path);
  if (first?.kind === 'link' && first.end.includes(NO_UTF8)) return true;
  const last = first?.kind === 'link' ? await entryOf(first.end) : first;
  return last !== undefined && !isPlain(last);
}

function isPlain(found: Entry | { kind: 'folder' }): boolean {
  return found.kind === 'file' && found.bytes <= MOST_OF_USERS;
}

/**
 * True if a user file must not be opened, or if a link leads to a path that changes: below a mount, where another
 * release may write meanwhile, or to a missing entry with more path behind it. Nothing else runs in the container yet.
 */
async function isOdd(
  path: string,
  mounted: readonly string[],
  { entryOf, targetOf }: Look,
): Promise<boolean> {
  let at = '/';
  let left = path.split('/');
  let isLed = false;
  for (let looks = 0; looks < MOST_LOOKED_AT; looks += 1) {
    const [name, ...rest] = left.filter((one) => one !== '' && one !== '.');
    if (name === undefined) return true;
    left = rest;
    at = posix.join(at, name);
    if (mounted.some((one) => `${at}/`.startsWith(one))) return true;
    const found = name === '..' ? ({ kind: 'folder' } as const) : await entryOf(at);
    // The kernel stops at a missing entry, but an engine may continue.
    if (found === undefined) return isLed && rest.length > 0;
    if (found.kind === 'link') {
      isLed = true;
      const target = await targetOf(at);
      // A target that is not UTF-8 was decoded wrongly.
      if (target.includes(NO_UTF8)) return true;
      at = target.startsWith('/') ? '/' : posix.dirname(at);
      left = [...target.split('/'), ...rest];
    } else if (rest.length === 0) {
      return !isPlain(found);
    } else if (found.kind !== 'folder') return true;
  }
  return true;
}
