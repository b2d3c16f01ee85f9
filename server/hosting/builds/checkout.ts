import { existsSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../kernel/config.ts';
import { storable } from '../../kernel/database/storable.ts';
import { saysFullDisk } from '../../kernel/full-disk.ts';
import type { Logger } from '../../kernel/log.ts';
import { createTurns, UNTIL_DONE_MS } from '../../kernel/turns.ts';
import { liesWithin, pathOfRepository } from '../applications/local-repository.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { type Reason, reason } from '../reasons/reason.ts';
import { removeTree } from '../walls/disk.ts';
import { uuidsIn } from '../walls/folders.ts';
import type { Walls } from '../walls/walls.ts';
import { GitFailure, type GitWork, git } from './git.ts';
import { type CheckedRepository, openAccess } from './git-access.ts';
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
const PORTS = { https: 443, http: 80, ssh: 22, git: 9418, file: 0 } as const;
/** Where keys lie while git runs. */
const ACCESS = 'access-';

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

  /** `what`: a branch's full name, or a commit's hash. Gives what was said, the commit's hash and its first line among it. */
  const bring = async (
    applicationId: string,
    repository: CheckedRepository,
    { what, into }: { what: string; into: string },
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
        ...{ repository: folder, folder: into, home: scratch, protocols },
        reads: reads.filter((path) => path !== undefined && existsSync(path)) as string[],
        network: pinned ? { place: { address: pinned, port: port ?? PORTS[protocol] } } : 'none',
        env: { ...access.env, TREE: seen.folder, GIT_INDEX_FILE: join(seen.home, 'index') },
        before: existsSync(join(folder, 'HEAD')) ? [] : ['init --quiet --bare'],
        args: [
          ...access.settings,
          ...['fetch', '--quiet', '--depth=1', '--no-tags'],
          ...['--no-recurse-submodules', '--no-write-fetch-head'],
          ...['--', access.address, `+${what}:${BRANCH}`],
        ],
        afterwards: [
          `log -1 --format=tformat:%H%x20%s ${BRANCH}`,
          `--work-tree="$TREE" read-tree --reset -u ${BRANCH}`,
        ],
      };
      return await git(work, {
        walls,
        seconds: settings.appsCheckoutSeconds,
        memoryMb: settings.appsBuildMemoryMb,
        mebibytes: settings.appsDiskMb,
        signal,
      }).finally(async () => {
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
  const bringOrAnew = async (
    applicationId: string,
    repository: CheckedRepository,
    what: { what: string; into: string },
    signal: AbortSignal,
  ): Promise<string> => {
    const isNew = !existsSync(kept(applicationId));
    await mkdir(base, { recursive: true, mode: 0o700 });
    try {
      return await bring(applicationId, repository, what, signal);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      const failure = explain(error, repository, isFull(base));
      if (!failure.isCertain) await trash.discard(kept(applicationId), signal);
      if (isNew || failure.isCertain) throw failure.told;
      await removeTree(what.into);
      await mkdir(what.into, { mode: 0o700 });
      return await bring(applicationId, repository, what, signal).catch((again) => {
        throw again instanceof GitFailure ? explain(again, repository, isFull(base)).told : again;
      });
    }
  };

  const inTurn = createTurns(UNTIL_DONE_MS);
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
     * empty folder, without a `.git`. Throws a RuntimeFailure.
     */
    bring: alone(
      async (
        applicationId,
        repository: CheckedRepository,
        { into, hash: before }: { into: string; hash?: string },
        signal: AbortSignal,
      ): Promise<Commit> => {
        const newest = repository.branch === null ? 'HEAD' : `refs/heads/${repository.branch}`;
        const said = await bringOrAnew(applicationId, repository, { what: before ?? newest, into }, signal);
        // A server may say things too, before.
        const [, hash = '', message = ''] = [...said.matchAll(HASH_AND_MESSAGE)].at(-1) ?? [];
        return { hash, message: storable(message.slice(0, LONGEST_MESSAGE)) };
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

/** What git said, by a reason that names nothing of this machine. `isCertain`: another try can't help. */
function explain(
  { message, reason: ours }: GitFailure,
  asked: CheckedRepository,
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
  if (OTHER_HOST_KEY.test(message)) return certain(reason('other_host_key'));
  // Not every part of git says so.
  if (isFull || saysFullDisk(message)) return passing(reason('no_room'));
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
