import { BlockList } from 'node:net';
import { GLOBAL_6, INNER_4, INNER_6 } from '../../kernel/special-ranges.ts';
import type { SandboxTarget } from './confined.ts';

/** Port on which a command in its own network listens; a port of this machine's loopback address forwards to it. */
export const INNER_PORT = 8080;

/** Name server as in `inside/resolv.conf`: pasta forwards its queries to the machine's own resolver. */
const RESOLVER = '192.0.0.53';
const DEVICE = 'eth0';
/** Protocols by number: a slim image has no /etc/protocols, in which ip(8) would look names up. */
const TCP = 6;
const UDP = 17;
/**
 * Addresses for a sandbox's network that belong to no machine: the IPv4 addresses are reserved for such ends of
 * tunnels, the IPv6 ones for examples.
 */
const ADDRESSES = ['-a', '192.0.0.2', '-n', '30', '-g', '192.0.0.1', '-a', '2001:db8::2', '-g', 'fe80::1'];
const ROUTER_MAC = '02:00:00:00:00:01';

/**
 * Arguments of the program pasta, which connects a sandbox's network: it passes on outgoing connections, and incoming
 * connections only to `port`. The address and port `place` can be reached even on this machine's loopback address.
 */
export function pastaArguments(
  port: number | undefined,
  place?: SandboxTarget,
  inner = INNER_PORT,
): string[] {
  const back = place && isLoopback(place.address) ? String(place.port) : 'none';
  return [
    '--foreground',
    '--quiet',
    '--log-file',
    '/dev/null',
    '--config-net',
    '--ns-ifname',
    DEVICE,
    '--mac-addr',
    ROUTER_MAC,
    ...ADDRESSES,
    // All other ways from the network to this machine are blocked: to its loopback address by way of the router's, and
    // to its ports by way of the network's own.
    '--no-map-gw',
    '--tcp-ns',
    back,
    '--udp-ns',
    'none',
    '--udp-ports',
    'none',
    '--no-ra',
    '--no-dhcp',
    '--no-dhcpv6',
    '--dns-forward',
    RESOLVER,
    '--tcp-ports',
    port === undefined ? 'none' : `127.0.0.1/${port}:${inner}`,
  ];
}

export interface RouteSettings {
  /** Networks that commands may reach although they are closed by default; the narrowest matching network decides. */
  allowed: readonly string[];
  /** Addresses of this machine, each closed to commands unless exactly this address is allowed. */
  own: readonly string[];
  hasIpv6: boolean;
}

/**
 * Networks that a command may reach (`allow`) or not (`block`), each listed once. If an address is in several of them,
 * the narrowest one decides.
 */
export function routesOf({
  allowed,
  own,
  hasIpv6,
}: RouteSettings): { network: string; action: 'allow' | 'block'; bits: number }[] {
  const closed = [...INNER_4, '::/0', ...INNER_6].filter((one) => !allowed.some((wide) => covers(wide, one)));
  // If the same network is added twice, the first action (`allow` or `block`) stays.
  const ways = new Map<string, 'allow' | 'block'>();
  const add = (action: 'allow' | 'block', ranges: readonly string[]) => {
    for (const range of ranges.filter((one) => hasIpv6 || familyOf(one) === 'ipv4')) {
      if (!ways.has(network(range))) ways.set(network(range), action);
    }
  };
  add('allow', [...allowed, ...GLOBAL_6]);
  add('block', [...closed, ...own]);
  return [...ways].map(([name, action]) => ({ network: name, action, bits: bitsOf(name) }));
}

/**
 * Rules that block routes out of a sandbox's network, as lines for ip(8). Policies are used instead of routes: a socket
 * that is bound to a device bypasses a blackhole route.
 */
export function closingRules(ways: RouteSettings): string[] {
  return [
    // The router's link-layer address is set here: looking it up would need multicast, which is blocked.
    ...(ways.hasIpv6 ? [`neighbour add fe80::1 lladdr ${ROUTER_MAC} dev ${DEVICE} nud permanent`] : []),
    ...[UDP, TCP].map((protocol) => policy(`${RESOLVER}/32 proto ${protocol} dport 53`, 'allow', 0)),
    ...routesOf(ways).map(({ network: name, action, bits }) => policy(name, action, 1 + 128 - bits)),
  ];
}

/** Lines for ip(8) that let a sandbox reach a single port of a single address, and block everything else. */
export function singleTargetRules({ address, port }: SandboxTarget, hasIpv6: boolean): string[] {
  const way = `${network(address)} proto ${TCP} dport ${port}`;
  return [
    ...(familyOf(address) === 'ipv4' || hasIpv6 ? [policy(way, 'allow', 0)] : []),
    policy('0.0.0.0/0', 'block', 1),
    ...(hasIpv6 ? [policy('::/0', 'block', 1)] : []),
  ];
}

/**
 * Line for ip(8) that allows or blocks outgoing traffic to a network. Lines with lower priorities apply first, so
 * narrow networks have lower ones than wide networks.
 */
function policy(selector: string, action: 'allow' | 'block', priority: number): string {
  return `xfrm policy add dst ${selector} dir out action ${action} priority ${priority}`;
}

function network(range: string): string {
  return range.includes('/') ? range : `${range}/${bitsOf(range)}`;
}

function bitsOf(range: string): number {
  const [address = '', bits] = range.split('/');
  return bits === undefined ? widthOf(address) : Number(bits);
}

function covers(wide: string, narrow: string): boolean {
  const [address = ''] = narrow.split('/');
  const [base = ''] = wide.split('/');
  if (familyOf(base) !== familyOf(address) || bitsOf(wide) > bitsOf(narrow)) return false;
  const list = new BlockList();
  list.addSubnet(base, bitsOf(wide), familyOf(base));
  return list.check(address, familyOf(address));
}

function widthOf(address: string): number {
  return familyOf(address) === 'ipv6' ? 128 : 32;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
