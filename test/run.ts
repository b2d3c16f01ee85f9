import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { whyNoCluster } from '../commands/cluster/cluster.ts';
import { keepAddress } from '../commands/cluster/engine-network.ts';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { startSweeper } from '../commands/cluster/sweeper.ts';
import { composeSimcha } from '../server/compose.ts';
import { readConfig } from '../server/kernel/config.ts';
import { CHROMIUM } from './support/chromium.ts';
import type { OtherRuntime } from './support/on-runtime.ts';
import { nodeFlags } from './support/process.ts';
import { processorSeconds } from './support/report-processor-time.ts';
import { queryDatabase } from './support/server.ts';

// `npm test`, or `npm test -- server/planning test/contract` for some of it: sets up what the tests need, runs them.
// `npm run test:faults` is what that leaves out: kills, outages, full disks, hostile input, which take as long as all the rest;
// `npm run test:image` builds the image and starts it by the compose files.
// `npm run test:long` is all of them, with the long campaigns: more fuzzing, more kills.

const PACKAGES = [
  { name: 'postgresql-15', file: '/usr/lib/postgresql/15/bin/postgres' },
  { name: CHROMIUM.package, file: CHROMIUM.file },
  { name: 'git', file: '/usr/bin/git' },
  { name: 'openssh-client', file: '/usr/bin/ssh-keygen' },
  { name: 'openssh-server', file: '/usr/sbin/sshd' },
  { name: 'openssl', file: '/usr/bin/openssl' },
  { name: 'bubblewrap', file: '/usr/bin/bwrap' },
  { name: 'passt', file: '/usr/bin/pasta' },
  { name: 'iproute2', file: '/usr/sbin/ip' },
  { name: 'caddy', file: '/usr/bin/caddy' },
  { name: 'python3-venv', file: '/usr/share/doc/python3-venv' },
  { name: 'php-cli', file: '/usr/bin/php' },
  { name: 'composer', file: '/usr/bin/composer' },
  { name: 'ruby', file: '/usr/bin/ruby' },
  { name: 'ruby-bundler', file: '/usr/bin/bundle' },
  { name: 'docker.io', file: '/usr/sbin/dockerd' },
  { name: 'docker-registry', file: '/usr/bin/docker-registry' },
  { name: 'busybox-static', file: '/bin/busybox' },
  { name: 'docker-compose', file: '/usr/bin/docker-compose' },
  { name: 'debootstrap', file: '/usr/sbin/debootstrap' },
];
installPackages();
openTunnels();
// The typed client as it is published, which tests ask with.
execFileSync('npm', ['run', '--silent', 'build', '--workspace', 'client'], { stdio: 'inherit' });

/** Files that take long, each a process of its own. */
const ALONE = [
  'test/faults/deployments.test.ts',
  'test/faults/operation.test.ts',
  'test/faults/hosting/hostile-builds.test.ts',
  'test/hosting/deployments.test.ts',
  'test/kernel/jobs.test.ts',
  'test/hosting/sandbox.test.ts',
  'test/web/together.test.ts',
];
/** Folders whose files take too long for one process, and how many they get. */
const SHARED: Readonly<Record<string, number>> = { 'test/web': 3, 'test/hosting': 2 };
/**
 * What takes longest, and begins first: at the end nothing long is left to run alone. What waits most of its time, for engines and
 * retries, is beside what computes.
 */
const FIRST = [
  'test/image',
  'on swarm',
  'test/web 1',
  'test/web 2',
  'test/hosting/deployments.test.ts',
  'test/web 3',
  'on docker',
  'test/planning',
  'test/hosting 1',
  'test/hosting 2',
  'test/kernel/jobs.test.ts',
  'test/web/together.test.ts',
  'test/hosting/sandbox.test.ts',
  'test/hosting/controller',
  'test/kernel',
  'test/support',
  'test/faults/operation.test.ts',
  'test/faults/deployments.test.ts',
  'test/faults/hosting',
  'test/faults',
];
/** What is the same wherever sites run, by programs of Node.js alone. */
const ANYWHERE = [
  'apps',
  'deleted-meanwhile',
  'deployments',
  'idempotency',
  'kinds',
  'logs',
  'previews',
  'processes',
  'runs',
  'volumes',
].map((name) => `test/hosting/${name}.test.ts`);
/** They have one cluster, or engine, with those that are run there once more. */
const OF_CLUSTERS = 'test/hosting/cluster*.test.ts';
const OF_ENGINES = 'test/hosting/{containers,dockerfiles,engine}.test.ts';
const OF_OTHERS = [OF_CLUSTERS, OF_ENGINES];
/** What is run once more, its servers' sites by that. */
type OnceMore = Partial<Record<OtherRuntime, readonly string[]>>;
const ONCE_MORE: OnceMore = {
  docker: ['test/hosting/apps.test.ts', ...globSync(OF_ENGINES)],
  swarm: ['test/hosting/apps.test.ts', 'test/hosting/cluster.test.ts'],
};
const ALL_ONCE_MORE: OnceMore = {
  docker: [...ANYWHERE, ...globSync(OF_ENGINES)],
  swarm: [...ANYWHERE, ...globSync(OF_CLUSTERS)],
  podman: [
    'test/hosting/containers.test.ts',
    'test/hosting/engine.test.ts',
    'test/faults/hosting/full-containers.test.ts',
  ],
};
/** What `npm test` leaves out: each of the clusters takes a minute to make and to fill. */
const LONG = [
  'test/faults/**',
  'test/image/**',
  'test/demo-cluster.test.ts',
  ...OF_OTHERS,
  'test/support/cluster.test.ts',
];

