import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/identifiers.ts';
import type { SandboxMount } from './confined.ts';
import { readProcesses, signalProcess } from './processes.ts';

export interface ProcessLimits {
  memoryMb: number;
  /** Maximum number of threads, of all processes together: threads are what the kernel limits. */
  processes: number;
  /** Number of processors that the command may keep busy, such as 1.5; undefined: no limit. */
  cpus?: number | undefined;
  /** True if the command gets a smaller share of a busy machine than a site. */
  isBackground?: boolean;
}

/** Limit that a command has reached: one of its own, or the memory of all commands together. */
export type ExceededLimit = 'memoryMb' | 'processes' | 'together';

/** Control groups (cgroups(7)): the kernel itself counts a command's memory of any kind, and its threads. */
export interface ControlGroups {
  /** Makes a group without limits. */
  make(): ControlGroup;
  /**
   * Ends and removes the groups of a previous run of this server, and removes empty groups of servers that are gone.
   */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Control group of one command. */
export interface ControlGroup {
  /**
   * Folders of the group, one for each hierarchy: a process joins by writing its id into each folder's `cgroup.procs`.
   */
  readonly folders: readonly string[];
  /** Mounts by which programs in the sandbox find their limits at the usual paths. */
  readonly mounts: readonly SandboxMount[];
  limit(limits: ProcessLimits): void;
  /** Limit that the group has reached, if any. */
  exceededLimit(): ExceededLimit | undefined;
  /** Peak memory in bytes; undefined if the kernel does not tell. */
  peakBytes(): number | undefined;
  processes(): number[];
  /** Kills the group's processes except `besides`, and resolves when they have ended. Never rejects. */
  killExcept(besides: ReadonlySet<number>): Promise<void>;
  /**
   * Kills all processes and removes the group. The kernel needs some time to release ended processes. Never rejects.
   */
  remove(): Promise<void>;
}

const MEBIBYTE = 2 ** 20;
const REMOVE_MS = 5_000;
const LONGEST_WAIT_MS = 20;

/**
 * Control groups for commands; undefined if this server may make none. `owner` names the folder whose commands they are
 * for; `togetherMb` is the memory limit of all of them together.
 */
export function openControlGroups(owner: string, togetherMb?: number): ControlGroups | undefined {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 12);
  const name = `simcha-${hash}-${process.pid}`;
  const hierarchy = openVersion2(name) ?? openVersion1(name);
  if (!hierarchy) return undefined;
  hierarchy.limitAll(togetherMb);
  const groupIn = (folders: string[]): ControlGroup => ({
    folders,
    mounts: hierarchy.mountsOf(folders),
    limit: (limits) => hierarchy.limit(folders, limits),
    exceededLimit: () => {
      if (count(join(hierarchy.memory(folders), hierarchy.outOfMemory), 'oom_kill') > 0) {
        return hierarchy.isOwnLimit(folders) ? 'memoryMb' : 'together';
      }
      return count(join(hierarchy.pids(folders), 'pids.events'), 'max') > 0 ? 'processes' : undefined;
    },
    peakBytes: () => Number(read(join(hierarchy.memory(folders), hierarchy.peak))) || undefined,
    processes: () => folders.flatMap(processesIn),
    killExcept: (besides) => waitUntil(() => killProcessesIn(folders).every((pid) => besides.has(pid))),
    remove: () =>
      waitUntil(() => {
        killProcessesIn(folders);
        return folders.filter((folder) => !removeFolder(folder)).length === 0;
      }),
  });
  return {
    make() {
      const id = newId();
      const folders = hierarchy.roots.map((root) => join(root, id));
      for (const folder of folders) mkdirSync(folder, { recursive: true });
      return groupIn(folders);
    },
    async sweep() {
      const earlier = siblingsOf(hierarchy.roots).filter((one) => one.startsWith(`simcha-${hash}-`));
      for (const one of [name, ...earlier]) {
        const roots = hierarchy.roots.map((root) => join(dirname(root), one));
        const left = [...new Set(roots.flatMap(foldersIn))];
        await Promise.all(left.map((id) => groupIn(roots.map((root) => join(root, id))).remove()));
        if (one !== name) for (const root of roots) removeFolder(root);
      }
      // The limit for all is set again: the kernel refused it while leftover groups used more.
      hierarchy.limitAll(togetherMb);
      for (const one of siblingsOf(hierarchy.roots))
        removeAbandoned(hierarchy.roots.map((root) => join(dirname(root), one)));
    },
    close: () => waitUntil(() => hierarchy.roots.filter((root) => !removeFolder(root)).length === 0),
  };
}

