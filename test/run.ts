import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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
import {
  type Area,
  areasOf,
  concernedFiles,
  LANES,
  type Lane,
  longSelection,
  mergeSelections,
  type Selection,
  severalServersSelection,
  shortSelection,
  sizeOf,
  takeBatch,
} from './lanes.ts';
import { installPackages, openTunnels, reportOrphans } from './support/machine.ts';
import type { OtherRuntime } from './support/on-runtime.ts';
import { nodeFlags } from './support/process.ts';
import { processorSecondsOf } from './support/processor-time.ts';
import { queryDatabase } from './support/server.ts';

// Sets up what the tests need and runs them: `npm test`, `npm test -- server/planning test/contract` for some folders
// or files, `npm run test:web` and `test:engines` for a lane (lanes.ts), `npm run test:recent` for files of the lanes
// that recent commits concern, `npm run test:faults`, `test:image` and `test:long` (CONTRIBUTING.md).

const { values, positionals } = parseArgs({
  options: {
    lane: { type: 'string' },
    long: { type: 'boolean' },
    /** Runs what the commits of the last day concern and is likely to end within so many seconds. */
    recent: { type: 'string' },
  },
  allowPositionals: true,
});
const isShort = positionals.length === 0 && Object.keys(values).length === 0;
/** A test that hangs fails after this time, and the others go on. */
const LONGEST_TEST_MS = values.long ? 7_200_000 : 600_000;

installPackages({ isQuick: isShort || values.recent !== undefined });
openTunnels();
// The typed client and the command line as they are published, which tests ask with.
for (const workspace of ['client', 'cli'])
  execFileSync('npm', ['run', '--silent', 'build', '--workspace', workspace], { stdio: 'inherit' });

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
  SIMCHA_TESTS: values.long ? 'long' : isShort ? 'short' : 'whole',
});
const failed = await runAll();
const hasOrphans = reportOrphans(temporary);
await postgres.remove();
await sweeper[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
console.log(`Processor time of the run: ${Math.round(processorSecondsOf(process.pid))} s`);
process.exit(failed || hasOrphans ? 1 : 0);

/** Runs what the command line asks for; true if something failed. */
async function runAll(): Promise<boolean> {
  if (positionals.length > 0) return runTests(selectionOf(positionals));
  if (values.lane !== undefined) return runTests(laneOf(values.lane));
  if (values.recent !== undefined) return runRecent(Number(values.recent));
  if (!values.long) return runTests(shortSelection());
  const hasFailed = await runTests(longSelection());
  console.log(
    'The hosting side once more, each of its servers on PostgreSQL three of them, asked in turns, of which the one that runs the sites is killed in the middle:',
  );
  process.env.SIMCHA_SERVERS = '3';
  return (await runTests(severalServersSelection())) || hasFailed;
}

function laneOf(name: string): Selection {
  if (Object.hasOwn(LANES, name)) return LANES[name as Lane];
  throw new Error(`There is no lane ${name}; expected ${Object.keys(LANES).join(' or ')}.`);
}

/** Files and folders of the command line, on the runtime of SIMCHA_RUNTIME. */
function selectionOf(names: readonly string[]): Selection {
  const patterns = names.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
  const files = globSync(patterns).sort();
  const runtime = process.env.SIMCHA_RUNTIME as OtherRuntime | undefined;
  return runtime ? { files: [], onRuntime: { [runtime]: files } } : { files, onRuntime: {} };
}

/**
 * Runs the files of the lanes that commits of the last day concern, the most concerned first, as far as they end within
 * `seconds`; those left out are named.
 */
async function runRecent(seconds: number): Promise<boolean> {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (git('rev-parse', '--is-shallow-repository').trim() === 'true') {
    console.log('This is a shallow clone: which files the last day’s commits change is not known here.');
    return false;
  }
  const changed = git('log', '--since=1 day ago', '--name-only', '--format=').split('\n').filter(Boolean);
  let waiting = concernedFiles(changed);
  let hasFailed = false;
  for (;;) {
    const batch = takeBatch(waiting, seconds - performance.now() / 1_000, availableParallelism() + 1);
    if (batch.length === 0) break;
    waiting = waiting.filter((one) => !batch.includes(one));
    hasFailed = (await runTests(mergeSelections(batch))) || hasFailed;
  }
  const left = waiting.flatMap(({ files, onRuntime }) => [
    ...files,
    ...Object.entries(onRuntime).map(([runtime, on]) => `${on} on ${runtime}`),
  ]);
  if (left.length > 0) console.log(`Not run for lack of time: ${left.join(', ')}`);
  return hasFailed;
}

/** Writes a file for each area that imports the area's tests; returns these files. */
async function writeEntries(areas: ReadonlyMap<string, Area>): Promise<string[]> {
  const place = await mkdtemp(join(folder, 'areas-'));
  return Promise.all(
    [...areas].map(async ([area, { members, runtime }]) => {
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

/** Runs tests, reports them and their processor time. True if one failed, or a file did not report how it ended. */
async function runTests(selection: Selection): Promise<boolean> {
  if (sizeOf(selection) === 0) {
    console.error(`No test file matches ${positionals.join(' ')}`);
    return true;
  }
  const silent = new Set(await writeEntries(areasOf(selection)));
  let hasFailed = false;
  const tests = run({
    files: [...silent],
    // Tests wait some of their time: for retries, deadlines, sites that come up.
    concurrency: availableParallelism() + 1,
    // Instead of `forceExit`, which silently loses results (nodejs/node#64833).
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
    hasFailed = true;
  });
  tests.on('test:summary', ({ file, success }) => {
    if (!success) hasFailed = true;
    if (file) silent.delete(file);
  });
  await pipeline(tests.compose(spec), process.stdout, { end: false });
  console.log('Processor time of the processes of tests, in seconds:');
  for (const { seconds, name } of await readTimes())
    console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
  for (const file of silent) console.error(`The tests of ${basename(file)} did not report how they ended.`);
  return hasFailed || silent.size > 0;
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
