import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { Sweeper } from './sweeper.ts';

// A network of an engine’s own, joined with this machine’s by a wire. This machine gets no address by it that it had not before:
// browsers give up all that is under way where an address comes or goes (net::ERR_NETWORK_CHANGED).

/** Of what an engine's networks may be made of, and where it is reached: several engines have one each. */
const SLICES = 16;
const DEVICE = 'simcha-t';
/** All ends of wires: one engine is seen by another as it is. */
const WIRES = '10.223.255.0/24';
/** This machine’s, whichever wire it is. */
const HERE = '10.223.255.254';

export interface Slice {
  device: string;
  /** What the wire's other end is called where it is in nobody's network. */
  end: string;
  /** This machine’s, and the engine’s. */
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

/** Of the engine's own: the bridge that containers are on without a network, and what others are made of. */
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
 * Rules of this machine’s that let an engine’s containers out, each as it is added and removed: by whom is said in them, so that
 * nobody removes those of the next one who has the slice.
 */
function waysOf({ device, there }: Slice): string[][] {
  const outward = ['-s', there, '!', '-d', WIRES, '!', '-o', device];
  const by = ['-m', 'comment', '--comment', `simcha-${randomUUID()}`];
  return [
    ['-t', 'nat', '', 'POSTROUTING', ...outward, ...by, '-j', 'MASQUERADE'],
    ['', 'FORWARD', '-i', device, ...by, '-j', 'ACCEPT'],
    ['', 'FORWARD', '-o', device, ...by, '-j', 'ACCEPT'],
  ];
}

const ruled = (way: readonly string[], how: '-I' | '-D') => ['--wait', ...way.map((word) => word || how)];

export type Wire = ReturnType<typeof joinTo>;

const ADDRESS = [`${HERE}/32`, 'dev', 'lo'];
/** Who has it for longer than those who join networks keeps it from coming and going with them. */
export function keepAddress(sweeper: Sweeper): void {
  try {
    ip('address', 'add', ...ADDRESS);
  } catch (error) {
    if (/exists|already/.test(String(error))) return;
    throw error;
  }
  sweeper.add(`ls /sys/class/net | grep -q '^${DEVICE}' || ${IP} address delete ${ADDRESS.join(' ')}`);
}

/** Joins the network of a process with this machine’s, and the world, until the sweeper comes. */
export function joinTo(pid: number, sweeper: Sweeper) {
  keepAddress(sweeper);
  const slice = takeSlice();
  const { device, end, there } = slice;
  // It goes with the process too, and may be the next one's by the time the sweeper comes.
  const owner = randomUUID();
  sweeper.add(`! grep -q ${owner} /sys/class/net/${device}/ifalias || ${IP} link delete ${device}`);
  ip('link', 'set', device, 'alias', owner);
  removeRulesOf(device);
  // Else it would make itself an address.
  const ipv6 = `/proc/sys/net/ipv6/conf/${device}/disable_ipv6`;
  if (existsSync(ipv6)) writeFileSync(ipv6, '1');
  for (const way of waysOf(slice)) {
    sweeper.add([IPTABLES, ...ruled(way, '-D')].join(' '));
    run(IPTABLES, ...ruled(way, '-I'));
  }
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  const wire = {
    slice,
    cut: () => ip('link', 'set', device, 'down'),
    /** What is down has lost its routes. */
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
    /** Nobody else is given the slice meanwhile. */
    unplugFrom: (pid: number) =>
      ipWithin(pid, 'link', 'set', 'eth0', 'netns', String(process.pid), 'name', end),
  };
  wire.plugInto(pid);
  return wire;
}

/** What is left of one whose sweeper was killed as well. */
function removeRulesOf(device: string): void {
  for (const table of ['filter', 'nat']) {
    const rules = run(IPTABLES, '--wait', '-t', table, '-S').toString().split('\n');
    const own = rules.map((rule) => rule.split(' ')).filter((words) => words.includes(device));
    for (const [, ...words] of own) {
      try {
        run(IPTABLES, '--wait', '-t', table, '-D', ...words);
      } catch {
        // That sweeper comes by just now.
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
