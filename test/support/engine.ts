import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type Engine, openEngine } from '../../server/hosting/engine/engine.ts';
import { findTools } from '../../server/hosting/walls/tools.ts';
import { until } from './until.ts';

const START_MS = 120_000;
const NEVER = new AbortController().signal;

/** Why no engine can be started here; undefined where one can. */
function whyNoEngine(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'dockerd can be started by root alone';
}

/** Debian's dockerd with a socket and data of its own, as nobody else's on this machine; it changes nothing of its network. */
async function startEngine() {
  // Not in the tests' own folder: a socket's path has 108 bytes, and images fill a memory.
  const folder = await mkdtemp('/tmp/simcha-engine-');
  const socket = join(folder, 'docker.sock');
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const args = [
    ...[
      '--host',
      `unix://${socket}`,
      '--data-root',
      join(folder, 'data'),
      '--exec-root',
      join(folder, 'run'),
    ],
    ...['--pidfile', join(folder, 'pid'), '--bridge=none', '--iptables=false', '--ip6tables=false'],
    ...['--ip-forward=false', '--ip-masq=false'],
  ];
  const child = spawn('/usr/sbin/dockerd', args, { stdio: ['ignore', output, output] });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const ended = new Promise<void>((resolve) =>
    child.on('close', () => resolve()).on('error', () => resolve()),
  );
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    // It mounts its data over themselves, and leaves them so.
    spawnSync('umount', ['--recursive', '--lazy', join(folder, 'data')], { stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(async () => {
      if (failure) throw failure;
      if (child.exitCode !== null) throw new Error(await readFile(log, 'utf8'));
      return openEngine(socket, NEVER).then(
        (engine) => {
          engine.close();
          return true;
        },
        () => false,
      );
    }, START_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { socket, [Symbol.asyncDispose]: stop };
}

/** An engine for the tests of a file, and a test that takes one: where there is none, it says why it is passed over. */
export function engineOfFile(prepare: (engine: Engine) => Promise<void>) {
  let daemon: Awaited<ReturnType<typeof startEngine>> | undefined;
  let engine: Engine | undefined;
  let lacks: string | undefined;
  before(async () => {
    lacks = whyNoEngine();
    if (lacks) return;
    try {
      daemon = await startEngine();
    } catch (error) {
      lacks = `dockerd does not start on this machine: ${(error as Error).message.trim().split('\n').at(-1)}`;
      return;
    }
    engine = await openEngine(daemon.socket, NEVER);
    await prepare(engine);
  });
  after(async () => {
    engine?.close();
    await daemon?.[Symbol.asyncDispose]();
  });
  return {
    withEngine: (name: string, work: (engine: Engine, socket: string) => Promise<void>) =>
      test(name, async (t) => {
        if (lacks !== undefined || !engine || !daemon) return t.skip(lacks ?? 'there is no engine');
        await work(engine, daemon.socket);
      }),
  };
}

/** A folder as the tar archive that a build is made in. */
export function contextOf(folder: string): Readable {
  const child = spawn('tar', ['--create', '--directory', folder, '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return child.stdout;
}

/** What a site of Node.js is started on: this machine's Node.js and npm, and busybox for all else. */
export async function makeNodeImage(engine: Engine, tag: string): Promise<void> {
  await using folder = await mkdtempDisposable('/tmp/simcha-image-');
  const put = async (from: string, to: string) => {
    await mkdir(join(folder.path, dirname(to)), { recursive: true });
    await cp(from, join(folder.path, to), { recursive: true, dereference: false });
  };
  await put('/bin/busybox', '/bin/busybox');
  const names = execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const name of names) {
    if (name !== 'busybox') await symlink('busybox', join(folder.path, 'bin', name));
  }
  const { node, npm } = findTools();
  await put(node, '/usr/local/bin/node');
  if (npm) await put(npm, '/usr/local/lib/node_modules/npm');
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder.path, `usr/local/bin/${name}`));
  }
  const needs = execFileSync('ldd', [node], { encoding: 'utf8' });
  for (const [path] of needs.matchAll(/\/\S+/g)) {
    await mkdir(join(folder.path, dirname(path)), { recursive: true });
    await copyFile(path, join(folder.path, path));
  }
  await mkdir(join(folder.path, 'usr/bin'), { recursive: true });
  await symlink('/bin/busybox', join(folder.path, 'usr/bin/env'));
  const dockerfile = 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n';
  await writeFile(join(folder.path, 'Dockerfile'), dockerfile);
  const order = {
    ...{ context: contextOf(folder.path), tag, dockerfile: 'Dockerfile', labels: {} },
    ...{ memory: 512 * 2 ** 20, network: 'none' as const },
  };
  await engine.build(order, () => {}, NEVER);
}
