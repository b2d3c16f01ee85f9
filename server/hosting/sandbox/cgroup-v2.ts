import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  countIn,
  mountPoints,
  ownFolderIn,
  processesIn,
  readFile,
  removeFolder,
  tryToWrite,
} from './cgroup-files.ts';
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
import { readProcesses } from './processes.ts';

const AVAILABLE = 'cgroup.controllers';
const DELEGATED = 'cgroup.subtree_control';
const ADD = '+memory +pids';
const ADD_CPU = '+cpu';
const REMOVE = '-memory -pids';
const REMOVE_CPU = '-cpu';

/**
 * Control groups of version 2, as systemd sets them up: in the nearest ancestor folder that delegates memory and pids
 * to this server. Returns undefined if there is none.
 */
export function openVersion2(name: string): Hierarchy | undefined {
  const mount = mountPoints().find(({ type }) => type === 'cgroup2');
  if (!mount) return undefined;
  const ours = ownFolderIn(mount, '');
  for (let at = ours; at.length >= mount.point.length && at !== '/'; at = dirname(at)) {
    const hierarchy = openVersion2In(at, name);
    if (hierarchy) return hierarchy;
  }
  // systemd starts the server in the delegated folder itself (unless DelegateSubgroup= says otherwise, since version
  // 254).
  return divideFromWithin(ours, () => openVersion2In(ours, name));
}

/**
 * Makes subgroups in a control group's folder. Returns undefined if the server may not change the folder, if it lacks a
 * needed controller, or if it has processes in it.
 */
export function openVersion2In(parent: string, name: string): Hierarchy | undefined {
  if (!hasControllers(parent, AVAILABLE)) return undefined;
  const root = join(parent, name);
  try {
    if (!hasControllers(parent, DELEGATED)) writeFileSync(join(parent, DELEGATED), ADD);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, DELEGATED), ADD);
    // The cpu controller is optional: not every parent delegates it.
    for (const folder of [parent, root]) tryToWrite(join(folder, DELEGATED), ADD_CPU);
    return new Version2(root);
  } catch {
    removeFolder(root);
    return undefined;
  }
}

/** Control groups of version 2, where one hierarchy has all controllers. */
class Version2 implements Hierarchy {
  readonly roots: readonly string[];
  // The file memory.peak exists since Linux 5.19.
  readonly peak = 'memory.peak';
  readonly outOfMemory = 'memory.events';
  readonly memoryFiles = { used: 'memory.current', stat: 'memory.stat', freeable: 'inactive_file' };
  readonly #root: string;

  constructor(root: string) {
    this.roots = [root];
    this.#root = root;
  }

  memory([folder = '']: readonly string[]): string {
    return folder;
  }

  pids([folder = '']: readonly string[]): string {
    return folder;
  }

  mountsOf([folder = '']: readonly string[]): SandboxMount[] {
    return [{ folder, at: '/sys/fs/cgroup' }];
  }

  isOwnLimit([folder = '']: readonly string[]): boolean {
    const events = join(folder, 'memory.events.local');
    // The file memory.events.local exists since Linux 5.2.
    return !existsSync(events) || countIn(events, 'oom') > 0;
  }

  limitAll(memoryMb: number | undefined): void {
    if (memoryMb !== undefined) tryToWrite(join(this.#root, 'memory.max'), bytesText(memoryMb));
    tryToWrite(join(this.#root, 'cpu.weight'), String(ALL_WEIGHT));
  }

  limit([folder = '']: readonly string[], limits: ProcessLimits): void {
    writeFileSync(join(folder, 'memory.max'), bytesText(limits.memoryMb));
    // On a machine without swap, the file memory.swap.max does not exist.
    tryToWrite(join(folder, 'memory.swap.max'), '0');
    writeFileSync(join(folder, 'pids.max'), String(limits.processes));
    tryToWrite(join(folder, 'cpu.weight'), String(weightOf(limits)));
    const quota = quotaOf(limits);
    if (quota !== undefined) tryToWrite(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
  }
}

/**
 * Makes subgroups of the control group that this server is in. The kernel refuses that while the group's folder has
 * processes in it, so the server first moves itself into a subfolder; it moves back if no subgroups can be made. If
 * other processes are in the folder, such as a login shell, the server moves nothing and makes no subgroups.
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
    // If no subgroups can be made, the statements after this block move the server's processes back.
  }
  for (const text of [REMOVE_CPU, REMOVE]) tryToWrite(join(folder, DELEGATED), text);
  for (const pid of members) tryToWrite(join(folder, 'cgroup.procs'), String(pid));
  removeFolder(serverFolder);
  return undefined;
}

/** True if this file of a cgroup folder names all controllers that the server needs. */
function hasControllers(folder: string, file: typeof AVAILABLE | typeof DELEGATED): boolean {
  const names = readFile(join(folder, file)).split(/\s/);
  return ['memory', 'pids'].every((controller) => names.includes(controller));
}
