import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GLOBAL_6, INNER_4, INNER_6, UNUSED_4, UNUSED_6 } from './special-ranges.ts';

const LOOKUP_MS = 5_000;

export type HostVerdict = { address: string } | { wrong: 'private' | 'unresolved' };

/**
 * Resolves a host to an address that may be connected to. Connect to this address rather than to the name: a second DNS
 * answer could lead elsewhere. `private` if any of the host's addresses is private.
 */
export async function resolveHost(host: string, allowPrivate: boolean): Promise<HostVerdict> {
  const addresses = await addressesOf(host);
  const [address] = addresses;
  if (!address) return { wrong: 'unresolved' };
  if (!allowPrivate && addresses.some((one) => !isPublicAddress(one))) return { wrong: 'private' };
  return { address };
}

/**
 * True if no lookup is needed to see that a host is private: it is written as a private address, or is a name of this
 * machine.
 */
export function isPlainlyPrivate(host: string): boolean {
  if (isIP(host)) return !isPublicAddress(host);
  // Numbers in other notations (0x7f.1, 2130706433) are IPv4 addresses to some resolvers, but not to others.
  return (
    /(^|\.)(localhost|local|internal|localdomain)\.?$/i.test(host) ||
    /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(host)
  );
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  const timeout = new AbortController();
  try {
    // The system's own resolver is used, because git and ssh use it too.
    const answers = lookup(host, { all: true }).catch(() => []);
    const late = sleep(LOOKUP_MS, [], { ref: false, signal: timeout.signal }).catch(() => []);
    return (await Promise.race([answers, late])).map(({ address }) => address);
  } finally {
    timeout.abort();
  }
}

const special4 = blockList('ipv4', [...INNER_4, ...UNUSED_4]);
const global6 = blockList('ipv6', GLOBAL_6);
const special6 = blockList('ipv6', [...INNER_6, ...UNUSED_6]);

/** True if an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] ?? '';
  switch (isIP(plain)) {
    case 4:
      return !special4.check(plain, 'ipv4');
    case 6:
      return global6.check(plain, 'ipv6') && !special6.check(plain, 'ipv6');
    default:
      return false;
  }
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
