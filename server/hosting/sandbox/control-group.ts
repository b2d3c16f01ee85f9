import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countIn, processesIn, readFile, removeFolders } from './cgroup-files.ts';
import type { Hierarchy, ProcessLimits } from './cgroup-hierarchy.ts';
import type { SandboxMount } from './confined.ts';
import { signalProcess } from './processes.ts';

/** Limit that a command has reached: one of its own, or the memory of all commands together. */
export type ExceededLimit = 'memoryMb' | 'processes' | 'together';

const REMOVE_MS = 5_000;
const LONGEST_WAIT_MS = 20;

/** Control group of one command. */
export class ControlGroup {
  /**
   * Folders of the control group, one for each cgroup hierarchy: a process joins the group by writing its id into each
   * folder's `cgroup.procs`.
   */
  readonly folders: readonly string[];
  /** Mounts of the group's folders into the sandbox, so that programs find their limits at the kernel's usual paths. */
  readonly mounts: readonly SandboxMount[];
  readonly #hierarchy: Hierarchy;

  constructor(hierarchy: Hierarchy, folders: readonly string[]) {
    this.folders = folders;
    this.mounts = hierarchy.mountsOf(folders);
    this.#hierarchy = hierarchy;
  }

  limit(limits: ProcessLimits): void {
    this.#hierarchy.limit(this.folders, limits);
  }

  /** Limit that the control group has reached, if any. */
  exceededLimit(): ExceededLimit | undefined {
    const { folders } = this;
    const hierarchy = this.#hierarchy;
    if (countIn(join(hierarchy.memory(folders), hierarchy.outOfMemory), 'oom_kill') > 0) {
      return hierarchy.isOwnLimit(folders) ? 'memoryMb' : 'together';
    }
    return countIn(join(hierarchy.pids(folders), 'pids.events'), 'max') > 0 ? 'processes' : undefined;
  }

  /** Peak memory of the control group in bytes; undefined if the kernel does not report it. */
  peakBytes(): number | undefined {
    const hierarchy = this.#hierarchy;
    return Number(readFile(join(hierarchy.memory(this.folders), hierarchy.peak))) || undefined;
  }

  /** Memory of the control group in bytes, as `docker stats` shows it: without cached files that the kernel can free. */
  memoryBytes(): number {
    const { memoryFiles } = this.#hierarchy;
    const folder = this.#hierarchy.memory(this.folders);
    const used = Number(readFile(join(folder, memoryFiles.used)));
    return Math.max(0, used - countIn(join(folder, memoryFiles.stat), memoryFiles.freeable));
  }

  processes(): number[] {
    return this.folders.flatMap(processesIn);
  }

  /** Kills the group's processes except `besides`, and resolves when they have ended. Never rejects. */
  killExcept(besides: ReadonlySet<number>): Promise<void> {
    return waitUntil(() => this.#killAll().every((pid) => besides.has(pid)));
  }

  /**
   * Kills all processes and removes the group. The kernel needs some time to release ended processes. Never rejects.
   */
  remove(): Promise<void> {
    return waitUntil(() => {
      this.#killAll();
      return removeFolders(this.folders);
    });
  }

  /** Kills all processes of the control group, and returns their ids. */
  #killAll(): number[] {
    const pids = this.processes();
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    return pids;
  }
}

/**
 * Waits until `isDone` returns true, for 5 seconds at most: the kernel removes ended processes and groups in the
 * background. Never rejects unless `isDone` throws.
 */
export async function waitUntil(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + REMOVE_MS;
  for (let wait = 1; !isDone() && Date.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await sleep(wait);
  }
}
