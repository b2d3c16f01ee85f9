import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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

// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
const SPECIAL_4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);
/** Where public IPv6 addresses are, and what within it is none or carries an IPv4 address that may be none. */
const GLOBAL_6 = blockList('ipv6', ['2000::/3']);
const SPECIAL_6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] ?? '';
  switch (isIP(plain)) {
    case 4:
      return !SPECIAL_4.check(plain, 'ipv4');
    case 6:
      return GLOBAL_6.check(plain, 'ipv6') && !SPECIAL_6.check(plain, 'ipv6');
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
