import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError } from '../../kernel/config.ts';
import { messages } from './messages.ts';
import type { Variables } from './runtime.ts';
import { findTools, type Tools } from './tools.ts';

/** A command of a site, and what of this machine it may see. */
export interface Confined {
  /** Run by `sh`: a command is the site owner's own. */
  command: string;
  /** The release's folder on this machine, and the folder below it to work in. */
  folder: string;
  below: string;
  writable: boolean;
  /** A folder of this machine that is the command's home, always writable. */
  home: string;
  variables: Variables;
  /** The largest file it may write. */
  mostFileBytes: number;
}

/** What to spawn for it. */
export interface Invocation {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** The child reads it from file descriptor 3: arguments that must not show in the machine's list of processes. */
  input?: string;
}

export interface Isolation {
  readonly description: string;
  /** How far below the spawned process the command's own processes begin. */
  readonly ownDepth: number;
  /** Where a command finds our settings for npm. */
  readonly npmrc: string;
  confine(command: Confined): Invocation;
}

/**
 * A bubblewrap sandbox where it works, else plain processes. `folder` is one of ours.
 * Throws a ConfigError when a sandbox is asked for and does not work.
 */
export async function chooseIsolation(choice: Config['appsIsolation'], folder: string): Promise<Isolation> {
  const tools = findTools();
  if (choice === 'none') return plainProcesses(tools, folder, messages.notWanted);
  const sandbox = bubblewrap(tools);
  const failure = existsSync(BWRAP) ? await tryOut(sandbox, folder) : messages.bwrapMissing;
  if (!failure) return sandbox;
  if (choice === 'sandbox') throw new ConfigError(messages.noSandbox(failure));
  return plainProcesses(tools, folder, failure);
}

/** Ours, and read only: it stands in no folder that a build or a site may write to. */
const NPMRC = fileURLToPath(new URL('npmrc', import.meta.url));
const BWRAP = '/usr/bin/bwrap';
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
const TRY_OUT_MS = 10_000;
/** What else it may write to is memory, and counts as such; nothing is without a size. */
const TMP_BYTES = 256 * 2 ** 20;
const SHARED_BYTES = 64 * 2 ** 20;
/** Enough for names, times and certificates; no passwords and no keys. */
const ETC = [
  'alternatives',
  'ca-certificates',
  'hosts',
  'ld.so.cache',
  'localtime',
  'nsswitch.conf',
  'pki',
  'protocols',
  'resolv.conf',
  'services',
  'ssl',
];

/** Users, files and processes of its own; the network is the machine's, for registries, and for us to reach the site. */
function bubblewrap({ node, npm }: Tools): Isolation {
  const standing = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--disable-userns', '--uid', '1000', '--gid', '1000', '--hostname', 'site', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...['--ro-bind', '/usr', '/usr'],
    ...['/bin', '/sbin', '/lib', '/lib64', '/lib32'].flatMap(sameAsHere),
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(SHARED_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...['--ro-bind', node, '/runtime/bin/node'],
    ...['--ro-bind', NPMRC, '/runtime/npmrc'],
    ...(npm ? ['--ro-bind', npm, '/runtime/npm'] : []),
    ...(npm ? ['npm', 'npx'] : []).flatMap((name) => [
      ...['--symlink', `../npm/bin/${name}-cli.js`, `/runtime/bin/${name}`],
    ]),
  ];
  return {
    description: messages.sandboxed,
    // Above them stand the sandbox itself and its first process, which only waits for the others.
    ownDepth: 2,
    npmrc: '/runtime/npmrc',
    confine(command) {
      const workdir = join('/app', command.below);
      const env = { ...command.variables, HOME: '/home/site', PATH: pathOf(workdir, '/runtime/bin') };
      const args = [
        ...standing,
        ...[command.writable ? '--bind' : '--ro-bind', command.folder, '/app'],
        ...['--bind', command.home, '/home/site', '--remount-ro', '/', '--chdir', workdir],
        ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
      ];
      return {
        file: BWRAP,
        args: ['--args', '3', '--', ...shell(command)],
        cwd: '/',
        // Nothing of the site's: the loader would heed an LD_PRELOAD of its owner before the sandbox stands.
        env: {},
        input: args.map((arg) => `${arg}\0`).join(''),
      };
    },
  };
}

/** Where there is no sandbox: a clean environment and a folder of its own, but the eyes of the server's user. */
async function plainProcesses(tools: Tools, folder: string, reason: string): Promise<Isolation> {
  const bin = join(folder, 'bin');
  await linkTools(tools, bin);
  return {
    description: messages.notSandboxed(reason),
    ownDepth: 0,
    npmrc: NPMRC,
    confine(command) {
      const cwd = join(command.folder, command.below);
      const [file = '', ...args] = shell(command);
      const env = { ...command.variables, HOME: command.home, PATH: pathOf(cwd, bin) };
      return { file, args, cwd, env };
    },
  };
}

/** Spawns it as the leader of a process group. `mark` is what it shows as its name in the list of processes. */
export function spawnConfined({ file, args, cwd, env, input }: Invocation, mark?: string): ChildProcess {
  const child = spawn(file, args, {
    cwd,
    env,
    ...(mark !== undefined && { argv0: mark }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(input === undefined ? [] : (['pipe'] as const))],
  });
  // One that can't be spawned for want of file descriptors has no streams, and tells so only after this.
  child.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {});
  const channel = child.stdio?.[3] as Writable | undefined;
  // A child that ended before it read its arguments tells so by its exit.
  channel?.on('error', () => {});
  channel?.end(input);
  return child;
}

function pathOf(workdir: string, bin: string): string {
  return `${workdir}/node_modules/.bin:${bin}:${SYSTEM_PATH}`;
}

/** The limits a process sets for itself and its children, then the command. `ulimit -f` counts in 512 bytes. */
function shell({ command, mostFileBytes }: Confined): string[] {
  const limits = `ulimit -c 0; ulimit -f ${Math.floor(mostFileBytes / 512)}`;
  return ['/bin/sh', '-c', `${limits}; exec /bin/sh -c "$0"`, command];
}

/** /bin is a link into /usr on today's systems, and a folder on older ones. */
function sameAsHere(path: string): string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry) return [];
  return entry.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** Why the sandbox does not work here; undefined when it does. */
async function tryOut(sandbox: Isolation, folder: string): Promise<string | undefined> {
  const child = spawnConfined(
    sandbox.confine({
      command: 'node --version',
      folder,
      below: '',
      writable: false,
      home: folder,
      variables: {},
      mostFileBytes: 2 ** 20,
    }),
  );
  const said: Buffer[] = [];
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => said.push(chunk));
  const late = setTimeout(() => child.kill('SIGKILL'), TRY_OUT_MS);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(messages.bwrapFails(error.message)));
    child.on('close', (code, signal) => {
      clearTimeout(late);
      const reason = Buffer.concat(said).toString().trim().split('\n')[0] || String(signal ?? code);
      resolve(code === 0 ? undefined : messages.bwrapFails(reason));
    });
  });
}

async function linkTools({ node, npm }: Tools, bin: string): Promise<void> {
  await rm(bin, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  await symlink(node, join(bin, 'node'));
  if (!npm) return;
  for (const name of ['npm', 'npx']) await symlink(join(npm, 'bin', `${name}-cli.js`), join(bin, name));
}
