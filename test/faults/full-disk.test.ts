import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { createClient } from '../support/client.ts';
import { newApplication, verifiedUser, versionSite } from '../support/deployed.ts';
import { fillDisk, folderOnDisk } from '../support/disk.ts';
import { createRepository } from '../support/git.ts';
import { keepLedger } from '../support/ledger.ts';
import { codeTo } from '../support/outbox.ts';
import { spawnReadyServer, spawnServer } from '../support/process.ts';
import { readinessOf } from '../support/readiness.ts';
import {
  BOTH_DATABASES,
  DATABASES_OF_SLOW_TESTS,
  postgresDatabase,
  preparedFolder,
  SECRET,
  temporaryDatabase,
} from '../support/server.ts';
import { until } from '../support/until.ts';

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };

const SETTINGS = { JWT_SECRET: SECRET, RATE_LIMIT: '1000000', APPS_GIT_PROTOCOLS: 'file' };
const skip = process.getuid?.() !== 0 && 'only root can mount a disk';

// The embedded database lies on the disk that fills up, which is the harder case.
for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a full disk costs what needs room alone, until there is some again (${kind})`, {
    skip,
  }, async () => {
    await using database = await temporaryDatabase(kind);
    await using repository = await createRepository(versionSite('v'));
    const server = await spawnReadyServer({ ...database.env, ...SETTINGS }, { disk: '320m' });
    try {
      /** The disk, which the server alone has mounted. */
      const disk = join(`/proc/${server.child.pid}/root`, database.env.DATA_DIR);
      const call = createClient(server.url, {
        token: await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d'),
      });
      const register = (email: string) => call('POST', '/api/v1/users/register', { body: { email } });
      const user = await verifiedUser(server.url, disk);
      const app = await newApplication(user.call, server.url, repository.address);
      await app.deploy();
      const { body } = await call('POST', '/api/events', { body: BODY });
      const ledger = keepLedger(call, [503, 507]);
      await until(() => ledger.acknowledged() > 20);

      await fillDisk(join(disk, 'filler'));
      await repository.commit({ 'large.txt': 'x'.repeat(2 ** 20) });
      const before = ledger.acknowledged();
      await until(() => (kind === 'embedded' ? ledger.refused() > 100 : ledger.acknowledged() > before + 20));
      // A page of a table that has room yet takes it.
      const registered = await register('dana@example.com');
      assert.ok([201, 503, 507].includes(registered.status), registered.text);
      if (kind === 'postgres')
        assert.equal((await app.expect(await app.ask(), 'failed')).reason_code, 'no_room');
      assert.equal((await call('GET', `/api/events/${body.event.id}`)).status, 200);
      assert.deepEqual(await app.visit(), { status: 200, text: 'v ' });
      assert.equal(await readinessOf(server.url), 200);

      await rm(join(disk, 'filler'));
      const full = ledger.acknowledged();
      await until(() => ledger.acknowledged() > full + 20);
      await ledger.stop();
      await ledger.check();
      if (registered.status !== 201) assert.equal((await register('dana@example.com')).status, 201);
      await codeTo(disk, 'dana@example.com');
      await app.deploy();
      assert.equal(server.child.exitCode, null);
      assert.deepEqual(await app.visit(), { status: 200, text: 'v ' });
      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 0);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
    }
  });
}

const FULL = /the disk of \S+ is full: writing fails/;

for (const kind of BOTH_DATABASES) {
  test(`a server whose disk is full starts, serves what it can, says so, and goes on once there is room (${kind})`, {
    skip,
  }, async () => {
    await using disk = await folderOnDisk();
    const { folder } = disk;
    const database = kind === 'postgres' ? await postgresDatabase('simcha_template') : undefined;
    if (!database) await preparedFolder(folder);
    const env = { ...SETTINGS, DATA_DIR: folder, ...(database && { DATABASE_URL: database.url }) };
    const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d');
    const write = (url: string) => createClient(url, { token })('POST', '/api/events', { body: BODY });
    const list = (url: string) => createClient(url, { token })('GET', '/api/events');
    await using repository = await createRepository(versionSite('v'));
    const first = await spawnReadyServer(env);
    let server = first;
    const crash = async (filler: string) => {
      server.child.kill('SIGKILL');
      await server.ended;
      await fillDisk(join(folder, filler));
    };
    try {
      const user = await verifiedUser(server.url, folder);
      const app = await newApplication(user.call, server.url, repository.address);
      await app.deploy();
      assert.equal((await write(server.url)).status, 201);
      const reserve = () => stat(join(folder, 'reserve')).catch(() => undefined);
      if (kind === 'embedded') await until(async () => (await reserve())?.size === 24 * 2 ** 20);
      else assert.equal(await reserve(), undefined, 'PostgreSQL has its own disk');

      await fillDisk(join(folder, 'before'));
      await crash('filler');
      server = await spawnReadyServer(env);
      assert.match(server.output(), FULL);
      const read = await list(server.url);
      assert.deepEqual([read.status, read.body.total], [200, 1]);
      assert.ok([201, 503].includes((await write(server.url)).status));
      const { total } = (await list(server.url)).body;

      // Again, and the reserve is used up.
      await crash('again');
      server = await spawnServer(env);
      const health = await createClient(server.url)('GET', '/healthz');
      assert.equal(health.status, 200, server.output());
      assert.match(server.output(), FULL);
      if (kind === 'postgres') await until(async () => (await readinessOf(server.url)) === 200);
      for (const name of ['before', 'filler', 'again']) await rm(join(folder, name));
      await until(async () => (await readinessOf(server.url)) === 200);
      assert.equal((await list(server.url)).body.total, total);
      assert.equal((await write(server.url)).status, 201);
      server.child.kill('SIGTERM');
      assert.equal(await server.ended, 0);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
      await database?.drop();
    }
  });
}

test('an embedded database that has no room to be opened is waited for, while the server answers', {
  skip,
}, async () => {
  await using disk = await folderOnDisk('size=8m');
  const server = await spawnServer({ ...SETTINGS, DATA_DIR: disk.folder });
  try {
    await until(() => /There is no space for the database in \S+: its disk is full/.test(server.output()));
    const call = createClient(server.url, {
      token: await signToken(SECRET, { id: 'me', role: 'organizer' }, '1d'),
    });
    assert.equal((await call('GET', '/healthz')).status, 200);
    assert.equal(await readinessOf(server.url), 503);
    assert.equal((await call('GET', '/api/events')).status, 503);
    await disk.grow();
    await until(async () => (await readinessOf(server.url)) === 200, 60_000);
    assert.equal((await call('POST', '/api/events', { body: BODY })).status, 201);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0);
  } finally {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});
