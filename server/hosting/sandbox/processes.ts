import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// Information about processes under /proc (proc(5)), on Linux. Other systems have none, and nothing is found.

export interface ProcessTable {
  /** Process ids below `root`, parents before their children, `root` itself first. Empty if the process has ended. */
  treeOf(root: number): { pid: number; depth: number; children: number }[];
}

/** Reads every process of the machine and its parent, as of now. */
export function readProcesses(): ProcessTable {
  const children = new Map<number, number[]>();
  const known = new Set<number>();
  for (const pid of processIds()) {
    const stat = readProc(pid, 'stat');
    // The program's name is in parentheses and may contain parentheses too; the state and the parent follow the last
    // one.
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

/** Clock ticks of a second in which /proc counts processor time, the same on every Linux. */
const TICKS_A_SECOND = 100;

/** Processor time that a process and its ended children have used, in milliseconds; 0 if the process has ended. */
export function processorMsOf(pid: number): number {
  const stat = readProc(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17: utime, stime, cutime, cstime. The state, which follows the name in parentheses, is field 3.
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
  return (ticks * 1_000) / TICKS_A_SECOND;
}

/** Memory of the process that is not file-backed: its own, and what it shares with others, in bytes. */
export function ownMemory(pid: number): number {
  const status = readProc(pid, 'status');
  return kibibytes(status, 'RssAnon') + kibibytes(status, 'RssShmem');
}

/** Memory of a process, with its proportional share of shared memory, in bytes. */
export function exactMemory(pid: number): number {
  const rollup = readProc(pid, 'smaps_rollup');
  return rollup === '' ? ownMemory(pid) : kibibytes(rollup, 'Pss_Anon') + kibibytes(rollup, 'Pss_Shmem');
}

export function threadsOf(pid: number): number {
  return Number(/^Threads:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

function kibibytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}

/** TCP ports on which the given processes listen; undefined if one of the processes can't be inspected. */
export function portsOf(pids: readonly number[]): number[] | undefined {
  try {
    return portsAmong(pids.flatMap(listenersOf));
  } catch {
    return undefined;
  }
}

export interface Listener {
  /** Address of a listening socket as in /proc/net/tcp: bytes in hexadecimal digits, in the machine's byte order. */
  address: string;
  port: number;
  inode: string;
}

function listenersOf(pid: number): Listener[] {
  const open = new Set(filesOf(pid).map((file) => linkOf(pid, `fd/${file}`)));
  return ['net/tcp', 'net/tcp6']
    .flatMap((table) => listenersIn(readProc(pid, table)))
    .filter(({ inode }) => open.has(`socket:[${inode}]`));
}

/** Parses listening sockets from the lines of /proc/net/tcp and tcp6. */
export function listenersIn(tables: string): Listener[] {
  return tables.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === LISTENS ? [{ address, port: Number.parseInt(port, 16), inode }] : [];
  });
}

/** Distinct ports of the given listening sockets, the lowest first. */
export function portsAmong(listeners: readonly Listener[]): number[] {
  return [...new Set(listeners.map(({ port }) => port))].sort((one, other) => one - other);
}

const LISTENS = '0A';

/** Open files of a process; none if it has ended meanwhile. Throws for a process that this server may not inspect. */
function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Name of a process's program; empty if the process has ended. */
export function processName(pid: number): string {
  return readProc(pid, 'comm').trim();
}

export function isShell(pid: number): boolean {
  return /^(sh|dash|bash|ash|busybox)$/.test(processName(pid));
}

/**
 * Finds leftover processes: those whose HOME begins with one of `marks` (paths of folders with a trailing slash), and
 * those whose working folder or program is below one of these, unless they have a terminal.
 */
export function processesMarked(...marks: readonly string[]): number[] {
  const isWithin = (path: string) => marks.some((mark) => `${path}/`.startsWith(mark));
  return processIds().filter((pid) => {
    const variables = readProc(pid, 'environ').split('\0');
    if (variables.some((one) => marks.some((mark) => one.startsWith(`HOME=${mark}`)))) return true;
    return (isWithin(linkOf(pid, 'cwd')) || isWithin(linkOf(pid, 'exe'))) && !hasTerminal(pid);
  });
}

function hasTerminal(pid: number): boolean {
  const stat = readProc(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4] !== '0';
}

function linkOf(pid: number, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return '';
  }
}

/** Sends a signal. Processes that have ended, or whose id now belongs to another user, are ignored. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Content of a file under /proc; empty if the process has ended or may not be inspected. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
