import { join } from 'node:path';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { Confined } from '../sandbox/confined.ts';
import { type DiskExcess, measureExcess } from '../sandbox/limits.ts';
import type { Sandbox, SandboxTask } from '../sandbox/sandbox.ts';

/** Work for git, in the same sandbox as builds: repositories are untrusted data. */
export type GitWork = Pick<Confined, 'folder' | 'home' | 'reads'> & {
  network: NonNullable<SandboxTask['network']>;
  /** Path of the repository on this machine. */
  repository: string;
  args: readonly string[];
  env?: Record<string, string>;
  /**
   * Git commands before the main one and, if it succeeds, after it, written for a shell; they contain no untrusted
   * input. All run in one sandbox, because starting another takes longer than these commands.
   */
  before: readonly string[];
  afterwards: readonly string[];
  protocols: readonly string[];
};

export interface GitLimits {
  sandbox: Sandbox;
  seconds: number;
  /** Memory limit of all processes of git together. */
  memoryMb: number;
  /** Size limit of the repository, and of git's working folder, in mebibytes. */
  mebibytes: number;
  signal: AbortSignal;
}

/**
 * Failure of git with its output, which `checkout.ts` interprets. The output is never shown, because it names paths of
 * this machine.
 */
export class GitFailure extends Error {
  /** Reason why the server ended git; undefined if git ended by itself. It may be shown to people. */
  readonly reason: Reason | undefined;

  constructor(output: string, reason?: Reason) {
    super(output);
    this.reason = reason;
  }
}

const MOST_OUTPUT_CHARACTERS = 256 * 1024;
/** Maximum number of threads; git, ssh and their children need a dozen. */
const MOST_PROCESSES = 200;

/**
 * Memory limit of each process, enforced by the kernel: a git host may send so much within a second that Simcha's
 * periodic checks would notice it too late.
 */
const WITHIN_MEMORY = 'ulimit -d "$0"';
/** Path of the repository inside the sandbox. */
const REPOSITORY = '/repository';
const NO_MEMORY = /out of memory|memory exhausted|Cannot allocate memory/i;

// Settings of git: the machine's and users' settings are ignored, hooks and filters don't run, and nothing is prompted
// for.
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'credential.helper=',
  'submodule.recurse=false',
  'protocol.version=2',
  // A redirect would bypass the check of the repository's address.
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  // Each thread of git counts 8 MiB of stack against the memory limit, which may be as low as 64 MiB; without this
  // setting, git would start some twenty on a large machine.
  'pack.threads=4',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'advice.detachedHead=false',
];

/**
 * Runs git in its folder, without this machine's configuration. Returns its output. Throws a GitFailure, and a
 * RuntimeFailure if untrusted commands may not run here.
 */
export async function runGit(
  { repository, args, env = {}, before, afterwards, protocols, network, ...paths }: GitWork,
  { sandbox, seconds, memoryMb, mebibytes, signal }: GitLimits,
): Promise<string> {
  const folders = [repository, paths.folder];
  await Promise.all([...folders, paths.home].map((one) => sandbox.changeOwner(one, signal)));
  const mount = { folder: repository, at: REPOSITORY };
  const commands = [...before, '"$@"', ...afterwards];
  const script = [
    WITHIN_MEMORY,
    `ours() { git ${SETTINGS.map((one) => `-c ${one}`).join(' ')} "$@"; }`,
    commands.map((one) => `ours ${one}`).join(' && '),
  ].join('\n');
  const confined = {
    ...paths,
    mounts: [mount],
    command: ['/bin/sh', '-c', script, String(memoryMb * 1_024), ...args],
    below: '',
    writable: true,
    variables: {
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(sandbox.isolation.inside, 'gitconfig'),
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_DIR: sandbox.isolation.mountPathInside(mount),
      ...env,
    },
  };
  let output = '';
  const task = {
    confined,
    network,
    // The size limit for a single file is above the limit for the folders, so that a repository that is too large is
    // found by measuring the folders. A file over its limit would end git, which does not always say why.
    limits: { memoryMb, processes: MOST_PROCESSES, isBackground: true, diskMb: mebibytes + 1 },
    diskLimits: folders.map((folder) => ({
      folders: [folder],
      mebibytes,
      reasonOf: (excess: DiskExcess) => tooLarge(excess, mebibytes),
    })),
    output(lines: readonly string[]) {
      output = (output + lines.map((line) => `${line}\n`).join('')).slice(-MOST_OUTPUT_CHARACTERS);
    },
  };
  const lateReason = reason('repository_too_slow', { seconds });
  const { succeeded, how } = await sandbox.run(task, { mostMs: seconds * 1_000, lateReason, signal });
  signal.throwIfAborted();
  const ownReason = succeeded ? undefined : ownReasonFor(how, output, memoryMb);
  if (ownReason) throw new GitFailure(output, ownReason);
  // The sizes of git's folders are measured at the end too: a quick git may finish before the first check.
  const excesses = await Promise.all(folders.map((folder) => measureExcess([folder], mebibytes, signal)));
  signal.throwIfAborted();
  const excess = excesses.find((one) => one !== undefined);
  if (excess) throw new GitFailure(output, tooLarge(excess, mebibytes));
  if (!succeeded) throw new GitFailure(output);
  return output;
}

function tooLarge({ isFull: full, how }: DiskExcess, mebibytes: number): Reason {
  return full ? reason('repository_too_large', { mebibytes }) : reason('repository_unmeasured', { how });
}

/** Reason why the server ended git; undefined if git ended by itself. */
function ownReasonFor(how: Reason, output: string, memoryMb: number): Reason | undefined {
  switch (how.code) {
    case 'exited':
    case 'killed':
    case 'cant_run':
      return NO_MEMORY.test(output)
        ? reason('fetch_ended', { how: reason('too_much_memory', { mebibytes: memoryMb }) })
        : undefined;
    case 'too_much_memory':
    case 'too_many_processes':
      return reason('fetch_ended', { how });
    default:
      return how;
  }
}
