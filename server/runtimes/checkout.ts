import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailure, type GitLimits, git } from './git.ts';
import { messages } from './messages.ts';
import { RuntimeFailure } from './runtime.ts';

/** A repository whose address has been checked. */
export interface Repository {
  url: string;
  branch: string;
  /** The addresses its host was found to have; git connects to these and asks no name server again. */
  addresses: readonly string[];
  /** An OpenSSH private key, for a private repository. */
  privateKey: string | undefined;
}

export interface Commit {
  hash: string;
  /** Its first line. */
  message: string;
}

export interface CheckoutSettings {
  dataDir: string;
  protocols: readonly string[];
  seconds: number;
  mebibytes: number;
}

const LONGEST_MESSAGE = 300;
const BRANCH = 'refs/heads/site';

export type Checkouts = ReturnType<typeof createCheckouts>;

/** Repositories of applications, each kept as `<dataDir>/repositories/<application>`, so that a fetch brings only what is new. */
export function createCheckouts({ dataDir, protocols, seconds, mebibytes }: CheckoutSettings) {
  const base = join(dataDir, 'repositories');
  const kept = (applicationId: string) => join(base, applicationId);

  const limits = (folders: string[], signal: AbortSignal): GitLimits => ({
    milliseconds: seconds * 1_000,
    folders,
    mebibytes,
    signal,
  });

  const fetch = async (folder: string, repository: Repository, signal: AbortSignal): Promise<void> => {
    const within = limits([folder], signal);
    await git(['init', '--quiet', '--bare', folder], { protocols }, within);
    await using access = await openAccess(base, repository);
    const refspec = `+refs/heads/${repository.branch}:${BRANCH}`;
    await git(
      [
        ...['--git-dir', folder, ...access.settings],
        ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'],
        ...['--', repository.url, refspec],
      ],
      { protocols, env: access.env },
      within,
    );
  };

  return {
    /** Brings the newest commit of the branch; nothing is checked out yet. Throws a RuntimeFailure. */
    async fetch(applicationId: string, repository: Repository, signal: AbortSignal): Promise<Commit> {
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
  settings: string[];
  env: Record<string, string>;
}

/** What git needs to connect to the checked addresses alone, and with the application's key alone. */
async function openAccess(base: string, { url, addresses, privateKey }: Repository): Promise<Access> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'https:') {
    const pinned = `${hostname}:${port || 443}:${addresses.map(bracketed).join(',')}`;
    const settings = addresses.length > 0 ? ['-c', `http.curloptResolve=${pinned}`] : [];
    return { settings, env: {}, [Symbol.asyncDispose]: async () => {} };
  }
  if (protocol !== 'ssh:') return { settings: [], env: {}, [Symbol.asyncDispose]: async () => {} };

  const folder = await mkdtemp(join(base, 'key-'));
  const key = join(folder, 'key');
  if (privateKey) await writeFile(key, `${privateKey.trimEnd()}\n`, { mode: 0o600 });
  const config = join(folder, 'config');
  await writeFile(
    config,
    [
      'Host *',
      ...(addresses[0] ? [`HostName ${addresses[0]}`, `HostKeyAlias ${hostname}`] : []),
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
