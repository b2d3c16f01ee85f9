import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import {
  type ApplicationClient,
  newApplication,
  verifiedUser,
  versionSite,
} from '../../test/support/deployed.ts';
import { createRepository, type TestRepository } from '../../test/support/git.ts';
import { until } from '../../test/support/until.ts';
import { formatNumber, formatTable, type Measured, meanOf, measureHttp } from '../support/measure.ts';
import { benchServer } from '../support/server.ts';

// Measurements of deployments, independent of the runtime.

export const ROUNDS = 5;
/** Number of deployments before the measured ones: meanwhile caches fill, and the server's code gets compiled. */
export const WARM_UP = 4;
export const VISIT_SECONDS = 3;
const REST_MS = 2_000;
const SWITCHES = 20;

export type Deployer = ReturnType<typeof deployerAt>;

/** Starts a server and registers a user who deploys there. */
export async function createDeployer(settings: Record<string, string> = {}) {
  const server = await benchServer({ APPS_GIT_PROTOCOLS: 'file', APPS_CONCURRENCY: '2', ...settings });
  return {
    server,
    ...deployerAt(server.url, await verifiedUser(server.url, server.dataDir, 'bench@example.com')),
  };
}

/** User who deploys on a running server. */
export function deployerAt(url: string, { key, call }: Awaited<ReturnType<typeof verifiedUser>>) {
  return {
    url,
    create: ({ address }: TestRepository) => newApplication(call, url, address),
    /** Starts a deployment and waits for its end on the log stream, as a user does. */
    async toLive(app: ApplicationClient, action = 'deploy', body?: unknown): Promise<void> {
      const id = await app.ask(action, body);
      const stream = `${url}${app.at}/deployments/${id}/logs/stream`;
      const text = await (await fetch(stream, { headers: { 'x-api-key': key } })).text();
      if (!text.endsWith('data: {"status":"live"}\n\n')) throw new Error(text);
    },
  };
}

/** Measures deployments by hand and by Simcha in turns, so that both run under the same conditions. */
export async function compareWithManual(
  name: string,
  { byHand, byUs }: Record<'byHand' | 'byUs', (round: number) => Promise<unknown>>,
  prepare: (round: number) => Promise<unknown>,
): Promise<string[]> {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    await prepare(round);
    const [hand, us] = [await measureTime(() => byHand(round)), await measureTime(() => byUs(round))];
    if (round < 0) continue;
    bare.push(hand);
    ours.push(us);
  }
  const [hand, us] = [medianOf(bare), medianOf(ours)];
  return [name, formatNumber(hand), formatNumber(us), formatNumber(us - hand), formatNumber(us / hand, 2)];
}

/**
 * Measures deployments that need no new commit: another one of the same commit, a rollback, a restart, and a restart
 * with a changed variable. The application must have several releases.
 */
export async function measureUnchanged(
  name: string,
  { toLive }: Deployer,
  app: ApplicationClient,
): Promise<void> {
  const again = await measureMedian(() => measureTime(() => toLive(app)));
  const { deployments } = (await app.call('GET', '/deployments?limit=4')).body;
  const back = await measureMedian(async (round) => {
    // The measured rollbacks alternate between the two newest releases.
    const { deployment_uuid } = deployments.at(round % 2 === 0 ? -1 : 0);
    return measureTime(() => toLive(app, 'rollback', { deployment_uuid }));
  });
  const restarted = await measureMedian(() => measureTime(() => toLive(app, 'restart')));
  const changed = await measureMedian((round) =>
    measureTime(async () => {
      await app.call('PATCH', '/env', { GREETING: `בתיאבון ${round}` });
      await toLive(app, 'restart');
    }),
  );
  console.log(
    `\n${name}, nothing changed, each after two seconds' rest: redeploy ${formatMs(again)}, rollback ${formatMs(back)}, restart ${formatMs(restarted)}; a changed variable to live ${formatMs(changed)}`,
  );
}

/** Measures requests to a page that needs some computation, with each number of replicas. */
export async function measureReplicas(
  { url, create, toLive }: Deployer,
  counts: readonly number[],
): Promise<void> {
  await using repository = await createRepository({
    'package.json': '{"scripts":{"start":"node server.js"}}',
    'server.js': `
const { createServer } = require('node:http');
const { pbkdf2Sync } = require('node:crypto');
createServer((request, response) => response.end(pbkdf2Sync('a', 'b', 2000, 32, 'sha256').toString('hex')))
  .listen(process.env.PORT, process.env.HOST);
`,
  });
  const app = await create(repository);
  await toLive(app);
  const rows: string[][] = [];
  let first = 0;
  for (const web of counts) {
    await app.call('PATCH', '/processes', { web });
    await until(async () => {
      const [process] = (await app.call('GET', '/processes')).body.processes;
      return process.replicas.every(({ state }: { state: string }) => state === 'running');
    }, 60_000);
    const requests = [{ method: 'GET' as const, path: '/', headers: { host: app.host } }];
    const measured: Measured[] = [];
    for (let round = 0; round <= 2; round += 1) {
      const one = await measureHttp({ url, connections: 20, seconds: VISIT_SECONDS, requests });
      if (round > 0) measured.push(one);
    }
    const { perSecond, p50, p99 } = meanOf(measured);
    first ||= perSecond;
    rows.push([
      `${web}`,
      formatNumber(perSecond),
      formatNumber(p50, 1),
      formatNumber(p99, 1),
      formatNumber(perSecond / first, 2),
    ]);
  }
  console.log(
    `\nReplicas of a site whose page takes a millisecond of work, 20 at once, on ${availableParallelism()} cores\n`,
  );
  console.log(formatTable(['', 'requests/s', 'p50', 'p99', 'beside one'], rows));
}

export async function switchUnderLoad({ url, create, toLive }: Deployer): Promise<void> {
  await using repository = await createRepository(versionSite('0'));
  const app = await create(repository);
  await app.deploy();
  const load = beginLoad({ url, connections: 20, headers: { host: app.host } });
  const times: number[] = [];
  for (let version = 1; version <= SWITCHES; version += 1) {
    await repository.commit(versionSite(String(version)));
    times.push(await measureTime(() => toLive(app)));
  }
  console.log(
    `\n${SWITCHES} switches under load: ${summarizeLoad(await load.end())}; a deploy took ${formatMs(medianOf(times))}`,
  );
}

/** Sends requests until `end` is called, each as soon as the previous one was answered. */
export function beginLoad(options: Pick<autocannon.Options, 'url' | 'connections' | 'headers' | 'method'>) {
  const load = autocannon({ ...options, duration: 600, timeout: 30 });
  return {
    async end(): Promise<autocannon.Result> {
      (load as unknown as { stop(): void }).stop();
      return load;
    },
  };
}

/** Summary of the requests that a load sent: their number and how many failed. */
export function summarizeLoad({ requests, errors, timeouts, non2xx }: autocannon.Result): string {
  return `${formatNumber(requests.total)} requests (${formatNumber(requests.average)} a second), ${errors + timeouts + non2xx} failed`;
}

export async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Median of several runs, each after a pause, so that background work of one run doesn't slow the next. */
export async function measureMedian(work: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(REST_MS);
    times.push(await work(round));
  }
  return medianOf(times);
}

export function medianOf(times: number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

export function formatMs(value: number): string {
  return `${formatNumber(value)} ms`;
}
