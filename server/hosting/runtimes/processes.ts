import { readdirSync, readFileSync } from 'node:fs';

// What Linux tells of processes under /proc (proc(5)). Elsewhere there is nothing to read, and nothing is found.

export interface ProcessTable {
  /** The process ids below `root`, parents before their children, `root` itself first. Empty when it has ended. */
  treeOf(root: number): { pid: number; depth: number; children: number }[];
}

/** Every process of the machine and whose child it is, as of now. */
export function readProcesses(): ProcessTable {
  const children = new Map<number, number[]>();
  const known = new Set<number>();
  for (const pid of processIds()) {
    const stat = readProc(pid, 'stat');
    // The name, in parentheses, may hold anything; the state and the parent follow its last one.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)[1]);
    if (!Number.isInteger(parent)) continue;
    known.add(pid);
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  return {
    treeOf(root) {
      const entry = (pid: number, depth: number) => ({
        pid,
        depth,
        children: children.get(pid)?.length ?? 0,
      });
      const tree = known.has(root) ? [entry(root, 0)] : [];
      for (const { pid, depth } of tree) {
        for (const child of children.get(pid) ?? []) tree.push(entry(child, depth + 1));
      }
      return tree;
    },
  };
}

const PAGE_BYTES = 4096;

/** Memory that the process shares with no file: what would be free without it. */
export function ownMemory(pid: number): number {
  const [, resident = 0, shared = 0] = readProc(pid, 'statm').split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}

/** Whether it is a shell, by the name of its program. */
export function isShell(pid: number): boolean {
  return /^(sh|dash|bash|ash|busybox)$/.test(readProc(pid, 'comm').trim());
}

/** Processes whose first argument, or whose home, begins with `mark`. */
export function processesMarked(mark: string): number[] {
  return processIds().filter((pid) => {
    const [name = ''] = readProc(pid, 'cmdline').split('\0', 1);
    if (name.startsWith(mark)) return true;
    return readProc(pid, 'environ')
      .split('\0')
      .some((variable) => variable.startsWith(`HOME=${mark}`));
  });
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended in between, and for one we may not look into. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