const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });
/** One that hangs fails then, and the others go on. */
const LONGEST_TEST_MS = values.long ? 7_200_000 : 600_000;

// All that tests put into the system's temporary folder is in here, and all that they start knows of it.
const folder = await realpath(await mkdtemp(join(tmpdir(), 'simcha-tests-')));
const temporary = join(folder, 'tmp');
await mkdir(temporary, { mode: 0o755 });
await chmod(folder, 0o755);
process.env.TMPDIR = folder;
/** Lines of `seconds file`: the processor time of each process of tests. */
const times = join(folder, 'times');
const sweeper = startSweeper();
if (whyNoCluster() === undefined) keepAddress(sweeper);
const [postgres] = await Promise.all([preparedPostgres(), migrated('embedded', {})]);

Object.assign(process.env, {
  TMPDIR: temporary,
  SIMCHA_TEST_POSTGRES: postgres.url('postgres'),
  SIMCHA_TEST_EMBEDDED: join(folder, 'embedded', 'database'),
  // Every process of the tests, and every server they start, reads the same modules.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  SIMCHA_TEST_TIMES: times,
  ...(values.long && { SIMCHA_TESTS: 'long' }),
});
const paths = positionals.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
const runtime = process.env.SIMCHA_RUNTIME as OtherRuntime | undefined;
let failed: boolean;
if (paths.length === 0)
  failed = await runTests(['{server,test,bench}/**/*.test.ts'], {
    exclude: values.long ? OF_OTHERS : LONG,
    onceMore: values.long ? ALL_ONCE_MORE : ONCE_MORE,
  });
