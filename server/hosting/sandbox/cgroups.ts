import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/identifiers.ts';
import type { Mount } from './confined.ts';
import { readProcesses, signalProcess } from './processes.ts';

export interface ProcessLimits {
  memoryMb: number;
  /** Threads, of all processes together: it is threads that a machine has a number of. */
  processes: number;
  /** Processors that it may keep busy, such as 1.5; undefined: as many as there are. */
  cpus?: number | undefined;
  /** It has less of a busy machine than a site. */
  isBackground?: boolean;
}

/** What a command has met: a limit of its own, or the one of all commands together. */
export type Met = 'memoryMb' | 'processes' | 'together';

/** Control groups (cgroups(7)): the kernel itself counts a command's memory of any kind, and its threads. */
export interface ControlGroups {
  /** One that has no limits yet. */
  make(): ControlGroup;
  /** Ends and removes what an earlier life left, and removes empty groups of servers that are gone. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** One command's. */
export interface ControlGroup {
  /** Its folders: a process belongs to it that has written itself into each one's `cgroup.procs`. */
  readonly folders: readonly string[];
  /** Where programs look for its limits, as on any machine. */
  readonly shown: readonly Mount[];
  limit(limits: ProcessLimits): void;
  /** The limit that it has met. */
  met(): Met | undefined;
  /** The most memory that it has had, as far as the kernel tells. */
  peakBytes(): number | undefined;
  processes(): number[];
  /** Ends what is still in it, and resolves when that has, but for those `besides` it. Never rejects. */
  clear(besides: ReadonlySet<number>): Promise<void>;
  /** The same, and removes it: the kernel takes its time to let go of what has ended. Never rejects. */
  remove(): Promise<void>;
}

const MEBIBYTE = 2 ** 20;
const REMOVE_MS = 5_000;
const LONGEST_WAIT_MS = 20;

/**
 * undefined where this server may make none. `owner` names the folder whose commands they are; `togetherMb` is the memory
 * of all of them.
 */
export function openControlGroups(owner: string, togetherMb?: number): ControlGroups | undefined {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 12);
  const name = `simcha-${hash}-${process.pid}`;
  const kind = openSecond(name) ?? openFirst(name);
  if (!kind) return undefined;
  kind.limitAll(togetherMb);
  const groupIn = (folders: string[]): ControlGroup => ({
    folders,
    shown: kind.shown(folders),
    limit: (limits) => kind.limit(folders, limits),
    met: () => {
      if (count(join(kind.memory(folders), kind.outOfMemory), 'oom_kill') > 0) {
        return kind.isOwnLimit(folders) ? 'memoryMb' : 'together';
      }
      return count(join(kind.pids(folders), 'pids.events'), 'max') > 0 ? 'processes' : undefined;
    },
    peakBytes: () => Number(read(join(kind.memory(folders), kind.peak))) || undefined,
    processes: () => folders.flatMap(processesIn),
    clear: (besides) => untilSo(() => killed(folders).every((pid) => besides.has(pid))),
    remove: () =>
      untilSo(() => {
        killed(folders);
        return folders.filter((folder) => !removed(folder)).length === 0;
      }),
  });
  return {
    make() {
      const id = newId();
      const folders = kind.roots.map((root) => join(root, id));
      for (const folder of folders) mkdirSync(folder, { recursive: true });
      return groupIn(folders);
    },
    async sweep() {
      const earlier = siblingsOf(kind.roots).filter((one) => one.startsWith(`simcha-${hash}-`));
      for (const one of [name, ...earlier]) {
        const roots = kind.roots.map((root) => join(dirname(root), one));
        const left = [...new Set(roots.flatMap(foldersIn))];
        await Promise.all(left.map((id) => groupIn(roots.map((root) => join(root, id))).remove()));
        if (one !== name) for (const root of roots) removed(root);
      }
      // Refused before, where what was left had more.
      kind.limitAll(togetherMb);
      for (const one of siblingsOf(kind.roots))
        removeAbandoned(kind.roots.map((root) => join(dirname(root), one)));
    },
    close: () => untilSo(() => kind.roots.filter((root) => !removed(root)).length === 0),
  };
}

