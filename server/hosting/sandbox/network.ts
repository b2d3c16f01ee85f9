import { BlockList } from 'node:net';
import { GLOBAL_6, INNER_4, INNER_6 } from '../../kernel/special-ranges.ts';
import type { SandboxPlace } from './confined.ts';

/** Where a command in a network of its own listens, and what leads there: a port of this machine's loopback address. */
export const INNER_PORT = 8080;

/** As `inside/resolv.conf` says: pasta hands on what is asked there to the machine's own resolver, wherever that is. */
const RESOLVER = '192.0.0.53';
const DEVICE = 'eth0';
/** By number: a slim image has no /etc/protocols, in which ip(8) would look a name up. */
const TCP = 6;
const UDP = 17;
/** Of no machine: the first is kept for such ends of tunnels, the second for examples. */
const ADDRESSES = ['-a', '192.0.0.2', '-n', '30', '-g', '192.0.0.1', '-a', '2001:db8::2', '-g', 'fe80::1'];
const ROUTER_MAC = '02:00:00:00:00:01';

/**
 * The arguments of pasta, which carries a network of its own out by sockets of its own, and nothing in but to `port`.
 * `place` is reached even where it is a port of this machine's loopback address.
 */
export function pastaArguments(port: number | undefined, place?: SandboxPlace, inner = INNER_PORT): string[] {
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
    // No other way back to this machine: neither its loopback address by the router's, nor its ports by the network's own.
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

export interface Ways {
  /** Networks that may be reached although they are closed to everybody; the narrowest that fits decides. */
  allowed: readonly string[];
  /** The machine's own addresses, each closed unless just this one is allowed. */
  own: readonly string[];
  /** Whether the machine has IPv6. */
  six: boolean;
}

/** Which networks are open and which are closed, each of them once; of those that an address is in, the narrowest decides. */
export function waysOf({
  allowed,
  own,
  six,
}: Ways): { network: string; action: 'allow' | 'block'; bits: number }[] {
  const closed = [...INNER_4, '::/0', ...INNER_6].filter((one) => !allowed.some((wide) => covers(wide, one)));
  // Of one and the same network, the first is what holds.
  const ways = new Map<string, 'allow' | 'block'>();
  const add = (action: 'allow' | 'block', ranges: readonly string[]) => {
    for (const range of ranges.filter((one) => six || familyOf(one) === 'ipv4')) {
      if (!ways.has(network(range))) ways.set(network(range), action);
    }
  };
  add('allow', [...allowed, ...GLOBAL_6]);
  add('block', [...closed, ...own]);
  return [...ways].map(([name, action]) => ({ network: name, action, bits: bitsOf(name) }));
}

/**
 * What closes a network's ways, as lines for ip(8). They are policies and not routes: a route that leads nowhere is
 * gone around by a socket that is bound to a device.
 */
export function closedWays(ways: Ways): string[] {
  return [
    // Its router would be asked for by multicast, which is closed.
    ...(ways.six ? [`neighbour add fe80::1 lladdr ${ROUTER_MAC} dev ${DEVICE} nud permanent`] : []),
    ...[UDP, TCP].map((protocol) => policy(`${RESOLVER}/32 proto ${protocol} dport 53`, 'allow', 0)),
    ...waysOf(ways).map(({ network: name, action, bits }) => policy(name, action, 1 + 128 - bits)),
  ];
}

/** The same where all ways are closed but one, to a port of an address. */
export function onlyWay({ address, port }: SandboxPlace, six: boolean): string[] {
  const way = `${network(address)} proto ${TCP} dport ${port}`;
  return [
    ...(familyOf(address) === 'ipv4' || six ? [policy(way, 'allow', 0)] : []),
    policy('0.0.0.0/0', 'block', 1),
    ...(six ? [policy('::/0', 'block', 1)] : []),
  ];
}

/** The lower priority goes first: narrow networks before wide ones. */
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
