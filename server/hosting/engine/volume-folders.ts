import { posix } from 'node:path';
import { newId } from '../../kernel/identifiers.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { foldersOf } from './archives.ts';
import type { Engine, Entry } from './engine.ts';
import { APP, KIND, OURS, PLATFORM, SITE_USER } from './site-containers.ts';

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
  const mounted = [...new Set([...folders, ...others])];
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
  const isWrong = (found: Entry, wanted: Entry['kind']): boolean =>
    found.kind !== wanted || (found.kind === 'file' && found.bytes > MOST_OF_USERS);
  const usersIn = (where: string) =>
    Promise.all(
      Object.entries(USERS).map(async ([path, wanted]) => {
        const found = await engine.entryOf(where, path, signal);
        const at = found?.kind === 'link' ? found.target : path;
        const last = at === path ? found : await engine.entryOf(where, at, signal);
        // An engine looks before anything is mounted too, and sees something else there then.
        const isElsewhere = mounted.some((one) => `${at}/`.startsWith(one));
        return { path, isOdd: isElsewhere || (last !== undefined && isWrong(last, wanted)), at, last };
      }),
    );
  const refuse = (odd: { path: string } | undefined) => {
    if (odd) throw new RuntimeFailure(reason('odd_users', { path: odd.path }));
  };
  const users = await usersIn(container);
  refuse(users.find(({ isOdd }) => isOdd));
  if (users.every(({ path, at }) => at === path)) return;
  // On its way there a link may go by what is in a volume now: what it leads to without that is what it leads to in any case.
  await withEmpty(engine, container, volumes, signal, async (empty) => {
    const without = await usersIn(empty);
    refuse(without.find(({ path, isOdd, at, last }) => isOdd || (at !== path && last === undefined)));
  });
}

/** Has `work` look into another container of the same image, never started, in which there is nothing where volumes are mounted. */
async function withEmpty(
  engine: Engine,
  container: string,
  volumes: readonly string[],
  signal: AbortSignal,
  work: (name: string) => Promise<void>,
): Promise<void> {
  const found = await engine.inspect(container, signal);
  const name = `${OURS}look-${newId()}`;
  const Mounts = volumes.map((Target) => ({
    ...{ Type: 'volume' as const, Target, VolumeOptions: { NoCopy: true } },
  }));
  try {
    await engine.create(
      name,
      {
        ...{ Image: found?.Image ?? '', Entrypoint: ['true'], Cmd: [] },
        Labels: { [PLATFORM]: found?.Config.Labels[PLATFORM] ?? '', [KIND]: 'hand' },
        HostConfig: { NetworkMode: 'none', Mounts },
      },
      signal,
    );
    await work(name);
  } finally {
    // What stays of it goes as a server starts.
    engine.remove(name, new AbortController().signal).catch(() => {});
  }
}
