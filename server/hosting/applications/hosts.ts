import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GLOBAL_6, INNER_4, INNER_6, UNUSED_4, UNUSED_6 } from '../../kernel/special-ranges.ts';

const LOOKUP_MS = 5_000;

export type HostVerdict = { address: string } | { wrong: 'private' | 'unresolved' };

/**
 * The address of a host that may be connected to: connect to this one and not to the name, or a second
 * answer of its name server could lead elsewhere. Refused as `private` when any of its addresses is.
 */
export async function resolveHost(host: string, allowPrivate: boolean): Promise<HostVerdict> {
  const addresses = await addressesOf(host);
  const [address] = addresses;
  if (!address) return { wrong: 'unresolved' };
  if (!allowPrivate && addresses.some((one) => !isPublicAddress(one))) return { wrong: 'private' };
  return { address };
}

/** Known without asking anybody: the host is written as a private address, or is a name of this machine. */
export function isPlainlyPrivate(host: string): boolean {
  if (isIP(host)) return !isPublicAddress(host);
  // Numbers in any other notation (0x7f.1, 2130706433) are read as IPv4 addresses by some resolvers and not by others.
  return (
    /(^|\.)(localhost|local|internal|localdomain)\.?$/i.test(host) ||
    /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(host)
  );
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  const timeout = new AbortController();
  try {
    // The system's own resolver, as git and ssh would ask it.
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

/** Whether an IP address is one of the public internet. */
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
