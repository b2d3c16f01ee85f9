import { join } from 'node:path';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { Confined } from '../sandbox/confined.ts';
import { type Excess, excessOf } from '../sandbox/limits.ts';
import type { Sandbox, Task } from '../sandbox/sandbox.ts';

/** What git works on, behind the same walls as a build: what it reads is a stranger's. */
export type GitWork = Pick<Confined, 'folder' | 'home' | 'reads'> & {
  network: NonNullable<Task['network']>;
  /** The one it works on, on this machine. */
  repository: string;
  args: readonly string[];
  env?: Record<string, string>;
  /**
   * What git is asked before it and, once it has succeeded, afterwards: words of ours, as a shell reads them. A sandbox of
   * its own would take longer than all of them.
   */
  before: readonly string[];
  afterwards: readonly string[];
  protocols: readonly string[];
};

export interface GitLimits {
  walls: Sandbox;
  seconds: number;
  /** Of all its processes together. */
  memoryMb: number;
  /** What its repository may hold, and the folder it works in. */
  mebibytes: number;
  signal: AbortSignal;
}

/** git ended badly: what it said, for `checkout.ts` to judge. Never shown as it is: it names paths of this machine. */
export class GitFailure extends Error {
  /** Ours, when we ended it; one that may be shown. */
  readonly reason: Reason | undefined;

  constructor(said: string, reason?: Reason) {
    super(said);
    this.reason = reason;
  }
}

const MOST_OUTPUT = 256 * 1024;
/** Threads, of which git, ssh and what they start take a dozen. */
const MOST_PROCESSES = 200;

/** Of each process, at once: a server may send more within a second than a look at them would find in time. */
const WITHIN_MEMORY = 'ulimit -d "$0"';
/** Where git finds its repository. */
const REPOSITORY = '/repository';
const NO_MEMORY = /out of memory|memory exhausted|Cannot allocate memory/i;

// Settings of the machine and its users have no say, hooks and filters do not run, nothing is asked for.
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'credential.helper=',
  'submodule.recurse=false',
  'protocol.version=2',
  // A redirect would lead past the check of the address.
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  // Each counts 8 MiB for its stack against the limit of memory, which may be 64; a large machine would have twenty.
  'pack.threads=4',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'advice.detachedHead=false',
];

/**
 * Runs git in its folder, with nothing of this machine's configuration; gives what it said. Throws a GitFailure, and a
 * RuntimeFailure where nothing of strangers may be run.
 */
export async function git(
  { repository, args, env = {}, before, afterwards, protocols, network, ...place }: GitWork,
  { walls, seconds, memoryMb, mebibytes, signal }: GitLimits,
): Promise<string> {
  const folders = [repository, place.folder];
  await Promise.all([...folders, place.home].map((one) => walls.give(one, signal)));
  const mount = { folder: repository, at: REPOSITORY };
  const words = [...before, '"$@"', ...afterwards];
  const script = [
    WITHIN_MEMORY,
    `ours() { git ${SETTINGS.map((one) => `-c ${one}`).join(' ')} "$@"; }`,
    words.map((one) => `ours ${one}`).join(' && '),
  ].join('\n');
  const confined = {
    ...place,
    mounts: [mount],
    command: ['/bin/sh', '-c', script, String(memoryMb * 1_024), ...args],
    below: '',
    writable: true,
    variables: {
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(walls.isolation.inside, 'gitconfig'),
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_DIR: walls.isolation.mountSeen(mount),
      ...env,
    },
  };
  let said = '';
  const task = {
    confined,
    network,
    // Above the folders' limit, so that a file which met its own is seen by measuring them: git does not always say why it ended.
    limits: { memoryMb, processes: MOST_PROCESSES, isBackground: true, diskMb: mebibytes + 1 },
    filled: folders.map((folder) => ({
      folders: [folder],
      mebibytes,
      ends: (excess: Excess) => tooLarge(excess, mebibytes),
    })),
    output(lines: readonly string[]) {
      said = (said + lines.map((line) => `${line}\n`).join('')).slice(-MOST_OUTPUT);
    },
  };
  const late = reason('repository_too_slow', { seconds });
  const { succeeded, how } = await walls.run(task, { mostMs: seconds * 1_000, late, signal });
  signal.throwIfAborted();
  const ours = succeeded ? undefined : ourReason(how, said, memoryMb);
  if (ours) throw new GitFailure(said, ours);
  // What was quick enough to be through before a look at the disk.
  const excesses = await Promise.all(folders.map((folder) => excessOf([folder], mebibytes, signal)));
  signal.throwIfAborted();
  const excess = excesses.find((one) => one !== undefined);
  if (excess) throw new GitFailure(said, tooLarge(excess, mebibytes));
  if (!succeeded) throw new GitFailure(said);
  return said;
}

function tooLarge({ full, how }: Excess, mebibytes: number): Reason {
  return full ? reason('repository_too_large', { mebibytes }) : reason('repository_unmeasured', { how });
}

/** undefined when git ended by itself. */
function ourReason(how: Reason, said: string, memoryMb: number): Reason | undefined {
  switch (how.code) {
    case 'exited':
    case 'killed':
    case 'cant_run':
      return NO_MEMORY.test(said)
        ? reason('fetch_ended', { how: reason('too_much_memory', { mebibytes: memoryMb }) })
        : undefined;
    case 'too_much_memory':
    case 'too_many_processes':
      return reason('fetch_ended', { how });
    default:
      return how;
  }
}
