import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newId } from '../../kernel/identifiers.ts';
import { foldersIn, removeFolder, removeFolders } from './cgroup-files.ts';
import type { Hierarchy } from './cgroup-hierarchy.ts';
import { openVersion1 } from './cgroup-v1.ts';
import { openVersion2 } from './cgroup-v2.ts';
import { ControlGroup, waitUntil } from './control-group.ts';

/**
 * Control groups for commands; undefined if this server may make none. `owner` names the data folder whose commands
 * they are for; `togetherMb` is the memory limit of all commands together.
 */
export function openControlGroups(owner: string, togetherMb?: number): ControlGroups | undefined {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 12);
  const prefix = `simcha-${hash}-`;
  const name = `${prefix}${process.pid}`;
  const hierarchy = openVersion2(name) ?? openVersion1(name);
  return hierarchy && new ControlGroups({ hierarchy, name, prefix, togetherMb });
}

interface ControlGroupsParts {
  hierarchy: Hierarchy;
  /** Name of this server's root control group. */
  name: string;
  /** Beginning of the names of all root control groups that servers with this data folder make. */
  prefix: string;
  togetherMb: number | undefined;
}

/** Control groups (cgroups(7)): the kernel itself counts a command's memory of any kind, and its threads. */
export class ControlGroups {
  readonly #hierarchy: Hierarchy;
  readonly #name: string;
  readonly #prefix: string;
  readonly #togetherMb: number | undefined;

  constructor({ hierarchy, name, prefix, togetherMb }: ControlGroupsParts) {
    this.#hierarchy = hierarchy;
    this.#name = name;
    this.#prefix = prefix;
    this.#togetherMb = togetherMb;
    hierarchy.limitAll(togetherMb);
  }

  /** Makes a control group without limits. */
  make(): ControlGroup {
    const id = newId();
    const folders = this.#hierarchy.roots.map((root) => join(root, id));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    return new ControlGroup(this.#hierarchy, folders);
  }

  /**
   * Ends and removes the groups of a previous run of this server, and removes empty groups of servers that are gone.
   */
  async sweep(): Promise<void> {
    const { roots } = this.#hierarchy;
    const earlier = siblingsOf(roots).filter((sibling) => sibling.startsWith(this.#prefix));
    await this.#removeGroupsOf(this.#name);
    for (const name of earlier) {
      await this.#removeGroupsOf(name);
      for (const root of this.#rootsOf(name)) removeFolder(root);
    }
    // The limit for all commands together is set again: the kernel refused it while leftover groups used more memory.
    this.#hierarchy.limitAll(this.#togetherMb);
    for (const sibling of siblingsOf(roots)) removeAbandoned(this.#rootsOf(sibling));
  }

  close(): Promise<void> {
    return waitUntil(() => removeFolders(this.#hierarchy.roots));
  }

  /** Ends the processes in the control groups below a server's root group, and removes the groups. */
  async #removeGroupsOf(name: string): Promise<void> {
    const roots = this.#rootsOf(name);
    const ids = [...new Set(roots.flatMap(foldersIn))];
    const groups = ids.map(
      (id) =>
        new ControlGroup(
          this.#hierarchy,
          roots.map((root) => join(root, id)),
        ),
    );
    await Promise.all(groups.map((group) => group.remove()));
  }

  /** Folders of the root control group of this name, one for each cgroup hierarchy. */
  #rootsOf(name: string): string[] {
    return this.#hierarchy.roots.map((root) => join(dirname(root), name));
  }
}

/** Pattern for the name of a server's root control group: `simcha-<hash of its data folder>-<pid>`. */
const ROOT_NAME = /^simcha-[0-9a-f]{12}-(\d+)$/;

/** Names of the root control groups of other servers, which lie in the same folder as this server's own. */
function siblingsOf(roots: readonly string[]): string[] {
  const ours = new Set(roots.map((root) => basename(root)));
  const names = new Set(roots.flatMap((root) => foldersIn(dirname(root))));
  return [...names].filter((name) => ROOT_NAME.test(name) && !ours.has(name));
}

/** Removes the control groups of a server that is gone, unless a process still runs in one of them. */
function removeAbandoned(roots: readonly string[]): void {
  const [, pid = ''] = ROOT_NAME.exec(basename(roots[0] ?? '')) ?? [];
  if (existsSync(`/proc/${pid}`)) return;
  // The kernel removes no control group that has processes or other groups in it.
  for (const root of roots) {
    for (const id of foldersIn(root)) removeFolder(join(root, id));
    removeFolder(root);
  }
}
