import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const MAPPED = /^::ffff:([\d.]+)$/i;

/** An address as people write it: an IPv4 one as such, an IPv6 one without the name of an interface. */
export function clientAddress(ip: string): string {
  const [, mapped] = MAPPED.exec(ip) ?? [];
  return mapped ?? ip.split('%', 1)[0] ?? ip;
}

/** What tries of one client are counted by: an IPv4 address, or the /64 of an IPv6 one, all of which is one customer's. */
export function clientNetwork(ip: string): string {
  const [, mapped] = MAPPED.exec(ip) ?? [];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? [];
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
/** Headers by which proxies say that they pass a request on. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Whether a request was made on this machine. One that a proxy on this machine passes on was not, unless `TRUSTED_PROXIES`
 * names the proxy and it says that the client is here.
 */
export function isLocal({ ip, ips, headers }: Pick<FastifyRequest, 'ip' | 'ips' | 'headers'>): boolean {
  if (!LOOPBACK.test(ip)) return false;
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  // More than one address: the header was read, because a proxy we trust has set it.
  return !isForwarded || (ips?.length ?? 0) > 1;
}
