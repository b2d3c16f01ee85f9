import { posix } from 'node:path';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { foldersOf } from './archives.ts';
import type { Engine } from './engine.ts';
import { APP, SITE_USER } from './site-containers.ts';

/** Whoever an image of its own runs as writes into its volumes. */
const OPEN = 0o777;

/** Who there is in an image. */
const USERS = ['/etc/passwd', '/etc/group'];

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
  if (isOwnImage) await refuseOddUsers(engine, container, signal);
  for (const folder of folders) await refuseLinks(engine, container, folder, signal);
  const archive = foldersOf(folders, SITE_USER, isOwnImage ? OPEN : undefined);
  await engine.putFiles(container, '/', archive, signal);
}

/** An engine opens them to start it, and waits for good for a pipe. Nobody is in there yet who could change them. */
async function refuseOddUsers(engine: Engine, container: string, signal: AbortSignal): Promise<void> {
  const kinds = USERS.map((path) => engine.kindOf(container, path, signal, { follows: true }));
  const odd = (await Promise.all(kinds)).indexOf('other');
  if (odd !== -1) throw new RuntimeFailure(reason('odd_users', { path: USERS[odd] ?? '' }));
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
    const kind = await engine.kindOf(container, posix.join(APP, path), signal);
    if (kind !== undefined && kind !== 'folder')
      throw new RuntimeFailure(reason('volume_through_link', { volume, path }));
  }
}
