import { randomInt } from 'node:crypto';
import { EngineError } from './connection.ts';
import type { Engine, Labels } from './engine.ts';

// An engine has addresses for some thirty networks by itself, and each site has one of its own.

/** 10.224.0.0/12, as a number, in networks of sixty machines each. */
const FIRST = 10 * 2 ** 24 + 224 * 2 ** 16;
const BITS = 26;
const SIZE = 2 ** (32 - BITS);
const COUNT = 2 ** 20 / SIZE;
const MOST_TRIES = 20;
const OVERLAPS = /overlaps/i;

/** The network with these labels, by its id; made where there is none yet, as anything that nobody else has. */
export async function networkOf(
  engine: Engine,
  name: string,
  labels: Labels,
  signal: AbortSignal,
): Promise<string> {
  const [known] = await engine.networks(labels, signal);
  if (known) return known.Id;
  for (let turn = 1; ; turn += 1) {
    try {
      return await engine.createNetwork(name, { labels, subnet: anySubnet() }, signal);
    } catch (error) {
      const isTaken = error instanceof EngineError && OVERLAPS.test(error.message);
      if (!isTaken || turn === MOST_TRIES) throw error;
    }
  }
}

function anySubnet(): string {
  const first = FIRST + randomInt(COUNT) * SIZE;
  const bytes = [24, 16, 8, 0].map((by) => Math.floor(first / 2 ** by) % 256);
  return `${bytes.join('.')}/${BITS}`;
}
