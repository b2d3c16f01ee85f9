import { mkdir } from 'node:fs/promises';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';
import { type Command, startCommand } from './command.ts';
import type { Confined, IsolationSettings } from './confined.ts';
import { giveTree } from './disk.ts';
import type { ProcessLimits } from './groups.ts';
import { chooseIsolation } from './isolation.ts';
import { type Wardens, watchDisk } from './limits.ts';
import type { Output } from './lines.ts';
import { processesMarked, readProcesses, signalProcess } from './processes.ts';

export interface Limits extends ProcessLimits {
  /** Of each folder that it writes to; no file may be larger either. */
  diskMb: number;
}

/** A stranger's command, and how much of the machine it may take. */
export interface Task {
  confined: Omit<Confined, 'mostFileBytes'>;
  limits: Limits;
  /** Folders it may fill, and how a command ends that overfills one. */
  filled: readonly { folder: string; exceeds: 'release_exceeds' | 'home_exceeds' }[];
  output: Output;
}

const MEBIBYTE = 2 ** 20;

export type Walls = Awaited<ReturnType<typeof openWalls>>;

/**
 * What strangers' commands run within on this machine: builds and sites alike, and each of them apart from all others.
 * `folder` is one of ours.
 */
export async function openWalls(settings: IsolationSettings, folder: string, wardens: Wardens) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isolation = await chooseIsolation(settings, folder);
  const { ownDepth, account, refusal } = isolation;
  const running = new Set<Command>();
  const closing = new AbortController();
  const killAll = () => {
    for (const command of running) command.kill(reason('stopped'));
  };
  // A server that is told not to wait any longer leaves nobody behind: plain processes would outlive it.
  process.once('exit', killAll);

  /** What a command without walls has left in these folders, unless another command that runs there may have. */
  const endStrays = (folders: readonly string[]): void => {
    if (isolation.encloses) return;
    const table = readProcesses();
    const known = new Set(
      [...running].flatMap(({ pid }) => (pid === undefined ? [] : table.treeOf(pid).map((one) => one.pid))),
    );
    for (const pid of folders.flatMap((one) => processesMarked(`${one}/`))) {
      if (!known.has(pid)) signalProcess(pid, 'SIGKILL');
    }
  };

  const watchFilled = (command: Command, { filled, limits }: Task): void => {
    const over = new AbortController();
    void command.ended.then(() => over.abort());
    for (const { folder: one, exceeds } of filled) {
      watchDisk([one], limits.diskMb, ({ how }) => command.kill(reason(exceeds, { how })), over.signal)
        // One that nobody watches must not go on.
        .catch(() => command.kill(reason('stopped')));
    }
  };

  return {
    isolation,
    /** Aborts when nothing may be begun any more. */
    closing: closing.signal,

    /** Throws a RuntimeFailure where no stranger's command may run. */
    refuseUnsafe(): void {
      if (refusal) throw new RuntimeFailure(refusal);
    },

    /** Makes a tree the account's own that commands run under. */
    async give(tree: string): Promise<void> {
      if (account !== undefined) await giveTree(tree, account);
    },

    /** Makes a folder that commands may write to, where there is none yet. */
    async ownFolder(path: string): Promise<string> {
      await mkdir(path, { recursive: true, mode: 0o700 });
      if (account !== undefined) await giveTree(path, account);
      return path;
    },

    /** `ended` is told when nothing of it runs any more, and all it wrote has been given to `output`. */
    start(task: Task): Command {
      closing.signal.throwIfAborted();
      const { confined, limits, output } = task;
      const mostFileBytes = limits.diskMb * MEBIBYTE;
      const invocation = isolation.confine({ ...confined, mostFileBytes });
      const command = startCommand(wardens, invocation, limits, output, ownDepth);
      running.add(command);
      watchFilled(command, task);
      const ended = command.ended.then((end) => {
        running.delete(command);
        endStrays([confined.folder, confined.home]);
        return end;
      });
      return { ...command, ended };
    },

    /** Ends every command at once. */
    async close(): Promise<void> {
      closing.abort();
      const ends = [...running].map(({ ended }) => ended);
      killAll();
      await Promise.all(ends);
      process.off('exit', killAll);
    },
  };
}
