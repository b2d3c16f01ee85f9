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
import { GitFailure, type GitWork, git } from './git.ts';
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
import { createTrash } from './trash.ts';

export interface Commit {
  hash: string;
  /** Its first line. */
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
/** Of an application whose repository moved from host to host. */
const MOST_HOST_KEYS = 50;
const HASH_AND_MESSAGE = /^([0-9a-f]{40,64}) (.*)$/gm;
const BRANCH = 'refs/heads/site';
const SUBMODULES = 'refs/submodules';
const PORTS = { https: 443, http: 80, ssh: 22, git: 9418, file: 0 } as const;
/** Where keys lie while git runs. */
const ACCESS = 'access-';

/** What is fetched, and where it goes. */
interface Wanted {
  /** A branch's full name, or a commit's hash. */
  what: string;
  /** The name that what is kept has it by. */
  ref: string;
  into: string;
  /** The folder in there that its files go to; empty for all of it. */
  below: string;
  seconds: number;
}

/** A submodule that is to be fetched. */
interface Submodule {
  path: string;
  hash: string;
  /** undefined: nothing says where it is. */
  url: string | undefined;
  /** The repository that names it. */
  from: Origin;
}

/** Where a repository was fetched from. */
interface Origin {
  address: string;
  /** It was reached from the application's repository by its server alone: what it names there gets what opens that one. */
  isOwners: boolean;
}

interface Brought {
  /** Output of git, with the commit's hash and its first line. */
  said: string;
  /** For the log: what there is besides. */
  notes: string[];
}

/** A fetch that failed. `isCertain`: another try can't help. */
class FetchFailure extends Error {
  readonly told: RuntimeFailure;
  readonly isCertain: boolean;

