import { createHash, randomInt, randomUUID } from 'node:crypto';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import { EngineError } from './connection.ts';
import type { Engine, Labels } from './engine.ts';

// An engine has addresses for some thirty networks by itself, and each site has one of its own.

/** Of sixty machines each. */
const BITS = 26;
const SIZE = 2 ** (32 - BITS);
const MOST_TRIES = 20;
/** Of a network of all machines of a cluster. */
export const OVERLAY = 'overlay';
const OVERLAPS = /overlaps/i;
/** As long as a device's name may be. */
const LONGEST_DEVICE = 15;
const PREFIX = 7;
const LONGEST_TURN_MS = 600_000;

export interface NetworksParts {
  engine: Engine;
  /** What they are made of, such as `10.224.0.0/12`; of no more than its network's bits, which are 26 at most. */
  subnets: string;
  /** By which their devices are known on the engine's machine (`prefixOf`). */
  prefix: () => string;
  /** Nothing gets a network before what closes it stands. */
  closed: (signal: AbortSignal) => Promise<void>;
}

export type Networks = ReturnType<typeof createNetworks>;

export function createNetworks({ engine, subnets, prefix, closed }: NetworksParts) {
  /** Two who make the same at once would make it twice: an engine lets several have one name. */
  const inTurn = createKeyedLock(LONGEST_TURN_MS);

  const find = async (name: string, labels: Labels, signal: AbortSignal): Promise<string> => {
    // One of all machines of a cluster is another one's.
    const known = (await engine.networks(labels, signal)).find(({ Driver }) => Driver !== OVERLAY);
    if (known) return known.Id;
    for (let turn = 1; ; turn += 1) {
      const device = `${prefix()}${randomUUID().replaceAll('-', '')}`.slice(0, LONGEST_DEVICE);
      try {
        return await engine.createNetwork(name, { labels, subnet: anyOf(subnets), device }, signal);
      } catch (error) {
        const isTaken = error instanceof EngineError && OVERLAPS.test(error.message);
        if (!isTaken || turn === MOST_TRIES) throw error;
      }
    }
  };

  return {
    /** Where something runs already. */
    close: closed,

    /** The network with these labels, by its id; made where there is none yet, as anything that nobody else has. */
    async of(name: string, labels: Labels, signal: AbortSignal): Promise<string> {
      await closed(signal);
      return inTurn(name, () => find(name, labels, signal));
    },
  };
}

/** What the names of a platform's devices begin with. */
export function prefixOf(platform: string): string {
  return `s${createHash('sha256').update(platform).digest('hex')}`.slice(0, PREFIX);
}

function anyOf(subnets: string): string {
  const [address = '', bits] = subnets.split('/');
  const wide = address.split('.').reduce((all, byte) => all * 256 + Number(byte), 0);
  const first = wide - (wide % SIZE) + randomInt(2 ** (BITS - Number(bits))) * SIZE;
  const bytes = [24, 16, 8, 0].map((by) => Math.floor(first / 2 ** by) % 256);
  return `${bytes.join('.')}/${BITS}`;
}