/** Name of a server's root group: `simcha-<hash of its data folder>-<pid>`. */
const ROOT_NAME = /^simcha-[0-9a-f]{12}-(\d+)$/;

/** Names of other servers' root groups beside ours. */
function siblingsOf(roots: readonly string[]): string[] {
  const ours = new Set(roots.map((root) => basename(root)));
  const names = new Set(roots.flatMap((root) => foldersIn(dirname(root))));
  return [...names].filter((name) => ROOT_NAME.test(name) && !ours.has(name));
}

/** Removes the groups of a server that is gone, unless a process still runs in one of them. */
function removeAbandoned(roots: readonly string[]): void {
  const [, pid = ''] = ROOT_NAME.exec(basename(roots[0] ?? '')) ?? [];
  if (existsSync(`/proc/${pid}`)) return;
  // The kernel removes no group that has processes or groups within.
  for (const root of roots) {
    for (const id of foldersIn(root)) removeFolder(join(root, id));
    removeFolder(root);
  }
}

/** Kills the processes in these folders. Returns the ids of those that were still there. */
function killProcessesIn(folders: readonly string[]): number[] {
  const pids = folders.flatMap(processesIn);
  for (const pid of pids) signalProcess(pid, 'SIGKILL');
  return pids;
}

async function waitUntil(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + REMOVE_MS;
  for (let wait = 1; !isDone() && Date.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await sleep(wait);
  }
}

interface Hierarchy {
  /** Folders in which the commands' groups are made, one for each hierarchy. */
  roots: string[];
  memory(folders: readonly string[]): string;
  pids(folders: readonly string[]): string;
  mountsOf(folders: readonly string[]): SandboxMount[];
  /** Name of the file with the peak memory. */
  peak: string;
  /** Name of the file that counts how often memory ran out. */
  outOfMemory: string;
  /** True if memory ran out by the limit of these folders, false if by the limit of all commands together. */
  isOwnLimit(folders: readonly string[]): boolean;
  limit(folders: readonly string[], limits: ProcessLimits): void;
  /** Limits all commands together: their memory, and a smaller processor weight than the server's. */
  limitAll(memoryMb: number | undefined): void;
}

/** Processor weight of all commands together; everything else on the machine has 100. */
const ALL_WEIGHT = 50;
/** Processor weights of commands relative to each other. */
const WEIGHTS = { site: 100, background: 25 };
const PERIOD_US = 100_000;
const LARGE_PAGES = 4 * MEBIBYTE;
/** Version 1's `cpu.shares` that correspond to a weight of 100. */
const SHARES = 1_024;

function weightOf({ isBackground = false }: ProcessLimits): number {
  return isBackground ? WEIGHTS.background : WEIGHTS.site;
}

function quotaOf({ cpus }: ProcessLimits): number | undefined {
  return cpus === undefined ? undefined : Math.round(cpus * PERIOD_US);
}

/**
 * Control groups of version 2, as systemd sets them up: in the nearest ancestor folder that delegates memory and pids.
 */
function openVersion2(name: string): Hierarchy | undefined {
  const mount = mountPoints().find(({ type }) => type === 'cgroup2');
  if (!mount) return undefined;
  const ours = folderOf(mount, '');
  for (let at = ours; at.length >= mount.point.length && at !== '/'; at = dirname(at)) {
    const hierarchy = openVersion2In(at, name);
    if (hierarchy) return hierarchy;
  }
  // systemd starts the server in the delegated folder itself (unless DelegateSubgroup= says otherwise, since version
  // 254).
  return divideFromWithin(ours, () => openVersion2In(ours, name));
}

