import { existsSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { reportsFullDisk } from '../../kernel/full-disk.ts';
import { createKeyedLock, UNTIL_DONE_MS } from '../../kernel/keyed-lock.ts';
import type { Logger } from '../../kernel/log.ts';
import { type AddressSettings, checkedAddress } from '../applications/checked-address.ts';
import { liesWithin, pathOfRepository } from '../applications/local-repository.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { siteFolders } from '../model/site-folders.ts';
import { removeTree } from '../sandbox/disk.ts';
import { readHead, uuidsIn } from '../sandbox/folders.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { GitFailure, type GitWork, runGit } from './git.ts';
import { type CheckedRepository, openAccess } from './git-access.ts';
import { LIST_LFS, lfsPointersIn } from './lfs-pointers.ts';
import { messages } from './messages.ts';
import {
  byHttpsLike,
  gitlinksIn,
  LIST_SUBMODULES,
  MOST_SUBMODULES,
  submoduleAddress,
  submoduleUrls,
} from './submodules.ts';
import { createTrash, type Trash } from './trash.ts';

export interface Commit {
  hash: string;
  /** First line of its message. */
  message: string;
}

export type CheckoutSettings = Pick<
  Config,
  | 'dataDir'
  | 'appsGitProtocols'
  | 'appsGitCaFile'
  | 'appsCheckoutSeconds'
  | 'appsDiskMb'
  | 'appsBuildMemoryMb'
> &
  AddressSettings;

const LONGEST_MESSAGE = 300;
const LONGEST_PATH = 200;
/** Maximum number of host keys, for an application whose repository moved between hosts. */
const MOST_HOST_KEYS = 50;
const HASH_AND_MESSAGE = /^([0-9a-f]{40,64}) (.*)$/gm;
const BRANCH = 'refs/heads/site';
const SUBMODULES = 'refs/submodules';
const PORTS = { https: 443, http: 80, ssh: 22, git: 9418, file: 0 } as const;
/** Prefix of folders that hold keys while git runs. */
const ACCESS = 'access-';

/** Commit to fetch, and its destination. */
interface FetchOrder {
  /** Full name of a branch, or a commit's hash. */
  revision: string;
  /** Name of the ref that keeps it. */
  ref: string;
  into: string;
  /** Path within `into` for the files; empty for `into` itself. */
  below: string;
  seconds: number;
}

/** Submodule to fetch. */
interface Submodule {
  path: string;
  hash: string;
  /** Address; undefined if no `.gitmodules` entry names one. */
  url: string | undefined;
  /** Repository that names the submodule. */
  from: Origin;
}

/** Source of a fetched repository. */
interface Origin {
  address: string;
  /**
   * True if its server is that of the application's repository, and so are those of all repositories in between:
   * submodules that it names may use the application's credentials.
   */
  hasOwnersAccess: boolean;
}

interface FetchResult {
  /** Output of git, with the commit's hash and its first line. */
  output: string;
  /** Notes for the log, for instance about submodules. */
  notes: string[];
}

/** Failure of a fetch. `isCertain`: true if another attempt can't help. */
class FetchFailure extends Error {
  readonly failure: RuntimeFailure;
  readonly isCertain: boolean;

  constructor({ failure, isCertain }: { failure: RuntimeFailure; isCertain: boolean }) {
    super(failure.message);
    this.failure = failure;
    this.isCertain = isCertain;
  }
}

/** Host keys that applications have seen by ssh, in the format of known_hosts. */
export interface HostKeys {
  hostKeys(applicationId: string): Promise<string>;
  /** Saves host keys, unless they were changed in the meantime. */
  keepHostKeys(applicationId: string, keys: string, before: string): Promise<void>;
}

export interface CheckoutOrder {
  /** Empty folder for the files. */
  into: string;
  /** Hash of an earlier commit; absent: the newest. */
  hash?: string;
  /** Receives additional lines for the log. */
  note?: (line: string) => void;
}

/**
 * Repositories of applications, each stored as `<dataDir>/repositories/<application>`, so that a fetch transfers only
 * new objects.
 */
export class Checkouts {
  readonly #settings: CheckoutSettings;
  readonly #sandbox: Sandbox;
  readonly #hostKeyStore: HostKeys;
  readonly #dataDir: CheckoutSettings['dataDir'];
  readonly #protocols: CheckoutSettings['appsGitProtocols'];
  readonly #appsGitCaFile: CheckoutSettings['appsGitCaFile'];
  readonly #base: string;
  readonly #trash: Trash;
  readonly #withLock = createKeyedLock(UNTIL_DONE_MS);

  constructor(settings: CheckoutSettings, sandbox: Sandbox, hostKeyStore: HostKeys, log: Logger) {
    this.#settings = settings;
    this.#sandbox = sandbox;
    this.#hostKeyStore = hostKeyStore;
    this.#dataDir = settings.dataDir;
    this.#protocols = settings.appsGitProtocols;
    this.#appsGitCaFile = settings.appsGitCaFile;
    const { repositories, repositoryTrash } = siteFolders(settings.dataDir);
    this.#base = repositories;
    this.#trash = createTrash(repositoryTrash, log);
  }

  /**
   * Fetches the newest commit of the branch, or an earlier one by its hash, on this machine or another. The files,
   * including those of submodules, go into an empty folder, without `.git`. `note` receives additional lines for the
   * log. Throws a RuntimeFailure.
   */
  checkOut(
    applicationId: string,
    repository: CheckedRepository,
    order: CheckoutOrder,
    signal: AbortSignal,
  ): Promise<Commit> {
    return this.#withLock(applicationId, () => this.#checkOutAlone(applicationId, repository, order, signal));
  }

  /** Begins to remove keys and other folders that a previous run of the server left behind. */
  async recover(signal: AbortSignal): Promise<void> {
    await this.#trash.sweep();
    const names = await readdir(this.#base).catch(() => []);
    for (const name of names.filter((one) => one.startsWith(ACCESS))) {
      await this.#trash.discard(join(this.#base, name), signal);
    }
  }

  forget(applicationId: string, signal: AbortSignal): Promise<void> {
    return this.#trash.discard(this.#repositoryFolder(applicationId), signal);
  }

  /** Applications with a stored repository. */
  applications() {
    return uuidsIn(this.#base);
  }

  /** Stops removals; the rest is left to the next run of the server. */
  close(): Promise<void> {
    return this.#trash.close();
  }
  async #checkOutAlone(
    applicationId: string,
    repository: CheckedRepository,
    { into, hash: before, note }: CheckoutOrder,
    signal: AbortSignal,
  ): Promise<Commit> {
    const newest = repository.branch === null ? 'HEAD' : `refs/heads/${repository.branch}`;
    const order = { revision: before ?? newest, into };
    const { output, notes } = await this.#fetchWithRetry(applicationId, repository, order, signal);
    for (const line of notes) note?.(line);
    // The last match is used: a server may print similar lines before.
    const [, hash = '', message = ''] = [...output.matchAll(HASH_AND_MESSAGE)].at(-1) ?? [];
    return { hash, message: toStorableText(message.slice(0, LONGEST_MESSAGE)) };
  }

  #repositoryFolder(applicationId: string) {
    return join(this.#base, applicationId);
  }

  /** Fetches one repository. Throws a FetchFailure. */
  async #fetch(
    applicationId: string,
    repository: CheckedRepository,
    { revision, ref, into, below, seconds }: FetchOrder,
    signal: AbortSignal,
  ): Promise<string> {
    if (liesWithin(repository.address, this.#dataDir)) throw new RuntimeFailure(reason('repository_ours'));
    const folder = this.#repositoryFolder(applicationId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const scratch = await mkdtemp(join(this.#base, ACCESS));
    try {
      const hostKeys = await this.#hostKeyStore.hostKeys(applicationId);
      const pathsInside = this.#sandbox.isolation.pathsInside({ folder: into, home: scratch });
      const files = { caFile: this.#appsGitCaFile, hostKeys, scratch, scratchInside: pathsInside.home };
      const access = await openAccess(repository, files);
      const { protocol, pinned, port } = repository;
      const reads = [pathOfRepository(access.address), this.#appsGitCaFile];
      const work: GitWork = {
        repository: folder,
        folder: into,
        home: scratch,
        protocols: this.#protocols,
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
      return await runGit(work, {
        sandbox: this.#sandbox,
        seconds,
        memoryMb: this.#settings.appsBuildMemoryMb,
        mebibytes: this.#settings.appsDiskMb,
        signal,
      }).finally(async () => {
        const now = await access.hostKeys?.();
        if (now === undefined || now === hostKeys) return;
        const newest = now.split('\n').slice(-MOST_HOST_KEYS).join('\n');
        await this.#hostKeyStore.keepHostKeys(applicationId, newest, hostKeys);
      });
    } catch (error) {
      throw error instanceof GitFailure
        ? new FetchFailure(explain(error, repository, revision, isFull(this.#base)))
        : error;
    } finally {
      await this.#trash.discard(scratch, signal);
    }
  }

  /** Submodules of a commit that was fetched into a folder. */
  async #submodulesIn(
    { into, below }: Pick<FetchOrder, 'into' | 'below'>,
    from: Origin,
    output: string,
  ): Promise<Submodule[]> {
    const links = gitlinksIn(output);
    if (links.length === 0) return [];
    const urls = submoduleUrls((await readHead(join(into, below, '.gitmodules'))) ?? '');
    return links.map(({ path, hash }) => ({
      hash,
      path: join(below, path),
      from,
      url: urls.get(path),
    }));
  }

  /**
   * Checks a submodule's address like an application's. It gets the application's credentials on the same server,
   * unless a repository on another server names it: the owner of that one has no say in what the application's owner
   * may read.
   */
  async #submoduleRepository(
    url: string,
    from: Origin,
    main: CheckedRepository,
  ): Promise<CheckedRepository & Origin> {
    const checked = await checkedAddress(
      byHttpsLike(main, submoduleAddress(url, from.address)),
      this.#settings,
    );
    const hasOwnersAccess =
      from.hasOwnersAccess &&
      (['protocol', 'host', 'port'] as const).every((one) => checked[one] === main[one]);
    return {
      ...checked,
      hasOwnersAccess,
      branch: null,
      credentials: checked.credentials ?? (hasOwnersAccess ? main.credentials : undefined),
      privateKey: hasOwnersAccess ? main.privateKey : undefined,
    };
  }

  /** Fetches a repository with all nested submodules. Throws a FetchFailure or a RuntimeFailure. */
  async #fetchAll(
    applicationId: string,
    main: CheckedRepository,
    { revision, into }: Pick<FetchOrder, 'revision' | 'into'>,
    signal: AbortSignal,
  ): Promise<FetchResult> {
    const seconds = this.#settings.appsCheckoutSeconds;
    const deadline = performance.now() + seconds * 1_000;
    const order = { revision, ref: BRANCH, into, below: '', seconds };
    const output = await this.#fetch(applicationId, main, order, signal);
    const notes: string[] = [];
    const pointers = await lfsPointersIn(into, output);
    const waiting = await this.#submodulesIn(order, { address: main.address, hasOwnersAccess: true }, output);
    for (let number = 0; ; ) {
      const submodule = waiting.shift();
      if (submodule === undefined) break;
      const { path, hash, url, from } = submodule;
      if (url === undefined) {
        notes.push(messages.submoduleUnknown(path));
        continue;
      }
      number += 1;
      if (number > MOST_SUBMODULES)
        throw new RuntimeFailure(reason('too_many_submodules', { most: MOST_SUBMODULES }));
      const left = Math.max(1, Math.round((deadline - performance.now()) / 1_000));
      const submoduleOrder = {
        revision: hash,
        ref: `${SUBMODULES}/${number}`,
        into,
        below: path,
        seconds: left,
      };
      try {
        const repository = await this.#submoduleRepository(url, from, main);
        const submoduleOutput = await this.#fetch(applicationId, repository, submoduleOrder, signal);
        notes.push(messages.submodule(path, hash, repository.address));
        for (const one of await lfsPointersIn(join(into, path), submoduleOutput))
          pointers.push(join(path, one));
        waiting.push(...(await this.#submodulesIn(submoduleOrder, repository, submoduleOutput)));
      } catch (error) {
        throw wrapSubmoduleError(path, error);
      }
    }
    if (pointers.length > 0) notes.push(messages.lfsPointers(pointers));
    return { output, notes };
  }

  /**
   * Repeats a failed fetch with an empty repository, if the stored one may be the reason: it may be broken, locked by a
   * git that was killed, or too large.
   */
  async #fetchWithRetry(
    applicationId: string,
    repository: CheckedRepository,
    order: Pick<FetchOrder, 'revision' | 'into'>,
    signal: AbortSignal,
  ): Promise<FetchResult> {
    const isNew = !existsSync(this.#repositoryFolder(applicationId));
    await mkdir(this.#base, { recursive: true, mode: 0o700 });
    try {
      return await this.#fetchAll(applicationId, repository, order, signal);
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      if (!error.isCertain) await this.#trash.discard(this.#repositoryFolder(applicationId), signal);
      if (isNew || error.isCertain) throw error.failure;
      await removeTree(order.into);
      await mkdir(order.into, { mode: 0o700 });
      return await this.#fetchAll(applicationId, repository, order, signal).catch((again) => {
        throw again instanceof FetchFailure ? again.failure : again;
      });
    }
  }
}

const NO_BRANCH = /couldn't find remote ref|Remote branch .* not found/i;
const OTHER_HOST_KEY = /Host key verification failed|IDENTIFICATION HAS CHANGED/i;
const NO_ACCESS =
  /Authentication failed|Permission denied|could not read Username|not found|does not appear to be a git repository|No such file|access denied|returned error: 40[134]/i;

/** Wraps a submodule's failure as a failure of the whole fetch. */
function wrapSubmoduleError(path: string, error: unknown): unknown {
  if (error instanceof FetchFailure)
    return new FetchFailure({ ...error, failure: submoduleFailure(path, error.failure.reason) });
  return error instanceof RuntimeFailure ? submoduleFailure(path, error.reason) : error;
}

function submoduleFailure(path: string, why: Reason): RuntimeFailure {
  return new RuntimeFailure(reason('submodule_failed', { path: path.slice(0, LONGEST_PATH), why }));
}

const NO_COMMIT = /not our ref|unadvertised object/i;

/**
 * Reason for git's error output that reveals nothing of this machine. `isCertain`: true if another attempt can't help.
 */
function explain(
  { message, reason: ownReason }: GitFailure,
  requested: CheckedRepository,
  revision: string,
  isFull: boolean,
): { failure: RuntimeFailure; isCertain: boolean } {
  const certain = (why: Reason) => ({ failure: new RuntimeFailure(why), isCertain: true });
  const passing = (why: Reason) => ({ failure: new RuntimeFailure(why), isCertain: false });
  if (ownReason) return passing(ownReason);
  // Errors after the commit was listed concern its files, not access to the repository.
  const repository = message.search(HASH_AND_MESSAGE) === -1 ? requested : undefined;
  if (repository && NO_BRANCH.test(message))
    return certain(
      repository.branch === null ? reason('no_commits') : reason('no_branch', { branch: repository.branch }),
    );
  if (repository && NO_COMMIT.test(message))
    return certain(reason('no_commit', { hash: revision.slice(0, 12) }));
  if (OTHER_HOST_KEY.test(message)) return certain(reason('other_host_key'));
  // The free space is checked as well: not every part of git reports a full disk.
  if (isFull || reportsFullDisk(message)) return passing(reason('no_room'));
  if (NO_ACCESS.test(message)) return certain(reason(noAccessBy(repository)));
  return passing(reason('repository_unreachable', { why: reason(causeIn(message)) }));
}

const LEAST_FREE_BYTES = 2 ** 20;

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < LEAST_FREE_BYTES;
}

function noAccessBy(repository: CheckedRepository | undefined) {
  switch (repository?.protocol) {
    case 'ssh':
      return repository.privateKey ? 'no_access_by_deploy_key' : 'no_access_without_deploy_key';
    case 'http':
    case 'https':
      return repository.credentials ? 'no_access_by_credentials' : 'no_access_without_credentials';
    default:
      return 'no_access';
  }
}

const CAUSES = [
  [/Could not resolve/i, 'host_unknown'],
  [/timed out|timeout/i, 'host_silent'],
  [/Connection refused/i, 'host_refuses'],
  [/redirect|returned error: 30[1-8]/i, 'repository_moved'],
  [/certificate|SSL|TLS/i, 'certificate_untrusted'],
  [/transport .* not allowed/i, 'protocol_not_allowed'],
] as const;

function causeIn(output: string) {
  return CAUSES.find(([pattern]) => pattern.test(output))?.[1] ?? 'git_failed';
}
