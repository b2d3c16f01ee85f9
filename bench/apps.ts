import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { ownMemory, processesMarked, readProcesses } from '../server/hosting/walls/processes.ts';
import type { Client } from '../test/support/client.ts';
import {
  type ApplicationClient,
  newApplication,
  verifiedUser,
  versionSite,
  visit,
} from '../test/support/deployed.ts';
import { createRepository, filesOf, type TestRepository } from '../test/support/git.ts';
import { freePort } from '../test/support/postgres.ts';
import { until } from '../test/support/until.ts';
import { http, type Measured, mean, number, table } from './support/measure.ts';
import { type BenchServer, benchServer } from './support/server.ts';

// npm run bench -- apps: what Simcha adds to a deploy, what a network of its own costs a site's page, what more replicas
// bring, what a switch costs visitors, and what many sites cost.

const ROUNDS = 5;
/** Deployments before those that count: caches fill, and the server's own code becomes machine code. */
const WARM_UP = 4;
const REST_MS = 2_000;
const VISIT_SECONDS = 3;
const SWITCHES = 20;
const EXISTING = 200;
const RUNNING = 20;
const EXAMPLES = new URL('../examples/', import.meta.url).pathname;
/** As `GET /api/events/:id` gives it, as far as the example shows it. */
const INVITATION = JSON.stringify({
  title: 'החתונה של נועה ואיתי',
  event_date: '2027-06-15T16:30:00.000Z',
  venue_name: 'גן האירועים',
  venue_address: 'דרך השלום 1, תל אביב',
  rsvp_confirmed: 120,
});

const run = promisify(execFile);
const server = await benchServer({ APPS_GIT_PROTOCOLS: 'file', APPS_CONCURRENCY: '2' });
const scratch = await mkdtemp(join(tmpdir(), 'simcha-bench-apps-'));
const user = await verifiedUser(server.url, server.dataDir, 'bench@example.com');
try {
  const create = (repository: TestRepository) => newApplication(user.call, server.url, repository.address);

  await using staticSite = await createRepository(await filesOf(join(EXAMPLES, 'static')));
  await using nodeSite = await createRepository(await filesOf(join(EXAMPLES, 'node')));
  const staticApp = await create(staticSite);
  const nodeApp = await create(nodeSite);

  console.log(
    'Deploying, milliseconds; the median of',
    ROUNDS,
    `rounds, each of a new commit, after ${WARM_UP} that warm up\n`,
  );
  const rows = [
    await compare('static example', staticApp, staticSite, (folder) => `cat ${folder}/index.html`),
    await compare('Node example', nodeApp, nodeSite, startByHand),
  ];
  console.log(table(['', 'bare shell', 'POST to live', 'more', 'ratio'], rows));

  const again = await median(() => timed(() => toLive(nodeApp)));
  const { deployments } = (await nodeApp.call('GET', '/deployments?limit=4')).body;
  const back = await median(async (round) => {
    // Forth and back between the two newest releases.
    const { deployment_uuid } = deployments.at(round % 2 === 0 ? -1 : 0);
    return timed(() => toLive(nodeApp, 'rollback', { deployment_uuid }));
  });
  const restarted = await median(() => timed(() => toLive(nodeApp, 'restart')));
  const changed = await median((round) =>
    timed(async () => {
      await nodeApp.call('PATCH', '/env', { GREETING: `בתיאבון ${round}` });
      await toLive(nodeApp, 'restart');
    }),
  );
  console.log(
    `\nNode example, nothing changed, each after two seconds' rest: redeploy ${ms(again)}, rollback ${ms(back)}, restart ${ms(restarted)}; a changed variable to live ${ms(changed)}`,
  );

  await ownNetwork(user.call);
  await moreReplicas(user.call);
  await switchUnderLoad(user.call);
  await manySites(user.call);
} finally {
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
}

/** The same by hand and by us, in turns, so that both meet the same weather. */
async function compare(
  name: string,
  app: ApplicationClient,
  repository: TestRepository,
  start: (folder: string) => string | Promise<string>,
): Promise<string[]> {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    await repository.commit({ 'round.txt': `${name} ${round}` });
    const folder = join(scratch, `${round}-${app.uuid}`);
    const script = `git clone --quiet --depth 1 ${repository.address} ${folder} && ${await start(folder)}`;
    const byHand = await timed(() => shell(script));
    const byUs = await timed(() => toLive(app));
    if (round < 0) continue;
    bare.push(byHand);
    ours.push(byUs);
  }
  const [hand, us] = [middle(bare), middle(ours)];
  return [name, number(hand), number(us), number(us - hand), number(us / hand, 2)];
}