else if (runtime) failed = await runTests([], { onceMore: { [runtime]: globSync(paths).sort() } });
else failed = await runTests(paths);
if (values.long && paths.length === 0) {
  console.log(
    'The hosting side once more, each of its servers on PostgreSQL three of them, asked in turns, of which the one that runs the sites is killed in the middle:',
  );
  process.env.SIMCHA_SERVERS = '3';
  const hosting = ['test/hosting/**/*.test.ts', 'test/faults/hosting/**/*.test.ts'];
  failed = (await runTests(hosting, { exclude: OF_OTHERS })) || failed;
  delete process.env.SIMCHA_SERVERS;
}
const left = await leftBehind(temporary);
await postgres.remove();
await sweeper[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
console.log(`Processor time of the run: ${Math.round(processorSeconds())} s`);
process.exit(failed || left ? 1 : 0);

/**
 * Files of one folder share a process, and with it the modules, warm code and servers that each would else begin with,
 * which is most of what a small one takes. Gives for each such process the file that it runs.
 */
async function processesFor(files: readonly string[], onceMore: OnceMore): Promise<string[]> {
  const areas = new Map<string, { members: readonly string[]; runtime?: string }>();
  for (const [area, members] of Map.groupBy(files, areaOf)) areas.set(area, { members });
  for (const [runtime, members] of Object.entries(onceMore)) areas.set(`on ${runtime}`, { members, runtime });
  // No intersection, whose order is that of the smaller one.
  const order = [...new Set([...FIRST, ...ALONE, ...areas.keys()])].filter((area) => areas.has(area));
  const place = await mkdtemp(join(folder, 'areas-'));
  return Promise.all(
    order.map(async (area) => {
      const { members, runtime } = areas.get(area) ?? { members: [] };
      const name = area.replaceAll(/[/ ]/g, '-');
      const tests = join(place, `${name}${runtime ? '-tests' : ''}.mjs`);
      await writeFile(tests, members.map((file) => `import ${urlOf(file)};\n`).join(''));
      if (!runtime) return tests;
      const entry = join(place, `${name}.mjs`);
      const begin = `import { runOn } from ${urlOf(join(import.meta.dirname, 'support/on-runtime.ts'))};`;
      await writeFile(entry, `${begin}\nawait runOn('${runtime}', () => import(${urlOf(tests)}));\n`);
      return entry;
    }),
  );
}

function urlOf(file: string): string {
  return JSON.stringify(pathToFileURL(file).href);
}

/** One file after another in turn, where a folder has several processes. */
function areaOf(file: string, index: number): string {
  if (ALONE.includes(file)) return file;
  // `server` for all tests that stand beside what they test.
  const area = file.startsWith('server/') ? 'server' : dirname(file);
  const most = SHARED[area];
  return most === undefined ? area : `${area} ${(index % most) + 1}`;
}

/** Runs them, tells how, and what took longest. True when one failed, or a file did not tell how it ended. */
async function runTests(
  patterns: string[],
  { exclude = [], onceMore = {} }: { exclude?: string[]; onceMore?: OnceMore } = {},
): Promise<boolean> {
  const files = globSync(patterns, { exclude }).sort();
  const silent = new Set(await processesFor(files, onceMore));
  let failed = false;
  const tests = run({
    files: [...silent],
    // They wait some of their time: for retries, deadlines, sites that come up.
    concurrency: availableParallelism() + 1,
    // Rather than `forceExit`, which loses results in silence (nodejs/node#64833).
    execArgv: [
      ...nodeFlags(),
      `--test-timeout=${LONGEST_TEST_MS}`,
      ...['without-async-hooks', 'end-hanging-file', 'report-processor-time'].flatMap((name) => [
        '--import',
        new URL(`support/${name}.ts`, import.meta.url).href,
      ]),
    ],
  });
  tests.on('test:fail', () => {
    failed = true;
  });
  tests.on('test:summary', ({ file, success }) => {
    if (!success) failed = true;
    if (file) silent.delete(file);
  });
  await pipeline(tests.compose(spec), process.stdout, { end: false });
  console.log('Processor time of the processes of tests, in seconds:');
  for (const { seconds, name } of await readTimes())
    console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
  for (const file of silent) console.error(`The tests of ${basename(file)} did not tell how they ended.`);
  const isNothing = [files, ...Object.values(onceMore)].every(({ length }) => length === 0);
  if (isNothing) console.error(`No test file matches ${patterns.join(' ')}`);
  return failed || silent.size > 0 || isNothing;
}

/** Processor time of the processes of tests that have ended, the longest first; forgets them. */
async function readTimes(): Promise<{ seconds: number; name: string }[]> {
  const lines = existsSync(times) ? (await readFile(times, 'utf8')).trimEnd().split('\n') : [];
  await rm(times, { force: true });
  return lines
    .map((line) => {
      const [seconds = '', ...path] = line.split(' ');
      return { seconds: Number(seconds), name: basename(path.join(' '), '.mjs') };
    })
    .sort((a, b) => b.seconds - a.seconds);
}

/** Whether tests left a process or a folder behind: it is told, and ended or removed. */
async function leftBehind(place: string): Promise<boolean> {
  const folders = await readdir(place);
  for (const name of folders) console.error(`A test left a folder behind: ${name}`);
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && knows(Number(name), place));
  for (const pid of processes) {
    console.error(`A test left a process behind: ${commandOf(pid)}`);
    process.kill(Number(pid), 'SIGKILL');
  }
  return folders.length + processes.length > 0;
}

/** Whether a process was started with the tests' own temporary folder: a sandbox has it in its arguments alone. */
function knows(pid: number, place: string): boolean {
  if (pid === process.pid) return false;
  try {
    return ['environ', 'cmdline'].some((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(place),
    );
  } catch {
    return false;
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return pid;
  }
}

async function preparedPostgres() {
  const server = await startPostgres(['fsync=off', 'autovacuum=off', 'max_connections=400']);
  await queryDatabase(server.url('postgres'), 'create database simcha_template');
  await migrated('postgres', { DATABASE_URL: server.url('simcha_template') });
  return server;
}

async function migrated(name: string, env: Record<string, string>): Promise<void> {
  const config = readConfig({ DATA_DIR: join(folder, name), HOSTING: 'off', ...env });
  const simcha = await composeSimcha(config, pino({ level: 'warn' }));
  await simcha.start();
  // Each server of the tests has an ENCRYPTION_KEY of its own.
  await sql`delete from database_key`.execute(simcha.database.sql);
  await simcha.close();
}

/** Debian packages that are missing are installed where we may; elsewhere the command to do so is named. */
function installPackages(): void {
  const missing = PACKAGES.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
  if (missing.length === 0) return;
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (process.getuid?.() !== 0) {
    console.error(
      `The tests need Debian packages that are missing. Install them with:\n  sudo ${install.join(' ')}`,
    );
    process.exit(1);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update'], { stdio: 'inherit', env });
  execFileSync('apt-get', install.slice(1), { stdio: 'inherit', env });
}

/** A sandbox that an ordinary user opens needs this device; bare machines have it for root alone, udev opens it to all. */
function openTunnels(): void {
  if (process.getuid?.() === 0 && existsSync('/dev/net/tun')) chmodSync('/dev/net/tun', 0o666);
}
