import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroup-hierarchy.ts';
import type { Invocation } from './confined.ts';
import { excessReason, type Warden } from './limits.ts';
import { type Output, readLines } from './lines.ts';
import type { PooledNetwork } from './network-maker.ts';
import { isShell, ownMemory, portsOf, processorMsOf, readProcesses, signalProcess } from './processes.ts';
import type { Exit } from './spawning.ts';

export interface Command {
  /** Process id of the command; undefined if the command could not be started. */
  readonly pid: number | undefined;
  /** Port of this machine's loopback address at which the command is reached; undefined if it does not listen. */
  readonly port: number | undefined;
  /** Promise of the command's result. Never rejects. */
  readonly ended: Promise<End>;
  /** Sends SIGTERM to each process of the command, and SIGKILL `graceMs` later. Resolves when the command has ended. */
  stop(graceMs: number): Promise<void>;
  /** Running processes of the command, with those of its sandbox. */
  processes(): readonly number[];
  /** Memory that the command uses now, and processor time that it has used since its start. */
  usage(): Usage;
  /** TCP ports that the command listens on, in its own network if it has one; undefined if they can't be read. */
  listeningPorts(): number[] | undefined;
  /** Sends SIGKILL to the command at once. The promise `ended` then gives `how` as the reason of the command's end. */
  kill(how: Reason): void;
}

/** Memory that processes use now, and processor time that they have used since their start. */
export interface Usage {
  memoryBytes: number;
  processorMs: number;
}

export interface End {
  succeeded: boolean;
  /** Reason why the command ended, such as "exited with code 1". */
  how: Reason;
  /** Peak memory of the command in bytes, with the cache of its files; undefined if it was not counted. */
  peakBytes?: number | undefined;
}

/** Program names of the sandbox and of its network. */
const SANDBOX = 'bwrap';
const NETWORK = 'pasta';
/** Time that leftover processes have to write their last output after the command has ended. */
const FLUSH_MS = 500;

export interface CommandParts {
  warden: Warden;
  /** Shell process that was started in advance, together with its network, and becomes the command. */
  pooled: PooledNetwork;
  /** Port of this machine's loopback address at which the command is reached; undefined if it does not listen. */
  port: number | undefined;
  limits: ProcessLimits;
  /**
   * Number of levels in the process tree between the process that was started in advance and the command's own
   * processes (Isolation.ownDepth).
   */
  ownDepth: number;
  /** Function that is called after the command's last process has ended, to clean up, and before `ended` resolves. */
  afterEnd(): void;
}

/**
 * Turns a shell process that was started in advance (with its network, `pooled`) into the command. The first line of
 * its output comes from the shell itself (shell.ts); all further lines go to `output`.
 */
export function startCommand(invocation: Invocation, output: Output, parts: CommandParts): Command {
  const { pooled, limits } = parts;
  pooled.group?.limit(limits);
  readLines(pooled.parked.child, output);
  pooled.parked.becomeCommand({ ...invocation, isBackground: limits.isBackground });
  return new SandboxedCommand(parts);
}

class SandboxedCommand implements Command {
  readonly pid: number | undefined;
  readonly port: number | undefined;
  readonly ended: Promise<End>;
  readonly #parts: CommandParts;
  /** First processes of the two process trees: of the command with its sandbox, and of its network. */
  readonly #roots: readonly number[];
  /** Resolves when all output of the command has been read. */
  readonly #closed: Promise<void>;
  /** Reason why the server ended the command; undefined if it did not. The first reason counts. */
  #ownReason: Reason | undefined;

