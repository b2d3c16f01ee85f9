import { posix } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { foldersOf, linkIn } from './archives.ts';
import type { Engine, Entry } from './engine.ts';
import { APP, SITE_USER } from './site-containers.ts';

/** Whoever an image of its own runs as writes into its volumes. */
const OPEN = 0o777;

/** Who there is in an image: an engine opens them to start it. */
const USERS = ['/etc/passwd', '/etc/group'];
/** An engine has all of them in memory, many times over. */
const MOST_OF_USERS = 2 ** 20;
/** What letters are read as that are none. */
const NO_UTF8 = '\ufffd';
/** For each that is looked at an engine mounts all volumes of the container. */
const MOST_LOOKED_AT = 60;
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
  const mounted = [...new Set([...folders, ...others])];
  // In an image of ours a link may be anywhere but below the release.
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
  // Once something has run there they are, and what is put into a container takes an engine longer than to create it.
  const isOpen = (one: Entry | undefined) => one?.kind === 'folder' && one.mode === OPEN;
  if (isOwnImage && found.slice(0, folders.length).every(isOpen)) return;
  const archive = foldersOf(folders, SITE_USER, isOwnImage ? OPEN : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

/** A path of a container, as it is itself, and where a link leads by its own words. Asked once each: nothing in there changes yet. */
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

/** A path and all above it but the root, from the top. */
function waysTo(path: string): string[] {
  const parts = path.slice(1).split('/');
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

/**
 * What is where a volume is. Throws for a way that leads elsewhere, which would have it where nobody looks for it, or over what an
 * engine starts containers by.
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

/** An engine waits for good for a pipe, as `/dev/stdout` is once it runs. */
async function refuseOddUsers(volumes: readonly string[], look: Look): Promise<void> {
  const mounted = [...MOUNTED, ...volumes].map((one) => (one === '/' ? one : `${one}/`));
  const refuse = (path: string) => new RuntimeFailure(reason('odd_users', { path }));
  // Docker 20.10 opens both of them to tell a link's words, for it looks up whose the link is.
  for (const path of USERS) if (await endsOddly(path, look)) throw refuse(path);
  for (const path of USERS) if (await isOdd(path, mounted, look)) throw refuse(path);
}

/** Whether what such a file is at last, by the engine's own account, may not be opened. No link's words are asked for. */
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
 * Whether such a file is what may not be opened, or by way of a link anywhere that changes: where something is mounted, which another
 * release writes to meanwhile, or where nothing is that goes on. Nobody is anywhere else in there yet.
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
    // The kernel goes no further then, but an engine may.
    if (found === undefined) return isLed && rest.length > 0;
    if (found.kind === 'link') {
      isLed = true;
      const target = await targetOf(at);
      // What is no UTF-8 was read as something else than it is.
      if (target.includes(NO_UTF8)) return true;
      at = target.startsWith('/') ? '/' : posix.dirname(at);
      left = [...target.split('/'), ...rest];
    } else if (rest.length === 0) {
      return !isPlain(found);
    } else if (found.kind !== 'folder') return true;
  }
  return true;
}
