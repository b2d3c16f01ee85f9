import { createHash, randomInt, randomUUID } from 'node:crypto';
import { createKeyedLock } from '../../kernel/keyed-lock.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import type { Labels } from './labels.ts';

// Networks for sites: an engine has addresses for some thirty networks by default, and each site needs its own.

/** Prefix length of each network, which has addresses for some sixty containers. */
const BITS = 26;
const SIZE = 2 ** (32 - BITS);
const MOST_TRIES = 20;
/** Driver of a network across all machines of a cluster. */
export const OVERLAY = 'overlay';
const OVERLAPS = /overlaps/i;
/** Maximum length of a network device's name, in characters. */
const LONGEST_DEVICE = 15;
const PREFIX = 7;
const LONGEST_TURN_MS = 600_000;

export interface NetworksParts {
  engine: Engine;
  /** Address range for the networks, such as `10.224.0.0/12`; its prefix length is at most 26. */
  subnets: string;
  /** Returns the prefix of the names of this platform's network devices on the engine's machine (`prefixOf`). */
  prefix: () => string;
  /** Resolves once the firewall's rules are in force; no network is made before. */
  ensureClosed: (signal: AbortSignal) => Promise<void>;
}

export type Networks = ReturnType<typeof createNetworks>;

export function createNetworks({ engine, subnets, prefix, ensureClosed: closed }: NetworksParts) {
  /** Lock by name: two callers at once would make two networks, because an engine allows equal names. */
  const withLock = createKeyedLock(LONGEST_TURN_MS);

  const findOrMake = async (name: string, labels: Labels, signal: AbortSignal): Promise<string> => {
    // Networks across a cluster have their own code (swarm/environments.ts).
    const existing = (await engine.networks(labels, signal)).find(({ Driver }) => Driver !== OVERLAY);
    if (existing) return existing.Id;
    for (let attempt = 1; ; attempt += 1) {
      const device = `${prefix()}${randomUUID().replaceAll('-', '')}`.slice(0, LONGEST_DEVICE);
      try {
        return await engine.createNetwork(name, { labels, subnet: randomSubnet(subnets), device }, signal);
      } catch (error) {
        const isTaken = error instanceof EngineError && OVERLAPS.test(error.message);
        if (!isTaken || attempt === MOST_TRIES) throw error;
      }
    }
  };

  return {
    /** Ensures that the firewall blocks the networks that sites must not reach, also for sites that already run. */
    ensureClosed: closed,

    /** Id of the network with these labels; made with free addresses if there is none yet. */
    async ensure(name: string, labels: Labels, signal: AbortSignal): Promise<string> {
      await closed(signal);
      return withLock(name, () => findOrMake(name, labels, signal));
    },
  };
}

/** Prefix of the names of a platform's network devices. */
export function prefixOf(platform: string): string {
  return `s${createHash('sha256').update(platform).digest('hex')}`.slice(0, PREFIX);
}

function randomSubnet(subnets: string): string {
  const [address = '', bits] = subnets.split('/');
  const base = address.split('.').reduce((all, byte) => all * 256 + Number(byte), 0);
  const first = base - (base % SIZE) + randomInt(2 ** (BITS - Number(bits))) * SIZE;
  const bytes = [24, 16, 8, 0].map((by) => Math.floor(first / 2 ** by) % 256);
  return `${bytes.join('.')}/${BITS}`;
}