  constructor(parts: CommandParts) {
    const { warden, pooled, limits, port } = parts;
    const { parked, group, network } = pooled;
    const { child } = parked;
    this.#parts = parts;
    this.pid = child.pid;
    this.port = port;
    this.#roots = [child.pid, network?.pid].filter((pid) => pid !== undefined);
    this.#closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
    const exited = parked.exit.then((exit) => this.#endOf(exit));
    this.ended = exited.then((end) => this.#cleanUp(end));
    if (child.pid !== undefined) {
      const stopWatching = warden.watch(this.#roots, limits, (how) => this.kill(how), group);
      void exited.then(stopWatching);
    }
    void network?.ended.then((how) => this.#endWithNetwork(how));
  }

  processes(): readonly number[] {
    return this.#parts.pooled.group?.processes() ?? this.#tree();
  }

  usage(): Usage {
    const pids = [...new Set(this.processes())];
    const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);
    return {
      memoryBytes: this.#parts.pooled.group?.memoryBytes() ?? sum(ownMemory),
      processorMs: sum(processorMsOf),
    };
  }

  listeningPorts(): number[] | undefined {
    return portsOf(this.#ownProcesses().map(({ pid }) => pid));
  }

  kill(how: Reason): void {
    this.#ownReason ??= how;
    if (this.pid === undefined) return;
    for (const pid of this.#tree()) signalProcess(pid, 'SIGKILL');
    for (const pid of this.#parts.pooled.group?.processes() ?? []) signalProcess(pid, 'SIGKILL');
    signalGroup(this.pid, 'SIGKILL');
  }

  async stop(graceMs: number): Promise<void> {
    this.#ownReason ??= reason('stopped');
    const own = this.#ownProcesses();
    for (const { pid, children } of own) {
      // A shell that only waits for the site's process gets no SIGTERM: it would end at once, and the sandbox would end
      // the site with it, before the site has finished.
      if (children === 0 || !isShell(pid)) signalProcess(pid, 'SIGTERM');
    }
    // A sandbox in which no process of the command runs (before its start or after its end) is killed at once.
    if (own.length === 0) this.kill(reason('stopped'));
    const waiting = new AbortController();
    const isLate = sleep(graceMs, true, { signal: waiting.signal }).catch(() => false);
    if (await Promise.race([this.ended.then(() => false), isLate])) this.kill(reason('stopped'));
    waiting.abort();
    await this.ended;
  }

  #endOf({ succeeded, how, isKilled }: Exit): End {
    const { group } = this.#parts.pooled;
    this.#noteExcess();
    // If a signal ended the outermost process, somebody ended the sandbox itself: if only the command had ended, the
    // sandbox would report that by its exit code.
    if (isKilled && this.#parts.ownDepth > 0) {
      this.#ownReason ??= reason('helper_ended', { name: SANDBOX, how });
    }
    return {
      succeeded: succeeded && !this.#ownReason,
      how: this.#ownReason ?? how,
      peakBytes: group?.peakBytes(),
    };
  }

  async #cleanUp(end: End): Promise<End> {
    if (this.pid !== undefined) signalGroup(this.pid, 'SIGKILL');
    await this.#parts.pooled.end();
    await Promise.race([this.#closed, sleep(FLUSH_MS)]);
    this.#parts.afterEnd();
    return end;
  }

  /** Kills the command after its network has ended: it can't work without it. */
  #endWithNetwork(how: Reason): void {
    const { child } = this.#parts.pooled.parked;
    if (child.exitCode !== null || child.signalCode !== null) return;
    this.#noteExcess();
    this.kill(reason('helper_ended', { name: NETWORK, how }));
  }

  /** If the command's control group has reached a limit, records that as the reason why the command ended. */
  #noteExcess(): void {
    const { pooled, limits } = this.#parts;
    const exceeded = pooled.group?.exceededLimit();
    if (exceeded) this.#ownReason ??= excessReason(exceeded, limits);
  }

  /** Ids of all processes of the command, its sandbox and its network. */
  #tree(): number[] {
    const table = readProcesses();
    return this.#roots.flatMap(table.treeOf).map(({ pid }) => pid);
  }

  /** Processes of the command itself, without those of its sandbox. */
  #ownProcesses() {
    if (this.pid === undefined) return [];
    return readProcesses()
      .treeOf(this.pid)
      .filter(({ depth }) => depth >= this.#parts.ownDepth);
  }
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  signalProcess(-leader, signal);
}
