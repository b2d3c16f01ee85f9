import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { compose } from '../server/compose.ts';
import { readConfig } from '../server/kernel/config.ts';
import { startPostgres } from './support/postgres.ts';
import { nodeFlags } from './support/process.ts';
import { query } from './support/server.ts';

// `npm test`, or `npm test -- server/planning test/contract` for some of it: sets up what the tests need, runs them.
// `npm run test:long` is the same with the long campaigns: more fuzzing, more kills.

const PACKAGES = [
  { name: 'postgresql-15', file: '/usr/lib/postgresql/15/bin/postgres' },
  { name: 'chromium', file: '/usr/bin/chromium' },
  { name: 'git', file: '/usr/bin/git' },
  { name: 'openssh-client', file: '/usr/bin/ssh-keygen' },
  { name: 'openssh-server', file: '/usr/sbin/sshd' },
  { name: 'openssl', file: '/usr/bin/openssl' },
  { name: 'bubblewrap', file: '/usr/bin/bwrap' },
  { name: 'passt', file: '/usr/bin/pasta' },
  { name: 'iproute2', file: '/usr/sbin/ip' },
  { name: 'caddy', file: '/usr/bin/caddy' },
];
installPackages();
openTunnels();

// As the list of the slowest, at a run's end, says.
const LONGEST = ['crash/deployments', 'operation', 'hosting/deployments', 'kernel/jobs', 'kernel/mail'];

const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });

// All that tests put into the system's temporary folder is in here, and all that they start knows of it.
const folder = await realpath(await mkdtemp(join(tmpdir(), 'simcha-tests-')));
const temporary = join(folder, 'tmp');
await mkdir(temporary, { mode: 0o755 });
await chmod(folder, 0o755);
const postgres = await startPostgres(['fsync=off', 'max_connections=400']);
await query(postgres.url('postgres'), 'create database simcha_template');
await migrated({ DATABASE_URL: postgres.url('simcha_template') });
await migrated({});

Object.assign(process.env, {
  TMPDIR: temporary,
  SIMCHA_TEST_POSTGRES: postgres.url('postgres'),
  SIMCHA_TEST_EMBEDDED: join(folder, 'data', 'database'),
  // Every file and every server it starts is a process that reads the same modules.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  ...(values.long && { SIMCHA_TESTS: 'long' }),
});
const paths = positionals.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
let failed = await runTests(paths.length > 0 ? paths : ['{server,test,bench}/**/*.test.ts']);
if (values.long && paths.length === 0) {
  console.log('The hosting side once more, each of its servers on PostgreSQL three of them, asked in turns:');
  process.env.SIMCHA_SERVERS = '3';
  failed = (await runTests(['test/hosting/**/*.test.ts'])) || failed;
}
const left = await leftBehind(temporary);
await postgres.remove();
await rm(folder, { recursive: true, force: true });
process.exit(failed || left ? 1 : 0);

/** So that at the end nothing long is left to run alone. */
function longestFirst(files: string[]): string[] {
  const rank = (file: string) => {
    const place = LONGEST.findIndex((name) => file.endsWith(`test/${name}.test.ts`));
    return place < 0 ? LONGEST.length : place;
  };
  return files.sort().sort((a, b) => rank(a) - rank(b));
}

/** Runs them, tells how, and what took longest. True when one failed, or a file did not tell how it ended. */
async function runTests(patterns: string[]): Promise<boolean> {
  const files = longestFirst(globSync(patterns));
  const took: { file: string; seconds: number }[] = [];
  let failed = false;
  const tests = run({
    files,
    // The long files wait half of their time: for retries, deadlines, sites that come up.
    concurrency: availableParallelism() * 2,
    // Rather than `forceExit`, which loses results in silence (nodejs/node#64833).
    execArgv: [...nodeFlags(), '--import', new URL('support/end.ts', import.meta.url).href],
    timeout: values.long ? 7_200_000 : 300_000,
  });
  tests.on('test:fail', () => {
    failed = true;
  });
  tests.on('test:summary', ({ file, duration_ms, success }) => {
    if (!success) failed = true;
    if (file) took.push({ file: relative(process.cwd(), file), seconds: duration_ms / 1000 });
  });
  await pipeline(tests.compose(spec), process.stdout, { end: false });
  took.sort((a, b) => b.seconds - a.seconds);
  console.log('The files that took longest, in seconds:');
  for (const { file, seconds } of took.slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(8)}  ${file}`);
  const told = new Set(took.map(({ file }) => file));
  const silent = files.filter((file) => !told.has(file));
  for (const file of silent) console.error(`A test file did not tell how it ended: ${file}`);
  if (files.length === 0) console.error(`No test file matches ${patterns.join(' ')}`);
  return failed || silent.length > 0 || files.length === 0;
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

async function migrated(env: Record<string, string>): Promise<void> {
  const config = readConfig({ DATA_DIR: join(folder, 'data'), HOSTING: 'off', ...env });
  const simcha = await compose(config, pino({ level: 'warn' }));
  await simcha.start();
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
