import { accessSync, constants, existsSync } from 'node:fs';
import { networkInterfaces, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entranceTo, type Needs, type PathLookup } from './account-entrance.ts';
import { APP, bubblewrapArguments, HOME, mountName, readName } from './bubblewrap-arguments.ts';
import {
  type Confined,
  type Invocation,
  type Isolation,
  type IsolationSettings,
  type NetworkOrder,
  withListenAddress,
} from './confined.ts';
import { messages } from './messages.ts';
import { closingRules, INNER_PORT, pastaArguments, singleTargetRules } from './network.ts';
import { overlayBase } from './overlay.ts';
import { INSIDE, limitedCommandLine, programPath, startInstructions } from './shell.ts';
import { FILTER_AT, quoteForShell } from './spawning.ts';
import type { OwnFolder } from './system-folders.ts';
import type { Tools } from './tools.ts';

// A command in its sandbox: a shell of ours becomes an account that is not the server's (account.sh), joins a network,
// and then becomes bubblewrap, which gives the command its own users, files and processes. An overlay layer, if the
// command has one, is mounted between the last two (inside/layer.sh). Each program replaces the one before it (exec).
//
// The sandbox's network is made before the command starts: by the program pasta, under the same account
// (network-maker.ts). network.sh blocks the addresses that the command must not reach (network.ts).

