import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Choices, compose, type Simcha } from '../../server/compose.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { SERVERS } from './campaign.ts';
import { freePort } from './postgres.ts';

type Environment = Record<string, string>;

/** The settings of one among several servers on a database, each on a machine of its own as far as it knows. */
export async function among(env: Environment): Promise<Environment> {
  const port = String(await freePort());
  return {
    ...env,
    PORT: port,
    INTERNAL_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: [env.TRUSTED_PROXIES, '127.0.0.1'].filter(Boolean).join(','),
  };
}

/** A server in this process, which listens. */
export async function startAs(env: Environment, choices: Choices = {}): Promise<Simcha> {
  const config = readConfig(env);
  const simcha = await compose(config, pino({ level: config.logLevel }), choices);
  try {
    await simcha.start();
    await simcha.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await simcha.close();
    throw error;
  }
  return simcha;
}

/** Starts the fellows of a server that runs, and gives the address at which connections go to each of them in turn. */
export async function withFellows(first: Simcha, env: Environment) {
  const members = [first];
  for (let n = 1; n < SERVERS; n += 1) {
    const own = await among({ ...env, DATA_DIR: join(env.DATA_DIR ?? '', 'fellows', String(n)) });
    const { DATA_DIR = '' } = own;
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
    // Whichever sends a mail, tests find it in one place.
    await mkdir(join(env.DATA_DIR ?? '', 'outbox'), { recursive: true, mode: 0o700 });
    await symlink(join(env.DATA_DIR ?? '', 'outbox'), join(DATA_DIR, 'outbox'));
    members.push(await startAs(own));
  }
  const ports = members.map(({ app }) => (app.server.address() as AddressInfo).port);
  let turn = 0;
  const door = createServer((client) => {
    const member = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
    turn += 1;
    for (const [one, other] of [
      [client, member],
      [member, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async close() {
      door.close();
      await Promise.all(members.slice(1).map((fellow) => fellow.close()));
    },
  };
}
