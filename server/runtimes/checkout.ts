import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../kernel/config.ts';
import { GitFailure, type GitLimits, git } from './git.ts';
import { messages } from './messages.ts';
import { RuntimeFailure } from './runtime.ts';

/** A repository whose address has been checked. */
export interface CheckedRepository {
  protocol: 'https' | 'ssh' | 'http' | 'git' | 'file';
  host: string;
  port: number | undefined;
  /** For git, without what is secret. */
  address: string;
  branch: string;
  /** The IP address its host was found to have: git connects to this one and asks no name server again. */
  pinned: string | undefined;
  /** `user:password` or `token`, percent-encoded. */
  credentials: string | undefined;
  /** An OpenSSH private key, for a private repository. */
  privateKey: string | undefined;
}

export interface Commit {
  hash: string;
  /** Its first line. */
  message: string;
}

export type CheckoutSettings = Pick<
  Config,
  'dataDir' | 'appsGitProtocols' | 'appsCheckoutSeconds' | 'appsDiskMb'
>;

const LONGEST_MESSAGE = 300;
const BRANCH = 'refs/heads/site';

export type Checkouts = ReturnType<typeof createCheckouts>;

/** Repositories of applications, each kept as `<dataDir>/repositories/<application>`, so that a fetch brings only what is new. */
export function createCheckouts(settings: CheckoutSettings) {
  const { dataDir, appsGitProtocols: protocols, appsCheckoutSeconds, appsDiskMb } = settings;
  const base = join(dataDir, 'repositories');
  const kept = (applicationId: string) => join(base, applicationId);

  const limits = (folders: string[], signal: AbortSignal): GitLimits => ({
    milliseconds: appsCheckoutSeconds * 1_000,
    folders,
    mebibytes: appsDiskMb,
    signal,
  });

  const fetch = async (folder: string, repository: CheckedRepository, signal: AbortSignal): Promise<void> => {
    const within = limits([folder], signal);
    await git(['init', '--quiet', '--bare', folder], { protocols }, within);
    await using access = await openAccess(base, repository);
    const refspec = `+refs/heads/${repository.branch}:${BRANCH}`;
    await git(
      [
        ...['--git-dir', folder, ...access.settings],
        ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'],
        ...['--', access.address, refspec],
      ],
      { protocols, env: access.env },
      within,
    );
  };

  return {
    /** Brings the newest commit of the branch; nothing is checked out yet. Throws a RuntimeFailure. */
    async fetch(applicationId: string, repository: CheckedRepository, signal: AbortSignal): Promise<Commit> {
      const folder = kept(applicationId);
      const isNew = !existsSync(folder);
      await mkdir(base, { recursive: true, mode: 0o700 });
      try {
        await fetch(folder, repository, signal);
      } catch (error) {
        if (!(error instanceof GitFailure)) throw error;
        const failure = explain(error, repository.branch);
        if (!failure.isCertain) await rm(folder, { recursive: true, force: true });
        if (isNew || failure.isCertain) throw failure.sentence;
        // What was kept may have been broken, or have grown too large over the years.
        await fetch(folder, repository, signal).catch((again) => {
          throw again instanceof GitFailure ? explain(again, repository.branch).sentence : again;
        });
      }
      const said = await git(
        ['--git-dir', folder, 'log', '-1', '--format=%H%n%s', BRANCH],
        { protocols },
        limits([], signal),
      );
      const [hash = '', message = ''] = said.split('\n');
      return { hash, message: message.slice(0, LONGEST_MESSAGE).toWellFormed().replaceAll('\0', '') };
    },

    /** Puts the files of a fetched commit into an empty folder, without a `.git`. Throws a RuntimeFailure. */
    async place(applicationId: string, commit: Commit, into: string, signal: AbortSignal): Promise<void> {
      const folder = kept(applicationId);
      const index = join(folder, `index-${process.pid}-${commit.hash}`);
      try {
        await git(
          ['--git-dir', folder, '--work-tree', into, 'read-tree', '--reset', '-u', commit.hash],
          { protocols, env: { GIT_INDEX_FILE: index } },
          limits([into], signal),
        );
      } catch (error) {
        throw error instanceof GitFailure ? explain(error, '').sentence : error;
      } finally {
        await rm(index, { force: true });
      }
    },

    async forget(applicationId: string): Promise<void> {
      await rm(kept(applicationId), { recursive: true, force: true });
    },

    /** Removes the repositories of applications that are not among `applications`, and keys a crash left behind. */
    async keepOnly(applications: ReadonlySet<string>): Promise<void> {
      for (const name of await readdir(base).catch(() => [])) {
        if (!applications.has(name) && name !== KNOWN_HOSTS) await rm(join(base, name), { recursive: true });
      }
    },
  };
}

