import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { type ComposeOptions, composeSimcha, type Simcha } from '../../server/compose.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { SERVERS } from './campaign.ts';
import { freePort } from './postgres.ts';
import { type ServerProcess, spawnReadyServer } from './process.ts';

type Environment = Record<string, string>;

/** Settings of one of several servers that share a database, as if each ran on a machine of its own. */
export async function settingsAmongServers(env: Environment): Promise<Environment> {
  const port = String(await freePort());
  return {
    ...env,
    PORT: port,
    INTERNAL_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: [env.TRUSTED_PROXIES, '127.0.0.1'].filter(Boolean).join(','),
  };
}

/** Starts a server inside this process, on its own port. */
export async function startInProcess(env: Environment, choices: ComposeOptions = {}): Promise<Simcha> {
  const config = readConfig(env);
  const simcha = await composeSimcha(config, pino({ level: config.logLevel }), choices);
  try {
    await simcha.start();
    await simcha.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await simcha.close();
    throw error;
  }
  return simcha;
}

/** Number of connections through the proxy after which the test kills the server that runs the sites. */
const KILLED_AFTER = 10;

/** Starts the server that runs the sites of a database, in a process of its own, until it is killed midway. */
export async function startLeaseHolder(env: Environment): Promise<ServerProcess> {
  const own = await peerSettings(env, 'holder');
  // Log level `info` is required, because the server logs at this level on which address it listens.
  return spawnReadyServer({ ...own, LOG_LEVEL: 'info' });
}

/**
 * Starts the other servers beside a test's server, and a proxy that forwards connections to all of them (and to the
 * lease holder) in turn; returns the proxy's address.
 */
export async function startPeers(first: Simcha, holder: ServerProcess | undefined, env: Environment) {
  const members = [first];
  while (members.length < SERVERS - (holder ? 1 : 0))
    members.push(await startInProcess(await peerSettings(env, String(members.length + 1))));
  const ports = members.map(({ app }) => (app.server.address() as AddressInfo).port);
  const held = new Set<Socket>();
  const killAtRest = () => {
    if (turn >= KILLED_AFTER && held.size === 0) holder?.child.kill('SIGKILL');
  };
  let turn = 0;
  const door = createServer((client) => {
    const isHolders = holder !== undefined && turn < KILLED_AFTER && turn % SERVERS === 0;
    const port = isHolders ? Number(new URL(holder.url).port) : (ports[turn % ports.length] ?? 0);
    turn += 1;
    const member = connect(port, '127.0.0.1');
    if (isHolders) held.add(client);
    client.once('close', () => {
      held.delete(client);
      killAtRest();
    });
    for (const [one, other] of [
      [client, member],
      [member, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
    killAtRest();
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async close() {
      door.close();
      holder?.child.kill('SIGKILL');
      await Promise.all([holder?.ended, ...members.slice(1).map((fellow) => fellow.close())]);
    },
  };
}

/** Settings of an additional server. The server's mail goes to the first server's outbox. */
async function peerSettings(env: Environment, name: string): Promise<Environment> {
  const own = await settingsAmongServers({
    ...env,
    DATA_DIR: join(env.DATA_DIR ?? '', 'fellows', name),
    ...(env.APPS_PORT && { APPS_PORT: String(await freePort()) }),
  });
  const { DATA_DIR = '' } = own;
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
  await mkdir(join(env.DATA_DIR ?? '', 'outbox'), { recursive: true, mode: 0o700 });
  await symlink(join(env.DATA_DIR ?? '', 'outbox'), join(DATA_DIR, 'outbox'));
  return own;
}
