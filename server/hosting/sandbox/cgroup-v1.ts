import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountPoints, ownFolderIn, readFile, tryToWrite } from './cgroup-files.ts';
import {
  ALL_WEIGHT,
  bytesText,
  type Hierarchy,
  PERIOD_US,
  type ProcessLimits,
  quotaOf,
  weightOf,
} from './cgroup-hierarchy.ts';
import type { SandboxMount } from './confined.ts';

/** Size of a large page of memory, in bytes. */
const LARGE_PAGE = 4 * 2 ** 20;
/** Value of `cpu.shares`, in control groups of version 1, for a command with the processor weight 100. */
const SHARES = 1_024;

/** Control groups of version 1; undefined if this server may make none. */
export function openVersion1(name: string): Hierarchy | undefined {
  try {
    const roots = ['memory', 'pids'].map((controller) => makeRoot(controller, name));
    return new Version1([...roots, ...makeOptionalRoot('cpu', name)]);
  } catch {
    return undefined;
  }
}

function makeRoot(controller: string, name: string): string {
  const mount = mountPoints().find(({ type, options }) => type === 'cgroup' && options.includes(controller));
  if (!mount) throw new Error(`no ${controller} controller`);
  const root = join(ownFolderIn(mount, controller), name);
  mkdirSync(root, { recursive: true });
  return root;
}

function makeOptionalRoot(controller: string, name: string): string[] {
  try {
    return [makeRoot(controller, name)];
  } catch {
    return [];
  }
}

/** Control groups of version 1: one hierarchy for memory, one for pids and, if available, one for cpu. */
class Version1 implements Hierarchy {
  readonly roots: readonly string[];
  readonly peak = 'memory.max_usage_in_bytes';
  readonly outOfMemory = 'memory.oom_control';
  readonly memoryFiles = {
    used: 'memory.usage_in_bytes',
    stat: 'memory.stat',
    freeable: 'total_inactive_file',
  };

  constructor(roots: readonly string[]) {
    this.roots = roots;
  }

  memory([folder = '']: readonly string[]): string {
    return folder;
  }

  pids([, folder = '']: readonly string[]): string {
    return folder;
  }

  mountsOf(folders: readonly string[]): SandboxMount[] {
    return [{ folder: this.memory(folders), at: '/sys/fs/cgroup/memory' }];
  }

  isOwnLimit(folders: readonly string[]): boolean {
    const bytes = (name: string) => Number(readFile(join(this.memory(folders), name)));
    // The kernel's count of refusals, memory.failcnt, is of no use: it stays 0 on Linux 6.18. So the peak memory is
    // compared with the limit. A peak slightly below the limit also means that memory ran out, because the kernel may
    // have refused a whole large page.
    return bytes('memory.max_usage_in_bytes') > bytes('memory.limit_in_bytes') - LARGE_PAGE;
  }

  limitAll(memoryMb: number | undefined): void {
    if (memoryMb !== undefined) {
      tryToWrite(join(this.memory(this.roots), 'memory.limit_in_bytes'), bytesText(memoryMb));
    }
    limitShare(cpuFolder(this.roots), ALL_WEIGHT);
  }

  limit(folders: readonly string[], limits: ProcessLimits): void {
    const memory = this.memory(folders);
    writeFileSync(join(memory, 'memory.limit_in_bytes'), bytesText(limits.memoryMb));
    // A kernel that does not count swap has no file memory.memsw.limit_in_bytes.
    tryToWrite(join(memory, 'memory.memsw.limit_in_bytes'), bytesText(limits.memoryMb));
    writeFileSync(join(this.pids(folders), 'pids.max'), String(limits.processes));
    const cpu = cpuFolder(folders);
    limitShare(cpu, weightOf(limits));
    const quota = quotaOf(limits);
    if (cpu === undefined || quota === undefined) return;
    tryToWrite(join(cpu, 'cpu.cfs_period_us'), String(PERIOD_US));
    tryToWrite(join(cpu, 'cpu.cfs_quota_us'), String(quota));
  }
}

/** Folder among a control group's folders that limits processors; undefined without the cpu controller. */
function cpuFolder([, , folder]: readonly string[]): string | undefined {
  return folder;
}

function limitShare(folder: string | undefined, weight: number): void {
  if (folder) tryToWrite(join(folder, 'cpu.shares'), String(Math.round((weight * SHARES) / 100)));
}
