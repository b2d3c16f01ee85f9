import { existsSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import { liesWithin, pathOfRepository } from '../applications/local-repository.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { isFullHash } from '../model/source-ref.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SEPARATOR_FORMAT } from './changed-files.ts';
import { COMMIT_FORMAT, commitIn } from './commit.ts';
import { explainFailure, FetchFailure, isWithheld, lacksCommit } from './fetch-failure.ts';
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
  /** Revision to fetch: the full name of a branch or tag, or a commit's full hash. */
  revision: string;
  /** Name of the git ref that keeps the fetched commit. */
  ref: string;
  into: string;
  /** Subfolder of `into` that gets the commit's files; empty for `into` itself. */
  below: string;
  seconds: number;
}

/** Comparison of the newest commit of `revision`, the full name of a branch, with the commit of the hash `base`. */
export interface ComparisonOrder extends Pick<FetchOrder, 'revision' | 'into' | 'seconds'> {
  base: string;
}

/** Search for the commit whose hash begins with `start`. */
export interface CommitSearch extends Pick<FetchOrder, 'into' | 'seconds'> {
  start: string;
}

export interface RepositoryFetchesParts {
  settings: FetchSettings;
  sandbox: Sandbox;
  hostKeyStore: HostKeys;
  /** Folder of the stored repositories. */
  base: string;
  trash: Trash;
}

/** Maximum number of branches that a list of them has. */
const MOST_BRANCHES = 200;
const BRANCH_LINE = /^[0-9a-f]{40,64}\trefs\/heads\/(.+)$/gm;

/** Maximum number of host keys, for an application whose repository moved between hosts. */
const MOST_HOST_KEYS = 50;
const PORTS = { https: 443, http: 80, ssh: 22, git: 9418, file: 0 } as const;
/** Prefix of folders that hold keys while git runs. */
const ACCESS = 'access-';
const LEAST_FREE_BYTES = 2 ** 20;
/** Branches and tags of a repository, stored apart from the refs that checkouts use. */
const ALL_REFS = ['+refs/heads/*:refs/history/heads/*', '+refs/tags/*:refs/history/tags/*'];
/**
 * Numbers of newest commits that are fetched from each branch and tag, one number after the other until the commit is
 * among them, if a host sends no commit by its hash.
 */
const HISTORY_DEPTHS = [50, 1_000];
/**
 * Numbers of a branch's newest commits that are fetched to compare the newest with an earlier one, one number after the
 * other until the earlier one is among them.
 */
