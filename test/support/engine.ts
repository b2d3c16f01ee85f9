import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openEngine } from '../../server/hosting/engine/engine.ts';
import { until } from './until.ts';

const START_MS = 120_000;
const NEVER = new AbortController().signal;

/** Why no engine can be started here; undefined where one can. */
export function whyNoEngine(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'dockerd can be started by root alone';
}

/** Debian's dockerd with a socket and data of its own, as nobody else's on this machine; it changes nothing of its network. */
export async function startEngine() {
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

/** A folder as the tar archive that a build is made in. */
export function contextOf(folder: string): Readable {
  const child = spawn('tar', ['--create', '--directory', folder, '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return child.stdout;
}
