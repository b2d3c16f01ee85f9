import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { ConfigError } from '../../kernel/config.ts';
import { reason } from '../reasons/reason.ts';
import type { Invocation, Isolation, IsolationSettings } from './confined.ts';
import { giveTree } from './disk.ts';
import { messages } from './messages.ts';
import { missingPackages, openSandbox } from './sandbox.ts';
import { GO, INSIDE, pathOf, shell } from './shell.ts';
import { findTools, type Tools } from './tools.ts';

/**
 * A sandbox where it works, else plain processes. `folder` is one of ours.
 * Throws a ConfigError when a sandbox is asked for and does not work.
 */
export async function chooseIsolation(settings: IsolationSettings, folder: string): Promise<Isolation> {
  const tools = findTools();
  if (settings.appsIsolation === 'none') return plainProcesses(tools, folder, messages.notWanted);
  const sandbox = openSandbox(tools, settings);
  const missing = missingPackages();
  const failure = missing.length > 0 ? messages.missing(missing) : await tryOut(sandbox, folder);
  if (!failure) return sandbox;
  if (settings.appsIsolation === 'sandbox') throw new ConfigError(messages.noSandbox(failure));
  const plain = await plainProcesses(tools, folder, failure);
  if (isLoopback(settings.host)) return plain;
  const command = `apt-get install ${missing.join(' ')}`;
  return {
    ...plain,
    description: messages.refusing(settings.host, failure),
    refusal:
      missing.length > 0
        ? reason('sandbox_missing', { command })
        : reason('sandbox_fails', { error: failure }),
  };
}

/** Whether only this machine's own users can reach a server that listens there. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

const TRY_OUT_MS = 10_000;
const HOST = '127.0.0.1';

/** Where there is no sandbox: a clean environment and a folder of its own, but the eyes of the server's user. */
async function plainProcesses(tools: Tools, folder: string, reason: string): Promise<Isolation> {
  const bin = join(folder, 'bin');
  await linkTools(tools, bin);
  return {
    description: messages.notSandboxed(reason),
    ownDepth: 0,
    encloses: false,
    account: undefined,
    inside: INSIDE,
    seen: ({ folder, home }) => ({ folder, home }),
    confine(command) {
      const cwd = join(command.folder, command.below);
      const [file = '', ...args] = shell(command);
      const place = command.port === undefined ? {} : { HOST, PORT: String(command.port) };
      const env = { ...command.variables, ...place, HOME: command.home, PATH: pathOf(command, cwd, bin) };
      return { file, args, cwd, env };
    },
  };
}

/** A process that enters control groups, whose folders stand before the `--`, and then becomes the rest. */
const ENTER = 'set -e; while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs"; shift; done; shift; exec "$@"';

/**
 * Spawns it as the leader of a process group, within control groups of these folders from its first moment. The first line
 * of its output is empty, and the shell's.
 */
export function spawnConfined(
  { file, args, cwd, env, input }: Invocation,
  groups: readonly string[] = [],
): ChildProcess {
  const child = spawn('/bin/sh', ['-c', ENTER, 'sh', ...groups, '--', file, ...args], {
    cwd,
    env,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdout?.once('data', () => (child.stdout as unknown as Writable).end(GO));
  // One that can't be spawned for want of file descriptors has no streams, and tells so only after this.
  child.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {});
  // A child that ended before it read its arguments tells so by its exit.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  return child;
}

/** Why the sandbox does not work here; undefined when it does. */
async function tryOut(sandbox: Isolation, folder: string): Promise<string | undefined> {
  const home = join(folder, 'trial');
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (sandbox.account !== undefined) await giveTree(home, sandbox.account);
  const child = spawnConfined(
    sandbox.confine({
      command: 'node --version',
      folder: home,
      below: '',
      writable: false,
      home,
      variables: {},
      mostFileBytes: 2 ** 20,
    }),
  );
  const said: Buffer[] = [];
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => said.push(chunk));
  const late = setTimeout(() => child.kill('SIGKILL'), TRY_OUT_MS);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(messages.sandboxFails(error.message)));
    child.on('close', (code, signal) => {
      clearTimeout(late);
      const reason = Buffer.concat(said).toString().trim().split('\n')[0] || String(signal ?? code);
      resolve(code === 0 ? undefined : messages.sandboxFails(reason));
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