  constructor({ told, isCertain }: { told: RuntimeFailure; isCertain: boolean }) {
    super(told.message);
    this.told = told;
    this.isCertain = isCertain;
  }
}

/** The host keys that applications have met by ssh, in ssh's own form. */
export interface HostKeys {
  hostKeys(applicationId: string): Promise<string>;
  /** Keeps them, unless others were kept meanwhile. */
  keepHostKeys(applicationId: string, keys: string, before: string): Promise<void>;
}

export type Checkouts = ReturnType<typeof createCheckouts>;

/** Repositories of applications, each kept as `<dataDir>/repositories/<application>`, so that a fetch brings only what is new. */
export function createCheckouts(settings: CheckoutSettings, walls: Sandbox, met: HostKeys, log: Logger) {
  const { dataDir, appsGitProtocols: protocols, appsGitCaFile } = settings;
  const { repositories: base, forgotten } = siteFolders(dataDir);
  const trash = createTrash(forgotten, log);
  const kept = (applicationId: string) => join(base, applicationId);

  /** Fetches one repository. Throws a FetchFailure. */
  const fetch = async (
    applicationId: string,
    repository: CheckedRepository,
    { what, ref, into, below, seconds }: Wanted,
    signal: AbortSignal,
  ): Promise<string> => {
    if (liesWithin(repository.address, dataDir)) throw new RuntimeFailure(reason('repository_ours'));
    const folder = kept(applicationId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const scratch = await mkdtemp(join(base, ACCESS));
    try {
      const hostKeys = await met.hostKeys(applicationId);
      const seen = walls.isolation.seen({ folder: into, home: scratch });
      const files = { caFile: appsGitCaFile, hostKeys, scratch, seen: seen.home };
      const access = await openAccess(repository, files);
      const { protocol, pinned, port } = repository;
      const reads = [pathOfRepository(access.address), appsGitCaFile];
      const work: GitWork = {
        repository: folder,
        folder: into,
        home: scratch,
        protocols,
        reads: reads.filter((path) => path !== undefined && existsSync(path)) as string[],
        network: pinned ? { place: { address: pinned, port: port ?? PORTS[protocol] } } : 'none',
        env: { ...access.env, TREE: join(seen.folder, below), GIT_INDEX_FILE: join(seen.home, 'index') },
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
          `+${what}:${ref}`,
        ],
        afterwards: [
          `log -1 --format=tformat:%H%x20%s ${ref}`,
          `--work-tree="$TREE" read-tree --reset -u ${ref}`,
          LIST_SUBMODULES,
          LIST_LFS,
        ],
      };
      return await git(work, {
        walls,
        seconds,
        memoryMb: settings.appsBuildMemoryMb,
        mebibytes: settings.appsDiskMb,
        signal,
      }).finally(async () => {
        const now = await access.hostKeys?.();
        if (now === undefined || now === hostKeys) return;
        const newest = now.split('\n').slice(-MOST_HOST_KEYS).join('\n');
        await met.keepHostKeys(applicationId, newest, hostKeys);
      });
    } catch (error) {
      throw error instanceof GitFailure
        ? new FetchFailure(explain(error, repository, what, isFull(base)))
        : error;
    } finally {
      await trash.discard(scratch, signal);
    }
  };

  /** The submodules of what was fetched into a folder. */
  const submodulesIn = async (
    { into, below }: Pick<Wanted, 'into' | 'below'>,
    from: Origin,
    said: string,
  ): Promise<Submodule[]> => {
    const links = gitlinksIn(said);
    if (links.length === 0) return [];
    const urls = submoduleUrls((await readHead(join(into, below, '.gitmodules'))) ?? '');
    return links.map(({ path, hash }) => ({
      hash,
      path: join(below, path),
      from,
      url: urls.get(path),
    }));
  };

  /**
   * Judged as the application's repository is. It gets what opens that one on the same server, unless another server's
   * repository names it: its owner has no say in what the application's owner may read.
   */
  const submoduleRepository = async (
    url: string,
    from: Origin,
    main: CheckedRepository,
  ): Promise<CheckedRepository & Origin> => {
    const checked = await checkedAddress(byHttpsLike(main, submoduleAddress(url, from.address)), settings);
    const isOwners =
      from.isOwners && (['protocol', 'host', 'port'] as const).every((one) => checked[one] === main[one]);
    return {
      ...checked,
      isOwners,
      branch: null,
      credentials: checked.credentials ?? (isOwners ? main.credentials : undefined),
      privateKey: isOwners ? main.privateKey : undefined,
    };
  };

  /** Fetches a repository and its submodules, and theirs. Throws a FetchFailure or a RuntimeFailure. */
  const fetchAll = async (
    applicationId: string,
    main: CheckedRepository,
    { what, into }: Pick<Wanted, 'what' | 'into'>,
    signal: AbortSignal,
  ): Promise<Brought> => {
    const seconds = settings.appsCheckoutSeconds;
    const deadline = performance.now() + seconds * 1_000;
    const wanted = { what, ref: BRANCH, into, below: '', seconds };
    const said = await fetch(applicationId, main, wanted, signal);
    const notes: string[] = [];
    const pointers = await lfsPointersIn(into, said);
    const waiting = await submodulesIn(wanted, { address: main.address, isOwners: true }, said);
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
      const ofIt = { what: hash, ref: `${SUBMODULES}/${number}`, into, below: path, seconds: left };
      try {
        const repository = await submoduleRepository(url, from, main);
        const saidOfIt = await fetch(applicationId, repository, ofIt, signal);
        notes.push(messages.submodule(path, hash, repository.address));
        for (const one of await lfsPointersIn(join(into, path), saidOfIt)) pointers.push(join(path, one));
        waiting.push(...(await submodulesIn(ofIt, repository, saidOfIt)));
      } catch (error) {
        throw ofSubmodule(path, error);
      }
    }
    if (pointers.length > 0) notes.push(messages.lfsPointers(pointers));
    return { said, notes };
  };

  /** Once more into an empty one where what is kept may be why it failed: broken, locked by a git that was killed, too large by now. */
  const fetchOrAnew = async (
    applicationId: string,
    repository: CheckedRepository,
    wanted: Pick<Wanted, 'what' | 'into'>,
    signal: AbortSignal,
  ): Promise<Brought> => {
    const isNew = !existsSync(kept(applicationId));
    await mkdir(base, { recursive: true, mode: 0o700 });
    try {
      return await fetchAll(applicationId, repository, wanted, signal);
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      if (!error.isCertain) await trash.discard(kept(applicationId), signal);
      if (isNew || error.isCertain) throw error.told;
      await removeTree(wanted.into);
      await mkdir(wanted.into, { mode: 0o700 });
      return await fetchAll(applicationId, repository, wanted, signal).catch((again) => {
        throw again instanceof FetchFailure ? again.told : again;
      });
    }
  };