/** `simcha-<hash of its data folder>-<pid>`, of each server that makes groups. */
const ROOT_NAME = /^simcha-[0-9a-f]{12}-(\d+)$/;

/** The names of other servers' groups, beside ours. */
function siblingsOf(roots: readonly string[]): string[] {
  const ours = new Set(roots.map((root) => basename(root)));
  const names = new Set(roots.flatMap((root) => foldersIn(dirname(root))));
  return [...names].filter((name) => ROOT_NAME.test(name) && !ours.has(name));
}

/** Removes the groups of a server that is gone, unless something still runs in one of them. */
function removeAbandoned(roots: readonly string[]): void {
  const [, pid = ''] = ROOT_NAME.exec(basename(roots[0] ?? '')) ?? [];
  if (existsSync(`/proc/${pid}`)) return;
  // The kernel removes no group that has processes or groups within.
  for (const root of roots) {
    for (const id of foldersIn(root)) removed(join(root, id));
    removed(root);
  }
}

/** The processes that stood in them. */
function killed(folders: readonly string[]): number[] {
  const pids = folders.flatMap(processesIn);
  for (const pid of pids) signalProcess(pid, 'SIGKILL');
  return pids;
}

async function untilSo(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + REMOVE_MS;
  for (let wait = 1; !isSo() && Date.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await sleep(wait);
  }
}

interface Kind {
  /** Where a command's folders are made. */
  roots: string[];
  memory(folders: readonly string[]): string;
  pids(folders: readonly string[]): string;
  shown(folders: readonly string[]): Mount[];
  /** The file of the most memory that was used. */
  peak: string;
  /** The file that tells how often memory ran out. */
  outOfMemory: string;
  /** Whether memory ran out by the limit of these folders, not by that of all. */
  isOwnLimit(folders: readonly string[]): boolean;
  limit(folders: readonly string[], limits: ProcessLimits): void;
  /** What all commands have together: memory, and less of a busy machine than the server. */
  limitAll(memoryMb: number | undefined): void;
}

/** Shares of a busy machine, of 100 for anything else on it. */
const ALL_WEIGHT = 50;
/** Among commands. */
const WEIGHTS = { site: 100, background: 25 };
const PERIOD_US = 100_000;
const LARGE_PAGES = 4 * MEBIBYTE;
/** Of version 1, for a weight of 100. */
const SHARES = 1_024;

function weightOf({ isBackground = false }: ProcessLimits): number {
  return isBackground ? WEIGHTS.background : WEIGHTS.site;
}

function quotaOf({ cpus }: ProcessLimits): number | undefined {
  return cpus === undefined ? undefined : Math.round(cpus * PERIOD_US);
}

/** Version 2, as systemd has it: in the nearest folder above us that hands memory and processes on to its own folders. */
function openSecond(name: string): Kind | undefined {
  const mount = mounts().find(({ type }) => type === 'cgroup2');
  if (!mount) return undefined;
  const ours = folderOf(mount, '');
  for (let at = ours; at.length >= mount.point.length && at !== '/'; at = dirname(at)) {
    const kind = secondIn(at, name);
    if (kind) return kind;
  }
  // systemd starts us in the very folder that it hands over (unless told otherwise: DelegateSubgroup=, since 254).
  return beside(ours, () => secondIn(ours, name));
}

/** undefined where the folder is not ours to divide, has not what we count by, or processes stand in it. */
export function secondIn(parent: string, name: string): Kind | undefined {
  if (!counts(parent, AVAILABLE)) return undefined;
  const root = join(parent, name);
  try {
    if (!counts(parent, HANDED_ON)) writeFileSync(join(parent, HANDED_ON), ADD);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, HANDED_ON), ADD);
    // Not every parent has processors to hand on.
    for (const folder of [parent, root]) tryToWrite(join(folder, HANDED_ON), ADD_CPU);
    const only = ([folder = '']: readonly string[]) => folder;
    return {
      roots: [root],
      memory: only,
      pids: only,
      shown: (folders) => [{ folder: only(folders), at: '/sys/fs/cgroup' }],
      // Since Linux 5.19.
      peak: 'memory.peak',
      outOfMemory: 'memory.events',
      isOwnLimit: (folders) => {
        const events = join(only(folders), 'memory.events.local');
        // Since Linux 5.2.
        return !existsSync(events) || count(events, 'oom') > 0;
      },
      limitAll(memoryMb) {
        if (memoryMb !== undefined) tryToWrite(join(root, 'memory.max'), String(memoryMb * MEBIBYTE));
        tryToWrite(join(root, 'cpu.weight'), String(ALL_WEIGHT));
      },
      limit(folders, limits) {
        const { memoryMb, processes } = limits;
        const folder = only(folders);
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
    removed(root);
    return undefined;
  }
}

