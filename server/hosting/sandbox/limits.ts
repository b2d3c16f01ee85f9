import { setTimeout as sleep } from 'node:timers/promises';
import { type Reason, reason } from '../model/reasons/reason.ts';
import {
  type ControlGroup,
  type ControlGroups,
  type Met,
  openControlGroups,
  type ProcessLimits,
} from './cgroups.ts';
import { deletedOpenBytes } from './deleted-open-files.ts';
import { measure, type Size } from './disk.ts';
import { exactMemory, ownMemory, type ProcessTable, readProcesses, threadsOf } from './processes.ts';

interface Watched {
  roots: readonly number[];
  limits: ProcessLimits;
  end(how: Reason): void;
  /** Its control group, which counts better than we do. */
  group: ControlGroup | undefined;
}

const LOOK_MS = 1_000;
/** The longest between two looks at folders that stay as large as they are. */
const CALM_MS = 4_000;
const MEBIBYTE = 2 ** 20;

export type Warden = ReturnType<typeof createWarden>;

/** Who counts what commands take: the kernel where it can, and we. */
export interface Wardens {
  warden: Warden;
  groups: ControlGroups | undefined;
}

/** `owner` names the folder whose commands they count; `togetherMb` is the memory of all of them. */
export function openWardens(owner: string, togetherMb?: number): Wardens {
  return { warden: createWarden(), groups: openControlGroups(owner, togetherMb) };
}

/**
 * Ends what takes more memory or threads than it may, by a look at all of them every second. Without control groups it
 * counts by /proc: what a process holds, but not files in memory, nor what is shared and mapped by nobody, which a sandbox
 * keeps it from having (system-calls.ts).
 */
export function createWarden() {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    // The kernel counts for most, and all of /proc is much to read.
    let table: ProcessTable | undefined;
    const treesOf = (roots: readonly number[]) => {
      table ??= readProcesses();
      return roots.flatMap(table.treeOf);
    };
    for (const { roots, limits, end, group } of watched) {
      const met = group ? group.met() : metBy(treesOf(roots), limits);
      if (met) end(excessReason(met, limits));
    }
  };

  return {
    /** Watches the trees of processes below `roots` together, until the returned function is called. */
    watch(
      roots: readonly number[],
      limits: ProcessLimits,
      end: (how: Reason) => void,
      group?: ControlGroup,
    ): () => void {
      const one = { roots, limits, end, group };
      watched.add(one);
      timer ??= setInterval(look, LOOK_MS).unref();
      return () => {
        watched.delete(one);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

function metBy(tree: readonly { pid: number }[], limits: ProcessLimits): Met | undefined {
  const sum = (of: (pid: number) => number) => tree.reduce((total, { pid }) => total + of(pid), 0);
  if (sum(threadsOf) > limits.processes) return 'processes';
  const most = limits.memoryMb * MEBIBYTE;
  // What several share counts for each of them at first; to share it out takes longer.
  return sum(ownMemory) > most && sum(exactMemory) > most ? 'memoryMb' : undefined;
}

export function excessReason(met: Met, { memoryMb, processes }: ProcessLimits): Reason {
  if (met === 'together') return reason('too_much_together');
  return met === 'memoryMb'
    ? reason('too_much_memory', { mebibytes: memoryMb })
    : reason('too_many_processes', { most: processes });
}

/** Why folders are not to be kept as they are. */
export interface Excess {
  /** They hold more than they may; else they can't be measured. */
  full: boolean;
  /** Such as "fills more than 64 MiB of disk". */
  how: Reason;
}

/** Calls `end` once the folders together are over their limit, until the signal. Never rejects. */
export function watchDisk(
  folders: readonly string[],
  mebibytes: number,
  end: (excess: Excess) => void,
  signal: AbortSignal,
): Promise<void> {
  return watchSize(() => measure(folders, signal), mebibytes, end, signal);
}

/** The same of what processes hold of an account's removed files, which no folder has any more. */
export function watchDeletedFiles(
  processes: () => readonly number[],
  account: number,
  mebibytes: number,
  end: (excess: Excess) => void,
  signal: AbortSignal,
): Promise<void> {
  const size = async () => ({ bytes: await deletedOpenBytes(processes(), account, mebibytes * MEBIBYTE) });
  return watchSize(size, mebibytes, end, signal);
}

async function watchSize(
  look: () => Promise<Size>,
  mebibytes: number,
  end: (excess: Excess) => void,
  signal: AbortSignal,
): Promise<void> {
  let before: number | undefined;
  let calm = LOOK_MS;
  for (let wait = LOOK_MS; ; ) {
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const began = performance.now();
    const size = await look();
    if (signal.aborted) return;
    const excess = excessIn(size, mebibytes);
    if (excess) return end(excess);
    const bytes = 'bytes' in size ? size.bytes : undefined;
    calm = bytes === before ? Math.min(calm * 2, CALM_MS) : LOOK_MS;
    before = bytes;
    // A tree that is long to look through is looked through less often.
    wait = Math.max(calm, (performance.now() - began) * 10);
  }
}

/** What is wrong when the folders together hold more than `mebibytes`. What can't be measured is over any limit. */
export async function excessOf(
  folders: readonly string[],
  mebibytes: number,
  signal?: AbortSignal,
): Promise<Excess | undefined> {
  return excessIn(await measure(folders, signal), mebibytes);
}

function excessIn(size: Size, mebibytes: number): Excess | undefined {
  if ('unknown' in size) return { full: false, how: reason('disk_unmeasured', { why: size.unknown }) };
  return size.bytes > mebibytes * MEBIBYTE
    ? { full: true, how: reason('disk_full', { mebibytes }) }
    : undefined;
}
