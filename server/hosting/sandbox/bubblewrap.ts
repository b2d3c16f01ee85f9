import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import { networkInterfaces, release } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import {
  type Confined,
  type Invocation,
  type Isolation,
  type IsolationSettings,
  type SandboxMount,
  withListenAddress,
} from './confined.ts';
import { messages } from './messages.ts';
import { closingRules, INNER_PORT, pastaArguments, singleTargetRules } from './network.ts';
import { mergedFolder, overlayBase } from './overlay.ts';
import { INSIDE, limitedCommandLine, programPath, startInstructions } from './shell.ts';
import { FILTER_AT, quoteForShell } from './spawning.ts';
import { closeEmptied, type OwnFolder, systemMounts } from './system-folders.ts';
import type { Tools } from './tools.ts';

// A command in its sandbox: a shell of ours becomes an account that is not the server's (account.sh), joins a network,
// and then becomes bubblewrap, which gives the command its own users, files and processes. An overlay layer, if the
// command has one, is mounted between the last two (inside/layer.sh). Each program replaces the one before it (exec).
//
// The network is made before that (network-pool.ts), by pasta under the same account; network.sh closes the routes
// inside it that must not be reachable (network.ts).

const BWRAP = '/usr/bin/bwrap';
const PROGRAMS = [
  { name: 'bubblewrap', files: [BWRAP] },
  { name: 'passt', files: ['/usr/bin/pasta'] },
  { name: 'iproute2', files: ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip', '/bin/ip'] },
];

/** The Debian packages that a sandbox needs and this machine lacks. */
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

/** Path of the command's folder inside the sandbox. */
const APP = '/app';
const ACCOUNT = fileURLToPath(new URL('account.sh', import.meta.url));
/**
 * Sizes of the other places that a site may write to: they are in memory and count as memory; none is without a limit.
 */
const TMP_BYTES = 256 * 2 ** 20;
const SHARED_BYTES = 64 * 2 ** 20;
const OWN_ETC = ['passwd', 'group', 'resolv.conf'];

export interface BubblewrapParts {
  /**
   * File with the system calls that a command may not make; undefined if there is no filter for this machine's
   * architecture.
   */
  filterFile: (() => string) | undefined;
  /** Folders of the platform that no command may see, wherever they lie. */
  own: readonly OwnFolder[];
}

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
    // Depth 2: bubblewrap itself and its first process, which only waits for the others, stand above the command.
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
    pathsInside: () => ({ folder: APP, home: '/home/site' }),
    mountPathInside: ({ at }) => at,
    confine(command): Invocation {
      const { node, npm } = command.tools ?? tools;
      const reads = Object.fromEntries((command.reads ?? []).map((path, n) => [readName(n), path]));
      const mounted = Object.fromEntries(
        (command.mounts ?? []).map(({ folder }, n) => [mountName(n), folder]),
      );
      const needs: Needs = {
        node,
        ...(npm !== undefined && { npm }),
        inside: INSIDE,
        app: command.folder,
        home: command.home,
        ...(command.tmp !== undefined && { tmp: command.tmp }),
        ...(command.layer !== undefined && { layer: command.layer }),
        ...reads,
        ...mounted,
      };
      const { at, first, enter } = entering(account, needs);
      const filter = filterFile?.();
      const bubblewrap = [BWRAP, ...(filter === undefined ? [] : ['--seccomp', String(FILTER_AT)])];
      return {
        ...invocation(command.home, [
          ...enter,
          ...(command.joins === undefined
            ? [...bubblewrap, '--unshare-net']
            : [...enterNetwork(command.joins), ...overlayCommand(command, at), ...bubblewrap]),
          ...mounts(command, at, npm !== undefined, own),
          '--',
          ...limitedCommandLine(command, COUNTS_OWN_USERS ? command.mostThreads : undefined),
        ]),
        first,
        filter,
        begin: startInstructions({
          ...withListenAddress(command, '0.0.0.0', command.innerPort ?? INNER_PORT),
          HOME: '/home/site',
          PATH: programPath(command, '/app', '/runtime/bin'),
        }),
      };
    },
    network({ target: place, port, innerPort, home }) {
      const { at, first, enter } = entering(account, { inside: INSIDE });
      const ways = place ? singleTargetRules(place, machineHasIpv6()) : currentRules(appsAllowNetworks);
      return {
        ...invocation(home, [
          ...enter,
          '/usr/bin/pasta',
          ...pastaArguments(port, place, innerPort),
          '--',
          '/bin/sh',
          join(at('inside'), 'network.sh'),
          ways.join('\n'),
        ]),
        // /dev/net/tun gets a device of its own, because the machine's may belong to root alone.
        first: account === undefined ? first : `${first}\nmknod -m 666 /dev/net/tun c 10 200`,
      };
    },
  };
}

/** Supplementary groups, which a process without rights can't give up, in whichever user namespace (setgroups(2)). */
function otherGroups(): number[] {
  return (process.getgroups?.() ?? []).filter((group) => group !== process.getegid?.());
}

/** Program to spawn. `home` goes into its environment, by which a restarted server finds leftover processes. */
function invocation(home: string, [file = '', ...args]: readonly string[]): Invocation {
  return { file, args, cwd: '/', env: { HOME: home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } };
}

