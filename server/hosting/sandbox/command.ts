import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroups.ts';
import type { Invocation } from './confined.ts';
import { excessReason, type Warden } from './limits.ts';
import { type Output, readLines } from './lines.ts';
import type { PooledNetwork } from './network-pool.ts';
import { isShell, portsOf, readProcesses, signalProcess } from './processes.ts';

export interface Command {
  /** Process id; undefined if the command could not be started. */
  readonly pid: number | undefined;
  /** Result of the command. Never rejects. */
  readonly ended: Promise<End>;
  /** Sends SIGTERM to each of its processes, and SIGKILL `graceMs` later. Resolves when the command has ended. */
  stop(graceMs: number): Promise<void>;
  /** Running processes of the command, with those of its sandbox. */
  processes(): readonly number[];
  /** TCP ports that the command listens on, in its own network if it has one; undefined if they can't be read. */
  listeningPorts(): number[] | undefined;
  /** Sends SIGKILL at once; `ended` then reports `how`. */
  kill(how: Reason): void;
}

export interface End {
  succeeded: boolean;
  /** Reason, such as "ended with exit code 1". */
  how: Reason;
  /** Peak memory in bytes, with the cache of its files; undefined if it was not counted. */
  peakBytes?: number | undefined;
}

/** Program names of the sandbox and of its network. */
const SANDBOX = 'bwrap';
const NETWORK = 'pasta';
/** Time that leftover processes have to write their last output after the command has ended. */
const FLUSH_MS = 500;

/**
 * Turns a pooled network's parked process into a command. The first line of its output comes from its shell (shell.ts);
 * everything after it goes to `output`, line by line. `ownDepth` is the isolation's.
 */
export function startCommand(
  warden: Warden,
  pooled: PooledNetwork,
  invocation: Invocation,
  limits: ProcessLimits,
  { output, ownDepth }: { output: Output; ownDepth: number },
): Command {
  const { parked: threshold, group, network } = pooled;
  const { child } = threshold;
  const { pid } = child;
  group?.limit(limits);
  readLines(child, output);
  threshold.becomeCommand({ ...invocation, isBackground: limits.isBackground });

  let ownReason: Reason | undefined;
  const noteExcess = () => {
    const met = group?.exceededLimit();
    if (met) ownReason ??= excessReason(met, limits);
  };
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const exited = threshold.exit.then(({ succeeded, how, isKilled }): End => {
    noteExcess();
    // A signal that ended the outermost process ended the sandbox: the command's own end would be reported by exit
    // code.
    if (isKilled && ownDepth > 0) ownReason ??= reason('helper_ended', { name: SANDBOX, how });
    return { succeeded: succeeded && !ownReason, how: ownReason ?? how, peakBytes: group?.peakBytes() };
  });
  const ended = exited.then(async (end) => {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    await pooled.end();
    await Promise.race([closed, sleep(FLUSH_MS)]);
    return end;
  });

  const roots = [pid, network?.pid].filter((one) => one !== undefined);
  const tree = () => {
    const table = readProcesses();
    return roots.flatMap(table.treeOf);
  };
  /** Processes of the command itself, without those of its sandbox. */
  const ownProcesses = () =>
    pid === undefined
      ? []
      : readProcesses()
          .treeOf(pid)
          .filter(({ depth }) => depth >= ownDepth);

  const kill = (how: Reason) => {
    ownReason ??= how;
    if (pid === undefined) return;
    for (const one of tree()) signalProcess(one.pid, 'SIGKILL');
    for (const one of group?.processes() ?? []) signalProcess(one, 'SIGKILL');
    signalGroup(pid, 'SIGKILL');
  };
  if (pid !== undefined) {
    const stopWatching = warden.watch(roots, limits, kill, group);
    void exited.then(stopWatching);
  }
  // A command whose network has ended is killed: it can't work without it.
  void network?.ended.then((how) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    noteExcess();
    kill(reason('helper_ended', { name: NETWORK, how }));
  });

  return {
    pid,
    ended,
    kill,
    processes: () => group?.processes() ?? tree().map((one) => one.pid),
    listeningPorts: () => portsOf(ownProcesses().map((one) => one.pid)),
    async stop(graceMs) {
      ownReason ??= reason('stopped');
      const own = ownProcesses();
      for (const { pid, children } of own) {
        // A shell that waits for the site would end at once, and end the site before it has finished.
        if (children === 0 || !isShell(pid)) signalProcess(pid, 'SIGTERM');
      }
      // An empty sandbox, before its command has started or after it has ended, is killed.
      if (own.length === 0) kill(reason('stopped'));
      const waiting = new AbortController();
      const isLate = sleep(graceMs, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([ended.then(() => false), isLate])) kill(reason('stopped'));
      waiting.abort();
      await ended;
    },
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  signalProcess(-leader, signal);
}