/** undefined if the folder is not ours to divide, lacks a controller that we need, or has processes in it. */
export function openVersion2In(parent: string, name: string): Hierarchy | undefined {
  if (!hasControllers(parent, AVAILABLE)) return undefined;
  const root = join(parent, name);
  try {
    if (!hasControllers(parent, DELEGATED)) writeFileSync(join(parent, DELEGATED), ADD);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, DELEGATED), ADD);
    // The cpu controller is optional: not every parent delegates it.
    for (const folder of [parent, root]) tryToWrite(join(folder, DELEGATED), ADD_CPU);
    const singleFolder = ([folder = '']: readonly string[]) => folder;
    return {
      roots: [root],
      memory: singleFolder,
      pids: singleFolder,
      mountsOf: (folders) => [{ folder: singleFolder(folders), at: '/sys/fs/cgroup' }],
      // memory.peak exists since Linux 5.19.
      peak: 'memory.peak',
      outOfMemory: 'memory.events',
      isOwnLimit: (folders) => {
        const events = join(singleFolder(folders), 'memory.events.local');
        // memory.events.local exists since Linux 5.2.
        return !existsSync(events) || count(events, 'oom') > 0;
      },
      limitAll(memoryMb) {
        if (memoryMb !== undefined) tryToWrite(join(root, 'memory.max'), String(memoryMb * MEBIBYTE));
        tryToWrite(join(root, 'cpu.weight'), String(ALL_WEIGHT));
      },
      limit(folders, limits) {
        const { memoryMb, processes } = limits;
        const folder = singleFolder(folders);
        writeFileSync(join(folder, 'memory.max'), String(memoryMb * MEBIBYTE));
        // A machine without swap has no such file.
        tryToWrite(join(folder, 'memory.swap.max'), '0');
        writeFileSync(join(folder, 'pids.max'), String(processes));
        tryToWrite(join(folder, 'cpu.weight'), String(weightOf(limits)));
        const quota = quotaOf(limits);
        if (quota !== undefined) tryToWrite(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
      },
    };
  } catch {
    removeFolder(root);
    return undefined;
  }
}

/**
 * Divides the folder that this server is in, from a subfolder of it: a folder with processes in it can't be divided, so
 * the server moves into the subfolder first, and back if dividing fails. Other processes in the folder, such as a login
 * shell, are not ours to move: then nothing is divided.
 */
function divideFromWithin(folder: string, divide: () => Hierarchy | undefined): Hierarchy | undefined {
  if (!hasControllers(folder, AVAILABLE)) return undefined;
  const members = processesIn(folder);
  const ours = new Set(
    readProcesses()
      .treeOf(process.pid)
      .map(({ pid }) => pid),
  );
  if (!members.includes(process.pid) || members.some((pid) => !ours.has(pid))) return undefined;
  const serverFolder = join(folder, 'server');
  try {
    mkdirSync(serverFolder, { recursive: true });
    for (const pid of members) writeFileSync(join(serverFolder, 'cgroup.procs'), String(pid));
    const hierarchy = divide();
    if (hierarchy) return hierarchy;
  } catch {
    // The processes are moved back below, as when the folder can't be divided.
  }
  for (const text of [REMOVE_CPU, REMOVE]) tryToWrite(join(folder, DELEGATED), text);
  for (const pid of members) tryToWrite(join(folder, 'cgroup.procs'), String(pid));
  removeFolder(serverFolder);
  return undefined;
}

const AVAILABLE = 'cgroup.controllers';
const DELEGATED = 'cgroup.subtree_control';
const ADD = '+memory +pids';
const ADD_CPU = '+cpu';
const REMOVE = '-memory -pids';
const REMOVE_CPU = '-cpu';

/** True if this file of a folder names all controllers that we need. */
function hasControllers(folder: string, file: typeof AVAILABLE | typeof DELEGATED): boolean {
  const names = read(join(folder, file)).split(/\s/);
  return ['memory', 'pids'].every((one) => names.includes(one));
}