/**
 * Divides the folder that we stand in from one of its own within, for whoever divides a folder may not stand in it; where that
 * fails, we stand where we stood. Who else stands there, such as a login's shell, is not ours to move: then it is not divided.
 */
function beside(folder: string, divide: () => Kind | undefined): Kind | undefined {
  if (!counts(folder, AVAILABLE)) return undefined;
  const standing = processesIn(folder);
  const ours = new Set(
    readProcesses()
      .treeOf(process.pid)
      .map(({ pid }) => pid),
  );
  if (!standing.includes(process.pid) || standing.some((pid) => !ours.has(pid))) return undefined;
  const aside = join(folder, 'server');
  try {
    mkdirSync(aside, { recursive: true });
    for (const pid of standing) writeFileSync(join(aside, 'cgroup.procs'), String(pid));
    const kind = divide();
    if (kind) return kind;
  } catch {
    // Back, as where it can't be divided.
  }
  for (const text of [REMOVE_CPU, REMOVE]) tryToWrite(join(folder, HANDED_ON), text);
  for (const pid of standing) tryToWrite(join(folder, 'cgroup.procs'), String(pid));
  removed(aside);
  return undefined;
}

const AVAILABLE = 'cgroup.controllers';
const HANDED_ON = 'cgroup.subtree_control';
const ADD = '+memory +pids';
const ADD_CPU = '+cpu';
const REMOVE = '-memory -pids';
const REMOVE_CPU = '-cpu';

/** Whether one of these two files of a folder names all that we count by. */
function counts(folder: string, file: typeof AVAILABLE | typeof HANDED_ON): boolean {
  const names = read(join(folder, file)).split(/\s/);
  return ['memory', 'pids'].every((one) => names.includes(one));
}

/** Version 1: a tree for memory, one for processes, and where it can be had one for processors. */
function openFirst(name: string): Kind | undefined {
  const rootOf = (controller: string): string => {
    const mount = mounts().find(({ type, options }) => type === 'cgroup' && options.includes(controller));
    if (!mount) throw new Error(`no ${controller} controller`);
    const root = join(folderOf(mount, controller), name);
    mkdirSync(root, { recursive: true });
    return root;
  };
  const ifAny = (controller: string): string[] => {
    try {
      return [rootOf(controller)];
    } catch {
      return [];
    }
  };
  try {
    const roots = [...['memory', 'pids'].map(rootOf), ...ifAny('cpu')];
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
      shown: (folders) => [{ folder: memory(folders), at: '/sys/fs/cgroup/memory' }],
      peak: 'memory.max_usage_in_bytes',
      outOfMemory: 'memory.oom_control',
      // Not by memory.failcnt, which stays 0 on Linux 6.18. A large page may have been refused below the limit.
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
  /** The part of the tree that is mounted, and where. */
  root: string;
  point: string;
  type: string;
  options: string[];
}

/** As proc(5) describes /proc/self/mountinfo. */
function mounts(): MountPoint[] {
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

/** Where this process stands in the tree of a controller; the one of version 2 has no name. */
function folderOf({ root, point }: MountPoint, controller: string): string {
  const line = read('/proc/self/cgroup')
    .split('\n')
    .find((one) => one.split(':', 2)[1]?.split(',').includes(controller));
  const path = line?.split(':').slice(2).join(':') ?? '/';
  return path.startsWith(root) ? join(point, path.slice(root.length)) : point;
}

/** A number in a file of names and numbers. */
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
    // Whoever calls it can do without.
  }
}

/** A group is removed as a folder, with all its files, once nothing is in it. */
function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Empty when it can't be read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
