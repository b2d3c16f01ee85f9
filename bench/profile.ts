import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import autocannon from 'autocannon';
import { startPostgres } from '../commands/cluster/postgres.ts';
import { freePort } from '../test/support/postgres.ts';
import { until } from '../test/support/until.ts';
import { chosenPart } from './support/chosen-part.ts';
import { formatTable } from './support/measure.ts';
import { fillServer, OPERATIONS, type Operation, requestsOf } from './support/operations.ts';
import { benchServer } from './support/server.ts';

// Prints the functions in which the server spends its processor time: `npm run bench -- profile read` (or another name
// in support/operations.ts), or a gateway with `page` and `file`. The start of the server is part of the profile, but a small one.

const LINES = 20;
const SECONDS = 15;
/** Host names of the gateway's sites, by what is measured. */
const SITES = new Map([
  ['page', 'demo.localhost'],
  ['file', 'pages.localhost'],
]);

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const name = chosenPart([...OPERATIONS.map((one) => one.name), ...SITES.keys()]) ?? 'read';
const operation = OPERATIONS.find((one) => one.name === name);
const site = SITES.get(name);

const folder = await mkdtemp(join(tmpdir(), 'simcha-profile-'));
const profiling = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
try {
  const answered = operation ? await loadServer(operation) : await loadGateway(site ?? '');
  const profiles = await Promise.all(
    (await readdir(folder))
      .filter((file) => file.endsWith('.cpuprofile'))
      .map((file) => readFile(join(folder, file), 'utf8')),
  );
  const longest = profiles.sort((one, other) => other.length - one.length)[0] ?? '';
  report(JSON.parse(longest), answered);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Loads a server with one kind of request; returns the number of its answers. */
async function loadServer(operation: Operation): Promise<number> {
  execFileSync(process.execPath, [new URL('../commands/bundle.ts', import.meta.url).pathname], {
    stdio: 'inherit',
  });
  const postgres = await startPostgres(['fsync=off', 'autovacuum=off', 'shared_buffers=256MB']);
  try {
    const databaseUrl = postgres.url('postgres');
    const settings = {
      DATABASE_URL: databaseUrl,
      HOSTING: 'off',
      ENCRYPTION_KEY: 'an encryption key for benchmarks',
    };
    const server = await benchServer(settings, undefined, profiling);
    const targets = await fillServer(server, databaseUrl, { events: 2_000, guests: 20, answering: 20 });
    const answered = await load(server.url, 8, requestsOf(operation, targets));
    await server.stop();
    return answered;
  } finally {
    await postgres.remove();
  }
}

/** Loads a gateway with requests for the page of a site; returns the number of its answers. */
async function loadGateway(host: string): Promise<number> {
  const page = `<!doctype html><title>Site</title><p>${'A page of a site behind the gateway. '.repeat(20)}`;
  await writeFile(join(folder, 'index.html'), page);
  const server = createServer((_request, response) => response.end(page)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = await freePort();
  const script = new URL('support/gateway-process.ts', import.meta.url).pathname;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const parameters = [...profiling, script, 'gateway', String(port), origin, folder, join(folder, 'data')];
  const gateway = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(() =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return await load(url, 64, [{ method: 'GET', path: '/', headers: { host } }]);
  } finally {
    const ended = once(gateway, 'exit');
    gateway.kill();
    await ended;
    server.closeAllConnections();
    server.close();
  }
}

async function load(url: string, connections: number, requests: autocannon.Request[]): Promise<number> {
  const { requests: sent } = await autocannon({ url, connections, duration: SECONDS, requests });
  return sent.total;
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
