import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openProcesses } from '../../../server/hosting/open-runtime.ts';
import { newId } from '../../../server/kernel/identifiers.ts';
import { newApplication, verifiedUser, versionSite, visitSite } from '../../support/deployed.ts';
import { createRepository } from '../../support/git.ts';
import { type ServerProcess, spawnReadyServer } from '../../support/process.ts';
import { withChanges } from '../../support/runtime.ts';
import { commandsMarked } from '../../support/sandbox.ts';
import { KEY, postgresDatabase, queryDatabase, SECRET, temporaryDatabase } from '../../support/server.ts';
import { newServerGroup } from '../../support/server-group.ts';
import { settingsAmongServers } from '../../support/several-servers.ts';
import { until } from '../../support/until.ts';

/** Healthy when it is first started, and silent ever after. */
const fadingSite = {
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
const { existsSync, writeFileSync } = require('node:fs');
const mark = process.env.HOME + '/was-up';
const isFirst = !existsSync(mark);
writeFileSync(mark, '');
require('node:http').createServer((request, response) => {
  if (isFirst) response.end('up');
}).listen(process.env.PORT, process.env.HOST);
`,
};

test('sites that do not come back keep no other site waiting, and are deployed anew and stopped as any', async () => {
  await using database = await temporaryDatabase('postgres');
  await using fading = await createRepository(fadingSite);
  await using well = await createRepository(versionSite('well'));
  await using files = await createRepository({ 'index.html': 'files' });
  const env = {
    ...database.env,
    APPS_GIT_PROTOCOLS: 'file',
    APPS_HEALTH_SECONDS: '120',
    APPS_WAIT_SECONDS: '0',
    RATE_LIMIT: '1000000',
  };
  let server = await spawnReadyServer(env);
  try {
    const user = await verifiedUser(server.url, database.env.DATA_DIR);
    const deployed = async ({ address }: { address: string }) => {
      const app = await newApplication(user.call, server.url, address);
      await app.deploy();
      return app;
    };
    const lost = [];
    for (let n = 0; n < 4; n += 1) lost.push(await deployed(fading));
    const others = [await deployed(well), await deployed(files)];
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
    server = await spawnReadyServer({ ...env, PORT: new URL(server.url).port });
    const answer = async (host: string) => (await visitSite(server.url, host)).text;
    await until(async () => (await answer(others[0]?.host ?? '')) === 'well ');
    assert.equal(await answer(others[1]?.host ?? ''), 'files');
    for (const { host } of lost) assert.equal((await visitSite(server.url, host)).status, 503);

    // While each is still being waited for.
    const [first, second, third] = lost;
    await fading.commit(versionSite('mended'));
    await first?.deploy();
    assert.equal(await answer(first?.host ?? ''), 'mended ');
    assert.equal((await second?.call('POST', '/stop'))?.body.status, 'stopped');
    await until(async () => (await second?.call('GET'))?.body.status === 'stopped');
    const rolledBack = (await third?.ask('restart')) ?? '';
    assert.equal((await third?.call('POST', `/deployments/${rolledBack}/cancel`))?.status, 202);
    await third?.expect(rolledBack, 'cancelled');
    assert.equal((await third?.call('DELETE'))?.status, 204);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('a site that nobody can be told of is started again', async () => {
  await using fleet = await newServerGroup();
  await using repository = await createRepository(versionSite('here'));
  const { call, url } = await fleet.start({ APPS_WAIT_SECONDS: '0' });
  const app = await newApplication(call, url, repository.address);
  await app.deploy();
  await queryDatabase(fleet.databaseUrl, 'delete from instances');
  await until(
    async () =>
      (await queryDatabase(fleet.databaseUrl, `select from instances where state = 'serving'`)).length === 1,
  );
  await until(async () => (await app.visit()).text === 'here ');
});

test('a site is back before what is left of applications that are gone is removed', async () => {
  await using fleet = await newServerGroup();
  await using repository = await createRepository(versionSite('here'));
  const before = await fleet.start();
  const app = await newApplication(before.call, before.url, repository.address);
  await app.deploy();
  await before.close();
  const left = newId();
  await mkdir(join(before.dataDir, 'sites', left));
  const removing: string[] = [];
  const { url } = await fleet.start(
    { DATA_DIR: before.dataDir, APPS_WAIT_SECONDS: '0' },
    {
      openRuntime: async (parts) => {
        const { builder, ...rest } = await openProcesses(parts);
        const forget = async (id: string, signal: AbortSignal) => {
          removing.push(id);
          await once(signal, 'abort');
        };
        return { ...rest, builder: withChanges(builder, { forget }) };
      },
    },
  );
  await until(() => removing.length > 0);
  await until(async () => (await visitSite(url, app.host)).text === 'here ');
  assert.deepEqual(removing, [left]);
});

test('a killed server that comes back ends what it ran, where another one runs it by now', async () => {
  const database = await postgresDatabase('simcha_template');
  await using repository = await createRepository(versionSite('one'));
  const folders: string[] = [];
  const servers: ServerProcess[] = [];
  const start = async (DATA_DIR: string) => {
    const env = { DATA_DIR, DATABASE_URL: database.url, JWT_SECRET: SECRET, ENCRYPTION_KEY: KEY };
    // Without a sandbox a site outlives its server.
    const settings = { APPS_GIT_PROTOCOLS: 'file', APPS_ISOLATION: 'none', RATE_LIMIT: '1000000' };
    const server = await spawnReadyServer(await settingsAmongServers({ ...env, ...settings }));
    servers.push(server);
    return server;
  };
  try {
    for (let n = 0; n < 2; n += 1) folders.push(await mkdtemp(join(tmpdir(), 'simcha-member-')));
    const [own = '', others = ''] = folders;
    const first = await start(own);
    const user = await verifiedUser(first.url, own);
    const app = await newApplication(user.call, first.url, repository.address);
    await app.deploy();
    const second = await start(others);
    const running = () => commandsMarked(join(own, 'sites/')).length;
    first.child.kill('SIGKILL');
    await until(async () => (await visitSite(second.url, app.host)).text === 'one ', 60_000);
    assert.notEqual(running(), 0);
    await start(own);
    await until(() => running() === 0);
    assert.equal((await visitSite(second.url, app.host)).text, 'one ');
  } finally {
    for (const { child } of servers) child.kill('SIGTERM');
    for (const { ended } of servers) await ended;
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    await database.drop();
  }
});

test('a site that is deaf has ended when another server may take the lease', async () => {
  await using fleet = await newServerGroup();
  await using deaf = await createRepository({
    'server.js': `
process.on('SIGTERM', () => {});
require('node:http').createServer((request, response) => response.end('deaf')).listen(process.env.PORT);
`,
  });
  const ask = async (condition: string, table = 'hosting_lease') =>
    (await queryDatabase(fleet.databaseUrl, `select ${condition} as answer from ${table}`))[0].answer;
  const { call, url, dataDir } = await fleet.start();
  const app = await newApplication(call, url, deaf.address, { start: 'node server.js' });
  await app.deploy();
  await fleet.start();
  await until(() => ask('wanted_at is not null'));
  // The holder has heard of it.
  const at = await ask('clock_timestamp()::text');
  await until(() => ask(`held_until > '${at}'::timestamptz + interval '10 seconds'`));
  const running = () => commandsMarked(join(dataDir, 'sites/')).length;
  assert.notEqual(running(), 0);
  await queryDatabase(fleet.databaseUrl, 'alter table hosting_lease rename to away');
  await until(() => ask('held_until < clock_timestamp()', 'away'));
  assert.equal(running(), 0);
  await queryDatabase(fleet.databaseUrl, 'alter table away rename to hosting_lease');
});
