import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import autocannon from 'autocannon';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { formatTable } from './support/measure.ts';
import { fillServer, OPERATIONS, requestsOf } from './support/operations.ts';
import { benchServer } from './support/server.ts';

// Prints the functions in which the server spends its processor time: `npm run bench -- profile read` (or another name
// in support/operations.ts). The start of the server is part of the profile, but a small one.

const LINES = 20;
const SECONDS = 15;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const [, , , name = 'read'] = process.argv;
const operation = OPERATIONS.find((one) => one.name === name);
if (!operation) throw new Error(`one of: ${OPERATIONS.map((one) => one.name).join(', ')}`);

execFileSync(process.execPath, [new URL('../commands/bundle.ts', import.meta.url).pathname], {
  stdio: 'inherit',
});
const folder = await mkdtemp(join(tmpdir(), 'simcha-profile-'));
const postgres = await startPostgres(['fsync=off', 'autovacuum=off', 'shared_buffers=256MB']);
try {
  const databaseUrl = postgres.url('postgres');
  const settings = {
    DATABASE_URL: databaseUrl,
    HOSTING: 'off',
    ENCRYPTION_KEY: 'an encryption key for benchmarks',
  };
  const server = await benchServer(settings, undefined, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const targets = await fillServer(server, databaseUrl, { events: 2_000, guests: 20, answering: 20 });
  const requests = requestsOf(operation, targets);
  const { requests: sent } = await autocannon({
    url: server.url,
    connections: 8,
    duration: SECONDS,
    requests,
  });
  await server.stop();
  const profiles = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
  );
  const longest = profiles.sort((one, other) => other.length - one.length)[0] ?? '';
  report(JSON.parse(longest), sent.total);
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
}

function report({ nodes, samples, timeDeltas }: Profile, answered: number): void {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const self = new Map<string, number>();
  let total = 0;
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = places.get(id) ?? { functionName: '', url: '', lineNumber: 0 };
    if (functionName === '(idle)' || functionName === '(program)') return;
    const where = `${functionName || '(anonymous)'}  ${basename(url)}:${lineNumber + 1}`;
    self.set(where, (self.get(where) ?? 0) + (timeDeltas[index] ?? 0));
    total += timeDeltas[index] ?? 0;
  });
  console.log(`${answered} answers, ${(total / answered).toFixed(0)} µs of JavaScript each`);
  const rows = [...self]
    .sort(([, one], [, other]) => other - one)
    .slice(0, LINES)
    .map(([where, time]) => [
      where,
      `${((time / total) * 100).toFixed(1)} %`,
      `${(time / answered).toFixed(1)} µs`,
    ]);
  console.log(formatTable(['function', 'share', 'of an answer'], rows));
}
