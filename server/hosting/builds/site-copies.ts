import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFairQueue } from '../../kernel/fair-queue.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { coalesceRuns } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { RegistryClient } from '../engine/registry-client.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import { isEmpty } from '../sandbox/disk.ts';
import { uuidsIn } from '../sandbox/folders.ts';
import { downloadFiles } from './registry-files.ts';
import { createTrash, type Trash } from './trash.ts';

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

/** Folder in the image of a static site that contains all files of the site. */
export const IN_IMAGE = '/site';
const TRASH = 'trash';
const AT_ONCE = 4;
const LONGEST_MS = 600_000;
/** Time before a failed download of a site's files is repeated. */
const RETRY_MS = 10_000;
/** Time after which an unused copy of a site's files is removed; it can be downloaded again quickly. */
const UNUSED_MS = 600_000;
const NEVER = new AbortController().signal;

/**
 * Opens the copies of sites' files on this machine, and begins to remove what earlier runs of the server left behind.
 */
export async function openSiteCopies(parts: SiteCopiesParts): Promise<SiteCopies> {
  const { copies: base } = parts.folders;
  await mkdir(base, { recursive: true, mode: 0o700 });
  const trash = createTrash(join(base, TRASH), parts.log);
  for (const name of await readdir(base)) {
    // Several processes of this machine may share the folder: a recent unfinished download may belong to another
    // process.
    if (!isUuid(name) && name !== TRASH && (await isOld(join(base, name))))
      await trash.discard(join(base, name), NEVER);
  }
  await trash.sweep();
  return new SiteCopies({ ...parts, trash, present: await copiesIn(parts.folders) });
}

/** Builds whose files have a copy on this machine's disk. */
async function copiesIn({ copies, copiesOf }: SiteFolders): Promise<BuildName[]> {
  const builds: BuildName[] = [];
  for (const applicationId of await uuidsIn(copies))
    for (const buildId of await uuidsIn(copiesOf(applicationId))) builds.push({ applicationId, buildId });
  return builds;
}

interface OpenedParts extends SiteCopiesParts {
  trash: Trash;
  /** Builds whose files have a copy on this machine's disk. */
  present: readonly BuildName[];
}

