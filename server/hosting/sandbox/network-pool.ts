import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportsOutOfFiles } from '../../kernel/open-files.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason, say } from '../model/reasons/reason.ts';
import type { ControlGroup, ControlGroups } from './cgroups.ts';
import type { Isolation, SandboxPlace } from './confined.ts';
import { readProcesses, signalProcess } from './processes.ts';
import { type ParkedProcess, parkProcess } from './spawning.ts';

// What commands begin on. To make it takes longer than all else that a command's walls are made of; so once one was wanted,
// another of the kind is kept ready that has no command yet.

/** What a command is to reach, and whether others reach it. */
export interface NetworkRequest {
  /** What alone it reaches; else all that is open to sites. */
  place?: SandboxPlace | undefined;
  listens?: boolean;
  /** Where it listens whatever it is told. */
  listensAt?: number | undefined;
}

export interface PooledNetwork {
  /** What becomes the command. */
  readonly threshold: ParkedProcess;
  /** What all of it is in, without limits until then. */
  readonly group: ControlGroup | undefined;
  /** A port of this machine's loopback address that leads to where the command is told to listen; only where it listens. */
  readonly port?: number | undefined;
  /** Absent where the command has none, or the machine's. */
  readonly network?: OwnNetwork;
  /** Ends whatever is left on it, and resolves when nothing is; what that takes of the kernel goes on. Never rejects. */
  end(): Promise<void>;
}

export interface OwnNetwork {
  /** The first of the processes that it is made of. */
  readonly pid: number;
  /** One that stands in it. */
  readonly joins: number;
  /** Resolves, with how, when it is no more. */
  readonly ended: Promise<Reason>;
}

export interface NetworkPoolParts {
  isolation: Pick<Isolation, 'network' | 'threshold'>;
  groups?: ControlGroups | undefined;
  /** A folder of ours, by which those of an earlier life are found. */
  home: string;
}

const HOST = '127.0.0.1';
const MAKE_MS = 60_000;
/** Until then what has just got one has the machine to itself: a site begins with much work, git with little, and a build is long. */
const SPARE_AFTER_MS = { site: 1_000, git: 100, build: 0 };
const LONGEST_SAID = 10_000;
/** A shell alone, for what has no network of its own. */
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

/**
 * `open` gives a command its ground, with a network of its own unless the wish is `none`, and throws a RuntimeFailure where
 * there can be none; `close` lets go of them all.
 */
