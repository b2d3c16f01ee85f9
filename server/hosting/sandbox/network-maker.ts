import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportsOutOfFiles } from '../../kernel/open-files.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { describeReason, type Reason, reason } from '../model/reasons/reason.ts';
import type { ControlGroups } from './cgroups.ts';
import type { Isolation, SandboxTarget } from './confined.ts';
import type { ControlGroup } from './control-group.ts';
import { freePort } from './free-port.ts';
import { readProcesses, signalProcess } from './processes.ts';
import { type ParkedProcess, parkProcess } from './spawning.ts';

/** Network that a command needs: the addresses that it may reach, and whether it listens. */
export interface NetworkRequest {
  /** The only address and port that the command may reach; undefined: everything that is open to sites. */
  target?: SandboxTarget | undefined;
  listens?: boolean;
  /** Port on which the command listens regardless of PORT. */
  listensAt?: number | undefined;
}

export interface PooledNetwork {
  /** Parked process: a waiting shell that becomes the command. */
  readonly parked: ParkedProcess;
  /** Control group of all processes of the command; it has no limits until the command starts. */
  readonly group: ControlGroup | undefined;
  /**
   * Port of this machine's loopback address from which connections are forwarded to the port that the command is told
   * to listen on; only if it listens.
   */
  readonly port?: number | undefined;
  /** Separate network of the command; absent if it has none, or uses the machine's. */
  readonly network?: OwnNetwork;
  /**
   * Ends all processes of the network, and resolves when they have ended; the kernel's clean-up continues afterwards.
   * Never rejects.
   */
  end(): Promise<void>;
}

export interface OwnNetwork {
  /** Id of the first process of the network. */
  readonly pid: number;
  /** Id of a process inside the network: another process joins the network by this id. */
  readonly joins: number;
  /** Resolves when the network has ended, with the reason for its end. */
  readonly ended: Promise<Reason>;
}

export interface NetworkMakerParts {
  isolation: Pick<Isolation, 'network' | 'parkingShell'>;
  groups?: ControlGroups | undefined;
  /** Private folder by which a restarted server finds leftover processes. */
  home: string;
}

const MAKE_MS = 60_000;
const MOST_ERROR_OUTPUT = 10_000;

interface Ended {
  end(): Promise<void>;
}

interface MadeNetwork extends Ended {
  own: OwnNetwork;
  processes: ReadonlySet<number>;
  port: number | undefined;
}

/**
 * Starts processes in advance, each with a network of its own. Such a process waits until a command is to run in the
 * sandbox, and then becomes that command: making a network takes longer than starting a command.
 */
export class NetworkMaker {
  readonly #isolation: NetworkMakerParts['isolation'];
  readonly #groups: NetworkMakerParts['groups'];
  readonly #home: NetworkMakerParts['home'];
  /** Ports in use. */
  readonly #ports = new Set<number>();
  /** Functions that each end a process started in advance, whether it has become a command or still waits for one. */
  readonly #ends = new Set<() => Promise<void>>();
  /** Promises of processes that are being started in advance. */
  readonly #making = new Set<Promise<void>>();
  /** Promises of processes (started in advance) that are being ended. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(parts: NetworkMakerParts) {
    this.#isolation = parts.isolation;
    this.#groups = parts.groups;
    this.#home = parts.home;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /**
   * Starts a shell process in advance, which later becomes a command: with a network of its own if `request` is given.
   * Throws a RuntimeFailure.
   */
  make(request?: NetworkRequest): Promise<PooledNetwork> {
    const making = this.#make(request);
    const settled = making.then(
      () => {},
      () => {},
    );
    this.#making.add(settled);
    void settled.then(() => this.#making.delete(settled));
    return making;
  }

  /**
   * Reserves a port of this machine for a process that was started in advance without a network of its own. The port
   * `wanted` is chosen if it is free.
   */
  async withPort(pooled: PooledNetwork, wanted: number | undefined): Promise<PooledNetwork> {
    try {
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

  /** Ends all parked processes and networks. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#making);
    await Promise.all([...this.#ends].map((end) => end()));
    await Promise.all(this.#leaving);
  }

  async #make(request?: NetworkRequest): Promise<PooledNetwork> {
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
      // The end of the network is not waited for: it takes long, and no command should wait for it.
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

  async #makeNetwork(request: NetworkRequest, group?: ControlGroup): Promise<MadeNetwork> {
    if (!this.#isolation.network) throw new Error('no command has a network of its own here');
    const { target, listens, listensAt: innerPort } = request;
    const port = listens ? await freePort(this.#ports) : undefined;
    let parked: ParkedProcess | undefined;
    const end = async () => {
      parked?.child.stdout?.destroy();
      if (parked) await endOf(parked);
      if (port !== undefined) this.#ports.delete(port);
    };
    try {
      const invocation = this.#isolation.network({ target, port, innerPort, home: this.#home });
      parked = parkProcess(this.#isolation.parkingShell, this.#home, group?.folders);
      const { child, exit } = parked;
      const errorOutput = lastLineOf(child);
      const isReady = this.#isMade(parked);
      parked.becomeCommand(invocation);
      const processes = (await isReady) ? treeOf(child) : [];
      // The first process of the program that makes the network is outside of the network; its last descendant is
      // inside.
      const joins = processes.at(-1);
      if (child.pid !== undefined && joins !== undefined && joins !== child.pid) {
        const ended = exit.then(({ how }) => how);
        return { own: { pid: child.pid, joins, ended }, processes: new Set(processes), port, end };
      }
      this.#closing.signal.throwIfAborted();
      throw await failureOf(parked, errorOutput);
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
}

/** Ends a process that could not make its network, and returns the reason. */
async function failureOf(parked: ParkedProcess, errorOutput: () => string): Promise<RuntimeFailure> {
  await endOf(parked);
  if (reportsOutOfFiles(errorOutput())) return new RuntimeFailure(reason('no_files'));
  const { how } = await parked.exit;
  if (!errorOutput() && how.code === 'killed') return new RuntimeFailure(how);
  return new RuntimeFailure(reason('cant_run', { error: errorOutput() || describeReason(how, 'en') }));
}

/** Ids of a process and all its descendants, the deepest descendant last. */
function treeOf({ pid }: ChildProcess): number[] {
  return pid === undefined
    ? []
    : readProcesses()
        .treeOf(pid)
        .map((one) => one.pid);
}

/**
 * Kills a process that was started in advance, and its process group. If it has already ended, nothing is killed,
 * because the system may have given its id to another process.
 */
async function endOf({ child, exit }: ParkedProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    signalProcess(-child.pid, 'SIGKILL');
  }
  await exit;
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
