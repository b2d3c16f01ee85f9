import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroups.ts';
import { type Command, type End, startCommand } from './command.ts';
import type { Confined, IsolationSettings } from './confined.ts';
import { chownTree } from './disk.ts';
import { chooseIsolation } from './isolation.ts';
import { type Excess, type Wardens, watchDeletedFiles, watchDisk } from './limits.ts';
import type { Output } from './lines.ts';
import { createNetworkPool, type NetworkRequest } from './network-pool.ts';
import { withHeapLimit } from './node-heap.ts';
import { makeOverlay } from './overlay.ts';
import { processesMarked, readProcesses, signalProcess } from './processes.ts';

export interface Limits extends ProcessLimits {
  /** Maximum size of a file that it writes, in MiB; `filled` limits whole folders. */
  diskMb: number;
}

/** An untrusted command, and how much of the machine it may use. */
export interface Task {
  confined: Omit<Confined, 'mostFileBytes' | 'mostThreads' | 'joins' | 'groups' | 'port' | 'innerPort'>;
  /** Network request, and whether the command listens; default: everything that is open to sites. */
  network?: 'none' | NetworkRequest;
  limits: Limits;
  filled: readonly Filled[];
  output: Output;
}

/** Folders that a command may fill, their limit together in MiB, and the reason when it is exceeded. */
export interface Filled {
  folders: readonly string[];
  mebibytes: number;
  ends: (excess: Excess) => Reason;
}

/** Limit for one folder; `exceeds` is the reason that names the folder's purpose. */
export function mayFill(
  folder: string,
  exceeds: 'release_exceeds' | 'home_exceeds' | 'layer_exceeds' | 'volume_exceeds',
  mebibytes: number,
): Filled {
  return { folders: [folder], mebibytes, ends: ({ how }) => reason(exceeds, { how }) };
}

export interface Started extends Command {
  /** Port of this machine's loopback address that leads to the command; undefined if it does not listen. */
  port: number | undefined;
}

/** Time limit of a command. */
export interface RunLimits {
  mostMs: number;
  /** Reason for ending a command that is late. */
  late: Reason;
  signal: AbortSignal;
}

const MEBIBYTE = 2 ** 20;
/** Threads beyond its limit that a command may have until the next check, which ends it. */
const BEYOND = 100;

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/**
 * Runs untrusted commands on this machine: builds and sites, each isolated from all others. `folder` is a private
 * folder of the server.
 */
export async function openSandbox(settings: IsolationSettings, folder: string, wardens: Wardens) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isolation = await chooseIsolation(settings, folder, wardens.groups !== undefined);
  const { ownDepth, account, refusal } = isolation;
  const grounds = createNetworkPool({ isolation, groups: wardens.groups, home: join(folder, 'grounds') });
  /** Account that owns the files that commands write. */
  const owner = account ?? process.getuid?.() ?? 0;
  /** Running commands, each with its folders. */
  const running = new Map<Command, readonly string[]>();
  const closing = new AbortController();
  const killAll = () => {
    for (const command of running.keys()) command.kill(reason('stopped'));
  };
  // Commands are ended when the server exits without waiting: plain processes would outlive it.
  const leaveNobody = () => {
    killAll();
    endStrays([...running.values()].flat());
  };
  process.once('exit', leaveNobody);

  /**
   * Ends processes that a command without a sandbox has left in these folders, unless another running command may have
   * started them.
   */
  const endStrays = (folders: readonly string[]): void => {
    if (isolation.encloses) return;
    // Marked processes are read before the process tree: a process that another command starts in between is then not
    // among them.
    const marked = processesMarked(...folders.map((one) => `${one}/`));
    const table = readProcesses();
    const known = new Set(
      [...running.keys()].flatMap(({ pid }) =>
        pid === undefined ? [] : table.treeOf(pid).map((one) => one.pid),
      ),
    );
    for (const pid of marked) if (!known.has(pid)) signalProcess(pid, 'SIGKILL');
  };

  const watchFilled = (command: Command, { filled, limits }: Task): void => {
    const over = new AbortController();
    void command.ended.then(() => over.abort());
    const unlinked = ({ how }: Excess) => command.kill(reason('unlinked_exceeds', { how }));
    watchDeletedFiles(command.processes, owner, limits.diskMb, unlinked, over.signal).catch(() =>
      command.kill(reason('stopped')),
    );
    for (const { folders, mebibytes, ends } of filled) {
      watchDisk(folders, mebibytes, (excess) => command.kill(ends(excess)), over.signal)
        // A command whose disk can't be watched is ended.
        .catch(() => command.kill(reason('stopped')));
    }
  };

  /**
   * Starts a command. `ended` resolves when no process of it runs any more and all its output has gone to `output`.
   * Throws a RuntimeFailure if untrusted commands may not run here.
   */
  const start = async (task: Task): Promise<Started> => {
    const { confined, limits, output, network: wish = {} } = task;
    if (refusal) throw new RuntimeFailure(refusal);
    closing.signal.throwIfAborted();
    const ground = await grounds.open(wish);
    const { listens = false, listensAt: innerPort } = wish === 'none' ? {} : wish;
    const port = listens ? ground.port : undefined;
    let command: Command;
    try {
      // Closing during `open` would miss this command, which does not run yet.
      closing.signal.throwIfAborted();
      const invocation = isolation.confine({
        ...confined,
        variables: withHeapLimit(confined.variables, limits.memoryMb),
        groups: ground.group?.shown ?? [],
        port,
        innerPort,
        joins: ground.network?.joins,
        mostFileBytes: limits.diskMb * MEBIBYTE,
        ...(!wardens.groups && { mostThreads: limits.processes + BEYOND }),
      });
      command = startCommand(wardens.warden, ground, invocation, limits, { output, ownDepth });
    } catch (error) {
      await ground.end();
      throw error;
    }
    const folders = [confined.folder, confined.home];
    running.set(command, folders);
    watchFilled(command, task);
    const ended = command.ended.then((end) => {
      running.delete(command);
      endStrays(folders);
      return end;
    });
    return { ...command, ended, port };
  };

  return {
    isolation,
    start,

    /** Runs a command to its end, at the latest until the signal aborts. */
    async run(task: Task, { mostMs, late, signal }: RunLimits): Promise<End> {
      signal.throwIfAborted();
      const command = await start(task);
      const timer = setTimeout(() => command.kill(late), mostMs);
      const abort = () => command.kill(reason('stopped'));
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      const end = await command.ended;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      return end;
    },

    /** Makes the commands' account the owner of a tree. */
    async give(tree: string, signal?: AbortSignal): Promise<void> {
      if (account !== undefined) await chownTree(tree, account, signal);
    },

    /** Makes an overlay layer for one command; undefined if overlays don't work here. Rejects if the path exists. */
    async layer(path: string): Promise<string | undefined> {
      return isolation.layers ? makeOverlay(path, account) : undefined;
    },

    /** Makes a folder that commands may write to, unless it exists. */
    async ownFolder(path: string, signal?: AbortSignal): Promise<string> {
      await mkdir(path, { recursive: true, mode: 0o700 });
      if (account !== undefined) await chownTree(path, account, signal);
      return path;
    },

    /** Ends every command at once. */
    async close(): Promise<void> {
      closing.abort();
      const ends = [...running.keys()].map(({ ended }) => ended);
      killAll();
      await Promise.all(ends);
      await grounds.close();
      process.off('exit', leaveNobody);
    },
  };
}
