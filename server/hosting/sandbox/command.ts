import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroups.ts';
import type { Invocation } from './confined.ts';
import { excessReason, type Warden } from './limits.ts';
import { type Output, readLines } from './lines.ts';
import type { PooledNetwork } from './network-pool.ts';
import { isShell, portsOf, readProcesses, signalProcess } from './processes.ts';

export interface Command {
  /** undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly ended: Promise<End>;
  /** SIGTERM to each of its processes, SIGKILL `graceMs` later. Resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
  /** Those that run of it, with its walls. */
  processes(): readonly number[];
  /** TCP ports that it listens on, in a network of its own where it has one; undefined where that can't be seen. */
  listening(): number[] | undefined;
  /** SIGKILL at once; `how` is what `ended` then tells. */
  kill(how: Reason): void;
}

export interface End {
  succeeded: boolean;
  /** Such as "ended with exit code 1". */
  how: Reason;
  /** The most memory it had, with its files' cache; undefined where nobody counted. */
  peakBytes?: number | undefined;
}

/** Which programs a command's walls and its network are. */
const SANDBOX = 'bwrap';
const NETWORK = 'pasta';
/** What a command's leftovers may still write once it has ended. */
const FLUSH_MS = 500;

/**
 * Has a ground become a command whose first line of output is its shell's (shell.ts); what else it writes goes to `output`,
 * line by line. `ownDepth` is its isolation's.
 */
export function startCommand(
  warden: Warden,
  ground: PooledNetwork,
  invocation: Invocation,
  limits: ProcessLimits,
  { output, ownDepth }: { output: Output; ownDepth: number },
): Command {
  const { threshold, group, network } = ground;
  const { child } = threshold;
  const { pid } = child;
  group?.limit(limits);
  readLines(child, output);
  threshold.become({ ...invocation, isBackground: limits.isBackground });

  let ours: Reason | undefined;
  const noteExcess = () => {
    const met = group?.met();
    if (met) ours ??= excessReason(met, limits);
  };
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const exited = threshold.exit.then(({ succeeded, how, isKilled }): End => {
    noteExcess();
    // Within a sandbox a command's own end is what its walls tell of.
    if (isKilled && ownDepth > 0) ours ??= reason('helper_ended', { name: SANDBOX, how });
    return { succeeded: succeeded && !ours, how: ours ?? how, peakBytes: group?.peakBytes() };
  });
  const ended = exited.then(async (end) => {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    await ground.end();
    await Promise.race([closed, sleep(FLUSH_MS)]);
    return end;
  });

  const roots = [pid, network?.pid].filter((one) => one !== undefined);
  const tree = () => {
    const table = readProcesses();
    return roots.flatMap(table.treeOf);
  };
  /** Its own processes, without what its walls are made of. */
  const ownProcesses = () =>
    pid === undefined
      ? []
      : readProcesses()
          .treeOf(pid)
          .filter(({ depth }) => depth >= ownDepth);

  const kill = (how: Reason) => {
    ours ??= how;
    if (pid === undefined) return;
    for (const one of tree()) signalProcess(one.pid, 'SIGKILL');
    for (const one of group?.processes() ?? []) signalProcess(one, 'SIGKILL');
    signalGroup(pid, 'SIGKILL');
  };
  if (pid !== undefined) {
    const unwatch = warden.watch(roots, limits, kill, group);
    void exited.then(unwatch);
  }
  // Without its network it is of no use to anybody.
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
    listening: () => portsOf(ownProcesses().map((one) => one.pid)),
    async stop(graceMs) {
      ours ??= reason('stopped');
      const own = ownProcesses();
      for (const { pid, children } of own) {
        // A shell that waits for the site would end at once, and take the site with it before it has finished.
        if (children === 0 || !isShell(pid)) signalProcess(pid, 'SIGTERM');
      }
      // A sandbox that has nothing in it yet, or nothing any more.
      if (own.length === 0) kill(reason('stopped'));
      const waiting = new AbortController();
      const late = sleep(graceMs, true, { signal: waiting.signal }).catch(() => false);
      if (await Promise.race([ended.then(() => false), late])) kill(reason('stopped'));
      waiting.abort();
      await ended;
    },
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  signalProcess(-leader, signal);
}