async function startByHand(folder: string): Promise<string> {
  const port = await freePort();
  return `cd ${folder} && npm ci --include=dev --silent && npm run --silent build >/dev/null &&
    (HOST=127.0.0.1 PORT=${port} node server.js >/dev/null & echo $! > pid) &&
    until curl --silent --fail --output /dev/null http://127.0.0.1:${port}/; do sleep 0.01; done; kill $(cat pid)`;
}

/** With our own node first, so that both sides run the same. */
async function shell(script: string): Promise<void> {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  await run('sh', ['-c', script], {
    env: { ...process.env, PATH, NODE_ENV: 'production', npm_config_cache: join(scratch, 'npm') },
  });
}

/** The same pages from a site in the sandbox, whose network is its own, and from a plain process, in turns. */
async function ownNetwork(call: Client): Promise<void> {
  const open = await benchServer({ APPS_GIT_PROTOCOLS: 'file', APPS_ISOLATION: 'none' });
  try {
    const user = await verifiedUser(open.url, open.dataDir, 'bench@example.com');
    const kinds = [
      { name: 'as a plain process', at: open, call: user.call },
      { name: 'in a network of its own', at: server, call },
    ];
    console.log(
      '\nA page of a site, times in ms; the ratio is what a request costs beside the plain process\n',
    );
    const rows = [
      ...(await besidePlain('a word', kinds, versionSite('page'), {})),
      ...(await besidePlain('an invitation', kinds, await filesOf(join(EXAMPLES, 'rsvp')), {
        EVENT: INVITATION,
      })),
    ];
    console.log(table(['', '', 'requests/s', 'p50', 'p99', 'ratio'], rows));
  } finally {
    await open.stop();
  }
}

async function besidePlain(
  page: string,
  kinds: readonly { name: string; at: BenchServer; call: Client }[],
  files: Record<string, string>,
  env: Record<string, string>,
): Promise<string[][]> {
  await using repository = await createRepository(files);
  const sites: { name: string; at: BenchServer; app: ApplicationClient; measured: Measured[] }[] = [];
  for (const { name, at, call } of kinds) {
    const app = await newApplication(call, at.url, repository.address);
    await app.call('PATCH', '/env', env);
    await app.deploy();
    sites.push({ name, at, app, measured: [] });
  }
  const rows: string[][] = [];
  for (const connections of [1, 20]) {
    for (const site of sites) site.measured = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { at, app, measured } of sites) {
        const requests = [{ method: 'GET' as const, path: '/', headers: { host: app.host } }];
        const one = await http({ url: at.url, connections, seconds: VISIT_SECONDS, requests });
        // The first round warms up.
        if (round > 0) measured.push(one);
      }
    }
    const plain = mean(sites[0]?.measured ?? []).perSecond;
    for (const { name, measured } of sites) {
      const { perSecond, p50, p99 } = mean(measured);
      const figures = [number(perSecond), number(p50, 2), number(p99, 2), number(plain / perSecond, 2)];
      rows.push([`${page}, ${connections} at once`, name, ...figures]);
    }
  }
  return rows;
}

/** Asks, and hears of the end as a user does who follows it. */
async function toLive(app: ApplicationClient, action = 'deploy', body?: unknown): Promise<void> {
  const id = await app.ask(action, body);
  const stream = `${server.url}${app.at}/deployments/${id}/logs/stream`;
  const text = await (await fetch(stream, { headers: { 'x-api-key': user.key } })).text();
  if (!text.endsWith('data: {"status":"live"}\n\n')) throw new Error(text);
}

