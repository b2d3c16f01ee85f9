import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectNetwork } from './engine-network.ts';
import { NSENTER, startMachine, startProgram } from './machine.ts';
import type { Sweeper } from './sweeper.ts';

export const REGISTRY = '/usr/bin/docker-registry';
const PORT = 5000;

/**
 * Starts Debian's image registry on a machine of its own, over plain HTTP, with a password. `changed` overrides some of
 * its settings.
 */
export async function startRegistry(
  folder: string,
  sweeper: Sweeper,
  owned: AsyncDisposableStack,
  changed: { auth?: object; storage?: object } = {},
) {
  const run = join(folder, 'run');
  await mkdir(run, { recursive: true });
  const [user, password] = ['simcha', randomBytes(12).toString('hex')];
  const passwords = join(folder, 'htpasswd');
  const config = join(folder, 'config.json');
  const machine = owned.adopt(await startMachine({ name: 'registry', run }), ({ kill }) => kill());
  const address = `${connectNetwork(machine.pid, sweeper).slice.there}:${PORT}`;
  await writeFile(passwords, passwordsFor({ user, password }));
  // The registry's settings are written as JSON, which is valid YAML.
  const settings = {
    version: '0.1',
    log: { level: 'error' },
    storage: {
      filesystem: { rootdirectory: join(folder, 'data') },
      delete: { enabled: true },
      ...changed.storage,
    },
    http: { addr: address, secret: randomBytes(12).toString('hex') },
    auth: changed.auth ?? { htpasswd: { realm: 'simcha', path: passwords } },
  };
  await writeFile(config, JSON.stringify(settings));
  const isReady = () =>
    fetch(`http://${address}/v2/`).then(
      ({ status }) => status === 401,
      () => false,
    );
  const command = [NSENTER, ...machine.within(REGISTRY, 'serve', config)];
  await startProgram(command, { log: join(folder, 'log'), isReady });
  return { address, user, password };
}

/**
 * Line for a user in a registry's htpasswd file. The hash is made with perl, which every Debian has, unlike
 * apache2-utils.
 */
export function passwordsFor({ user, password }: { user: string; password: string }): string {
  const salt = randomBytes(11).toString('hex');
  const hash = execFileSync('perl', ['-e', 'print crypt(<STDIN>, shift)', `$2y$05$${salt}`], {
    input: password,
    encoding: 'utf8',
  });
  return `${user}:${hash}\n`;
}
