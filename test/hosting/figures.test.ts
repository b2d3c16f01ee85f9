import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { BUCKETS } from '../../server/hosting/figures/histogram.ts';
import {
  addProcessUse,
  addTraffic,
  readProcessUse,
  readTraffic,
  thinFigures,
} from '../../server/hosting/figures/store.ts';
import { newApplication, visitSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { newLogs, openLogs } from '../support/logs.ts';
import { DATABASES, queryDatabase, temporaryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { until } from '../support/until.ts';

const QUICK = { hostingTimes: { figures: { writeMs: 50 } } };
const ENV = { APPS_GIT_PROTOCOLS: 'file' };

test('requests through two servers are counted exactly, each once, with the deployments of that time', async () => {
  await using repository = await createRepository({
    'index.html': '<p>here</p>',
    _redirects: '/old /new 301',
  });
  await using group = await newServerGroup();
  const first = await group.start(ENV, QUICK);
  const app = await newApplication(first.call, first.url, repository.address);
  const { deployment_uuid: deployment } = await app.deploy();
  const second = await group.start({ ...ENV, HOSTING: 'off' }, QUICK);
  await until(() => (second.simcha.sites.find(app.host)?.backends.length ?? 0) > 0);
  const figures = async (query = '') => (await app.call('GET', `/figures${query}`)).body;
  const before = await figures();
  assert.deepEqual([before.total.requests, before.total.p99_ms], [0, null]);

  for (const server of [first, second, second]) {
    for (const path of ['/', '/', '/missing', '/old']) await visitSite(server.url, app.host, path);
    await visitSite(server.url, app.host, '/', { method: 'POST', body: 'x'.repeat(1_000) });
  }
  await visitSite(first.url, 'nobody.localhost');
  await until(async () => (await figures()).total.requests >= 15);
  const { total, intervals, step, deployments } = await figures('?step=300');
  assert.equal(total.requests, 15);
  assert.deepEqual(total.responses, { '1xx': 0, '2xx': 6, '3xx': 3, '4xx': 6, '5xx': 0 });
  assert.ok(total.bytes_in > 3_000 && total.bytes_in < 20_000, String(total.bytes_in));
  assert.ok(total.bytes_out > 15 * 100 && total.bytes_out < 100_000, String(total.bytes_out));
  assert.ok(total.p50_ms > 0 && total.p50_ms <= total.p99_ms, JSON.stringify(total));
  assert.equal(step, 300);
  assert.ok([288, 289].includes(intervals.length), String(intervals.length));
  const sum = intervals.reduce((all: number, { requests }: { requests: number }) => all + requests, 0);
  assert.equal(sum, 15);
  assert.deepEqual(
    deployments.map((one: Record<string, string>) => [one.deployment_uuid, one.status]),
    [[deployment, 'live']],
  );

  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  assert.equal((await figures(`?since=${hourAgo}`)).step, 60);
  for (const query of ['?step=61', '?since=yesterday'])
    assert.equal((await app.call('GET', `/figures${query}`)).status, 400, query);
});

test('memory and processor time of each process are measured', async () => {
  await using repository = await createRepository({
    'package.json': '{"scripts":{"start":"node server.js"}}',
    'server.js': `
      const held = Buffer.alloc(50 * 2 ** 20, 1);
      require('node:http').createServer((request, response) => {
        for (const until = Date.now() + 300; Date.now() < until; );
        response.end(String(held.length));
      }).listen(process.env.PORT, process.env.HOST);`,
  });
  await using group = await newServerGroup();
  const server = await group.start(ENV, { hostingTimes: { figures: { measureMs: 100 } } });
  const app = await newApplication(server.call, server.url, repository.address);
  await app.deploy();
  await app.visit();
  const measured = async () => (await app.call('GET', '/figures')).body.processes;
  const processorMs = async () =>
    ((await measured())[0]?.intervals ?? []).reduce(
      (sum: number, { processor_ms: ms }: { processor_ms: number }) => sum + ms,
      0,
    );
  await until(async () => (await processorMs()) >= 300);
  const [web, ...others] = await measured();
  assert.equal(web.process, 'web');
  assert.deepEqual(others, []);
  const { memory_bytes: memory } = web.intervals.at(-1);
  assert.ok(memory > 50 * 2 ** 20 && memory < 300 * 2 ** 20, String(memory));
});

test('a server that ends writes its last counts', async () => {
  await using repository = await createRepository({ 'index.html': '<p>here</p>' });
  await using group = await newServerGroup();
  const server = await group.start(ENV);
  const app = await newApplication(server.call, server.url, repository.address);
  await app.deploy();
  await app.visit();
  await server.close();
  const [row] = await queryDatabase(group.databaseUrl, 'select responses from request_figures');
  assert.deepEqual(row?.responses.map(Number), [0, 1, 0, 0, 0]);
});

const NOW = Temporal.Instant.from('2026-11-22T08:00:30Z');
const DAY = 24 * 3_600;

const countsOf = (requests: number) => ({
  responses: [0, requests, 0, 0, 1],
  bytesIn: requests * 10,
  bytesOut: requests * 100,
  durations: Array.from({ length: BUCKETS }, (_, bucket) =>
    bucket === 20 ? requests : bucket === 30 ? 1 : 0,
  ),
});

/** Counts of minutes at many times of the last 29 days, each twice, as two servers write them. */
async function writeMinutes(db: Kysely<unknown>, site: string): Promise<number> {
  const ages = [
    0,
    60,
    3_600,
    3 * 3_600 + 120,
    5 * 3_600,
    DAY,
    2 * DAY + 4_000,
    2 * DAY + 4_060,
    9 * DAY,
    29 * DAY,
  ];
  let requests = 0;
  for (const [index, age] of ages.entries()) {
    for (const count of [index + 1, 2]) {
      await addTraffic(db, new Map([[site, countsOf(count)]]), NOW.subtract({ seconds: age }));
      requests += count;
    }
    const use = { environmentId: site, process: 'web', memoryBytes: (index + 1) * 1_000, processorMs: 50 };
    await addProcessUse(db, [use], NOW.subtract({ seconds: age }));
  }
  return requests;
}

for (const kind of DATABASES) {
  test(`old minutes are added up to longer intervals, and the sums stay (${kind})`, async () => {
    await using place = await temporaryDatabase(kind);
    await using at = await openLogs(place.env);
    const { sql: db } = at.database;
    const { site } = await newLogs(at.database);
    const requests = await writeMinutes(db, site);
    const range = { since: NOW.subtract({ seconds: 30 * DAY }), step: DAY };
    const sums = async () => ({
      traffic: await readTraffic(db, site, range),
      use: await readProcessUse(db, site, range),
    });
    const before = await sums();
    // Each time, an interval is added up to the next longer one.
    for (let time = 0; time < 3; time += 1) {
      await thinFigures(db, NOW);
      assert.deepEqual(await sums(), before);
    }
    const total = before.traffic.reduce((sum, { responses }) => sum + (responses[1] ?? 0), 0);
    assert.equal(total, requests);
    const starts = (await readTraffic(db, site, { ...range, step: 60 })).map(({ at: start }) => start);
    // The newest are still of their minute; older ones begin with their 5 minutes or hour.
    assert.deepEqual(
      starts.toReversed().map((start) => Math.round(NOW.epochMilliseconds / 1_000 - start) - 30),
      [0, 60, 3_600, 3 * 3_600 + 300, 5 * 3_600, DAY, 2 * DAY + 7_200, 9 * DAY, 29 * DAY],
    );

    await thinFigures(db, NOW.add({ hours: 24 * 40 }));
    assert.deepEqual(await sums(), { traffic: [], use: [] });
  });

  test(`counts of a site that is gone are left out, and those of others are written (${kind})`, async () => {
    await using place = await temporaryDatabase(kind);
    await using at = await openLogs(place.env);
    const { site } = await newLogs(at.database);
    const gone = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44';
    await addTraffic(
      at.database.sql,
      new Map([
        [gone, countsOf(1)],
        [site, countsOf(2)],
      ]),
      NOW,
    );
    const [row] = await readTraffic(at.database.sql, site, { since: NOW.subtract({ hours: 1 }), step: 60 });
    assert.deepEqual(row?.responses, [0, 2, 0, 0, 1]);
  });
}
