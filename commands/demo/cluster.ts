import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from '../../server/hosting/engine/connection.ts';
import { createSwarm } from '../../server/hosting/engine/swarm.ts';
import { ConfigError, environment, readConfig } from '../../server/kernel/config.ts';
import { type ClusterNode, startCluster, whyNoCluster } from '../cluster/cluster.ts';
import { startProgram } from '../cluster/machine.ts';
import { freePort, POSTGRES, startPostgres } from '../cluster/postgres.ts';
import { clusterSettings } from '../cluster/settings.ts';
import { startSweeper } from '../cluster/sweeper.ts';
import { until } from '../cluster/until.ts';
import { type DeployedSite, isUp, newDeveloper, secondsSince, tell } from './examples.ts';
import { type Replicas, replicasIn } from './replicas.ts';
import { type Count, visitAll } from './visits.ts';

// npm run demo -- cluster: three machines within this one, the three sites of examples/ on them, and what becomes of those when
// a machine loses its power. It goes on until Ctrl-C, with --once to its end alone, leaves nothing behind, and ends with 1 where
// a request failed.

const MAIN = new URL('../../server/main.ts', import.meta.url).pathname;
const NEVER = new AbortController().signal;
/** Of each site that is more than files: one on each machine. */
const REPLICAS = 3;
/** How long requests are watched before the power goes, and once it is back. */
const CALM_MS = 3_000;
const SITE_WIDTH = 18;

const { values } = parseArgs({ options: { once: { type: 'boolean' } }, allowPositionals: true });
const { port } = readConfig(environment());
const publicUrl = `http://localhost:${port}`;
const lacks = whyNoCluster([
  { file: POSTGRES, from: 'postgresql' },
  { file: '/usr/bin/git', from: 'git' },
]);
if (lacks !== undefined) throw new ConfigError(`A cluster can't be shown here: ${lacks}`);
if (await isUp(publicUrl))
  throw new ConfigError(`A server is running at ${publicUrl}: stop it, or set PORT.`);

const owned = new AsyncDisposableStack();
const interrupted = Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal)));
let failed = 0;
try {
  await Promise.race([show(), interrupted]);
} finally {
  await owned.disposeAsync();
}
process.exit(failed > 0 ? 1 : 0);

async function show(): Promise<void> {
  console.log(
    'Three machines within this one, each with Docker, a network, processes and a disk of its own:\n',
  );
  const cluster = await timed('one cluster, and a registry of images', startCluster());
  owned.use(cluster);
  const [first, , last] = cluster.nodes;
  if (!first || !last) return;
  const settings = await timed(
    `an image to run sites on, of this machine's own Node.js ${process.version}`,
    clusterSettings(cluster),
  );
  const { developer, doors } = await timed(
    `PostgreSQL, a server with the engine of ${cluster.nodes[0]?.name}, one with that of ${cluster.nodes[1]?.name}, and a gateway`,
    startServers(cluster.nodes, settings),
  );

  console.log();
  const sites: DeployedSite[] = [];
  for (const example of ['static', 'node', 'rsvp'] as const) sites.push(await developer.deploy(example));
  if (!sites.every(({ isLive }) => isLive)) throw new ConfigError('Not all of the sites are live.');
  const running = sites.slice(1);
  for (const { at } of running) await developer.call('PATCH', `${at}/processes`, { web: REPLICAS });

  const connection = await connect(first.socket, NEVER);
  owned.defer(() => connection.close());
  const swarm = createSwarm(connection, {});
  let replicas: Replicas = new Map();
  const areAll = (isThere: (machine: string) => boolean) => async () => {
    replicas = await replicasIn(swarm);
    return running.every(({ uuid }) => {
      const machines = replicas.get(uuid) ?? [];
      return machines.length === REPLICAS && machines.every(isThere);
    });
  };
  await until(areAll(() => true));
  console.log(
    `\n${REPLICAS} replicas of each that is more than files; requests for all three, by both servers and the`,
  );
  console.log('gateway, each second as answered / failed, and how many replicas each machine has:\n');

  const names = cluster.nodes.map(({ name }) => name);
  tellRow(
    '',
    sites.map(({ name }) => name),
    names,
  );
  const visits = visitAll(
    doors,
    sites.map(({ address }) => address),
  );
  const began = performance.now();
  const telling = setInterval(() => {
    const counts = visits.counted();
    const cells = sites.map(({ address }) => {
      const { answered, failed } = counts.get(address) ?? NONE;
      return `${answered} / ${failed}`;
    });
    const all = [...replicas.values()].flat();
    const having = names.map((name) => String(all.filter((one) => one === name).length));
    tellRow(`${Math.round((performance.now() - began) / 1_000)} s`, cells, having);
  }, 1_000);
  owned.defer(() => clearInterval(telling));

  await sleep(CALM_MS);
  console.log(`${last.name} loses its power; what waits there is asked of others once it is missed`);
  const died = performance.now();
  await last.kill();
  await until(areAll((machine) => machine !== last.name));
  console.log(
    `all of its replicas run elsewhere, ${secondsSince(died)} s after that; it gets its power back`,
  );
  const restored = performance.now();
  await last.start();
  await until(async () => (await swarm.nodes(NEVER)).every(({ Status }) => Status.State === 'ready'));
  console.log(`${last.name} is there again after ${secondsSince(restored)} s, for what is started next`);
  await sleep(CALM_MS);
  clearInterval(telling);
  const { answered, failures, longestMs, ...ended } = await visits.end();
  failed = ended.failed;
  const slowest = (longestMs / 1_000).toFixed(1);
  console.log(
    `\n${answered + failed} requests, ${failed} failed; the slowest was answered after ${slowest} s`,
  );
  for (const failure of failures) console.log(failure);
  if (values.once) return;

  const docker = `docker -H unix://${first.socket}`;
  console.log('\nHave a look:');
  for (const { name, address } of sites) tell(name, address);
  tell('the API', `${publicUrl}/docs, with the API key ${developer.key}`);
  tell('the cluster', `${docker} node ls`);
  tell('', `${docker} service ls`);
  console.log('\nCtrl-C ends all of it, and leaves nothing behind.');
  await interrupted;
}