export function createNetworkPool({ isolation, groups, home }: NetworkPoolParts) {
  const ports = new Set<number>();
  const ends = new Set<() => Promise<void>>();
  const making = new Set<Promise<void>>();
  const leaving = new Set<Promise<void>>();
  const spares = new Map<string, Spare>();
  const closing = new AbortController();

  const makeOne = async (wish?: NetworkRequest): Promise<PooledNetwork> => {
    const group = groups?.make();
    const started: Ended[] = [];
    let network: MadeNetwork | undefined;
    const end = async () => {
      const ending = started.map((one) => one.end());
      const gone = Promise.all([...ending, group?.remove()]).then(() => {
        leaving.delete(gone);
      });
      leaving.add(gone);
      ends.delete(end);
      // A network's end takes long, and nobody's command waits for it.
      await (group ? group.clear(network?.processes ?? new Set()) : Promise.all(ending));
    };
    try {
      if (wish) {
        network = await makeNetwork(wish, group);
        started.push(network);
      }
      closing.signal.throwIfAborted();
      const threshold = parkProcess(isolation.threshold, home, group?.folders);
      started.push({ end: () => endOf(threshold) });
      ends.add(end);
      return { threshold, group, ...(network && { port: network.port, network: network.own }), end };
    } catch (error) {
      await end();
      throw error;
    }
  };
  const make = (wish?: NetworkRequest): Promise<PooledNetwork> => {
    const one = makeOne(wish);
    const settled = one.then(
      () => {},
      () => {},
    );
    making.add(settled);
    void settled.then(() => making.delete(settled));
    return one;
  };

  const makeNetwork = async (
    { place, listens, listensAt }: NetworkRequest,
    group?: ControlGroup,
  ): Promise<MadeNetwork> => {
    if (!isolation.network) throw new Error('no command has a network of its own here');
    const port = listens ? await freePort(ports) : undefined;
    let threshold: ParkedProcess | undefined;
    const end = async () => {
      threshold?.child.stdout?.destroy();
      if (threshold) await endOf(threshold);
      if (port !== undefined) ports.delete(port);
    };
    try {
      const invocation = isolation.network({ place, port, innerPort: listensAt, home });
      threshold = parkProcess(isolation.threshold, home, group?.folders);
      const { child, exit } = threshold;
      const said = lastLineOf(child);
      const told = isMade(threshold);
      threshold.become(invocation);
      const processes = (await told) ? treeOf(child) : [];
      // The one that stands in it: its maker does not.
      const joins = processes.at(-1);
      if (child.pid !== undefined && joins !== undefined && joins !== child.pid) {
        const ended = exit.then(({ how }) => how);
        return { own: { pid: child.pid, joins, ended }, processes: new Set(processes), port, end };
      }
      closing.signal.throwIfAborted();
      await endOf(threshold);
      if (reportsOutOfFiles(said())) throw new RuntimeFailure(reason('no_files'));
      const { how } = await exit;
      if (!said() && how.code === 'killed') throw new RuntimeFailure(how);
      throw new RuntimeFailure(reason('cant_run', { error: said() || say(how, 'en') }));
    } catch (error) {
      await end();
      throw error;
    }
  };

  const isMade = async ({ child, exit }: ParkedProcess): Promise<boolean> => {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, closing.signal]);
    const told = new Promise<boolean>((resolve) => child.stdout?.once('data', () => resolve(true)));
    const late = sleep(MAKE_MS, false, { signal }).catch(() => false);
    const made = await Promise.race([told, exit.then(() => false), late]);
    over.abort();
    return made;
  };

  /** One is like any other of its kind; undefined for what is made for one command. Networks are no longer as they were once the machine has another address. */
  const kindOf = (wish: 'none' | NetworkRequest): string | undefined => {
    if (wish === 'none' || !isolation.network) return BARE;
    if (wish.place || wish.listensAt !== undefined) return undefined;
    return JSON.stringify(isolation.network({ home }));
  };

  const keepSpare = (kind: string): void => {
    if (closing.signal.aborted || spares.get(kind)?.made) return;
    // What sites have: they listen where everybody does, and reach what is open to all.
    const one: Spare = { made: make(kind === BARE ? undefined : { listens: true }) };
    spares.set(kind, one);
    const forget = () => {
      if (spares.get(kind) === one) spares.delete(kind);
    };
    one.made?.then(async ({ threshold, network, end }) => {
      await Promise.race([threshold.exit, ...(network ? [network.ended] : [])]);
      if (spares.get(kind) !== one) return;
      forget();
      await end();
    }, forget);
  };

  const takeSpare = (kind: string): Promise<PooledNetwork | undefined> | undefined => {
    for (const [other, { made, timer }] of spares) {
      if (other === kind || other === BARE || kind === BARE) continue;
      clearTimeout(timer);
      spares.delete(other);
      made?.then(({ end }) => end()).catch(() => {});
    }
    const { made, timer } = spares.get(kind) ?? {};
    clearTimeout(timer);
    spares.delete(kind);
    return made?.catch(() => undefined);
  };

  const withPort = async (ground: PooledNetwork, wanted: number | undefined): Promise<PooledNetwork> => {
    try {
      // The machine's port is the command's, where nobody else has it.
      const port = await freePort(ports, wanted);
      const end = async () => {
        ports.delete(port);
        await ground.end();
      };
      return { ...ground, port, end };
    } catch (error) {
      await ground.end();
      throw error;
    }
  };

  return {
    async open(wish: 'none' | NetworkRequest): Promise<PooledNetwork> {
      const kind = kindOf(wish);
      const spare = kind === undefined ? undefined : await takeSpare(kind);
      const ground = spare ?? (await make(kind === BARE || wish === 'none' ? undefined : wish));
      if (kind !== undefined && !spares.has(kind)) {
        const timer = setTimeout(() => keepSpare(kind), spareAfterMs(wish)).unref();
        spares.set(kind, { timer });
      }
      return kind === BARE && wish !== 'none' && wish.listens ? withPort(ground, wish.listensAt) : ground;
    },

    async close(): Promise<void> {
      closing.abort();
      for (const { timer } of spares.values()) clearTimeout(timer);
      await Promise.all(making);
      await Promise.all([...ends].map((end) => end()));
      await Promise.all(leaving);
    },
  };
}

/** Its own and those that it has started, the innermost last. */
function treeOf({ pid }: ChildProcess): number[] {
  return pid === undefined
    ? []
    : readProcesses()
        .treeOf(pid)
        .map((one) => one.pid);
}

/** Ends it and its group, unless it has ended: its number may be another's by then. */
async function endOf({ child, exit }: ParkedProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    signalProcess(-child.pid, 'SIGKILL');
  }
  await exit;
}

function spareAfterMs(wish: 'none' | NetworkRequest): number {
  if (wish === 'none') return SPARE_AFTER_MS.git;
  return wish.listens ? SPARE_AFTER_MS.site : SPARE_AFTER_MS.build;
}

/** What it ended with: pasta warns of what it does without before. */
function lastLineOf({ stderr }: ChildProcess): () => string {
  let said = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, LONGEST_SAID);
  });
  return () => said.trim().split('\n').at(-1) ?? '';
}

/** A port nobody listens on, the wanted one where it is such. No two get the same one, even before the first of them listens. */
async function freePort(taken: Set<number>, wanted = 0): Promise<number> {
  for (let ask = wanted; ; ask = 0) {
    const probe = createServer().listen(ask, HOST);
    const isFree = new Promise((resolve, reject) => probe.once('listening', resolve).once('error', reject));
    if (ask > 0 && !(await isFree.then(() => true).catch(() => false))) continue;
    await isFree;
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    if (taken.has(port)) continue;
    taken.add(port);
    return port;
  }
}