/** A page that takes the site some work, at as many replicas. */
async function moreReplicas(call: Client): Promise<void> {
  await using repository = await createRepository({
    'package.json': '{"scripts":{"start":"node server.js"}}',
    'server.js': `
const { createServer } = require('node:http');
const { pbkdf2Sync } = require('node:crypto');
createServer((request, response) => response.end(pbkdf2Sync('a', 'b', 2000, 32, 'sha256').toString('hex')))
  .listen(process.env.PORT, process.env.HOST);
`,
  });
  const app = await newApplication(call, server.url, repository.address);
  await toLive(app);
  const rows: string[][] = [];
  let first = 0;
  for (const web of [1, 2, 4]) {
    await app.call('PATCH', '/processes', { web });
    await until(async () => {
      const [process] = (await app.call('GET', '/processes')).body.processes;
      return process.replicas.every(({ state }: { state: string }) => state === 'running');
    });
    const requests = [{ method: 'GET' as const, path: '/', headers: { host: app.host } }];
    const measured: Measured[] = [];
    for (let round = 0; round <= 2; round += 1) {
      const one = await http({ url: server.url, connections: 20, seconds: VISIT_SECONDS, requests });
      if (round > 0) measured.push(one);
    }
    const { perSecond, p50, p99 } = mean(measured);
    first ||= perSecond;
    rows.push([`${web}`, number(perSecond), number(p50, 1), number(p99, 1), number(perSecond / first, 2)]);
  }
  console.log(
    `\nReplicas of a site whose page takes a millisecond of work, 20 at once, on ${availableParallelism()} cores\n`,
  );
  console.log(table(['', 'requests/s', 'p50', 'p99', 'beside one'], rows));
}

async function switchUnderLoad(call: Client): Promise<void> {
  await using repository = await createRepository(versionSite('0'));
  const app = await newApplication(call, server.url, repository.address);
  await app.deploy();
  const load = autocannon({
    url: server.url,
    connections: 20,
    duration: 600,
    headers: { host: app.host },
    timeout: 30,
  });
  const times: number[] = [];
  for (let version = 1; version <= SWITCHES; version += 1) {
    await repository.commit(versionSite(String(version)));
    times.push(await timed(() => toLive(app)));
  }
  (load as unknown as { stop(): void }).stop();
  const result = await load;
  const failed = result.errors + result.timeouts + result.non2xx;
  console.log(
    `\n${SWITCHES} switches under load: ${number(result.requests.total)} requests ` +
      `(${number(result.requests.average)} a second), ${failed} failed; a deploy took ${ms(middle(times))}`,
  );
}

async function manySites(call: Client): Promise<void> {
  await using repository = await createRepository(versionSite('many'));
  const before = await server.memory();
  const apps: ApplicationClient[] = [];
  for (let i = 0; i < EXISTING; i += 1) apps.push(await newApplication(call, server.url, repository.address));
  const exist = await server.memory();
  const running = apps.slice(0, RUNNING);
  const took = await timed(async () => {
    const asked = await Promise.all(running.map((app) => app.ask()));
    await Promise.all(running.map((app, i) => app.expect(asked[i] ?? '', 'live', 300_000)));
  });
  await until(async () => {
    const answers = await Promise.all(running.map((app) => visit(server.url, app.host)));
    return answers.every(({ status }) => status === 200);
  });
  const run = await server.memory();
  const processes = readProcesses();
  const roots = processesMarked(join(server.dataDir, 'sites/'));
  const pids = new Set(roots.flatMap((root) => processes.treeOf(root)).map(({ pid }) => pid));
  const sites = [...pids].reduce((sum, pid) => sum + ownMemory(pid), 0) / 2 ** 20;
  await repository.commit(versionSite('more'));
  const one = await median(async (round) => {
    await repository.commit(versionSite(`more ${round}`));
    return timed(() => toLive(apps[RUNNING] as ApplicationClient));
  });
  console.log(
    `\n${EXISTING} applications, ${RUNNING} of them running (deployed together in ${number(took / 1000, 1)} s)\n` +
      `  memory of the server: ${number(before)} MiB before, ${number(exist)} with all of them, ${number(run)} with ${RUNNING} running\n` +
      `  memory of the sites: ${number(sites / (RUNNING + 3), 0)} MiB each\n` +
      `  a deploy of one more: ${ms(one)}`,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** After a rest each: what the last one left to do is not the next one's. */
async function median(work: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(REST_MS);
    times.push(await work(round));
  }
  return middle(times);
}

function middle(times: number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function ms(value: number): string {
  return `${number(value)} ms`;
}