/** Copies of sites' files on this machine. */
export class SiteCopies {
  readonly #parts: SiteCopiesParts;
  readonly #trash: Trash;
  readonly #closing = new AbortController();
  readonly #inQueue = createFairQueue(AT_ONCE);
  /** Builds whose files have a copy on this machine's disk, by build id. */
  readonly #present: Map<string, BuildName>;
  /** Running downloads of sites' files, by build id. */
  readonly #fetches = new Map<string, Promise<boolean>>();
  /** Times of the last failed downloads of sites' files, by build id. */
  readonly #failures = new Map<string, number>();
  /** Times at which copies stopped being served, by build id. */
  readonly #unusedSince = new Map<string, number>();
  /** Builds whose files the gateway serves now. */
  #served: readonly BuildName[] = [];
  /**
   * Checks in the background, one after the other, the copies of all served builds, of which there may be thousands.
   */
  readonly #checkServed = coalesceRuns(async () => {
    for (const build of this.#served) await this.#check(build);
  });

  constructor(parts: OpenedParts) {
    this.#parts = parts;
    this.#trash = parts.trash;
    this.#present = new Map(parts.present.map((build) => [build.buildId, build]));
  }

  folderOf(build: BuildName): string {
    return this.#parts.folders.copy(build);
  }

  isHere({ buildId }: BuildName): boolean {
    return this.#present.has(buildId);
  }

  /** Fetches a site's files; false if they are not available now. Never rejects. */
  bring(build: BuildName): Promise<boolean> {
    const { applicationId, buildId } = build;
    if (this.isHere(build)) return Promise.resolve(true);
    const fetching =
      this.#fetches.get(buildId) ??
      this.#inQueue(applicationId, () => this.#fetch(build)).finally(() => this.#fetches.delete(buildId));
    this.#fetches.set(buildId, fetching);
    return fetching;
  }

  /** True if the site's files are on this machine's disk, after downloading them if necessary. */
  async has(build: BuildName): Promise<boolean> {
    await this.#check(build);
    return this.bring(build);
  }

  /** Moves a folder with the files of a build to the copies; the registry already has its content. */
  async moveIn(build: BuildName, from: string): Promise<void> {
    await mkdir(this.#parts.folders.copiesOf(build.applicationId), { recursive: true, mode: 0o700 });
    await rename(from, this.folderOf(build)).catch((error: NodeJS.ErrnoException) => {
      // Another process has already downloaded the same site's files.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    this.#present.set(build.buildId, build);
  }

  /** Sets the builds that are served now; copies of other builds are removed after a while. */
  keep(builds: readonly BuildName[]): void {
    const served = new Set(builds.map(({ buildId }) => buildId));
    for (const id of served) this.#unusedSince.delete(id);
    for (const id of this.#failures.keys()) if (!served.has(id)) this.#failures.delete(id);
    for (const [id, build] of this.#present) if (!served.has(id)) this.#discardAfterWhile(build);
    this.#served = builds;
    void this.#checkServed();
  }

  /**
   * Applications that had copies of files on this machine at some time. These folders may be the only record that the
   * applications have images in the registry.
   */
  applications(): Promise<string[]> {
    return uuidsIn(this.#parts.folders.copies);
  }

  /** Removes all copies of an application's files on this machine. */
  async forget(applicationId: string, signal: AbortSignal): Promise<void> {
    for (const [id, build] of this.#present)
      if (build.applicationId === applicationId) this.#present.delete(id);
    await this.#trash.discard(this.#parts.folders.copiesOf(applicationId), signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#fetches.values());
    await this.#trash.close();
  }

  async #fetch(build: BuildName): Promise<boolean> {
    const { buildId } = build;
    const failedAt = this.#failures.get(buildId);
    if (failedAt !== undefined && performance.now() - failedAt < RETRY_MS) return false;
    const into = join(this.#parts.folders.copies, `new-${newId()}`);
    try {
      if (await this.#isOnDisk(build)) {
        this.#present.set(buildId, build);
        return true;
      }
      await mkdir(into, { mode: 0o700 });
      await this.#download(build, into);
      await this.moveIn(build, into);
      this.#failures.delete(buildId);
      return true;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      this.#failures.set(buildId, performance.now());
      this.#parts.log.warn({ err: error, build: buildId }, 'files of a site could not be brought here');
      return false;
    } finally {
      await this.#trash.discard(into, this.#closing.signal);
    }
  }

  #download({ applicationId, buildId }: BuildName, into: string): Promise<void> {
    const { client, repositoryOf, mostBytes } = this.#parts;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(LONGEST_MS)]);
    const image = { repository: repositoryOf(applicationId), tag: buildId };
    return downloadFiles(client, image, into, { mostBytes, signal });
  }

  async #isOnDisk(build: BuildName): Promise<boolean> {
    return (await isEmpty(this.folderOf(build))) === false;
  }

  /** Notes if the copy of a site's files was removed, by hand or by another process. */
  async #check(build: BuildName): Promise<void> {
    if (this.isHere(build) && !(await this.#isOnDisk(build))) this.#present.delete(build.buildId);
  }

  /** Removes a build's copy once it has not been served for `UNUSED_MS`. */
  #discardAfterWhile(build: BuildName): void {
    const { buildId } = build;
    const now = performance.now();
    const since = this.#unusedSince.get(buildId) ?? now;
    this.#unusedSince.set(buildId, since);
    if (now - since < UNUSED_MS) return;
    this.#unusedSince.delete(buildId);
    this.#present.delete(buildId);
    void this.#trash.discard(this.folderOf(build), this.#closing.signal);
  }
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > LONGEST_MS;
}
