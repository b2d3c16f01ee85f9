import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

// Limits count a client by its network, so only this file reads `request.ip` (test/architecture.test.ts).

const MAPPED = /^::ffff:([\d.]+)$/i;
/** Pattern of a client address with its port, as some proxies write it. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]+)\])(?::\d+)?$/;
/**
 * Placeholder for a client's address if a proxy gave a text that is no address: all such clients are counted as one.
 */
const NO_ADDRESS = 'unknown';

/**
 * Address of a request's client as people read it: an IPv4 address without its IPv6 prefix, an IPv6 address without an
 * interface name.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(ip) ?? [];
  const [bare = ip] = (ipv4 ?? ipv6 ?? ip).split('%', 1);
  if (isIP(bare) === 0) return NO_ADDRESS;
  return MAPPED.exec(bare)?.[1] ?? bare;
}

/** Network by which a request's client is counted. */
export function networkOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return networkAt(ip);
}

/** Network of an address: an IPv4 address, or the /64 of an IPv6 address, since one customer has all of it. */
export function networkAt(ip: string): string {
  const address = addressOf({ ip });
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [sixth = '', high = '', low = ''] = groups.slice(5);
  if (sixth === 'ffff' && groups.slice(0, 5).every((group) => group === '0')) return dotted(high, low);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Splits an IPv6 address, in any notation, into its eight groups. */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

function dotted(high: string, low: string): string {
  const [first, second] = [high, low].map((group) => Number.parseInt(group, 16)) as [number, number];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Headers by which proxies mark a request that they pass on to this server. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * True if a request was made on this machine. A request that came through a proxy on this machine doesn't count as
 * such, unless `TRUSTED_PROXIES` names the proxy and the proxy says that the client is on this machine too.
 */
export function isLocal({ ip, ips, headers }: Pick<FastifyRequest, 'ip' | 'ips' | 'headers'>): boolean {
  if (!LOOPBACK.test(ip)) return false;
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  // Each trusted proxy adds an address to the list `ips`. If the list has several, a trusted proxy has forwarded the
  // request, and `ip` is the client's address.
  return !isForwarded || (ips?.length ?? 0) > 1;
}