const COMPARISON_DEPTHS = [50, 1_000];
/** Git ref for the newest commit of a branch that is compared. */
const COMPARED = 'refs/compared/newest';
/** Number of commits of each branch and tag that are searched for an abbreviated hash. */
const SEARCH_DEPTH = 10_000;
const REV_PARSE = 'rev-parse --verify "$REVISION^{commit}"';
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
const LIST_BRANCHES: GitSteps = {
  command: ['ls-remote', '--quiet', '--heads'],
  options: [],
  refspecs: [],
  afterwards: [],
};
const SEARCH: GitSteps = {
  command: FETCH,
  options: [`--depth=${SEARCH_DEPTH}`, '--filter=tree:0'],
  refspecs: ALL_REFS,
  afterwards: [REV_PARSE],
};

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
    const folder = this.folderOf(applicationId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return this.#withScratch(repository, order.revision, signal, async (scratch) => {
      const job = { applicationId, repository, folder, scratch, ...order };
      try {
        return await this.#run(job, checkoutOf(order), signal);
      } catch (error) {
        if (!(error instanceof GitFailure) || !isWithheld(error)) throw error;
        return await this.#runWithHistory(job, signal);
      }
    });
  }

  /**
   * Finds the only commit whose hash begins with `search.start`, and returns its full hash. Searches the newest commits
   * of all branches and tags. Throws the same errors as `fetch`.
   */
  findCommit(
    applicationId: string,
    repository: CheckedRepository,
    { start, into, seconds }: CommitSearch,
    signal: AbortSignal,
  ): Promise<string> {
    return this.#withScratch(repository, start, signal, async (scratch) => {
      // The search uses an empty repository: most hosts send only commits without their files for a search, and a
      // repository with such commits can't be used for a checkout.
      const folder = join(scratch, 'search');
      await mkdir(folder, { mode: 0o700 });
      const job = { applicationId, repository, folder, scratch, revision: start, into, below: '', seconds };
      const output = await this.#run(job, SEARCH, signal);
      const hash = output.trimEnd().split('\n').at(-1) ?? '';
      if (!isFullHash(hash)) throw new GitFailure(output);
      return hash;
    });
  }

  /**
   * Compares the newest commit of a branch with the commit `base`, and returns git's output (changed-files.ts). Throws
   * the same errors as `fetch`.
   */
  compare(
    applicationId: string,
    repository: CheckedRepository,
    { revision, base, into, seconds }: ComparisonOrder,
    signal: AbortSignal,
  ): Promise<string> {
    return this.#withScratch(repository, revision, signal, async (scratch) => {
      for (const depth of COMPARISON_DEPTHS) {
        // The comparison uses an empty repository, because most hosts send the commits without their files.
        const folder = join(scratch, `compare-${depth}`);
        await mkdir(folder, { mode: 0o700 });
        const job = { applicationId, repository, folder, scratch, revision, base, into, below: '', seconds };
        try {
          return await this.#run(job, comparisonOf(revision, depth), signal);
        } catch (error) {
          const isFetched =
            error instanceof GitFailure && error.reason === undefined && commitIn(error.message).hash !== '';
          if (!isFetched) throw error;
          if (depth === COMPARISON_DEPTHS.at(-1)) return error.message;
        }
      }
      throw new Error('unreachable: the last depth returns or throws');
    });
  }

  /** Names of a repository's branches, without fetching anything. Throws the same errors as `fetch`. */
  branches(
    applicationId: string,
    repository: CheckedRepository,
    { into, seconds }: Pick<FetchOrder, 'into' | 'seconds'>,
    signal: AbortSignal,
  ): Promise<string[]> {
    return this.#withScratch(repository, '', signal, async (scratch) => {
      const folder = join(scratch, 'list');
      await mkdir(folder, { mode: 0o700 });
      const job = { applicationId, repository, folder, scratch, revision: '', into, below: '', seconds };
      const output = await this.#run(job, LIST_BRANCHES, signal);
      return [...output.matchAll(BRANCH_LINE)].map(([, name = '']) => name).slice(0, MOST_BRANCHES);
    });
  }

  /** Runs `work` with a folder for keys and for git's other files, and explains git's failure. */
  async #withScratch<T>(
    repository: CheckedRepository,
    revision: string,
    signal: AbortSignal,
    work: (scratch: string) => Promise<T>,
  ): Promise<T> {
    if (liesWithin(repository.address, this.#settings.dataDir))
      throw new RuntimeFailure(reason('repository_ours'));
    const scratch = await mkdtemp(join(this.#base, ACCESS));
    try {
      return await work(scratch);
    } catch (error) {
      throw error instanceof GitFailure
        ? new FetchFailure(explainFailure(error, repository, revision, isFull(this.#base)))
        : error;
    } finally {
      await this.#trash.discard(scratch, signal);
    }
  }

  /**
   * Fetches a commit from a host that sends no commit by its hash: together with the newest commits of all branches and
   * tags, and with more of them if it is not among those.
   */
  async #runWithHistory(job: FetchJob & FetchOrder, signal: AbortSignal): Promise<string> {
    const deadline = performance.now() + job.seconds * 1_000;
    for (const depth of HISTORY_DEPTHS) {
      const seconds = Math.max(1, Math.round((deadline - performance.now()) / 1_000));
      try {
        return await this.#run({ ...job, seconds }, historyOf(job, depth), signal);
      } catch (error) {
        const isLast = depth === HISTORY_DEPTHS.at(-1);
        if (isLast || !(error instanceof GitFailure) || !lacksCommit(error)) throw error;
      }
    }
    throw new Error('unreachable: the last depth returns or throws');
  }

  /** Runs git with access to the repository's host, and stores new host keys. */
  async #run(job: FetchJob, steps: GitSteps, signal: AbortSignal): Promise<string> {
    const { appsGitCaFile: caFile, appsBuildMemoryMb: memoryMb, appsDiskMb: mebibytes } = this.#settings;
    const { applicationId, repository, scratch, into, seconds } = job;
    const hostKeys = await this.#hostKeyStore.hostKeys(applicationId);
    const scratchInside = this.#sandbox.isolation.pathsInside({ folder: into, home: scratch }).home;
    const access = await openAccess(repository, { caFile, hostKeys, scratch, scratchInside });
    const work = this.#workOf(access, job, steps);
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
  #workOf(access: GitAccess, job: FetchJob, { command, options, refspecs, afterwards }: GitSteps): GitWork {
    const { folder, scratch, revision, base = '', into, below } = job;
    const { protocol, pinned, port } = job.repository;
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
        REVISION: revision,
        BASE: base,
        TREE: join(pathsInside.folder, below),
        GIT_INDEX_FILE: join(pathsInside.home, 'index'),
      },
      before: existsSync(join(folder, 'HEAD')) ? [] : ['init --quiet --bare'],
      args: [...access.settings, ...command, ...options, '--', access.address, ...refspecs],
      afterwards,
    };
  }
}

/** Run of git for one repository. */
interface FetchJob extends Omit<FetchOrder, 'ref'> {
  /** Hash of the commit to which the fetched one is compared. */
  base?: string;
  applicationId: string;
  repository: CheckedRepository;
  /** Folder of the bare repository that git fetches into. */
  folder: string;
  scratch: string;
}

/** Arguments of a git command that reads from a repository's host, and the git commands that run after it. */
interface GitSteps {
  command: readonly string[];
  options: readonly string[];
  refspecs: readonly string[];
  afterwards: readonly string[];
}

function checkoutOf({ revision, ref }: FetchOrder): GitSteps {
  return {
    command: FETCH,
    options: ['--depth=1'],
    refspecs: [`+${revision}:${ref}`],
    afterwards: checkoutCommands(ref),
  };
}

function historyOf({ ref }: FetchOrder, depth: number): GitSteps {
  return {
    command: FETCH,
    options: [`--depth=${depth}`, '--prune'],
    refspecs: ALL_REFS,
    afterwards: [REV_PARSE, `update-ref ${ref} "$REVISION"`, ...checkoutCommands(ref)],
  };
}

function comparisonOf(revision: string, depth: number): GitSteps {
  return {
    command: FETCH,
    options: [`--depth=${depth}`, '--filter=blob:none'],
    refspecs: [`+${revision}:${COMPARED}`],
    afterwards: [
      `log -1 --format=${COMMIT_FORMAT} ${COMPARED}`,
      `merge-base --is-ancestor "$BASE" ${COMPARED}`,
      `log -1 --format=${SEPARATOR_FORMAT} ${COMPARED}`,
      `-c core.quotePath=false diff-tree -r --name-only --no-renames "$BASE" ${COMPARED}`,
    ],
  };
}

function checkoutCommands(ref: string): string[] {
  return [
    `log -1 --format=${COMMIT_FORMAT} ${ref}`,
    `--work-tree="$TREE" read-tree --reset -u ${ref}`,
    LIST_SUBMODULES,
    LIST_LFS,
  ];
}

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < LEAST_FREE_BYTES;
}