const KNOWN_HOSTS = 'known_hosts';

interface Access extends AsyncDisposable {
  address: string;
  settings: string[];
  env: Record<string, string>;
}

/** What git needs to connect to the checked address alone, and with the application's own secrets alone. */
async function openAccess(base: string, repository: CheckedRepository): Promise<Access> {
  const { protocol, host, port, address, pinned } = repository;
  const nothing = { address, settings: [], env: {}, [Symbol.asyncDispose]: async () => {} };
  switch (protocol) {
    case 'file':
      return nothing;
    case 'git':
      return pinned ? { ...nothing, address: address.replace(host, bracketed(pinned)) } : nothing;
    case 'http':
    case 'https': {
      const place = `${host}:${port ?? (protocol === 'https' ? 443 : 80)}`;
      return {
        ...nothing,
        settings: pinned ? ['-c', `http.curloptResolve=${place}:${bracketed(pinned)}`] : [],
        env: repository.credentials ? authorization(repository.credentials) : {},
      };
    }
    case 'ssh':
      return openSsh(base, repository);
  }
}

/** In the environment, not among the arguments, which everybody on the machine can list. */
function authorization(credentials: string): Record<string, string> {
  const [user = '', password = ''] = credentials.split(':', 2).map(decodeURIComponent);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

async function openSsh(
  base: string,
  { address, host, pinned, privateKey }: CheckedRepository,
): Promise<Access> {
  const folder = await mkdtemp(join(base, 'key-'));
  const key = join(folder, 'key');
  if (privateKey) await writeFile(key, `${privateKey.trimEnd()}\n`, { mode: 0o600 });
  const config = join(folder, 'config');
  await writeFile(
    config,
    [
      'Host *',
      ...(pinned ? [`HostName ${pinned}`, `HostKeyAlias ${host}`] : []),
      `IdentityFile ${privateKey ? `"${key}"` : 'none'}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      'BatchMode yes',
      'StrictHostKeyChecking accept-new',
      `UserKnownHostsFile "${join(base, KNOWN_HOSTS)}"`,
      'CheckHostIP no',
      'ConnectTimeout 20',
      'ServerAliveInterval 15',
      '',
    ].join('\n'),
  );
  return {
    address,
    settings: [],
    // git hands this to a shell; so it is the same for every repository, and what differs stands in the file.
    env: {
      GIT_SSH_COMMAND: 'ssh -F "$SIMCHA_SSH_CONFIG"',
      GIT_SSH_VARIANT: 'ssh',
      SIMCHA_SSH_CONFIG: config,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

const NO_BRANCH = /couldn't find remote ref|Remote branch .* not found/i;
const NO_ACCESS =
  /Authentication failed|Permission denied|could not read Username|not found|does not appear to be a git repository|No such file|access denied|returned error: 40[134]|Host key verification failed/i;

/** What git said, in a sentence that names nothing of this machine. `isCertain`: another try can't help. */
function explain(
  { message, reason }: GitFailure,
  branch: string,
): { sentence: RuntimeFailure; isCertain: boolean } {
  if (reason) return { sentence: new RuntimeFailure(reason), isCertain: false };
  if (NO_BRANCH.test(message)) {
    return { sentence: new RuntimeFailure(messages.git.noBranch(branch)), isCertain: true };
  }
  if (NO_ACCESS.test(message))
    return { sentence: new RuntimeFailure(messages.git.noAccess), isCertain: true };
  return { sentence: new RuntimeFailure(messages.git.unreachable(causeIn(message))), isCertain: false };
}

const CAUSES: readonly [RegExp, string][] = [
  [/Could not resolve/i, 'its host has no address'],
  [/timed out|timeout/i, 'its host does not answer'],
  [/Connection refused/i, 'its host refuses the connection'],
  [/redirect/i, 'its address has moved; use the new one'],
  [/certificate|SSL|TLS/i, 'its certificate can’t be trusted'],
  [/transport .* not allowed/i, 'its protocol is not allowed here'],
];

function causeIn(said: string): string {
  return CAUSES.find(([pattern]) => pattern.test(said))?.[1] ?? 'git could not read it';
}
