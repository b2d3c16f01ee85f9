import { spawn } from 'node:child_process';
import { type Reason, reason } from '../reasons/reason.ts';
import { type Excess, excessOf, watchDisk } from '../runtimes/limits.ts';

export interface GitLimits {
  milliseconds: number;
  /** Folders that git writes to, and how much they may hold together. */
  folders: readonly string[];
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

/** Of each of its processes; packs that are mapped from the disk do not count. What a server answers is kept in memory. */
const MEMORY_MB = 1_024;
const LIMITED = `ulimit -d ${MEMORY_MB * 1_024}; exec "$@"`;
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
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'advice.detachedHead=false',
];

/** Runs git with nothing of this machine's configuration and no shell; gives its output. Throws a GitFailure. */
export async function git(
  args: readonly string[],
  { protocols, env = {} }: { protocols: readonly string[]; env?: Record<string, string> },
  { milliseconds, folders, mebibytes, signal }: GitLimits,
): Promise<string> {
  signal.throwIfAborted();
  const command = ['git', ...SETTINGS.flatMap((one) => ['-c', one]), ...args];
  const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...command], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: '/nonexistent',
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      GIT_LFS_SKIP_SMUDGE: '1',
      ...env,
    },
  });
  let ours: Reason | undefined;
  const end = (why: Reason) => {
    ours ??= why;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const over = new AbortController();
  const abort = () => end(reason('stopped'));
  signal.addEventListener('abort', abort, { once: true });
  const seconds = Math.ceil(milliseconds / 1000);
  const late = setTimeout(() => end(reason('repository_too_slow', { seconds })), milliseconds);
  const tooLarge = ({ full, how }: Excess) =>
    full ? reason('repository_too_large', { mebibytes }) : reason('repository_unmeasured', { how });
  void watchDisk(folders, mebibytes, (excess) => end(tooLarge(excess)), over.signal);

  const said = { out: '', err: '' };
  // One that can't be spawned for want of file descriptors has no streams.
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('error', () => {});
  child.stdout?.on('data', (text) => {
    if (said.out.length < MOST_OUTPUT) said.out += text;
  });
  child.stderr?.on('data', (text) => {
    said.err = (said.err + text).slice(-MOST_OUTPUT);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      said.err = error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  over.abort();
  clearTimeout(late);
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  if (code !== 0 && NO_MEMORY.test(said.err))
    ours ??= reason('repository_too_large', { mebibytes: MEMORY_MB });
  if (code !== 0) throw new GitFailure(said.err, ours);
  // What was quick enough to be through before a look at the disk.
  const excess = await excessOf(folders, mebibytes, signal);
  signal.throwIfAborted();
  if (excess) throw new GitFailure('', tooLarge(excess));
  return said.out;
}
