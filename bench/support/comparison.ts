import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { processorSecondsOf } from '../../test/support/processor-time.ts';

// Compares the processor time that two servers need for a request, measured in turns.

/** Server to which requests are sent, and the processes whose processor time is measured. */
export interface Contestant {
  url: string;
  pids: readonly number[];
  requests: autocannon.Request[];
}

export interface Comparison {
  /** Number of requests in one measurement. */
  amount: number;
  connections: number;
  rounds: number;
  ours: Contestant;
  reference: Contestant;
}

/**
 * Measures both in turns, first as a warm-up. Returns the shortest measurement of each, in seconds of processor time:
 * whatever else the machine does only makes a measurement longer, so the shortest is the steadiest.
 */
export async function shortestTimes({ rounds, ours, reference, ...load }: Comparison) {
  const shortest = { ours: Number.POSITIVE_INFINITY, reference: Number.POSITIVE_INFINITY };
  for (let round = -1; round < rounds; round += 1) {
    const mine = await processorSecondsFor(ours, load);
    const theirs = await processorSecondsFor(reference, load);
    if (round < 0) continue;
    shortest.ours = Math.min(shortest.ours, mine);
    shortest.reference = Math.min(shortest.reference, theirs);
  }
  return shortest;
}

async function processorSecondsFor(
  { url, pids, requests }: Contestant,
  load: { amount: number; connections: number },
): Promise<number> {
  const now = () => pids.reduce((sum, pid) => sum + processorSecondsOf(pid), 0);
  const before = now();
  const result = await autocannon({ url, requests, ...load });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${url}${requests[0]?.path}: ${result.non2xx} answers were no 2xx, ${result.errors} failed`,
    );
  return now() - before;
}

export interface Script {
  pid: number;
  stop: () => Promise<void>;
}

/** Starts a script of bench/support and waits until it listens on the port. */
export async function startScript(name: string, parameters: string[], port: number): Promise<Script> {
  const file = new URL(name, import.meta.url).pathname;
  const child = spawn(process.execPath, [file, ...parameters], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port, child);
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs[1]} ended`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(10);
  }
}
