import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportsOutOfFiles } from '../../kernel/open-files.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, type Reason, reason } from '../model/reasons/reason.ts';
import type { ControlGroups } from './cgroups.ts';
import type { Isolation, SandboxTarget } from './confined.ts';
import type { ControlGroup } from './control-group.ts';
import { readProcesses, signalProcess } from './processes.ts';
import { type ParkedProcess, parkProcess } from './spawning.ts';

// Pool of networks for commands. Making one takes longer than the rest of a sandbox; so after one was used, another of
// the same kind is prepared in advance.

/** Network that a command needs: what it may reach, and whether it listens. */
export interface NetworkRequest {
  /** Address and port that alone may be reached; undefined: everything that is open to sites. */
  target?: SandboxTarget | undefined;
  listens?: boolean;
  /** Port on which it listens regardless of PORT. */
  listensAt?: number | undefined;
}

export interface PooledNetwork {
  /** Parked process that becomes the command. */
  readonly parked: ParkedProcess;
  /** Control group of all its processes; without limits until the command starts. */
  readonly group: ControlGroup | undefined;
  /**
   * Port of this machine's loopback address that leads to the port the command is told to listen on; only if it
   * listens.
   */
  readonly port?: number | undefined;
  /** Network of the command; absent if it has none, or the machine's. */
  readonly network?: OwnNetwork;
  /**
   * Ends all processes in it, and resolves when they have ended; the kernel's clean-up continues afterwards. Never
   * rejects.
   */
  end(): Promise<void>;
}

export interface OwnNetwork {
  /** First process of the network. */
  readonly pid: number;
  /** Process inside the network, by which others join it. */
  readonly joins: number;
  /** Resolves with the reason when the network has ended. */
  readonly ended: Promise<Reason>;
}

export interface NetworkPoolParts {
  isolation: Pick<Isolation, 'network' | 'parkingShell'>;
  groups?: ControlGroups | undefined;
  /** Private folder by which a restarted server finds leftover processes. */
  home: string;
}

const HOST = '127.0.0.1';
const MAKE_MS = 60_000;
/**
 * Delay before a spare is made, so that the command that has just started has the machine to itself: a site starts with
 * much work, git with little, and a build takes long.
 */
const SPARE_AFTER_MS = { site: 1_000, git: 100, build: 0 };
const MOST_ERROR_OUTPUT = 10_000;
/** Kind of a parked shell without a network of its own. */
const BARE = 'bare';

interface Ended {
  end(): Promise<void>;
}

interface MadeNetwork extends Ended {
  own: OwnNetwork;
  processes: ReadonlySet<number>;
  port: number | undefined;
}

interface Spare {
  made?: Promise<PooledNetwork>;
  timer?: NodeJS.Timeout;
}

/** Parked processes for commands, with networks of their own; some are made before they are needed. */
export class NetworkPool {
  readonly #isolation: NetworkPoolParts['isolation'];
  readonly #groups: NetworkPoolParts['groups'];
  readonly #home: NetworkPoolParts['home'];
  /** Ports in use. */
  readonly #ports = new Set<number>();
  /** Ends of the processes that were given to commands or are spare. */
  readonly #ends = new Set<() => Promise<void>>();
  /** Processes that are being made. */
  readonly #making = new Set<Promise<void>>();
  /** Processes that are ending. */
  readonly #leaving = new Set<Promise<void>>();
  /** Spares by the kind of request that they serve (`#kindOf`). */
  readonly #spares = new Map<string, Spare>();
  readonly #closing = new AbortController();

  constructor(parts: NetworkPoolParts) {
    this.#isolation = parts.isolation;
    this.#groups = parts.groups;
    this.#home = parts.home;
  }