  const inTurn = createKeyedLock(UNTIL_DONE_MS);
  /** A repository is worked on by one at a time. */
  const alone =
    <Rest extends unknown[], T>(work: (applicationId: string, ...rest: Rest) => Promise<T>) =>
    (applicationId: string, ...rest: Rest): Promise<T> =>
      inTurn(applicationId, () => work(applicationId, ...rest));

  return {
    /** Begins to remove keys that an earlier life of the server left lying, and what it did not get to. */
    async recover(signal: AbortSignal): Promise<void> {
      await trash.sweep();
      const names = await readdir(base).catch(() => []);
      for (const name of names.filter((one) => one.startsWith(ACCESS))) {
        await trash.discard(join(base, name), signal);
      }
    },

    /**
     * Brings the newest commit of the branch, or one that was brought before, here or to another machine; its files into an
     * empty folder, without a `.git`, and those of its submodules. `note` gets lines for the log on what there is besides.
     * Throws a RuntimeFailure.
     */
    bring: alone(
      async (
        applicationId,
        repository: CheckedRepository,
        { into, hash: before, note }: { into: string; hash?: string; note?: (line: string) => void },
        signal: AbortSignal,
      ): Promise<Commit> => {
        const newest = repository.branch === null ? 'HEAD' : `refs/heads/${repository.branch}`;
        const wanted = { what: before ?? newest, into };
        const { said, notes } = await fetchOrAnew(applicationId, repository, wanted, signal);
        for (const line of notes) note?.(line);
        // A server may say things too, before.
        const [, hash = '', message = ''] = [...said.matchAll(HASH_AND_MESSAGE)].at(-1) ?? [];
        return { hash, message: toStorableText(message.slice(0, LONGEST_MESSAGE)) };
      },
    ),

    forget: (applicationId: string, signal: AbortSignal): Promise<void> =>
      trash.discard(kept(applicationId), signal),

    /** The applications of which something is kept. */
    applications: () => uuidsIn(base),
    /** Ends what is being removed; the rest is left to the next life. */
    close: (): Promise<void> => trash.close(),
  };
}

const NO_BRANCH = /couldn't find remote ref|Remote branch .* not found/i;
const OTHER_HOST_KEY = /Host key verification failed|IDENTIFICATION HAS CHANGED/i;
const NO_ACCESS =
  /Authentication failed|Permission denied|could not read Username|not found|does not appear to be a git repository|No such file|access denied|returned error: 40[134]/i;

/** The failure of a submodule as one of all that is fetched. */
function ofSubmodule(path: string, error: unknown): unknown {
  if (error instanceof FetchFailure)
    return new FetchFailure({ ...error, told: failureOf(path, error.told.reason) });
  return error instanceof RuntimeFailure ? failureOf(path, error.reason) : error;
}

function failureOf(path: string, why: Reason): RuntimeFailure {
  return new RuntimeFailure(reason('submodule_failed', { path: path.slice(0, LONGEST_PATH), why }));
}

const NO_COMMIT = /not our ref|unadvertised object/i;

/** What git said, by a reason that names nothing of this machine. `isCertain`: another try can't help. */
function explain(
  { message, reason: ours }: GitFailure,
  asked: CheckedRepository,
  what: string,
  isFull: boolean,
): { told: RuntimeFailure; isCertain: boolean } {
  const certain = (why: Reason) => ({ told: new RuntimeFailure(why), isCertain: true });
  const passing = (why: Reason) => ({ told: new RuntimeFailure(why), isCertain: false });
  if (ours) return passing(ours);
  // What went wrong with its files has nothing to do with how it is reached.
  const repository = message.search(HASH_AND_MESSAGE) === -1 ? asked : undefined;
  if (repository && NO_BRANCH.test(message))
    return certain(
      repository.branch === null ? reason('no_commits') : reason('no_branch', { branch: repository.branch }),
    );
  if (repository && NO_COMMIT.test(message)) return certain(reason('no_commit', { hash: what.slice(0, 12) }));
  if (OTHER_HOST_KEY.test(message)) return certain(reason('other_host_key'));
  // Not every part of git says so.
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

function causeIn(said: string) {
  return CAUSES.find(([pattern]) => pattern.test(said))?.[1] ?? 'git_failed';
}
