import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectToEngine } from '../../server/hosting/engine/connection.ts';
import { createSwarm, type Swarm } from '../../server/hosting/engine/swarm/swarm.ts';
import { ConfigError, loadEnvironment, readConfig } from '../../server/kernel/config.ts';
import { tryPort } from '../../server/kernel/listening.ts';
import { type ClusterNode, startCluster, whyNoCluster } from '../cluster/cluster.ts';
import { startProgram } from '../cluster/machine.ts';
import { freePort, POSTGRES, startPostgres } from '../cluster/postgres.ts';
import { clusterSettings } from '../cluster/settings.ts';
import { startSweeper } from '../cluster/sweeper.ts';
import { until } from '../cluster/until.ts';
import { type DeployedSite, isUp, newDeveloper, printLine, secondsSince } from './examples.ts';
import { type Replicas, replicasIn } from './replicas.ts';
import { type Count, requestAllSites } from './traffic.ts';

// npm run demo -- cluster: three machines within this one, the three sites of examples/ on them, and a power cut of one
// machine. Runs until Ctrl-C, or with --once until its end, removes all traces, and exits with 1 if a request failed.

const MAIN = new URL('../../server/main.js', import.meta.url).pathname;
const NEVER = new AbortController().signal;
/** Number of replicas of each site that isn't static: one for each machine. */
const REPLICAS = 3;
/** Time for which requests are observed before the power cut and after it. */
const CALM_MS = 3_000;
const NONE: Count = { answered: 0, failed: 0 };
const SITE_WIDTH = 18;
const MACHINE_WIDTH = 8;

const { values } = parseArgs({ options: { once: { type: 'boolean' } }, allowPositionals: true });
const { port } = readConfig(loadEnvironment());
const publicUrl = `http://localhost:${port}`;
// The port and the needed files are checked before the machines are created, which takes a while.
await tryPort({ host: '127.0.0.1', port });
const lacks = whyNoCluster([
  { file: POSTGRES, from: 'postgresql' },
  { file: '/usr/bin/git', from: 'git' },
]);
if (lacks !== undefined) throw new ConfigError(`A cluster can't be shown here: ${lacks}`);

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
  const [first, second, last] = cluster.nodes;
  if (!first || !second || !last) return;
  const settings = await timed(
    `an image to run sites on, of this machine's own Node.js ${process.version}`,
    clusterSettings(cluster),
  );
  const { developer, doors } = await timed(
    `PostgreSQL, a server with the engine of ${first.name}, one with that of ${second.name}, and a gateway`,
    startServers(first, second, settings),
  );

  console.log();
  const sites: DeployedSite[] = [];
  for (const example of ['static', 'node', 'rsvp'] as const) sites.push(await developer.deploy(example));
  if (!sites.every(({ isLive }) => isLive)) throw new ConfigError('Not all of the sites are live.');
  const running = sites.slice(1);
  for (const { at } of running) await developer.call('PATCH', `${at}/processes`, { web: REPLICAS });

  const connection = await connectToEngine(first.socket, NEVER);
  owned.defer(() => connection.close());
  const watch = watchReplicas(createSwarm(connection, {}), running);
  await until(watch.areAll);
  console.log(
    `\n${REPLICAS} replicas of each that is more than files; requests for all three, by both servers and the gateway,`,
  );
  console.log('each second as answered / failed, and how many replicas each machine has:\n');
  const visits = requestAllSites(
    doors,
    sites.map(({ address }) => address),
  );
  const names = cluster.nodes.map(({ name }) => name);
  const printing = printEachSecond(sites, names, visits.counted, watch.on);
  owned.defer(() => clearInterval(printing));
  await sleep(CALM_MS);
  await losePower(last, watch);
  await sleep(CALM_MS);
  clearInterval(printing);

  const { answered, failures, longestMs, ...ended } = await visits.end();
  failed = ended.failed;
  const slowest = (longestMs / 1_000).toFixed(1);
  console.log(
    `\n${answered + failed} requests, ${failed} failed; the slowest was answered after ${slowest} s`,
  );
  for (const failure of failures) console.log(failure);
  if (values.once) return;

  const docker = `docker -H unix://${first.socket}`;
  console.log('\nTo look at:');
  for (const { name, address } of sites) printLine(name, address);
  printLine('the API', `${publicUrl}/docs, with the API key ${developer.key}`);
  printLine('to deploy', `file:///… too; in a Dockerfile FROM ${settings.APPS_IMAGE_NODE}`);
  printLine('the cluster', `${docker} node ls`);
  printLine('', `${docker} service ls`);
  console.log('\nCtrl-C ends all of it, and leaves nothing behind.');
  await interrupted;
}

