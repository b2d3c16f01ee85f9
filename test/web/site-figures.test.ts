import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { BUCKETS, bucketOf } from '../../server/hosting/figures/histogram.ts';
import { addProcessUse, addTraffic } from '../../server/hosting/figures/store.ts';
import {
  barsPath,
  linePath,
  maximumOf,
  roundMaximum,
} from '../../web/src/features/site-figures/api/plots.ts';
import { applicationClient, visitSite } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession } from '../support/sessions.ts';
import { sharedServer } from '../support/shared-server.ts';
import { visitConsole } from './console.ts';
import { LOOKS, looksOf } from './looks.ts';

test('the scale of a plot ends at a round number', () => {
  const ends = [0, 0.3, 1, 1.1, 7, 10, 24, 26, 999, 1_001].map(roundMaximum);
  assert.deepEqual(ends, [1, 0.5, 1, 2, 10, 10, 25, 50, 1_000, 2_000]);
  const layers = [1, 2].map((value) => ({ name: String(value), color: '', values: [value, value * 2] }));
  assert.equal(maximumOf(layers, true), 10);
  assert.equal(maximumOf(layers, false), 5);
});

test('a line has gaps where there are no values, and bars stand on those before them', () => {
  assert.equal(linePath([0, 5, null, 10, null], 10), 'M100 100L300 50M700 0h.01');
  const layers = [
    [2, 0],
    [3, 1],
  ].map((values, index) => ({ name: String(index), color: '', values }));
  assert.equal(barsPath(layers, 1, 10), 'M0 80h425v-30h-425zM500 100h425v-10h-425z');
});

/** Deployed site of a new user, with figures of the last hour. */
async function siteWithFigures() {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await sharedServer(ANY_DATABASE, { APPS_GIT_PROTOCOLS: 'file' }));
  const repository = opened.use(await createRepository({ 'index.html': '<p>here</p>' }));
  const session = await newSession(server);
  const created = await session.call('POST', '/api/v1/applications', {
    body: { name: 'The menu', repository: repository.address },
  });
  assert.equal(created.status, 201, created.text);
  const { application_uuid: uuid, subdomain, domain } = created.body;
  await applicationClient(session.call, server.url, uuid, new URL(domain).hostname).deploy();
  await visitSite(server.url, new URL(domain).hostname, '/guests?token=s3cret');
  const { sql: db } = server.simcha.database;
  const { rows } = await sql<{ id: string }>`
    select environment_id as id from environments where application_uuid = ${uuid}`.execute(db);
  const environmentId = rows[0]?.id ?? '';
  for (let minute = 0; minute < 60; minute += 1) {
    const at = Temporal.Now.instant().subtract({ minutes: minute });
    const requests = 40 + Math.round(30 * Math.sin(minute / 8));
    const durations = Array.from({ length: BUCKETS }, () => 0);
    durations[bucketOf(20 + minute)] = requests;
    durations[bucketOf(300)] = 3;
    const counts = {
      responses: [0, requests, 2, minute % 7, minute === 20 ? 9 : 0],
      bytesIn: requests * 800,
      bytesOut: requests * 20_000,
      durations,
    };
    await addTraffic(db, new Map([[environmentId, counts]]), at);
    for (const [process, share] of [
      ['web', 1],
      ['worker', 0.4],
    ] as const) {
      const use = {
        environmentId,
        process,
        memoryBytes: (90 + minute) * share * 1e6,
        processorMs: 9_000 * share,
      };
      await addProcessUse(db, [use], at);
    }
  }
  const all = opened.move();
  return { server, session, name: subdomain as string, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

for (const look of looksOf(import.meta.url, 'phone', 'desk', 'arabic')) {
  test(`the figures of a site are plotted and listed, and the requests to it are followed (${look})`, async () => {
    await using site = await siteWithFigures();
    const { server, session, name } = site;
    await using at = await visitConsole(server, LOOKS[look], { session, path: `/sites/${name}/figures` });
    const { page } = at;
    const plots = page.locator('svg[preserveAspectRatio="none"]');
    await plots.first().waitFor();
    assert.equal(await plots.count(), 6);
    await page.locator('label[for$="-hour"]').click();
    await page.locator('main summary').first().click();
    const rows = page.locator('main table tbody tr');
    await rows.first().waitFor();
    assert.ok([60, 61].includes(await rows.count()));
    await at.look();

    await page.goto(`${server.url}/sites/${name}/logs`);
    await page.locator('label[for$="-access"]').click();
    await page.getByText('/guests?token=', { exact: false }).first().waitFor();
    await at.look();
  });
}
