import { posix } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { archiveOfFolders } from './archives.ts';
import type { Entry } from './container-files.ts';
import type { Engine } from './engine.ts';
import { APP, SITE_USER } from './site-containers.ts';

/** Mode of volumes for an application's own image: it may run as any user and must be able to write. */
const OPEN_MODE = 0o777;

/**
 * Makes a container's volume folders belong to its user, before anything runs in it. Throws a RuntimeFailure for a
 * folder behind a link.
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
  // In an application's own image, links anywhere on a volume's path matter; in an image that the platform made, only
  // links below the release.
  const volumePaths = mounted.map((volume) => ({
    volume,
    paths: pathAndParents(volume).filter((one) => isOwnImage || one.startsWith(`${APP}/`)),
  }));
  const entryOf = createEntryReader(engine, container, signal);
  const found: (Entry | undefined)[] = [];
  for (const way of volumePaths) found.push(await entryAt(way, entryOf));
  // If the volumes' folders are already writable, as after a container's first run, nothing is copied into the
  // container: copying takes an engine longer than creating the container.
  const isOpen = (one: Entry | undefined) => one?.kind === 'folder' && one.mode === OPEN_MODE;
  if (isOwnImage && found.slice(0, folders.length).every(isOpen)) return;
  const archive = archiveOfFolders(folders, SITE_USER, isOwnImage ? OPEN_MODE : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

type EntryReader = (path: string) => Promise<Entry | undefined>;

/**
 * Reads files, folders and links in a container without following links. Each path is read only once, because the
 * container does not run yet.
 */
function createEntryReader(engine: Engine, container: string, signal: AbortSignal): EntryReader {
  const found = new Map<string, Promise<Entry | undefined>>();
  return (path) => {
    const asked = found.get(path) ?? engine.entryOf(container, path, signal);
    found.set(path, asked);
    return asked;
  };
}

/** Paths at which a container's image declares volumes. */
async function volumesOf(engine: Engine, container: string, signal: AbortSignal): Promise<string[]> {
  const found = await engine.inspect(container, signal);
  return Object.keys(found?.Config.Volumes ?? {}).map((path) => posix.resolve('/', path));
}

/** Failure to mount a volume because something other than a folder is on its path. */
export function volumeThroughLink(volume: string, path: string): RuntimeFailure {
  const below = path.startsWith(`${APP}/`) ? posix.relative(APP, path) : path;
  return new RuntimeFailure(reason('volume_through_link', { volume, path: below }));
}

/** List of a path and all its parent folders except the root, from the top. */
function pathAndParents(path: string): string[] {
  const parts = path.slice(1).split('/');
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

/**
 * Finds what is at a volume's path. Throws if a link on the path leads elsewhere: the data would be where nobody
 * expects it.
 */
async function entryAt(
  { volume, paths }: { volume: string; paths: readonly string[] },
  entryOf: EntryReader,
): Promise<Entry | undefined> {
  let found: Entry | undefined;
  for (const path of paths) {
    found = await entryOf(path);
    if (found !== undefined && found.kind !== 'folder') throw volumeThroughLink(volume, path);
  }
  return found;
}
