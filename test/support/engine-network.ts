import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

// A network of an engine’s own, joined with this machine’s by a wire.

/** Of what an engine's networks may be made of, and where it is reached: several engines of tests have one each. */
const SLICES = 16;

interface Slice {
  device: string;
  /** Of this machine and of the engine’s, at the two ends of a wire. */
  here: string;
  there: string;
  subnets: string;
  own: string;
}

function sliceOf(index: number): Slice {
  return {
    device: `simcha-t${index}`,
    ...{ here: `10.223.255.${4 * index + 1}`, there: `10.223.255.${4 * index + 2}` },
    ...{ subnets: `10.${224 + index}.0.0/17`, own: `10.${224 + index}.128.0/17` },
  };
}

const ip = (...args: string[]) => execFileSync('/usr/sbin/ip', args, { stdio: 'pipe' });
const iptables = (...args: string[]) =>
  execFileSync('/usr/sbin/iptables', ['--wait', ...args], { stdio: 'pipe' });
const attempt = (work: () => void) => {
  try {
    work();
  } catch {
    // It is told of by what comes after.
  }
};

/** Rules of this machine’s that let an engine’s containers out, each as it is added and removed. */
function waysOf({ device, here }: Slice): string[][] {
  return [
    ['-t', 'nat', '', 'POSTROUTING', '-s', `${here}/30`, '!', '-o', device, '-j', 'MASQUERADE'],
    ['', 'FORWARD', '-i', device, '-j', 'ACCEPT'],
    ['', 'FORWARD', '-o', device, '-j', 'ACCEPT'],
  ];
}

/** Joins the network of a process with this machine’s, and the world. Gives what takes it apart. */
export function joinTo(pid: number): { slice: Slice; part(): void } {
  for (let index = 0; index < SLICES; index += 1) {
    const slice = sliceOf(index);
    const { device, here, there } = slice;
    try {
      ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
    } catch (error) {
      if (String(error).includes('exists')) continue;
      throw error;
    }
    const part = () => {
      for (const rule of waysOf(slice)) attempt(() => iptables(...rule.map((word) => word || '-D')));
      attempt(() => ip('link', 'delete', device));
    };
    try {
      ip('address', 'add', `${here}/30`, 'dev', device);
      ip('link', 'set', device, 'up');
      const within = ['--net', '--target', String(pid), '/usr/sbin/ip'];
      for (const words of [
        ['address', 'add', `${there}/30`, 'dev', 'eth0'],
        ['link', 'set', 'eth0', 'up'],
        ['link', 'set', 'lo', 'up'],
        ['route', 'add', 'default', 'via', here],
      ])
        execFileSync('/usr/bin/nsenter', [...within, ...words], { stdio: 'pipe' });
      ip('route', 'replace', slice.subnets, 'via', there);
      ip('route', 'replace', slice.own, 'via', there);
      writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
      for (const rule of waysOf(slice)) iptables(...rule.map((word) => word || '-I'));
    } catch (error) {
      part();
      throw error;
    }
    return { slice, part };
  }
  throw new Error(`there are ${SLICES} engines of tests on this machine already`);
}
