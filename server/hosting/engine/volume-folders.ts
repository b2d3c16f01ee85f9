import { posix } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { archiveOfFolders, readLeadingLink } from './archives.ts';
import type { Entry } from './container-files.ts';
import type { Engine } from './engine.ts';
import { APP, SITE_USER } from './site-containers.ts';

/** Mode of volumes for an application's own image: it may run as any user and must be able to write. */
const OPEN_MODE = 0o777;

/** Files of users in an image, which an engine opens to start a container. */
const USER_FILES = ['/etc/passwd', '/etc/group'];
/** Maximum size of these files, in bytes: an engine reads them into memory, many times over. */
const MOST_USER_FILE_BYTES = 2 ** 20;
/** Character that stands for bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd';
/** Maximum number of paths to inspect: an engine mounts all volumes of the container for each. */
const MOST_PATHS = 60;
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
  const imageVolumes = isOwnImage ? await volumesOf(engine, container, signal) : [];
  for (const path of imageVolumes) {
    const volume = folders.find((one) => path.startsWith(`${one}/`));
    if (volume !== undefined) throw new RuntimeFailure(reason('volume_covered', { volume, path }));
  }
  const mounted = [...new Set([...folders, ...imageVolumes])];
  // Links matter everywhere in an application's own image, but only below the release in an image of ours.
  const volumePaths = mounted.map((volume) => ({
    volume,
    paths: pathAndParents(volume).filter((one) => isOwnImage || one.startsWith(`${APP}/`)),
  }));
  const most = MOST_PATHS;
  if (new Set(volumePaths.flatMap(({ paths }) => paths)).size > most)
    throw new RuntimeFailure(reason('volumes_deep', { most }));
  const entries = openEntries(engine, container, signal);
  const found: (Entry | undefined)[] = [];
  for (const way of volumePaths) found.push(await entryAt(way, entries));
  if (isOwnImage) await refuseUnsafeUserFiles(mounted, entries);
  // Folders are already open after the first run. The check is worth it: copying into a container takes an engine
  // longer than creating it.
  const isOpen = (one: Entry | undefined) => one?.kind === 'folder' && one.mode === OPEN_MODE;
  if (isOwnImage && found.slice(0, folders.length).every(isOpen)) return;
  const archive = archiveOfFolders(folders, SITE_USER, isOwnImage ? OPEN_MODE : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

/**
 * Reads entries of a container: an entry without following it, and a link's literal target. Each path is read once,
 * because nothing in the container changes yet.
 */
interface Entries {
  entryOf: (path: string) => Promise<Entry | undefined>;
  targetOf: (path: string) => Promise<string>;
}

function openEntries(engine: Engine, container: string, signal: AbortSignal): Entries {
  const found = new Map<string, Promise<Entry | undefined>>();
  return {
    entryOf(path) {
      const asked = found.get(path) ?? engine.entryOf(container, path, signal);
      found.set(path, asked);
      return asked;
    },
    async targetOf(path) {
      const archive = await engine.files(container, path, signal);
      return archive ? readLeadingLink(archive) : '';
    },
  };
}

/** Paths at which a container's image declares volumes. */
async function volumesOf(engine: Engine, container: string, signal: AbortSignal): Promise<string[]> {
  const found = await engine.inspect(container, signal);
  return Object.keys(found?.Config.Volumes ?? {}).map((path) => posix.resolve('/', path));
}

/** Failure of a volume with something other than a folder on its path. */
export function volumeThroughLink(volume: string, path: string): RuntimeFailure {
  const below = path.startsWith(`${APP}/`) ? posix.relative(APP, path) : path;
  return new RuntimeFailure(reason('volume_through_link', { volume, path: below }));
}

/** Path and all its parents except the root, from the top. */
function pathAndParents(path: string): string[] {
  const parts = path.slice(1).split('/');
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

/**
 * Entry at a volume's path. Throws if a link on the way leads elsewhere: the data would be where nobody expects it, or
 * replace files by which an engine starts containers.
 */
async function entryAt(
  { volume, paths }: { volume: string; paths: readonly string[] },
  { entryOf }: Entries,
): Promise<Entry | undefined> {
  let found: Entry | undefined;
  for (const path of paths) {
    found = await entryOf(path);
    if (found !== undefined && found.kind !== 'folder') throw volumeThroughLink(volume, path);
  }
  return found;
}

/**
 * Refuses user files that are no plain files: an engine waits forever for a pipe, which `/dev/stdout` is at run time.
 */
async function refuseUnsafeUserFiles(volumes: readonly string[], entries: Entries): Promise<void> {
  const mounted = [...MOUNTED, ...volumes].map((one) => (one === '/' ? one : `${one}/`));
  const refuse = (path: string) => new RuntimeFailure(reason('odd_users', { path }));
  // The final entries are checked first: Docker 20.10 opens both files to report a link's literal target, because it
  // looks up the link's owner.
  for (const path of USER_FILES) if (await endsUnsafely(path, entries)) throw refuse(path);
  for (const path of USER_FILES) if (await isUnsafe(path, mounted, entries)) throw refuse(path);
}

/**
 * True if the engine reports that a user file is finally something that must not be opened. Does not read a link's
 * literal target.
 */
async function endsUnsafely(path: string, { entryOf }: Entries): Promise<boolean> {
  const first = await entryOf(path);
  if (first?.kind === 'link' && first.end.includes(REPLACEMENT_CHARACTER)) return true;
  const last = first?.kind === 'link' ? await entryOf(first.end) : first;
  return last !== undefined && !isPlain(last);
}

function isPlain(found: Entry | { kind: 'folder' }): boolean {
  return found.kind === 'file' && found.bytes <= MOST_USER_FILE_BYTES;
}

/**
 * True if a user file must not be opened, or if a link leads to a path that changes: below a mount, where another
 * release may write meanwhile, or to a missing entry with more path behind it. Nothing else runs in the container yet.
 */
async function isUnsafe(
  path: string,
  mounted: readonly string[],
  { entryOf, targetOf }: Entries,
): Promise<boolean> {
  let at = '/';
  let remaining = path.split('/');
  let isBehindLink = false;
  for (let looks = 0; looks < MOST_PATHS; looks += 1) {
    const [name, ...rest] = remaining.filter((one) => one !== '' && one !== '.');
    if (name === undefined) return true;
    remaining = rest;
    at = posix.join(at, name);
    if (mounted.some((one) => `${at}/`.startsWith(one))) return true;
    const found = name === '..' ? ({ kind: 'folder' } as const) : await entryOf(at);
    // The kernel stops at a missing entry, but an engine may continue.
    if (found === undefined) return isBehindLink && rest.length > 0;
    if (found.kind === 'link') {
      isBehindLink = true;
      const target = await targetOf(at);
      // A target that is not UTF-8 was decoded wrongly.
      if (target.includes(REPLACEMENT_CHARACTER)) return true;
      at = target.startsWith('/') ? '/' : posix.dirname(at);
      remaining = [...target.split('/'), ...rest];
    } else if (rest.length === 0) {
      return !isPlain(found);
    } else if (found.kind !== 'folder') return true;
  }
  return true;
}
