import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../kernel/config.ts';
import { storable } from '../../kernel/database/storable.ts';
import type { Logger } from '../../kernel/log.ts';
import { createTurns } from '../../kernel/turns.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { type Reason, reason } from '../reasons/reason.ts';
import { uuidsIn } from '../walls/folders.ts';
import type { Walls } from '../walls/walls.ts';
import { GitFailure, type GitLimits, git } from './git.ts';
import { type Access, type CheckedRepository, openAccess } from './git-access.ts';
import { siteFolders } from './site-folders.ts';
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
>;

const LONGEST_MESSAGE = 300;
/** Of an application whose repository moved from host to host. */
const MOST_HOST_KEYS = 50;
const HASH_AND_MESSAGE = /^([0-9a-f]{40,64}) (.*)$/gm;
const BRANCH = 'refs/heads/site';
/** What git keeps of a checkout while it makes it, each under a name of its own. */
const INDEX = 'index-';
const PORTS = { https: 443, http: 80, ssh: 22, git: 9418, file: 0 } as const;
/** Where keys lie while git runs. */
const ACCESS = 'access-';
/** Each has its own limits, which are shorter. */
const LONGEST_TURN_MS = 2 ** 31 - 1;

/** The host keys that applications have met by ssh, in ssh's own form. */
export interface HostKeys {
  hostKeys(applicationId: string): Promise<string>;
  /** Keeps them, unless others were kept meanwhile. */
  keepHostKeys(applicationId: string, keys: string, before: string): Promise<void>;
}

export type Checkouts = ReturnType<typeof createCheckouts>;

/** Repositories of applications, each kept as `<dataDir>/repositories/<application>`, so that a fetch brings only what is new. */
export function createCheckouts(settings: CheckoutSettings, walls: Walls, met: HostKeys, log: Logger) {
  const { dataDir, appsGitProtocols: protocols, appsGitCaFile } = settings;
  const { repositories: base, forgotten } = siteFolders(dataDir);
  const trash = createTrash(forgotten, log);
  const kept = (applicationId: string) => join(base, applicationId);

  const limits = (folders: string[], signal: AbortSignal): GitLimits => ({
    walls,
    seconds: settings.appsCheckoutSeconds,
    memoryMb: settings.appsBuildMemoryMb,
    folders,
    mebibytes: settings.appsDiskMb,
    signal,
  });

  /** `what`: a branch's full name, or a commit's hash. Gives what was said, the commit's hash and its first line last. */
  const fetch = async (
    applicationId: string,
    repository: CheckedRepository,
    what: string,
    signal: AbortSignal,
  ): Promise<string> => {
    const folder = kept(applicationId);
    const within = limits([folder], signal);
    if (!existsSync(join(folder, 'HEAD'))) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await git(
        {
          ...{ folder, home: folder, network: 'none', protocols },
          args: ({ home }) => ['--git-dir', home, 'init', '--quiet', '--bare'],
        },
        within,
      );
    }
    const scratch = await mkdtemp(join(base, ACCESS));
    try {
      const hostKeys = await met.hostKeys(applicationId);
      const { home: seen } = walls.isolation.seen({ folder, home: scratch });
      const access = await openAccess(repository, { caFile: appsGitCaFile, hostKeys, scratch, seen });
      return await fetchFrom(repository, access, { what, folder, scratch }, within).finally(async () => {
        const now = await access.hostKeys?.();
        if (now === undefined || now === hostKeys) return;
        const newest = now.split('\n').slice(-MOST_HOST_KEYS).join('\n');
        await met.keepHostKeys(applicationId, newest, hostKeys);
      });
    } finally {
      await trash.discard(scratch, signal);
    }
  };

  /** Once more into an empty one where what is kept may be why it failed: broken, locked by a git that was killed, too large by now. */
  const fetchOrAnew = async (
    applicationId: string,
    repository: CheckedRepository,
    what: string,
    signal: AbortSignal,
  ): Promise<string> => {
    const isNew = !existsSync(kept(applicationId));
    await mkdir(base, { recursive: true, mode: 0o700 });
    try {
      return await fetch(applicationId, repository, what, signal);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const failure = explain(error, repository);
      if (!failure.isCertain) await trash.discard(kept(applicationId), signal);
      if (isNew || failure.isCertain) throw failure.told;
      return await fetch(applicationId, repository, what, signal).catch((again) => {
        throw told(again, repository);
      });
    }
  };

  const fetchFrom = async (
    { protocol, pinned, port }: CheckedRepository,
    access: Access,
    { what, folder, scratch }: { what: string; folder: string; scratch: string },
    within: GitLimits,
  ): Promise<string> => {
    const files = [protocol === 'file' ? pathIn(access.address) : undefined, appsGitCaFile];
    const reads = files.filter((path) => path !== undefined && existsSync(path)) as string[];
    return git(
      {
        ...{ folder, home: scratch, reads, protocols },
        env: { ...access.env, GIT_DIR: walls.isolation.seen({ folder, home: scratch }).folder },
        afterwards: ['log', '-1', '--format=tformat:%H%x20%s', BRANCH],
        network: pinned ? { address: pinned, port: port ?? PORTS[protocol] } : 'none',
        args: () => [
          ...access.settings,
          ...['fetch', '--quiet', '--depth=1', '--no-tags'],
          ...['--no-recurse-submodules', '--no-write-fetch-head'],
          ...['--', access.address, `+${what}:${BRANCH}`],
        ],
      },
      within,
    );
  };

  const inTurn = createTurns(LONGEST_TURN_MS);
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

    /** Brings the newest commit of the branch; nothing is checked out yet. Throws a RuntimeFailure. */
    fetch: alone(
      async (applicationId, repository: CheckedRepository, signal: AbortSignal): Promise<Commit> => {
        const said = await fetchOrAnew(
          applicationId,
          repository,
          repository.branch === null ? 'HEAD' : `refs/heads/${repository.branch}`,
          signal,
        );
        // A server may say things too, before.
        const [, hash = '', message = ''] = [...said.matchAll(HASH_AND_MESSAGE)].at(-1) ?? [];
        return { hash, message: storable(message.slice(0, LONGEST_MESSAGE)) };
      },
    ),

    /** Brings a commit that was brought before, here or to another machine. Throws a RuntimeFailure. */
    fetchAgain: alone(fetchOrAnew),

    /** Puts the files of a fetched commit into an empty folder, without a `.git`. Throws a RuntimeFailure. */
    place: alone(async (applicationId, commit: Commit, into: string, signal: AbortSignal) => {
      const folder = kept(applicationId);
      const place = { folder: into, home: folder };
      const index = `${INDEX}${process.pid}-${commit.hash}`;
      try {
        await removeIndexes(folder);
        await git(
          {
            ...place,
            ...{ network: 'none', protocols },
            env: { GIT_INDEX_FILE: join(walls.isolation.seen(place).home, index) },
            args: ({ folder: tree, home }) => [
              ...['--git-dir', home, '--work-tree', tree],
              ...['read-tree', '--reset', '-u', commit.hash],
            ],
          },
          limits([into], signal),
        );
      } catch (error) {
        throw told(error);
      } finally {
        await rm(join(folder, index), { force: true });
      }
    }),

    forget: (applicationId: string, signal: AbortSignal): Promise<void> =>
      trash.discard(kept(applicationId), signal),

    /** The applications of which something is kept. */
    applications: () => uuidsIn(base),
    /** Ends what is being removed; the rest is left to the next life. */
    close: (): Promise<void> => trash.close(),
  };
}

