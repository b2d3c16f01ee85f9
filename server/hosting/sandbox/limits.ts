import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import type { ProcessLimits } from './cgroup-hierarchy.ts';
import { type ControlGroups, openControlGroups } from './cgroups.ts';
import type { ControlGroup, ExceededLimit } from './control-group.ts';
import { deletedOpenBytes } from './deleted-open-files.ts';
import { measureFolders, type Size } from './disk.ts';
import { exactMemory, ownMemory, type ProcessTable, readProcesses, threadsOf } from './processes.ts';

interface Watched {
  roots: readonly number[];
  limits: ProcessLimits;
  end(how: Reason): void;
  /**
   * Control group of the command's processes: the kernel counts memory and threads more exactly than the warden (the
   * server's own check once a second).
   */
  group: ControlGroup | undefined;
}

const LOOK_MS = 1_000;
/** Longest time between two measurements of folders whose size does not change. */
const CALM_MS = 4_000;
const MEBIBYTE = 2 ** 20;

export type Warden = ReturnType<typeof createWarden>;

/**
 * Counters of the memory and threads that commands use: the kernel's control groups if available, and the server's own
 * warden.
 */
export interface Wardens {
  warden: Warden;
  groups: ControlGroups | undefined;
}

/**
 * Opens the counters. `owner` names the data folder whose commands they count; `togetherMb` is the memory limit of all
 * commands together.
 */
export function openWardens(owner: string, togetherMb?: number): Wardens {
  return { warden: createWarden(), groups: openControlGroups(owner, togetherMb) };
}

/**
 * Warden: ends commands that exceed their limits of memory or threads; all commands are checked once a second. Without
 * control groups it counts the memory of processes by /proc. It can't count files in memory and shared memory that no
 * process maps, so the sandbox prevents commands from making these (system-calls.ts).
 */
export function createWarden() {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  const check = () => {
    // /proc is read only if a command has no control group: reading all of it is slow.
    let table: ProcessTable | undefined;
    const treesOf = (roots: readonly number[]) => {
      table ??= readProcesses();
      return roots.flatMap(table.treeOf);
    };
    for (const { roots, limits, end, group } of watched) {
      const reached = group ? group.exceededLimit() : limitReachedBy(treesOf(roots), limits);
      if (reached) end(excessReason(reached, limits));
    }
  };

  return {
    /**
     * Ends a command when it exceeds its limits of memory or threads. `roots`: ids of processes; each is counted with
     * all its descendants. The returned function ends the watch.
     */
    watch(
      roots: readonly number[],
      limits: ProcessLimits,
      end: (how: Reason) => void,
      group?: ControlGroup,
    ): () => void {
      const entry = { roots, limits, end, group };
      watched.add(entry);
      timer ??= setInterval(check, LOOK_MS).unref();
      return () => {
        watched.delete(entry);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

function limitReachedBy(tree: readonly { pid: number }[], limits: ProcessLimits): ExceededLimit | undefined {
  const sum = (of: (pid: number) => number) => tree.reduce((total, { pid }) => total + of(pid), 0);
  if (sum(threadsOf) > limits.processes) return 'processes';
  const most = limits.memoryMb * MEBIBYTE;
  // Memory that several processes share is first counted for each of them. Only if that sum is over the limit, it is
  // divided among them, which takes longer.
  return sum(ownMemory) > most && sum(exactMemory) > most ? 'memoryMb' : undefined;
}

export function excessReason(reached: ExceededLimit, { memoryMb, processes }: ProcessLimits): Reason {
  if (reached === 'together') return reason('too_much_together');
  return reached === 'memoryMb'
    ? reason('too_much_memory', { mebibytes: memoryMb })
    : reason('too_many_processes', { most: processes });
}

/** Excess of folders over their disk limit. */
export interface DiskExcess {
  /**
   * True if the folders hold more than their disk limit; false if their size can't be measured, which ends the command
   * too.
   */
  isFull: boolean;
  /** Reason for ending the command, such as "fills more than 64 MiB of disk". */
  how: Reason;
}

/** Calls `end` as soon as the folders together exceed their disk limit, until the signal aborts. Never rejects. */
export function watchDisk(
  folders: readonly string[],
  mebibytes: number,
  end: (excess: DiskExcess) => void,
  signal: AbortSignal,
): Promise<void> {
  return watchSize(() => measureFolders(folders, signal), mebibytes, end, signal);
}

/**
 * Calls `end` as soon as deleted files that processes still hold open, owned by the account, are over the limit. Never
 * rejects.
 */
export function watchDeletedFiles(
  processes: () => readonly number[],
  account: number,
  mebibytes: number,
  end: (excess: DiskExcess) => void,
  signal: AbortSignal,
): Promise<void> {
  const size = async () => ({ bytes: await deletedOpenBytes(processes(), account, mebibytes * MEBIBYTE) });
  return watchSize(size, mebibytes, end, signal);
}

async function watchSize(
  check: () => Promise<Size>,
  mebibytes: number,
  end: (excess: DiskExcess) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastBytes: number | undefined;
  let calmMs = LOOK_MS;
  for (let waitMs = LOOK_MS; ; ) {
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const began = performance.now();
    const size = await check();
    if (signal.aborted) return;
    const excess = excessIn(size, mebibytes);
    if (excess) return end(excess);
    const bytes = 'bytes' in size ? size.bytes : undefined;
    calmMs = bytes === lastBytes ? Math.min(calmMs * 2, CALM_MS) : LOOK_MS;
    lastBytes = bytes;
    // Trees of folders that take long to measure are measured less often.
    waitMs = Math.max(calmMs, (performance.now() - began) * 10);
  }
}

/**
 * Excess of folders that together hold more than `mebibytes`; otherwise undefined. Folders that can't be measured count
 * as over the limit.
 */
export async function measureExcess(
  folders: readonly string[],
  mebibytes: number,
  signal?: AbortSignal,
): Promise<DiskExcess | undefined> {
  return excessIn(await measureFolders(folders, signal), mebibytes);
}

function excessIn(size: Size, mebibytes: number): DiskExcess | undefined {
  if ('unknown' in size) return { isFull: false, how: reason('disk_unmeasured', { why: size.unknown }) };
  return size.bytes > mebibytes * MEBIBYTE
    ? { isFull: true, how: reason('disk_full', { mebibytes }) }
    : undefined;
}