/** Control groups of version 1: one hierarchy for memory, one for pids and, if available, one for cpu. */
function openVersion1(name: string): Hierarchy | undefined {
  const rootOf = (controller: string): string => {
    const mount = mountPoints().find(
      ({ type, options }) => type === 'cgroup' && options.includes(controller),
    );
    if (!mount) throw new Error(`no ${controller} controller`);
    const root = join(folderOf(mount, controller), name);
    mkdirSync(root, { recursive: true });
    return root;
  };
  const optionalRoot = (controller: string): string[] => {
    try {
      return [rootOf(controller)];
    } catch {
      return [];
    }
  };
  try {
    const roots = [...['memory', 'pids'].map(rootOf), ...optionalRoot('cpu')];
    const memory = ([folder = '']: readonly string[]) => folder;
    const pids = ([, folder = '']: readonly string[]) => folder;
    const cpu = ([, , folder]: readonly string[]) => folder;
    const share = (folder: string | undefined, weight: number) => {
      if (folder) tryToWrite(join(folder, 'cpu.shares'), String(Math.round((weight * SHARES) / 100)));
    };
    return {
      roots,
      memory,
      pids,
      mountsOf: (folders) => [{ folder: memory(folders), at: '/sys/fs/cgroup/memory' }],
      peak: 'memory.max_usage_in_bytes',
      outOfMemory: 'memory.oom_control',
      // memory.failcnt can't be used here: it stays 0 on Linux 6.18. A large page may have been refused below the
      // limit.
      isOwnLimit: (folders) => {
        const bytes = (name: string) => Number(read(join(memory(folders), name)));
        return bytes('memory.max_usage_in_bytes') > bytes('memory.limit_in_bytes') - LARGE_PAGES;
      },
      limitAll(memoryMb) {
        if (memoryMb !== undefined) {
          tryToWrite(join(memory(roots), 'memory.limit_in_bytes'), String(memoryMb * MEBIBYTE));
        }
        share(cpu(roots), ALL_WEIGHT);
      },
      limit(folders, limits) {
        const { memoryMb, processes } = limits;
        writeFileSync(join(memory(folders), 'memory.limit_in_bytes'), String(memoryMb * MEBIBYTE));
        // Not every kernel counts swap.
        tryToWrite(join(memory(folders), 'memory.memsw.limit_in_bytes'), String(memoryMb * MEBIBYTE));
        writeFileSync(join(pids(folders), 'pids.max'), String(processes));
        const folder = cpu(folders);
        share(folder, weightOf(limits));
        const quota = quotaOf(limits);
        if (folder === undefined || quota === undefined) return;
        tryToWrite(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
        tryToWrite(join(folder, 'cpu.cfs_quota_us'), String(quota));
      },
    };
  } catch {
    return undefined;
  }
}

interface MountPoint {
  /** Path within the hierarchy that is mounted, and the mount point. */
  root: string;
  point: string;
  type: string;
  options: string[];
}

/** Parses /proc/self/mountinfo as described in proc(5). */
function mountPoints(): MountPoint[] {
  return read('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ', 2);
      const [, , , root = '', point = ''] = before.split(' ');
      const [type = '', , options = ''] = after.split(' ');
      return { root, point, type, options: options.split(',') };
    });
}

/** Folder of this process in a controller's hierarchy. Version 2 has one hierarchy, with an empty name. */
function folderOf({ root, point }: MountPoint, controller: string): string {
  const line = read('/proc/self/cgroup')
    .split('\n')
    .find((one) => one.split(':', 2)[1]?.split(',').includes(controller));
  const path = line?.split(':').slice(2).join(':') ?? '/';
  return path.startsWith(root) ? join(point, path.slice(root.length)) : point;
}

/** Value of a name in a file of names and numbers. */
function count(file: string, name: string): number {
  const line = read(file)
    .split('\n')
    .find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}

function processesIn(folder: string): number[] {
  return read(join(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
}

function foldersIn(root: string): string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function tryToWrite(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    // The caller can do without.
  }
}

/**
 * Removes a group: removing its folder removes its files too, if no process is left in it. Returns true if it is gone.
 */
function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Content of a file; empty if it can't be read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
