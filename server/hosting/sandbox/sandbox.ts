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
  /** The largest file it may write; what its folders may hold is said by `filled`. */
  diskMb: number;
}

/** A stranger's command, and how much of the machine it may take. */
export interface Task {
  confined: Omit<Confined, 'mostFileBytes' | 'mostThreads' | 'joins' | 'groups' | 'port' | 'innerPort'>;
  /** What it is to reach, and whether it listens; what is open to sites, unless told. */
  network?: 'none' | NetworkRequest;
  limits: Limits;
  filled: readonly Filled[];
  output: Output;
}

/** Folders a command may fill, how far together, and how it ends when it goes beyond. */
export interface Filled {
  folders: readonly string[];
  mebibytes: number;
  ends: (excess: Excess) => Reason;
}

/** One folder, by the sentence of whose it is. */
export function mayFill(
  folder: string,
  exceeds: 'release_exceeds' | 'home_exceeds' | 'layer_exceeds' | 'volume_exceeds',
  mebibytes: number,
): Filled {
  return { folders: [folder], mebibytes, ends: ({ how }) => reason(exceeds, { how }) };
}

export interface Started extends Command {
  /** A port of this machine's loopback address that leads to where it is told to listen, if it is. */
  port: number | undefined;
}

/** When a command has to have ended. */
export interface RunLimits {
  mostMs: number;
  /** How one ends that has not. */
  late: Reason;
  signal: AbortSignal;
}

const MEBIBYTE = 2 ** 20;
/** Threads beyond its limit that a command may have until a look at it, by which it is ended. */
const BEYOND = 100;

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/**
 * What strangers' commands run within on this machine: builds and sites alike, and each of them apart from all others.
 * `folder` is one of ours.
 */
export async function openSandbox(settings: IsolationSettings, folder: string, wardens: Wardens) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isolation = await chooseIsolation(settings, folder, wardens.groups !== undefined);
  const { ownDepth, account, refusal } = isolation;
  const grounds = createNetworkPool({ isolation, groups: wardens.groups, home: join(folder, 'grounds') });
  /** Of what commands write. */
  const owner = account ?? process.getuid?.() ?? 0;
  /** Each with its folders. */
  const running = new Map<Command, readonly string[]>();
  const closing = new AbortController();
  const killAll = () => {
    for (const command of running.keys()) command.kill(reason('stopped'));
  };
  // A server that is told not to wait any longer leaves nobody behind: plain processes would outlive it.
  const leaveNobody = () => {
    killAll();
    endStrays([...running.values()].flat());
  };
  process.once('exit', leaveNobody);

  /** What a command without walls has left in these folders, unless another command that runs there may have. */
  const endStrays = (folders: readonly string[]): void => {
    if (isolation.encloses) return;
    // Before whose they are is looked up: what another command starts meanwhile is none of them.
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
        // One that nobody watches must not go on.
        .catch(() => command.kill(reason('stopped')));
    }
  };

  /**
   * `ended` is told when nothing of it runs any more, and all it wrote has been given to `output`. Throws a RuntimeFailure
   * where no stranger's command may run.
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
      // Whoever closes meanwhile ends what runs, and this does not yet.
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

    /** The same to its end, which the signal brings as well. */
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

    /** Makes a tree the account's own that commands run under. */
    async give(tree: string, signal?: AbortSignal): Promise<void> {
      if (account !== undefined) await chownTree(tree, account, signal);
    },

    /** Makes a layer for one command; undefined where there can be none. Rejects where one is there. */
    async layer(path: string): Promise<string | undefined> {
      return isolation.layers ? makeOverlay(path, account) : undefined;
    },

    /** Makes a folder that commands may write to, where there is none yet. */
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