/** The path of a `file:` address. */
function pathIn(address: string): string | undefined {
  return address.startsWith('file:') ? fileURLToPath(address) : undefined;
}

/** As its deployment tells it, where git failed. */
function told(error: unknown, repository?: CheckedRepository): unknown {
  return error instanceof GitFailure ? explain(error, repository).told : error;
}

/** Of checkouts that a killed server did not finish: an application has one at a time. */
async function removeIndexes(repository: string): Promise<void> {
  const names = await readdir(repository).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(INDEX))) {
    await rm(join(repository, name), { force: true });
  }
}

const NO_BRANCH = /couldn't find remote ref|Remote branch .* not found/i;
const OTHER_HOST_KEY = /Host key verification failed|IDENTIFICATION HAS CHANGED/i;
const NO_ROOM = /No space left on device|Disk quota exceeded/i;
const NO_ACCESS =
  /Authentication failed|Permission denied|could not read Username|not found|does not appear to be a git repository|No such file|access denied|returned error: 40[134]/i;

/** What git said, by a reason that names nothing of this machine. `isCertain`: another try can't help. */
function explain(
  { message, reason: ours }: GitFailure,
  repository: CheckedRepository | undefined,
): { told: RuntimeFailure; isCertain: boolean } {
  const certain = (why: Reason) => ({ told: new RuntimeFailure(why), isCertain: true });
  const passing = (why: Reason) => ({ told: new RuntimeFailure(why), isCertain: false });
  if (ours) return passing(ours);
  if (repository && NO_BRANCH.test(message))
    return certain(
      repository.branch === null ? reason('no_commits') : reason('no_branch', { branch: repository.branch }),
    );
  if (OTHER_HOST_KEY.test(message)) return certain(reason('other_host_key'));
  if (NO_ROOM.test(message)) return passing(reason('no_room'));
  if (NO_ACCESS.test(message)) return certain(reason(noAccessBy(repository)));
  return passing(reason('repository_unreachable', { why: reason(causeIn(message)) }));
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