const NONE: Count = { answered: 0, failed: 0 };

/** Tells what was begun once it is there, and how long that took. */
async function timed<T>(what: string, begun: Promise<T>): Promise<T> {
  const began = performance.now();
  const made = await begun;
  console.log(`${secondsSince(began).padStart(5)} s  ${what}`);
  return made;
}

function tellRow(when: string, sites: readonly string[], machines: readonly string[]): void {
  const cells = [...sites.map((one) => one.padEnd(SITE_WIDTH)), ...machines.map((one) => one.padEnd(8))];
  console.log([when.padStart(5), '  ', ...cells].join('').trimEnd());
}

/** Two servers on one PostgreSQL, each with the engine of a machine of its own, and a gateway that has none. */
async function startServers(nodes: readonly ClusterNode[], settings: Record<string, string>) {
  const sweeper = owned.use(startSweeper());
  const folder = await mkdtemp(join(tmpdir(), 'simcha-demo-'));
  sweeper.add(`until rm -rf ${folder}; do sleep 0.1; done`);
  // PostgreSQL runs by a user of its own.
  await chmod(folder, 0o755);
  const postgres = await startPostgres(undefined, folder);
  owned.defer(postgres.remove);
  const secret = () => randomBytes(32).toString('hex');
  const common = {
    ...settings,
    ...{ DATABASE_URL: postgres.url('postgres'), ENCRYPTION_KEY: secret(), JWT_SECRET: secret() },
    ...{ PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: '1000000', LOG_LEVEL: 'warn' },
    APPS_GIT_PROTOCOLS: 'file',
  };
  const { PATH, HOME } = process.env;
  /** Gives where it answers, and its settings. */
  const start = async (name: string, at: number, own: Record<string, string>, ...args: string[]) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir);
    const env = { ...common, DATA_DIR: dataDir, ...own };
    const url = `http://127.0.0.1:${at}`;
    const server = await startProgram(
      ['/usr/bin/setpriv', '--pdeathsig', 'TERM', process.execPath, MAIN, ...args],
      // Not where a .env may have settings of another server.
      {
        log: join(folder, `${name}.log`),
        isReady: () => isUp(url),
        cwd: dataDir,
        env: { PATH, HOME, ...env },
      },
    );
    owned.defer(async () => {
      server.child.kill('SIGTERM');
      await server.ended;
    });
    return { url, env };
  };
  const startOn = (node: ClusterNode | undefined, name: string, at: number) =>
    start(name, at, {
      ...{ PORT: String(at), INTERNAL_URL: `http://127.0.0.1:${at}` },
      APPS_ENGINE: node?.socket ?? '',
    });
  const first = await startOn(nodes[0], 'server-1', port);
  // Before anybody else may send the mail.
  const developer = await newDeveloper(readConfig(first.env));
  const second = await startOn(nodes[1], 'server-2', await freePort());
  const at = await freePort();
  const gateway = await start('gateway', at, { APPS_PORT: String(at) }, 'gateway');
  return { developer, doors: [first.url, second.url, gateway.url] };
}
