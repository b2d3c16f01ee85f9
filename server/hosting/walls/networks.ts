import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeFailure } from '../reasons/failure.ts';
import { type Reason, reason, say } from '../reasons/reason.ts';
import type { Isolation, Place } from './confined.ts';
import type { Group, Groups } from './groups.ts';
import { readProcesses, signalProcess } from './processes.ts';
import { type Exit, exitOf, spawnConfined } from './spawning.ts';

// Networks of commands. One of its own takes longer to make than all else that a command's walls are made of; so once any was
// wanted, another is kept ready that has no command yet.

/** What a command is to reach, and whether others reach it. */
export interface Wish {
  /** What alone it reaches; else all that is open to sites. */
  place?: Place | undefined;
  listens?: boolean;
  /** Where it listens whatever it is told. */
  listensAt?: number | undefined;
}

export interface Network {
  /** A port of this machine's loopback address that leads to where the command is told to listen; only where it listens. */
  readonly port?: number | undefined;
  /** Absent where the command has the machine's. */
  readonly own?: OwnNetwork;
  /** Lets go of it once the command has ended, and of its group. Never rejects. */
  end(): Promise<void>;
}

export interface OwnNetwork {
  /** The first of the processes that it is made of. */
  readonly pid: number;
  /** One that stands in it. */
  readonly joins: number;
  /** What they are in, and its command as well; without limits until then. */
  readonly group: Group | undefined;
  /** Resolves, with how, when it is no more. */
  readonly ended: Promise<Reason>;
}

export interface NetworkParts {
  isolation: Pick<Isolation, 'network'>;
  groups?: Groups | undefined;
  /** A folder of ours, by which those of an earlier life are found. */
  home: string;
}

const HOST = '127.0.0.1';
const MAKE_MS = 60_000;
/** Until then a site that has just got one has the machine to begin with; a build is longer than that. */
const SPARE_AFTER_MS = 1_000;
const LONGEST_SAID = 10_000;

/**
 * `open` gives a command its network and throws a RuntimeFailure where there can be none; `close` lets go of them all.
 */
export function createNetworks({ isolation, groups, home }: NetworkParts) {
  const ports = new Set<number>();
  const ends = new Set<() => Promise<void>>();
  let spare: { made: Promise<Network>; kind: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const make = async ({ place, listens = false, listensAt }: Wish): Promise<Network> => {
    // Without a network of its own the machine's port is the command's, where nobody else has it.
    const port = listens ? await freePort(ports, isolation.network ? undefined : listensAt) : undefined;
    const letGo = async () => {
      if (port !== undefined) ports.delete(port);
    };
    if (!isolation.network) return { port, end: letGo };
    let group: Group | undefined;
    let child: ChildProcess;
    try {
      group = groups?.make();
      const invocation = isolation.network({ place, port, innerPort: listensAt, home });
      child = spawnConfined(invocation, group?.folders);
    } catch (error) {
      await Promise.all([letGo(), group?.remove()]);
      throw error;
    }
    const exit = exitOf(child);
    const end = async () => {
      endAll(child);
      await Promise.all([exit, group?.remove(), letGo()]);
      ends.delete(end);
    };
    ends.add(end);
    const said = firstLineOf(child);
    const joins = (await isMade(child, exit)) ? innermost(child) : undefined;
    if (child.pid !== undefined && joins !== undefined && !closing.signal.aborted) {
      const ended = exit.then(({ how }) => how);
      return { port, own: { pid: child.pid, joins, group, ended }, end };
    }
    await end();
    closing.signal.throwIfAborted();
    const { how } = await exit;
    throw new RuntimeFailure(reason('cant_run', { error: said() || say(how, 'en') }));
  };

  const isMade = async (child: ChildProcess, exit: Promise<Exit>): Promise<boolean> => {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, closing.signal]);
    const told = new Promise<boolean>((resolve) => child.stdout?.once('data', () => resolve(true)));
    const late = sleep(MAKE_MS, false, { signal }).catch(() => false);
    const made = await Promise.race([told, exit.then(() => false), late]);
    over.abort();
    return made;
  };

  /** What sites have: they listen where everybody does, and reach what is open to all. */
  const keepSpare = (): void => {
    if (closing.signal.aborted || spare) return;
    const one = { kind: kindNow(), made: make({ listens: true }) };
    spare = one;
    const forget = () => {
      if (spare === one) spare = undefined;
    };
    one.made.then(async ({ own, end }) => {
      await own?.ended;
      if (spare !== one) return;
      forget();
      await end();
    }, forget);
  };

  /** Networks are no longer as they were once the machine has another address. */
  const kindNow = () => JSON.stringify(isolation.network?.({ home }).args);

  const takeSpare = async (): Promise<Network | undefined> => {
    const taken = spare;
    spare = undefined;
    if (taken?.kind === kindNow()) return taken.made.catch(() => undefined);
    void taken?.made.then(
      ({ end }) => end(),
      () => {},
    );
    return undefined;
  };

  return {
    async open(wish: Wish): Promise<Network> {
      const isUsual = isolation.network && !wish.place && wish.listensAt === undefined;
      const network = (isUsual && (await takeSpare())) || (await make(wish));
      if (isUsual) {
        clearTimeout(timer);
        timer = setTimeout(keepSpare, wish.listens ? SPARE_AFTER_MS : 0).unref();
      }
      return network;
    },

    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await Promise.all([...ends].map((end) => end()));
    },
  };
}

/** The one that stands in the network: its maker does not. */
function innermost({ pid }: ChildProcess): number | undefined {
  const last = pid === undefined ? undefined : readProcesses().treeOf(pid).at(-1);
  return last && last.depth > 0 ? last.pid : undefined;
}

function endAll(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    signalProcess(-child.pid, 'SIGKILL');
  }
  child.stdout?.destroy();
}

/** Of what went wrong. */
function firstLineOf({ stderr }: ChildProcess): () => string {
  let said = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, LONGEST_SAID);
  });
  return () => said.trim().split('\n')[0] ?? '';
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