const BWRAP = '/usr/bin/bwrap';
const PROGRAMS = [
  { name: 'bubblewrap', files: [BWRAP] },
  { name: 'passt', files: ['/usr/bin/pasta'] },
  { name: 'iproute2', files: ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip'] },
];

/** Debian packages that a sandbox needs and this machine lacks. */
export function missingPackages(): string[] {
  return PROGRAMS.filter(({ files }) => !files.some(canRun)).map(({ name }) => name);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const ACCOUNT = fileURLToPath(new URL('account.sh', import.meta.url));

export interface BubblewrapParts {
  /**
   * File with the system calls that a command may not make; undefined if there is no filter for this machine's
   * architecture.
   */
  filterFile: (() => string) | undefined;
  /** Folders of the platform that no command may see, wherever they lie. */
  own: readonly OwnFolder[];
}

/** Isolation of commands by the program bubblewrap, which gives each of them its own users, files and processes. */
export function openBubblewrap(
  tools: Tools,
  { appsAllowNetworks, appsUid }: IsolationSettings,
  { filterFile, own }: BubblewrapParts,
): Isolation {
  const account = process.getuid?.() === 0 ? appsUid : undefined;
  const otherGroupIds = account === undefined ? otherGroups() : [];
  return {
    description: messages.sandboxed,
    warnings: otherGroupIds.length > 0 ? [messages.keepsGroups(otherGroupIds)] : [],
    // Above the command in the tree of processes are two that belong to bubblewrap: bubblewrap itself, and its first
    // process, which only waits for the others.
    ownDepth: 2,
    hasOverlays: true,
    endsDescendants: true,
    account,
    inside: '/runtime/inside',
    parkingShell:
      account === undefined
        ? { shell: ['/bin/sh'], first: '' }
        : { shell: ['/usr/bin/unshare', '--mount', '/bin/sh'], first: `. ${quoteForShell(ACCOUNT)}` },
    portInside: (_port, inner = INNER_PORT) => inner,
    pathsInside: () => ({ folder: APP, home: HOME }),
    mountPathInside: ({ at }) => at,
    confine: (command) => confine(command, { account, tools, filter: filterFile?.(), own }),
    network: (order) => makeNetwork(order, { account, allowed: appsAllowNetworks }),
  };
}

interface ConfineParts {
  account: number | undefined;
  /** Programs (`node` and `npm`) for commands that bring none of their own. */
  tools: Tools;
  /** File with the sandbox's filter of system calls. */
  filter: string | undefined;
  own: readonly OwnFolder[];
}

function confine(command: Confined, { account, tools, filter, own }: ConfineParts): Invocation {
  const needs = needsOf(command, command.tools ?? tools);
  const { at, first, enter } = entranceTo(account, needs);
  const bubblewrap = [BWRAP, ...(filter === undefined ? [] : ['--seccomp', String(FILTER_AT)])];
  return {
    ...invocation(command.home, [
      ...enter,
      ...(command.joins === undefined
        ? [...bubblewrap, '--unshare-net']
        : [...enterNetwork(command.joins), ...overlayCommand(command, at), ...bubblewrap]),
      ...bubblewrapArguments(command, { at, npm: needs.npm !== undefined, own }),
      '--',
      ...limitedCommandLine(command, COUNTS_OWN_USERS ? command.mostThreads : undefined),
    ]),
    first,
    filter,
    begin: startInstructions({
      ...withListenAddress(command, '0.0.0.0', command.innerPort ?? INNER_PORT),
      HOME,
      PATH: programPath(command, APP, '/runtime/bin'),
    }),
  };
}

/** Files and folders of this machine that a command's sandbox needs. */
function needsOf(command: Confined, { node, npm }: Tools): Needs {
  const { tmp, layer, reads = [], mounts = [] } = command;
  return {
    node,
    ...(npm !== undefined && { npm }),
    inside: INSIDE,
    app: command.folder,
    home: command.home,
    ...(tmp !== undefined && { tmp }),
    ...(layer !== undefined && { layer }),
    ...Object.fromEntries(reads.map((path, n) => [readName(n), path])),
    ...Object.fromEntries(mounts.map(({ folder }, n) => [mountName(n), folder])),
  };
}

function makeNetwork(
  { target, port, innerPort, home }: NetworkOrder,
  { account, allowed }: { account: number | undefined; allowed: readonly string[] },
): Invocation {
  const { at, first, enter } = entranceTo(account, { inside: INSIDE });
  const rules = target ? singleTargetRules(target, machineHasIpv6()) : currentRules(allowed);
  return {
    ...invocation(home, [
      ...enter,
      '/usr/bin/pasta',
      ...pastaArguments(port, target, innerPort),
      '--',
      '/bin/sh',
      join(at('inside'), 'network.sh'),
      rules.join('\n'),
    ]),
    // The sandbox gets a /dev/net/tun of its own, because the machine's may belong to root alone.
    first: account === undefined ? first : `${first}\nmknod -m 666 /dev/net/tun c 10 200`,
  };
}

/**
 * Supplementary groups of the server: a process without rights can't give them up, in any user namespace
 * (setgroups(2)).
 */
function otherGroups(): number[] {
  return (process.getgroups?.() ?? []).filter((group) => group !== process.getegid?.());
}

/**
 * Program to spawn. Its environment variable HOME is the folder `home`, by which a restarted server finds processes
 * that it left.
 */
function invocation(home: string, [file = '', ...args]: readonly string[]): Invocation {
  return { file, args, cwd: '/', env: { HOME: home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } };
}

/**
 * True if the kernel counts threads for each sandbox. Before Linux 5.14 it counts all threads of the account, in any
 * sandbox (setrlimit(2), user_namespaces(7)).
 */
const COUNTS_OWN_USERS = release().localeCompare('5.14', 'en', { numeric: true }) >= 0;

/** Command line that enters the namespaces of a process, with all capabilities of the user that made them. */
function enterNetwork(process: number): string[] {
  const spaces = ['user', 'net'].map((one) => `--${one}=/proc/${process}/ns/${one}`);
  return ['/usr/bin/nsenter', ...spaces, '--preserve-credentials', '--'];
}

/**
 * Command line that mounts the overlay layer. The process that made the command's network also has the right to mount,
 * in a mount namespace of its own.
 */
function overlayCommand({ layer }: Confined, at: PathLookup): string[] {
  return layer === undefined
    ? []
    : ['/usr/bin/unshare', '--mount', ...overlayBase(at('app'), at('layer'), at('inside'))];
}

/** Rules for the routes of a sandbox's network, with the addresses that the machine has now. */
function currentRules(allowed: readonly string[]): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  const own = addresses
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address);
  return closingRules({ allowed, own, hasIpv6: machineHasIpv6() });
}

function machineHasIpv6(): boolean {
  return existsSync('/proc/net/if_inet6');
}
