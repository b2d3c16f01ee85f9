import { existsSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import { liesWithin, pathOfRepository } from '../applications/local-repository.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { explainFailure, FetchFailure } from './fetch-failure.ts';
import { GitFailure, type GitWork, runGit } from './git.ts';
import { type CheckedRepository, type GitAccess, openAccess } from './git-access.ts';
import { LIST_LFS } from './lfs-pointers.ts';
import { LIST_SUBMODULES } from './submodules.ts';
import type { Trash } from './trash.ts';

export type FetchSettings = Pick<
  Config,
  | 'dataDir'
  | 'appsGitProtocols'
  | 'appsGitCaFile'
  | 'appsCheckoutSeconds'
  | 'appsDiskMb'
  | 'appsBuildMemoryMb'
>;

/** Host keys that applications have seen by ssh, in the format of known_hosts. */
export interface HostKeys {
  hostKeys(applicationId: string): Promise<string>;
  /** Saves an application's ssh host keys, unless they were changed in the meantime. */
  keepHostKeys(applicationId: string, keys: string, before: string): Promise<void>;
}

/** Commit to fetch, and the place where it is stored. */
export interface FetchOrder {
  /** Revision to fetch: the full name of a branch, or a commit's hash. */
  revision: string;
  /** Name of the git ref that keeps the fetched commit. */
  ref: string;
  into: string;
  /** Subfolder of `into` that gets the commit's files; empty for `into` itself. */
  below: string;
  seconds: number;
}

export interface RepositoryFetchesParts {
  settings: FetchSettings;
  sandbox: Sandbox;
  hostKeyStore: HostKeys;
  /** Folder of the stored repositories. */
  base: string;
  trash: Trash;
}

/** Maximum number of host keys, for an application whose repository moved between hosts. */
const MOST_HOST_KEYS = 50;
const PORTS = { https: 443, http: 80, ssh: 22, git: 9418, file: 0 } as const;
/** Prefix of folders that hold keys while git runs. */
const ACCESS = 'access-';
const LEAST_FREE_BYTES = 2 ** 20;

/**
 * Fetches of single repositories, each stored as `<base>/<application>`, so that a fetch transfers only new objects.
 */
export class RepositoryFetches {
  readonly #settings: FetchSettings;
  readonly #sandbox: Sandbox;
  readonly #hostKeyStore: HostKeys;
  readonly #base: string;
  readonly #trash: Trash;

  constructor({ settings, sandbox, hostKeyStore, base, trash }: RepositoryFetchesParts) {
    this.#settings = settings;
    this.#sandbox = sandbox;
    this.#hostKeyStore = hostKeyStore;
    this.#base = base;
    this.#trash = trash;
  }

  folderOf(applicationId: string): string {
    return join(this.#base, applicationId);
  }

  /** Begins to remove keys that a previous run of the server left behind. */
  async recover(signal: AbortSignal): Promise<void> {
    const names = await readdir(this.#base).catch(() => []);
    for (const name of names.filter((one) => one.startsWith(ACCESS))) {
      await this.#trash.discard(join(this.#base, name), signal);
    }
  }

  /**
   * Fetches one repository, and returns git's output: the commit, its submodules and its LFS pointers. Throws a
   * FetchFailure, or a RuntimeFailure if the repository is the server's own data.
   */
  async fetch(
    applicationId: string,
    repository: CheckedRepository,
    order: FetchOrder,
    signal: AbortSignal,
  ): Promise<string> {
    if (liesWithin(repository.address, this.#settings.dataDir))
      throw new RuntimeFailure(reason('repository_ours'));
    await mkdir(this.folderOf(applicationId), { recursive: true, mode: 0o700 });
    const scratch = await mkdtemp(join(this.#base, ACCESS));
    try {
      return await this.#fetchWith(scratch, applicationId, repository, order, signal);
    } catch (error) {
      throw error instanceof GitFailure
        ? new FetchFailure(explainFailure(error, repository, order.revision, isFull(this.#base)))
        : error;
    } finally {
      await this.#trash.discard(scratch, signal);
    }
  }

  /** Fetches a repository with a folder for keys and for git's other files, and stores new host keys. */
  async #fetchWith(
    scratch: string,
    applicationId: string,
    repository: CheckedRepository,
    order: FetchOrder,
    signal: AbortSignal,
  ): Promise<string> {
    const { appsGitCaFile: caFile, appsBuildMemoryMb: memoryMb, appsDiskMb: mebibytes } = this.#settings;
    const hostKeys = await this.#hostKeyStore.hostKeys(applicationId);
    const scratchInside = this.#sandbox.isolation.pathsInside({ folder: order.into, home: scratch }).home;
    const access = await openAccess(repository, { caFile, hostKeys, scratch, scratchInside });
    const work = this.#workOf(access, { folder: this.folderOf(applicationId), scratch, repository, order });
    const { seconds } = order;
    return await runGit(work, { sandbox: this.#sandbox, seconds, memoryMb, mebibytes, signal }).finally(
      async () => {
        const now = await access.hostKeys?.();
        if (now === undefined || now === hostKeys) return;
        const newest = now.split('\n').slice(-MOST_HOST_KEYS).join('\n');
        await this.#hostKeyStore.keepHostKeys(applicationId, newest, hostKeys);
      },
    );
  }

  /** Work of git in the sandbox: only the repository's own address and port can be reached. */
  #workOf(access: GitAccess, { folder, scratch, repository, order }: WorkFolders): GitWork {
    const { revision, ref, into, below } = order;
    const { protocol, pinned, port } = repository;
    const pathsInside = this.#sandbox.isolation.pathsInside({ folder: into, home: scratch });
    const reads = [pathOfRepository(access.address), this.#settings.appsGitCaFile];
    return {
      repository: folder,
      folder: into,
      home: scratch,
      protocols: this.#settings.appsGitProtocols,
      reads: reads.filter((path) => path !== undefined && existsSync(path)) as string[],
      network: pinned ? { target: { address: pinned, port: port ?? PORTS[protocol] } } : 'none',
      env: {
        ...access.env,
        TREE: join(pathsInside.folder, below),
        GIT_INDEX_FILE: join(pathsInside.home, 'index'),
      },
      before: existsSync(join(folder, 'HEAD')) ? [] : ['init --quiet --bare'],
      args: [
        ...access.settings,
        'fetch',
        '--quiet',
        '--depth=1',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--',
        access.address,
        `+${revision}:${ref}`,
      ],
      afterwards: [
        `log -1 --format=tformat:%H%x20%s ${ref}`,
        `--work-tree="$TREE" read-tree --reset -u ${ref}`,
        LIST_SUBMODULES,
        LIST_LFS,
      ],
    };
  }
}

interface WorkFolders {
  folder: string;
  scratch: string;
  repository: CheckedRepository;
  order: FetchOrder;
}

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < LEAST_FREE_BYTES;
}