  /**
   * Gives a command a parked process, with a network of its own unless the request is `none`. Throws a RuntimeFailure if
   * that is not possible.
   */
  async open(request: 'none' | NetworkRequest): Promise<PooledNetwork> {
    const kind = this.#kindOf(request);
    const spare = kind === undefined ? undefined : await this.#takeSpare(kind);
    const pooled = spare ?? (await this.#make(kind === BARE || request === 'none' ? undefined : request));
    if (kind !== undefined && !this.#spares.has(kind)) {
      const timer = setTimeout(() => this.#keepSpare(kind), spareAfterMs(request)).unref();
      this.#spares.set(kind, { timer });
    }
    return kind === BARE && request !== 'none' && request.listens
      ? this.#withPort(pooled, request.listensAt)
      : pooled;
  }

  /** Ends all processes and networks. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { timer } of this.#spares.values()) clearTimeout(timer);
    await Promise.all(this.#making);
    await Promise.all([...this.#ends].map((end) => end()));
    await Promise.all(this.#leaving);
  }

  async #makeOne(request?: NetworkRequest): Promise<PooledNetwork> {
    const group = this.#groups?.make();
    const started: Ended[] = [];
    let network: MadeNetwork | undefined;
    const end = async () => {
      const ending = started.map((one) => one.end());
      const gone = Promise.all([...ending, group?.remove()]).then(() => {
        this.#leaving.delete(gone);
      });
      this.#leaving.add(gone);
      this.#ends.delete(end);
      // Only the group is waited for: a network takes long to end, and no command should wait for that.
      await (group ? group.killExcept(network?.processes ?? new Set()) : Promise.all(ending));
    };
    try {
      if (request) {
        network = await this.#makeNetwork(request, group);
        started.push(network);
      }
      this.#closing.signal.throwIfAborted();
      const parked = parkProcess(this.#isolation.parkingShell, this.#home, group?.folders);
      started.push({ end: () => endOf(parked) });
      this.#ends.add(end);
      return { parked, group, ...(network && { port: network.port, network: network.own }), end };
    } catch (error) {
      await end();
      throw error;
    }
  }

  #make(request?: NetworkRequest): Promise<PooledNetwork> {
    const one = this.#makeOne(request);
    const settled = one.then(
      () => {},
      () => {},
    );
    this.#making.add(settled);
    void settled.then(() => this.#making.delete(settled));
    return one;
  }

  async #makeNetwork(
    { target: place, listens, listensAt }: NetworkRequest,
    group?: ControlGroup,
  ): Promise<MadeNetwork> {
    if (!this.#isolation.network) throw new Error('no command has a network of its own here');
    const port = listens ? await freePort(this.#ports) : undefined;
    let parked: ParkedProcess | undefined;
    const end = async () => {
      parked?.child.stdout?.destroy();
      if (parked) await endOf(parked);
      if (port !== undefined) this.#ports.delete(port);
    };
    try {
      const invocation = this.#isolation.network({
        target: place,
        port,
        innerPort: listensAt,
        home: this.#home,
      });
      parked = parkProcess(this.#isolation.parkingShell, this.#home, group?.folders);
      const { child, exit } = parked;
      const errorOutput = lastLineOf(child);
      const isReady = this.#isMade(parked);
      parked.becomeCommand(invocation);
      const processes = (await isReady) ? treeOf(child) : [];
      // The innermost process is inside the network; the process that made it is not.
      const joins = processes.at(-1);
      if (child.pid !== undefined && joins !== undefined && joins !== child.pid) {
        const ended = exit.then(({ how }) => how);
        return { own: { pid: child.pid, joins, ended }, processes: new Set(processes), port, end };
      }
      this.#closing.signal.throwIfAborted();
      await endOf(parked);
      if (reportsOutOfFiles(errorOutput())) throw new RuntimeFailure(reason('no_files'));
      const { how } = await exit;
      if (!errorOutput() && how.code === 'killed') throw new RuntimeFailure(how);
      throw new RuntimeFailure(reason('cant_run', { error: errorOutput() || describeReason(how, 'en') }));
    } catch (error) {
      await end();
      throw error;
    }
  }

  async #isMade({ child, exit }: ParkedProcess): Promise<boolean> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    const isReady = new Promise<boolean>((resolve) => child.stdout?.once('data', () => resolve(true)));
    const isLate = sleep(MAKE_MS, false, { signal }).catch(() => false);
    const made = await Promise.race([isReady, exit.then(() => false), isLate]);
    over.abort();
    return made;
  }

  /**
   * Key of requests that can share spares; undefined for a network that is made for one command. It contains the
   * machine's addresses, because a network is outdated once those change.
   */
  #kindOf(request: 'none' | NetworkRequest): string | undefined {
    if (request === 'none' || !this.#isolation.network) return BARE;
    if (request.target || request.listensAt !== undefined) return undefined;
    return JSON.stringify(this.#isolation.network({ home: this.#home }));
  }

  #keepSpare(kind: string): void {
    if (this.#closing.signal.aborted || this.#spares.get(kind)?.made) return;
    // Spares are made as sites need them: listening on the usual port, with access to everything that is open to sites.
    const one: Spare = { made: this.#make(kind === BARE ? undefined : { listens: true }) };
    this.#spares.set(kind, one);
    const forget = () => {
      if (this.#spares.get(kind) === one) this.#spares.delete(kind);
    };
    one.made?.then(async ({ parked, network, end }) => {
      await Promise.race([parked.exit, ...(network ? [network.ended] : [])]);
      if (this.#spares.get(kind) !== one) return;
      forget();
      await end();
    }, forget);
  }

  #takeSpare(kind: string): Promise<PooledNetwork | undefined> | undefined {
    for (const [other, { made, timer }] of this.#spares) {
      if (other === kind || other === BARE || kind === BARE) continue;
      clearTimeout(timer);
      this.#spares.delete(other);
      made?.then(({ end }) => end()).catch(() => {});
    }
    const { made, timer } = this.#spares.get(kind) ?? {};
    clearTimeout(timer);
    this.#spares.delete(kind);
    return made?.catch(() => undefined);
  }

  async #withPort(pooled: PooledNetwork, wanted: number | undefined): Promise<PooledNetwork> {
    try {
      // Without a network of its own, a command listens on a port of the machine, which must be free.
      const port = await freePort(this.#ports, wanted);
      const end = async () => {
        this.#ports.delete(port);
        await pooled.end();
      };
      return { ...pooled, port, end };
    } catch (error) {
      await pooled.end();
      throw error;
    }
  }
}

/** Ids of the process and its descendants, the innermost last. */
function treeOf({ pid }: ChildProcess): number[] {
  return pid === undefined
    ? []
    : readProcesses()
        .treeOf(pid)
        .map((one) => one.pid);
}

/** Kills a process and its group, unless it has ended: its id may then belong to another process. */
async function endOf({ child, exit }: ParkedProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    signalProcess(-child.pid, 'SIGKILL');
  }
  await exit;
}

function spareAfterMs(request: 'none' | NetworkRequest): number {
  if (request === 'none') return SPARE_AFTER_MS.git;
  return request.listens ? SPARE_AFTER_MS.site : SPARE_AFTER_MS.build;
}

/**
 * Last line of the error output, which says why the program ended: before it pasta writes warnings about missing
 * features.
 */
function lastLineOf({ stderr }: ChildProcess): () => string {
  let errorOutput = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, MOST_ERROR_OUTPUT);
  });
  return () => errorOutput.trim().split('\n').at(-1) ?? '';
}

/**
 * Finds a free port, the wanted one if it is free. No two callers get the same port, even before the first of them
 * listens.
 */
async function freePort(portsInUse: Set<number>, wanted = 0): Promise<number> {
  for (let tried = wanted; ; tried = 0) {
    const probe = createServer().listen(tried, HOST);
    const isFree = new Promise((resolve, reject) => probe.once('listening', resolve).once('error', reject));
    if (tried > 0 && !(await isFree.then(() => true).catch(() => false))) continue;
    await isFree;
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    if (portsInUse.has(port)) continue;
    portsInUse.add(port);
    return port;
  }
}
