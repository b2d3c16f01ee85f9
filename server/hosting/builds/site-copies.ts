import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { unpackArchive } from '../engine/archives.ts';
import type { RegistryClient } from '../engine/registry-client.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import { isEmpty } from '../sandbox/disk.ts';
import { uuidsIn } from '../sandbox/folders.ts';
import { createTrash } from './trash.ts';

// Files of sites on each machine of a cluster: every gateway serves them from its own disk. The registry stores them as
// images with nothing else inside, for machines that don't have them yet.

export interface SiteCopiesParts {
  client: RegistryClient;
  /** Name of an application's repository within the registry. */
  repositoryOf: (applicationId: string) => string;
  folders: SiteFolders;
  mostBytes: number;
  log: Logger;
}

/** Folder in the image that contains all files. */
export const IN_IMAGE = '/site';
const TRASH = 'trash';
const AT_ONCE = 4;
const LONGEST_MS = 600_000;
/** Time before a failed download is repeated. */
const RETRY_MS = 10_000;
/** Time after which an unused copy is removed; it can be fetched again quickly. */
const UNUSED_MS = 600_000;

export type SiteCopies = Awaited<ReturnType<typeof openSiteCopies>>;

export async function openSiteCopies({ client, repositoryOf, folders, mostBytes, log }: SiteCopiesParts) {
  const { copies: base, copiesOf, copy: folderOf } = folders;
  const trash = createTrash(join(base, TRASH), log);
  const closing = new AbortController();
  const inQueue = createFairQueue(AT_ONCE);
  await mkdir(base, { recursive: true, mode: 0o700 });
  // Processes of one machine may share the folder, so an unfinished download may belong to another process.
  const copiesHere = new Map<string, BuildName>();
  for (const name of await readdir(base)) {
    if (isUuid(name))
      for (const buildId of await uuidsIn(copiesOf(name)))
        copiesHere.set(buildId, { applicationId: name, buildId });
    else if (name !== TRASH && (await isOld(join(base, name))))
      await trash.discard(join(base, name), closing.signal);
  }
  await trash.sweep();

  const isThere = async (build: BuildName): Promise<boolean> => (await isEmpty(folderOf(build))) === false;

  const fetchInto = async ({ applicationId, buildId }: BuildName, into: string): Promise<void> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_MS)]);
    const repository = repositoryOf(applicationId);
    for (const { digest, isZipped } of await client.layers(repository, buildId, signal)) {
      const blob = await client.blob(repository, digest, signal);
      const hash = createHash('sha256');
      const hashed = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          done(null, chunk);
        },
      });
      const archive = isZipped ? createGunzip() : new PassThrough();
      const arrives = pipeline(blob, hashed, archive, { signal });
      arrives.catch((error) => archive.destroy(error));
      await unpackArchive(archive, into, { account: undefined, mostBytes, signal });
      await arrives;
      const found = `sha256:${hash.digest('hex')}`;
      if (found !== digest) throw new Error(`the registry gave ${found} for ${digest}`);
    }
  };

  const moveIn = async (build: BuildName, from: string): Promise<void> => {
    await mkdir(copiesOf(build.applicationId), { recursive: true, mode: 0o700 });
    await rename(from, folderOf(build)).catch((error: NodeJS.ErrnoException) => {
      // Another process has fetched the same files.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    copiesHere.set(build.buildId, build);
  };

  const failures = new Map<string, number>();
  const fetchOnce = async (build: BuildName): Promise<boolean> => {
    const { buildId } = build;
    const failed = failures.get(buildId);
    if (failed !== undefined && performance.now() - failed < RETRY_MS) return false;
    const into = join(base, `new-${newId()}`);
    try {
      if (await isThere(build)) {
        copiesHere.set(buildId, build);
        return true;
      }
      await mkdir(into, { mode: 0o700 });
      await fetchInto(build, into);
      await moveIn(build, into);
      failures.delete(buildId);
      return true;
    } catch (error) {
      if (closing.signal.aborted) return false;
      failures.set(buildId, performance.now());
      log.warn({ err: error, build: buildId }, 'files of a site could not be brought here');
      return false;
    } finally {
      await trash.discard(into, closing.signal);
    }
  };
  const fetches = new Map<string, Promise<boolean>>();
  /** Fetches a site's files; false if they are not available now. Never rejects. */
  const bring = (build: BuildName): Promise<boolean> => {
    const { applicationId, buildId } = build;
    if (copiesHere.has(buildId)) return Promise.resolve(true);
    const done =
      fetches.get(buildId) ??
      inQueue(applicationId, () => fetchOnce(build)).finally(() => fetches.delete(buildId));
    fetches.set(buildId, done);
    return done;
  };

  const unusedSince = new Map<string, number>();

  /** Updates the record after a copy was removed by hand or by another process. */
  const check = async (build: BuildName): Promise<void> => {
    if (copiesHere.has(build.buildId) && !(await isThere(build))) copiesHere.delete(build.buildId);
  };

  let served: readonly BuildName[] = [];
  /** Checks all copies in sequence, in the background: there may be thousands. */
  const checkAll = coalesceRuns(async () => {
    for (const build of served) await check(build);
  });

  return {
    folderOf,
    bring,

    isHere: ({ buildId }: BuildName): boolean => copiesHere.has(buildId),

    /** True if the files are on the disk, after fetching them if necessary. */
    async has(build: BuildName): Promise<boolean> {
      await check(build);
      return bring(build);
    },

    /** Takes over a folder whose content is already in the registry. */
    moveIn,

    /** Sets the builds that are served now; other copies are removed after a while. */
    keep(builds: readonly BuildName[]): void {
      const now = performance.now();
      const inUse = new Set(builds.map(({ buildId }) => buildId));
      for (const id of inUse) unusedSince.delete(id);
      for (const id of failures.keys()) if (!inUse.has(id)) failures.delete(id);
      for (const [id, build] of copiesHere) {
        if (inUse.has(id)) continue;
        const since = unusedSince.get(id) ?? now;
        unusedSince.set(id, since);
        if (now - since < UNUSED_MS) continue;
        unusedSince.delete(id);
        copiesHere.delete(id);
        void trash.discard(folderOf(build), closing.signal);
      }
      served = builds;
      void checkAll();
    },

    /** Applications that had copies here at some time: their images in the registry may be known only by this. */
    applications: (): Promise<string[]> => uuidsIn(base),

    /** Removes all copies of an application here. */
    async forget(applicationId: string, signal: AbortSignal): Promise<void> {
      for (const [id, build] of copiesHere) if (build.applicationId === applicationId) copiesHere.delete(id);
      await trash.discard(copiesOf(applicationId), signal);
    },

    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(fetches.values());
      await trash.close();
    },
  };
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > LONGEST_MS;
}
