import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesMarked } from '../../server/hosting/sandbox/processes.ts';
import { campaign } from '../support/campaign.ts';
import { createClient } from '../support/client.ts';
import {
  applicationClient,
  newApplication,
  verifiedUser,
  versionSite,
  visitSite,
} from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { startPostgres } from '../support/postgres.ts';
import { spawnReadyServer } from '../support/process.ts';
import { randomMoments, SEED } from '../support/random-moments.ts';
import { commandsMarked } from '../support/sandbox.ts';
import { DATABASES_OF_SLOW_TESTS, queryDatabase, SECRET, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10', RATE_LIMIT: '1000000' };

const KEY = randomBytes(32).toString('base64');

/** Takes long enough in each of its states to be killed there. */
const slowSite = (version: string) => ({
  ...versionSite(version),
  'package.json': '{"scripts":{"build":"sleep 0.25","start":"sleep 0.25; node server.js"}}',
});

/** From the request on: waiting, fetching, building, starting, live. */
const DEPLOYMENT_MS = 1_100;
const HOUSES = campaign(
  [
    ['embedded', 'none', 1],
    ['postgres', 'sandbox', 3],
  ] as const,
  [
    ['embedded', 'none', 50],
    ['embedded', 'sandbox', 50],
    ['postgres', 'none', 50],
    ['postgres', 'sandbox', 50],
  ] as const,
);
for (const [house, [kind, isolation, kills]] of HOUSES.entries()) {
  test(`killed at any moment of a deployment, the server brings it to its end (${kind}, ${isolation}, CRASH_SEED=${SEED})`, async (t) => {
    await using database = await temporaryDatabase(kind);
    await using steady = await createRepository(versionSite('steady'));
    await using moving = await createRepository(slowSite('0'));
    const env = { ...database.env, ...SETTINGS, APPS_ISOLATION: isolation };
    const sites = join(database.env.DATA_DIR, 'sites/');
    let server = await spawnReadyServer(env);
    try {
      const user = await verifiedUser(server.url, database.env.DATA_DIR);
      const other = await newApplication(user.call, server.url, steady.address);
      const app = await newApplication(user.call, server.url, moving.address);
      await other.deploy();
      await app.deploy();
      const usual = commandsMarked(sites).length;
      assert.ok(usual > 0);

      for (const [turn, moment] of randomMoments(kills, DEPLOYMENT_MS, house).entries()) {
        const version = String(turn + 1);
        await moving.commit(slowSite(version));
        const before = createClient(server.url, { headers: { 'x-api-key': user.key } });
        const id = await applicationClient(before, server.url, app.uuid, app.host).ask();
        await sleep(moment);
        server.child.kill('SIGKILL');
        await server.ended;
        if (isolation === 'sandbox') await until(() => commandsMarked(sites).length === 0);

        server = await spawnReadyServer(env);
        const call = createClient(server.url, { headers: { 'x-api-key': user.key } });
        const again = applicationClient(call, server.url, app.uuid, app.host);
        const { history } = await again.expect(id, 'live', 60_000);
        assert.equal(history.filter(({ status }: { status: string }) => status === 'live').length, 1);
        await until(async () => (await visitSite(server.url, other.host)).text === 'steady ');
        await until(async () => (await again.visit()).text === `${version} `);
        await until(() => commandsMarked(sites).length === usual);
      }
      t.diagnostic(`${kills} deployments killed, all brought to their end, every site back`);
    } finally {
      // A killed one would leave its plain sites behind.
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a server that is restarted brings its sites back as they were, and fails no request (${kind})`, async () => {
    await using database = await temporaryDatabase(kind);
    await using repository = await createRepository(versionSite('v'));
    const env = { ...database.env, ...SETTINGS };
    let server = await spawnReadyServer(env);
    try {
      const user = await verifiedUser(server.url, database.env.DATA_DIR);
      const app = await newApplication(user.call, server.url, repository.address);
      const stopped = await newApplication(user.call, server.url, repository.address);
      await app.call('PATCH', '/env', { TITLE: 'deployed with this' });
      await app.deploy();
      await stopped.deploy();
      await stopped.call('POST', '/stop');
      // Set, but not asked to take effect: no restart of the server makes it.
      await app.call('PATCH', '/env', { TITLE: 'not yet' });

      const slow = app.visit('/slow=1500');
      await until(async () => (await app.visit()).status === 200);
      server.child.kill('SIGTERM');
      assert.deepEqual(await slow, { status: 200, text: 'slow v' });
      assert.equal(await server.ended, 0);
      assert.deepEqual(processesMarked(join(database.env.DATA_DIR, 'sites/')), []);

      server = await spawnReadyServer(env);
      await until(async () => (await visitSite(server.url, app.host)).text === 'v deployed with this');
      assert.equal((await visitSite(server.url, stopped.host)).status, 503);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });
}

test('a site that ends while the database is away comes back with it', async () => {
  const postgres = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'simcha-away-'));
  await using repository = await createRepository(versionSite('v'));
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: postgres.url('postgres'),
    ...SETTINGS,
    APPS_WAIT_SECONDS: '1',
  };
  const server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, folder);
    const app = await newApplication(user.call, server.url, repository.address);
    await app.deploy();
    await postgres.stop();
    await app.visit('/die');
    await until(async () => (await app.visit()).status === 503);
    await until(() => /sites wait for the database/.test(server.output()));
    await postgres.start();
    await until(async () => (await app.visit()).text === 'v ', 20_000);
    await until(async () => (await app.call('GET')).body.status === 'live', 20_000);
    assert.doesNotMatch(server.output(), /could not be restarted/);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a site that can’t be brought back is down and not for ever starting, and is tried again', async () => {
  await using database = await temporaryDatabase('postgres');
  await using repository = await createRepository(versionSite('v'));
  const env = { ...database.env, ...SETTINGS };
  const { DATA_DIR, DATABASE_URL = '' } = database.env;
  let server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, DATA_DIR);
    const sealed = await newApplication(user.call, server.url, repository.address);
    const homeless = await newApplication(user.call, server.url, repository.address);
    await sealed.deploy();
    await homeless.deploy();
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    // What another key has sealed, and a home that is none.
    await queryDatabase(
      DATABASE_URL,
      `update sites set variables_sealed = $1 from environments
       where sites.environment_id = environments.environment_id and application_uuid = $2`,
      ['not ours', sealed.uuid],
    );
    const environments = join(DATA_DIR, 'sites', homeless.uuid, 'environments');
    const [environment = ''] = await readdir(environments);
    const home = join(environments, environment, 'home');
    await rm(home, { recursive: true });
    await writeFile(home, '');

    server = await spawnReadyServer(env);
    await until(async () => (await visitSite(server.url, sealed.host)).status === 502);
    await until(async () => (await visitSite(server.url, homeless.host)).status === 502);
    await rm(home);
    await until(async () => (await visitSite(server.url, homeless.host)).text === 'v ');
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('a deployment that takes the server down with it is given up in the end', async () => {
  await using database = await temporaryDatabase('postgres');
  await using repository = await createRepository({ 'package.json': '{"scripts":{"build":"sleep 30"}}' });
  const env = { ...database.env, ...SETTINGS };
  let server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, database.env.DATA_DIR);
    let app = await newApplication(user.call, server.url, repository.address);
    const id = await app.ask();
    for (let life = 1; life <= 3; life += 1) {
      await until(async () => (await app.log(id)).split('$ npm run build').length > life);
      server.child.kill('SIGKILL');
      await server.ended;
      server = await spawnReadyServer(env);
      const call = createClient(server.url, { headers: { 'x-api-key': user.key } });
      app = applicationClient(call, server.url, app.uuid, app.host);
    }
    const { reason } = await app.expect(id, 'failed');
    assert.match(reason, /stopped several times/);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('a server that comes back with an empty data folder makes its sites again and goes on with its deployments', async () => {
  await using database = await temporaryDatabase('postgres');
  await using steady = await createRepository(versionSite('steady'));
  await using building = await createRepository({
    ...versionSite('new'),
    'package.json': '{"scripts":{"build":"sleep 5","start":"node server.js"}}',
  });
  // What a machine that was made anew is still given.
  const env = { ...database.env, ...SETTINGS, JWT_SECRET: SECRET, ENCRYPTION_KEY: KEY };
  const { DATA_DIR } = database.env;
  let server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, DATA_DIR);
    const there = await newApplication(user.call, server.url, steady.address);
    const waiting = await newApplication(user.call, server.url, building.address);
    await there.deploy();
    const id = await waiting.ask();
    await until(async () => (await waiting.log(id)).includes('$ npm run build'));
    server.child.kill('SIGKILL');
    await server.ended;
    await until(() => commandsMarked(join(DATA_DIR, 'sites/')).length === 0);
    await rm(DATA_DIR, { recursive: true });

    server = await spawnReadyServer(env);
    const call = createClient(server.url, { headers: { 'x-api-key': user.key } });
    const again = applicationClient(call, server.url, waiting.uuid, waiting.host);
    await until(async () => (await visitSite(server.url, there.host)).text === 'steady ', 60_000);
    await again.expect(id, 'live', 60_000);
    await until(async () => (await again.visit()).text === 'new ');
    await again.deploy();
    assert.equal((await again.call('POST', '/stop')).status, 200);
    assert.equal((await again.call('GET')).body.status, 'stopped');
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('a version that drains ends with its server, however long its last request takes', async () => {
  await using database = await temporaryDatabase('postgres');
  await using repository = await createRepository(versionSite('old'));
  const server = await spawnReadyServer({ ...database.env, ...SETTINGS, APPS_ISOLATION: 'none' });
  const sites = join(database.env.DATA_DIR, 'sites/');
  try {
    const user = await verifiedUser(server.url, database.env.DATA_DIR);
    const app = await newApplication(user.call, server.url, repository.address);
    await app.deploy();
    const slow = app.visit('/slow=60000').catch(() => {});
    await until(async () => (await app.visit()).status === 200);
    await repository.commit(versionSite('new'));
    await app.deploy();
    await until(async () => (await app.visit()).text === 'new ');
    const both = commandsMarked(sites).length;
    assert.ok(both > 1);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    assert.deepEqual(processesMarked(sites), []);
    await slow;
  } finally {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});

for (const isolation of ['sandbox', 'none'] as const) {
  test(`a server that is told not to wait ends its sites with it, deaf ones too (${isolation})`, async () => {
    await using database = await temporaryDatabase('postgres');
    await using repository = await createRepository({
      ...versionSite('deaf'),
      'package.json': '{"scripts":{"start":"node deaf.js"}}',
      'deaf.js': `process.on('SIGTERM', () => {}); require('./server.js');`,
    });
    const server = await spawnReadyServer({ ...database.env, ...SETTINGS, APPS_ISOLATION: isolation });
    const sites = join(database.env.DATA_DIR, 'sites/');
    try {
      const user = await verifiedUser(server.url, database.env.DATA_DIR);
      const app = await newApplication(user.call, server.url, repository.address);
      await app.deploy();
      const stuck = app.visit('/slow=60000').catch(() => {});
      await until(async () => (await app.visit()).status === 200);
      server.child.kill('SIGTERM');
      await until(() => server.output().includes('finishing running requests and jobs'));
      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 1);
      await until(() => processesMarked(sites).length === 0);
      await stuck;
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
    }
  });
}
