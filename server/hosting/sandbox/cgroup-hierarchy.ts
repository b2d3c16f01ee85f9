import type { SandboxMount } from './confined.ts';

export interface ProcessLimits {
  memoryMb: number;
  /** Maximum number of threads, of all processes together: threads are what the kernel limits. */
  processes: number;
  /** Number of processors that the command may keep busy, such as 1.5; undefined: no limit. */
  cpus?: number | undefined;
  /** True if the command gets a smaller share of a busy machine than a site. */
  isBackground?: boolean;
}

/**
 * Operations that differ between versions 1 and 2 of the kernel's control groups (cgroups(7)). Version 2 has one tree
 * of folders, in which each folder is a group. Version 1 has one tree for each kind of limit, so a group has a folder
 * in each tree; lists of a group's folders are in the order of `roots`.
 */
export interface Hierarchy {
  /** Folders in which the control groups of commands are made, one for each cgroup hierarchy. */
  readonly roots: readonly string[];
  /** Name of the kernel's file with a control group's peak memory. */
  readonly peak: string;
  /** Names of the kernel's files with a control group's memory, and with the part of it that the kernel can free. */
  readonly memoryFiles: { used: string; stat: string; freeable: string };
  /** Name of the kernel's file that counts how often a control group's memory ran out. */
  readonly outOfMemory: string;
  /** Path of a cgroup in the cgroup hierarchy that limits memory. `folders`: names from the root of the hierarchy. */
  memory(folders: readonly string[]): string;
  /** Path of a cgroup in the cgroup hierarchy that limits the number of threads. `folders`: as for `memory`. */
  pids(folders: readonly string[]): string;
  mountsOf(folders: readonly string[]): SandboxMount[];
  /**
   * True if the control group with these folders ran out of memory because it reached the limit of its own command;
   * false if all commands together had reached the limit that they share.
   */
  isOwnLimit(folders: readonly string[]): boolean;
  limit(folders: readonly string[], limits: ProcessLimits): void;
  /** Limits all commands together: their memory, and a smaller processor weight than the server's. */
  limitAll(memoryMb: number | undefined): void;
}

/** Processor weight of all commands together; everything else on the machine has 100. */
export const ALL_WEIGHT = 50;
/** Processor weights of commands relative to each other. */
const WEIGHTS = { site: 100, background: 25 };
/** Period of a processor quota, in microseconds. */
export const PERIOD_US = 100_000;

export function weightOf({ isBackground = false }: ProcessLimits): number {
  return isBackground ? WEIGHTS.background : WEIGHTS.site;
}

/** Processor time that a command may use in each period, in microseconds; undefined: no limit. */
export function quotaOf({ cpus }: ProcessLimits): number | undefined {
  return cpus === undefined ? undefined : Math.round(cpus * PERIOD_US);
}

const MEBIBYTE = 2 ** 20;

/** Converts a limit in mebibytes to bytes, as the kernel's files take it. */
export function bytesText(mebibytes: number): string {
  return String(mebibytes * MEBIBYTE);
}