/** Watches on which machines the replicas of these sites run. */
function watchReplicas(swarm: Swarm, sites: readonly DeployedSite[]) {
  let replicas: Replicas = new Map();
  const areAll = async (without?: string) => {
    replicas = await replicasIn(swarm);
    return sites.every(({ uuid }) => {
      const machines = replicas.get(uuid) ?? [];
      return machines.length === REPLICAS && machines.every((machine) => machine !== without);
    });
  };
  return {
    areAll: () => areAll(),
    areElsewhere: (machine: string) => areAll(machine),
    on: (machine: string) => [...replicas.values()].flat().filter((one) => one === machine).length,
    isEachMachineThere: async () => {
      replicas = await replicasIn(swarm);
      return (await swarm.nodes(NEVER)).every(({ Status }) => Status.State === 'ready');
    },
  };
}

/** Cuts a machine's power until its replicas run elsewhere, and waits until it is back. */
async function losePower(node: ClusterNode, watch: ReturnType<typeof watchReplicas>): Promise<void> {
  console.log(
    `${node.name} loses its power; requests that wait for it go to other machines once that is noticed`,
  );
  const died = performance.now();
  await node.kill();
  await until(() => watch.areElsewhere(node.name));
  console.log(`all of its replicas run elsewhere, ${secondsSince(died)} s later; it gets its power back`);
  const restored = performance.now();
  await node.start();
  await until(watch.isEachMachineThere);
  console.log(`${node.name} is back after ${secondsSince(restored)} s, ready for new replicas`);
}

/** Prints a table and adds one row to it every second. */
function printEachSecond(
  sites: readonly DeployedSite[],
  machines: readonly string[],
  counted: () => ReadonlyMap<string, Count>,
  replicasOn: (machine: string) => number,
) {
  printRow(
    '',
    sites.map(({ name }) => name),
    machines,
  );
  const began = performance.now();
  return setInterval(() => {
    const counts = counted();
    const cells = sites.map(({ address }) => {
      const { answered, failed } = counts.get(address) ?? NONE;
      return `${answered} / ${failed}`;
    });
    const replicas = machines.map((machine) => String(replicasOn(machine)));
    printRow(`${Math.round((performance.now() - began) / 1_000)} s`, cells, replicas);
  }, 1_000);
}

/** Prints a finished step and its duration. */
async function timed<T>(what: string, begun: Promise<T>): Promise<T> {
  const began = performance.now();
  const made = await begun;
  console.log(`${secondsSince(began).padStart(5)} s  ${what}`);
  return made;
}

function printRow(when: string, sites: readonly string[], machines: readonly string[]): void {
  const cells = [
    ...sites.map((one) => one.padEnd(SITE_WIDTH)),
    ...machines.map((one) => one.padEnd(MACHINE_WIDTH)),
  ];
  console.log([when.padStart(5), '  ', ...cells].join('').trimEnd());
}

/** Starts two servers on one PostgreSQL, each with the engine of its own machine, and a gateway without an engine. */
async function startServers(one: ClusterNode, other: ClusterNode, settings: Record<string, string>) {
  const sweeper = owned.use(startSweeper());
  const folder = await mkdtemp(join(tmpdir(), 'simcha-demo-'));
  sweeper.add(`until rm -rf ${folder}; do sleep 0.1; done`);
  // The demo's folder is readable for all users, because PostgreSQL runs as a different user.
  await chmod(folder, 0o755);
  const postgres = await startPostgres(undefined, folder);
  owned.defer(postgres.remove);
  const secret = () => randomBytes(32).toString('hex');
  const common = {
    ...settings,
    DATABASE_URL: postgres.url('postgres'),
    ENCRYPTION_KEY: secret(),
    JWT_SECRET: secret(),
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT: '1000000',
    LOG_LEVEL: 'warn',
    APPS_GIT_PROTOCOLS: 'file',
  };
  const { PATH, HOME } = process.env;
  /** Starts a Simcha process; returns its URL and its settings. */
  const start = async (name: string, at: number, own: Record<string, string>, ...args: string[]) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir);
    const env = { ...common, DATA_DIR: dataDir, ...own };
    const url = `http://127.0.0.1:${at}`;
    const server = await startProgram(
      ['/usr/bin/setpriv', '--pdeathsig', 'TERM', process.execPath, MAIN, ...args],
      // The process runs in a folder without a .env, because the current one could have a .env with settings of another
      // server.
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
  const startOn = (node: ClusterNode, name: string, at: number) =>
    start(name, at, {
      PORT: String(at),
      INTERNAL_URL: `http://127.0.0.1:${at}`,
      APPS_ENGINE: node.socket,
    });
  const first = await startOn(one, 'server-1', port);
  // The developer is registered before a second server exists, because that server could send the mail instead (to its
  // own outbox).
  const developer = await newDeveloper(readConfig(first.env));
  const second = await startOn(other, 'server-2', await freePort());
  const at = await freePort();
  const gateway = await start('gateway', at, { APPS_PORT: String(at) }, 'gateway');
  return { developer, doors: [first.url, second.url, gateway.url] };
}
