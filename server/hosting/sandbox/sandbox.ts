import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroups.ts';
import { type Command, type End, startCommand } from './command.ts';
import type { Confined, IsolationSettings } from './confined.ts';
import { chownTree } from './disk.ts';
import { chooseIsolation } from './isolation.ts';
import { type DiskExcess, type Wardens, watchDeletedFiles, watchDisk } from './limits.ts';
import type { Output } from './lines.ts';
import { NetworkPool, type NetworkRequest } from './network-pool.ts';
import { withHeapLimit } from './node-heap.ts';
import { makeOverlay } from './overlay.ts';
import { processesMarked, readProcesses, signalProcess } from './processes.ts';

export interface Limits extends ProcessLimits {
  /** Maximum size of a file that it writes, in MiB; `filled` limits whole folders. */
  diskMb: number;
}

/** An untrusted command, and how much of the machine it may use. */
export interface SandboxTask {
  confined: Omit<Confined, 'mostFileBytes' | 'mostThreads' | 'joins' | 'groups' | 'port' | 'innerPort'>;
  /** Network request, and whether the command listens; default: everything that is open to sites. */
  network?: 'none' | NetworkRequest;
  limits: Limits;
  diskLimits: readonly DiskLimit[];
  output: Output;
}

/** Folders that a command may fill, their limit together in MiB, and the reason when it is exceeded. */
export interface DiskLimit {
  folders: readonly string[];
  mebibytes: number;
  reasonOf: (excess: DiskExcess) => Reason;
}

/** Limit for one folder; `exceeds` is the reason that names the folder's purpose. */
export function diskLimit(
  folder: string,
  exceeds: 'release_exceeds' | 'home_exceeds' | 'layer_exceeds' | 'volume_exceeds',
  mebibytes: number,
): DiskLimit {
  return { folders: [folder], mebibytes, reasonOf: ({ how }) => reason(exceeds, { how }) };
}

export interface StartedCommand extends Command {
  /** Port of this machine's loopback address that leads to the command; undefined if it does not listen. */
  port: number | undefined;
}

/** Time limit of a command. */
export interface RunLimits {
  mostMs: number;
  /** Reason for ending a command that is late. */
  lateReason: Reason;
  signal: AbortSignal;
}

const MEBIBYTE = 2 ** 20;
/** Threads beyond its limit that a command may have until the next check, which ends it. */
const EXTRA_THREADS = 100;

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/**
 * Runs untrusted commands on this machine: builds and sites, each isolated from all others. `folder` is a private
 * folder of the server.
 */
export async function openSandbox(settings: IsolationSettings, folder: string, wardens: Wardens) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isolation = await chooseIsolation(settings, folder, wardens.groups !== undefined);
  const { ownDepth, account, refusal } = isolation;
  const networkPool = new NetworkPool({ isolation, groups: wardens.groups, home: join(folder, 'grounds') });
  /** Account that owns the files that commands write. */
  const owner = account ?? process.getuid?.() ?? 0;
  /** Running commands, each with its folders. */
  const running = new Map<Command, readonly string[]>();
  const closing = new AbortController();
  const killAll = () => {
    for (const command of running.keys()) command.kill(reason('stopped'));
  };
  // Commands are ended when the server exits without waiting: plain processes would outlive it.
  const killEverything = () => {
    killAll();
    killStrays([...running.values()].flat());
  };
  process.once('exit', killEverything);

  /**
   * Ends processes that a command without a sandbox has left in these folders, unless another running command may have
   * started them.
   */
  const killStrays = (folders: readonly string[]): void => {
    if (isolation.endsDescendants) return;
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

  const watchDiskLimits = (command: Command, { diskLimits: filled, limits }: SandboxTask): void => {
    const over = new AbortController();
    void command.ended.then(() => over.abort());
    const endForDeletedFiles = ({ how }: DiskExcess) => command.kill(reason('unlinked_exceeds', { how }));
    watchDeletedFiles(command.processes, owner, limits.diskMb, endForDeletedFiles, over.signal).catch(() =>
      command.kill(reason('stopped')),
    );
    for (const { folders, mebibytes, reasonOf: ends } of filled) {
      watchDisk(folders, mebibytes, (excess) => command.kill(ends(excess)), over.signal)
        // A command whose disk can't be watched is ended.
        .catch(() => command.kill(reason('stopped')));
    }
  };

  /**
   * Starts a command. `ended` resolves when no process of it runs any more and all its output has gone to `output`.
   * Throws a RuntimeFailure if untrusted commands may not run here.
   */
  const start = async (task: SandboxTask): Promise<StartedCommand> => {
    const { confined, limits, output, network: request = {} } = task;
    if (refusal) throw new RuntimeFailure(refusal);
    closing.signal.throwIfAborted();
    const pooled = await networkPool.open(request);
    const { listens = false, listensAt: innerPort } = request === 'none' ? {} : request;
    const port = listens ? pooled.port : undefined;
    let command: Command;
    try {
      // Closing during `open` would miss this command, which does not run yet.
      closing.signal.throwIfAborted();
      const invocation = isolation.confine({
        ...confined,
        variables: withHeapLimit(confined.variables, limits.memoryMb),
        groups: pooled.group?.mounts ?? [],
        port,
        innerPort,
        joins: pooled.network?.joins,
        mostFileBytes: limits.diskMb * MEBIBYTE,
        ...(!wardens.groups && { mostThreads: limits.processes + EXTRA_THREADS }),
      });
      command = startCommand(wardens.warden, pooled, invocation, limits, { output, ownDepth });
    } catch (error) {
      await pooled.end();
      throw error;
    }
    const folders = [confined.folder, confined.home];
    running.set(command, folders);
    watchDiskLimits(command, task);
    const ended = command.ended.then((end) => {
      running.delete(command);
      killStrays(folders);
      return end;
    });
    return { ...command, ended, port };
  };

  return {
    isolation,
    start,

    /** Runs a command to its end, at the latest until the signal aborts. */
    async run(task: SandboxTask, { mostMs, lateReason: late, signal }: RunLimits): Promise<End> {
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
    async changeOwner(tree: string, signal?: AbortSignal): Promise<void> {
      if (account !== undefined) await chownTree(tree, account, signal);
    },

    /** Makes an overlay layer for one command; undefined if overlays don't work here. Rejects if the path exists. */
    async makeLayer(path: string): Promise<string | undefined> {
      return isolation.hasOverlays ? makeOverlay(path, account) : undefined;
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
      await networkPool.close();
      process.off('exit', killEverything);
    },
  };
}
