import { type Reason, reason } from '../reasons/reason.ts';
import { startCommand } from '../walls/command.ts';
import { type Excess, excessOf, type Wardens, watchDisk } from '../walls/limits.ts';
import { limited } from '../walls/shell.ts';

export interface GitLimits {
  wardens: Wardens;
  seconds: number;
  /** Of all its processes together. */
  memoryMb: number;
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
const MEBIBYTE = 2 ** 20;
/** Threads, of which git, ssh and what they start take a dozen. */
const MOST_PROCESSES = 200;

/** Of each process, at once: a server may send more within a second than a look at them would find in time. */
const WITHIN_MEMORY = 'ulimit -d "$0"; exec "$@"';
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

/** Runs git with nothing of this machine's configuration; gives what it said. Throws a GitFailure. */
export async function git(
  args: readonly string[],
  { protocols, env = {} }: { protocols: readonly string[]; env?: Record<string, string> },
  { wardens, seconds, memoryMb, folders, mebibytes, signal }: GitLimits,
): Promise<string> {
  signal.throwIfAborted();
  // Above the folders' limit, so that a file which met its own is seen by measuring them: git does not always say why it ended.
  const [file = '', ...rest] = limited((mebibytes + 1) * MEBIBYTE, [
    ...['/bin/sh', '-c', WITHIN_MEMORY, String(memoryMb * 1_024)],
    ...['git', ...SETTINGS.flatMap((one) => ['-c', one]), ...args],
  ]);
  const invocation = {
    file,
    args: rest,
    cwd: '/',
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
  };
  let said = '';
  const command = startCommand(wardens, invocation, { memoryMb, processes: MOST_PROCESSES }, (lines) => {
    said = (said + lines.map((line) => `${line}\n`).join('')).slice(-MOST_OUTPUT);
  });
  const abort = () => command.kill(reason('stopped'));
  signal.addEventListener('abort', abort, { once: true });
  const late = setTimeout(() => command.kill(reason('repository_too_slow', { seconds })), seconds * 1_000);
  const over = new AbortController();
  void watchDisk(folders, mebibytes, (excess) => command.kill(tooLarge(excess, mebibytes)), over.signal);
  const { succeeded, how } = await command.ended;
  over.abort();
  clearTimeout(late);
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  const ours = succeeded ? undefined : ourReason(how, said, memoryMb);
  if (ours) throw new GitFailure(said, ours);
  // What was quick enough to be through before a look at the disk.
  const excess = await excessOf(folders, mebibytes, signal);
  signal.throwIfAborted();
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
