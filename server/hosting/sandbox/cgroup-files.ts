import { readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Files of the kernel for control groups: /proc for where they are, and the files in each group's folder.

export interface MountPoint {
  /** Folder of the file system that is mounted (`/` for the whole), and the path at which it is mounted. */
  root: string;
  point: string;
  type: string;
  options: string[];
}

/** Parses /proc/self/mountinfo as described in proc(5). */
export function mountPoints(): MountPoint[] {
  return readFile('/proc/self/mountinfo')
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
export function ownFolderIn({ root, point }: MountPoint, controller: string): string {
  const line = readFile('/proc/self/cgroup')
    .split('\n')
    .find((one) => one.split(':', 2)[1]?.split(',').includes(controller));
  const path = line?.split(':').slice(2).join(':') ?? '/';
  return path.startsWith(root) ? join(point, path.slice(root.length)) : point;
}

/** Number that follows a name in a file with a name and a number in each line; 0 if it is missing. */
export function countIn(file: string, name: string): number {
  const line = readFile(file)
    .split('\n')
    .find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}

export function processesIn(folder: string): number[] {
  return readFile(join(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
}

export function foldersIn(root: string): string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

export function tryToWrite(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    // The settings of control groups that are written here are optional: a setting that the kernel lacks or refuses is
    // left out.
  }
}

/**
 * Removes a control group: removing its folder removes its files too, if no process is left in it. Returns true if the
 * group is gone.
 */
export function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Removes control groups. Returns true if all are gone. */
export function removeFolders(folders: readonly string[]): boolean {
  return folders.filter((folder) => !removeFolder(folder)).length === 0;
}

/** Content of a file; empty if it can't be read. */
export function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