/**
 * True if the thread limit counts per sandbox. Before Linux 5.14 it counts all that the account runs, in any sandbox
 * (setrlimit(2), user_namespaces(7)).
 */
const COUNTS_OWN_USERS = release().localeCompare('5.14', 'en', { numeric: true }) >= 0;

/** Paths of this machine, by the names under which the sandbox's set-up knows them. */
type Needs = Readonly<Record<string, string>>;
type PathLookup = (name: string) => string;

interface Entrance {
  /** Looks up the path at which the sandbox's set-up finds a needed file or folder. */
  at: PathLookup;
  /** Shell commands that run before, in a shell of ours. */
  first: string;
  /** The beginning of the command line. */
  enter: string[];
}

const ENDING_WITH_US = ['/usr/bin/setpriv', '--pdeathsig', 'SIGKILL'];

function entering(account: number | undefined, needs: Needs): Entrance {
  if (account !== undefined) return enteringAsAccount(account, needs);
  return { at: (name) => needs[name] ?? '', first: '', enter: ENDING_WITH_US };
}

function enteringAsAccount(account: number, needs: Needs): Entrance {
  const things = Object.entries(needs).flatMap(([name, path]) => [path, escapeForFstab(path), name]);
  const users = ['--reuid', String(account), '--regid', String(account), '--clear-groups'];
  return {
    at: (name) => `/dev/net/${name}`,
    first: ['bring', ...things].map(quoteForShell).join(' '),
    enter: [...ENDING_WITH_US, ...users, '--inh-caps=-all'],
  };
}

/** Writes a path as a field of fstab(5): characters that would end a field are written as octal numbers. */
function escapeForFstab(path: string): string {
  return path.replaceAll(/[ \t\n\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** Command line that enters the namespaces of a process, with all capabilities of the user that made them. */
function enterNetwork(process: number): string[] {
  const spaces = ['user', 'net'].map((one) => `--${one}=/proc/${process}/ns/${one}`);
  return ['/usr/bin/nsenter', ...spaces, '--preserve-credentials', '--'];
}

/**
 * Command line that mounts the overlay layer. The maker of the command's network may also mount in a mount namespace of
 * its own.
 */
function overlayCommand({ layer }: Confined, at: PathLookup): string[] {
  return layer === undefined
    ? []
    : ['/usr/bin/unshare', '--mount', ...overlayBase(at('app'), at('layer'), at('inside'))];
}

/** Rules for the network's routes, with the addresses that the machine has now. */
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

function mounts(command: Confined, at: PathLookup, npm: boolean, own: readonly OwnFolder[]): string[] {
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--disable-userns',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--hostname',
    'localhost',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    ...systemMounts(own),
    ...OWN_ETC.flatMap((name) => ['--ro-bind', join(at('inside'), name), `/etc/${name}`]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(SHARED_BYTES),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    ...(command.tmp === undefined
      ? ['--size', String(TMP_BYTES), '--tmpfs', '/tmp']
      : ['--bind', at('tmp'), '/tmp']),
    '--ro-bind',
    at('node'),
    '/runtime/bin/node',
    '--ro-bind',
    at('inside'),
    '/runtime/inside',
    ...(npm ? ['--ro-bind', at('npm'), '/runtime/npm'] : []),
    ...(npm ? ['npm', 'npx'] : []).flatMap((name) => [
      '--symlink',
      `../npm/bin/${name}-cli.js`,
      `/runtime/bin/${name}`,
    ]),
    ...(command.reads ?? []).flatMap((path, n) => ['--ro-bind', at(readName(n)), path]),
    // Control groups are mounted within a control group namespace whose root they are: /proc/self/cgroup says so too.
    ...(command.groups ?? []).flatMap(({ folder, at }) => ['--ro-bind', folder, at]),
    ...folderOf(command, at),
    '--bind',
    at('home'),
    '/home/site',
    // Volumes come last: no later mount may take its source from a path that a volume now covers.
    ...(command.mounts ?? []).flatMap((one, n) => ['--bind', at(mountName(n)), mountPoint(command, one)]),
    ...closeEmptied(own),
    '--remount-ro',
    '/',
    '--chdir',
    workdirOf(command),
  ];
}

/**
 * Path to mount a volume at. bubblewrap follows links on the way to a mount point, and at that moment the machine's own
 * files are still beside its new root: a link in the untrusted folder could lead there, so links are refused. No
 * process writes to the folder meanwhile. Throws a RuntimeFailure.
 */
function mountPoint({ folder }: Confined, { at }: SandboxMount): string {
  const [, root, ...parts] = at.split('/');
  if (`/${root}` !== APP) return at;
  for (const [index] of parts.entries()) {
    const path = parts.slice(0, index + 1).join('/');
    const entry = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!entry) break;
    if (!entry.isDirectory()) throw new RuntimeFailure(reason('volume_through_link', { volume: at, path }));
  }
  return at;
}

function folderOf({ layer, writable }: Confined, at: PathLookup): string[] {
  if (layer !== undefined) return ['--bind', mergedFolder(at('layer')), '/app'];
  return [writable ? '--bind' : '--ro-bind', at('app'), '/app'];
}

function workdirOf({ below }: Confined): string {
  return join('/app', below);
}

function readName(n: number): string {
  return `read${n}`;
}

function mountName(n: number): string {
  return `mount${n}`;
}
