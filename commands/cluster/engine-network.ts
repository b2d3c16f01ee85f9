import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { Sweeper } from './sweeper.ts';

// Network of an engine, connected to this machine by a virtual cable (veth). This machine must not gain or lose an
// address by it: browsers abort all running requests when an address changes (net::ERR_NETWORK_CHANGED).

/** Maximum number of engines: each has an address range (slice) of its own. */
const SLICES = 16;
const DEVICE = 'simcha-t';
/**
 * Network of the addresses at all ends of virtual cables. Traffic to this network is exempt from masquerading, so that
 * engines see each other's real addresses.
 */
export const WIRES = '10.223.255.0/24';
/** Address of this machine on the virtual cables to all engines. */
const HERE = '10.223.255.254';

export interface Slice {
  device: string;
  /** Name of the virtual cable's other end as long as the end is not inside an engine's network. */
  end: string;
  /** Addresses of this machine and of the engine on the virtual cable between them. */
  here: string;
  there: string;
  subnets: string;
  own: string;
}

function sliceOf(index: number): Slice {
  const device = `${DEVICE}${index}`;
  return {
    device,
    end: `${device}-end`,
    here: HERE,
    there: `10.223.255.${index + 1}`,
    subnets: `10.${224 + index}.0.0/17`,
    own: `10.${224 + index}.128.0/17`,
  };
}

/** Networks of the engine itself: the bridge for containers without a network, and the pool for further networks. */
export function networksOf({ own }: Slice): { bridge: string; pool: string } {
  const [bridge = ''] = own.split('/');
  return { bridge, pool: `${bridge.replace('.128.', '.192.')}/18` };
}

const IP = '/usr/sbin/ip';
const IPTABLES = '/usr/sbin/iptables';
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });
const ip = (...args: string[]) => run(IP, ...args);
const ipWithin = (pid: number, ...args: string[]) =>
  run('/usr/bin/nsenter', '--net', '--target', String(pid), IP, ...args);

/**
 * Firewall rules of this machine that let an engine's containers reach the internet, as arguments for adding and
 * removing them. The comment in each rule names the engine that owns it, so that removing the rules of one engine keeps
 * those of the next engine with the same address range.
 */
function outboundRulesOf({ device, there }: Slice): string[][] {
  const outward = ['-s', there, '!', '-d', WIRES, '!', '-o', device];
  const by = ['-m', 'comment', '--comment', `simcha-${randomUUID()}`];
  return [
    ['-t', 'nat', '', 'POSTROUTING', ...outward, ...by, '-j', 'MASQUERADE'],
    ['', 'FORWARD', '-i', device, ...by, '-j', 'ACCEPT'],
    ['', 'FORWARD', '-o', device, ...by, '-j', 'ACCEPT'],
  ];
}

const ruleArguments = (way: readonly string[], how: '-I' | '-D') => [
  '--wait',
  ...way.map((word) => word || how),
];

export type Wire = ReturnType<typeof connectNetwork>;

const ADDRESS = [`${HERE}/32`, 'dev', 'lo'];
/**
 * Gives this machine the address that all virtual cables share. The sweeper removes the address at the very end, so
 * that it does not come and go with each cable.
 */
export function keepAddress(sweeper: Sweeper): void {
  try {
    ip('address', 'add', ...ADDRESS);
  } catch (error) {
    if (/exists|already/.test(String(error))) return;
    throw error;
  }
  sweeper.add(`ls /sys/class/net | grep -q '^${DEVICE}' || ${IP} address delete ${ADDRESS.join(' ')}`);
}

/** Connects the network of a process with this machine and the internet. The sweeper removes the connection. */
export function connectNetwork(pid: number, sweeper: Sweeper) {
  keepAddress(sweeper);
  const slice = takeSlice();
  const { device, end, there } = slice;
  // The sweeper (a process that cleans up after this one) removes the network device only if it still has the mark of
  // its owner: the device also disappears with its process, and another engine may have a device of that name by then.
  const owner = randomUUID();
  sweeper.add(`! grep -q ${owner} /sys/class/net/${device}/ifalias || ${IP} link delete ${device}`);
  ip('link', 'set', device, 'alias', owner);
  removeRulesOf(device);
  // IPv6 is switched off, because the kernel would otherwise add an IPv6 address to the device.
  const ipv6 = `/proc/sys/net/ipv6/conf/${device}/disable_ipv6`;
  if (existsSync(ipv6)) writeFileSync(ipv6, '1');
  for (const way of outboundRulesOf(slice)) {
    sweeper.add([IPTABLES, ...ruleArguments(way, '-D')].join(' '));
    run(IPTABLES, ...ruleArguments(way, '-I'));
  }
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  const wire = {
    slice,
    cut: () => ip('link', 'set', device, 'down'),
    /** Enables the cable's network device again, with the routes that it lost while it was disabled. */
    mend() {
      ip('link', 'set', device, 'up');
      const way = ['dev', device, 'src', HERE];
      ip('route', 'replace', `${there}/32`, ...way);
      for (const subnet of [slice.subnets, slice.own]) ip('route', 'replace', subnet, 'via', there, ...way);
    },
    plugInto(pid: number) {
      ip('link', 'set', end, 'netns', String(pid), 'name', 'eth0');
      ipWithin(pid, 'address', 'add', `${there}/32`, 'dev', 'eth0');
      for (const name of ['eth0', 'lo']) ipWithin(pid, 'link', 'set', name, 'up');
      ipWithin(pid, 'route', 'add', `${HERE}/32`, 'dev', 'eth0');
      ipWithin(pid, 'route', 'add', 'default', 'via', HERE);
      wire.mend();
    },
    /**
     * Moves the virtual cable's other end out of the machine of process `pid`, back to this one. Its address range
     * stays reserved while the end exists.
     */
    unplugFrom: (pid: number) =>
      ipWithin(pid, 'link', 'set', 'eth0', 'netns', String(process.pid), 'name', end),
  };
  wire.plugInto(pid);
  return wire;
}

/**
 * Removes firewall rules of an earlier engine, if the process that should have removed them (its sweeper) was killed
 * too.
 */
function removeRulesOf(device: string): void {
  for (const table of ['filter', 'nat']) {
    const rules = run(IPTABLES, '--wait', '-t', table, '-S').toString().split('\n');
    const own = rules.map((rule) => rule.split(' ')).filter((words) => words.includes(device));
    for (const [, ...words] of own) {
      try {
        run(IPTABLES, '--wait', '-t', table, '-D', ...words);
      } catch {
        // The sweeper of an earlier engine has already removed this firewall rule.
      }
    }
  }
}

function takeSlice(): Slice {
  for (let index = 0; index < SLICES; index += 1) {
    const slice = sliceOf(index);
    try {
      ip('link', 'add', slice.device, 'type', 'veth', 'peer', 'name', slice.end);
      return slice;
    } catch (error) {
      if (!String(error).includes('exists')) throw error;
    }
  }
  throw new Error(`there are ${SLICES} engines within this machine already`);
}
