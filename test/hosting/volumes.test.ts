import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  mkdtemp,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOrphanedVolumes } from '../../server/hosting/volumes/orphaned-volumes.ts';
import { VolumeStore } from '../../server/hosting/volumes/store.ts';
import { RUNTIME_SETTINGS } from '../support/campaign.ts';
import { newApplication, verifiedUser } from '../support/deployed.ts';
import { createRepository } from '../support/git.ts';
import { newSite } from '../support/new-site.ts';
import { freePort } from '../support/postgres.ts';
import { spawnReadyServer } from '../support/process.ts';
import { repeatUntilEnded } from '../support/repeat.ts';
import { queryDatabase, temporaryDatabase } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10', APPS_DISK_MB: '16' };

/** Site that records each start as a line in its volume, and shows the lines. */
const site = (version: string, volume = '/data') => ({
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync('${volume}/starts', '${version}\\n');
require('node:http').createServer((request, response) => {
  response.end(readFileSync('${volume}/starts', 'utf8'));
}).listen(process.env.PORT, process.env.HOST);
`,
});

async function world(files: Record<string, string>) {
  const site = await newSite(SETTINGS, files);
  const { server, user, app } = site;
  const archive = (method: string, body?: Buffer, type = 'application/x-tar') =>
    fetch(`${server.url}${app.at}/volumes/data/backup`, {
      method,
      headers: { 'x-api-key': user.key, ...(body && { 'content-type': type }) },
      ...(body && { body: new Uint8Array(body) }),
    });
  return { ...site, archive };
}

test('what is in a volume outlives releases, of which one ends before the next begins', async () => {
  await using at = await world(site('one'));
  const added = await at.app.call('POST', '/volumes', { name: 'data', path: '/data' });
  assert.equal(added.status, 201, added.text);
  assert.equal(added.headers.get('location'), `${at.app.at}/volumes/data`);
  await at.app.deploy();
  assert.equal((await at.app.visit()).text, 'one\n');

  // Requests wait between the two versions, and none is lost.
  const visits = repeatUntilEnded(async () => assert.equal((await at.app.visit()).status, 200));
  await at.repository.commit(site('two'));
  const second = await at.app.ask();
  await at.app.expect(second, 'live');
  assert.match(await at.app.log(second), /stopping the previous version first, .*\(data\)/);
  assert.equal((await at.app.visit()).text, 'one\ntwo\n');

  // After a version that fails to start, the version before is started again.
  await at.repository.commit({ ...site('three'), 'server.js': 'process.exit(3)' });
  await at.app.deploy('failed');
  await until(async () => (await at.app.visit()).text === 'one\ntwo\ntwo\n');
  await visits.end();

  const { volumes } = (await at.app.call('GET', '/volumes')).body;
  assert.equal(volumes.length, 1);
  assert.ok(volumes[0].bytes > 0 && volumes[0].bytes < 100_000, String(volumes[0].bytes));
});

testInLane('a version that is only on its way back does not come beside the next one either', async () => {
  await using at = await world({
    'package.json': '{"scripts":{"start":"node server.js"}}',
    'server.js': `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const self = crypto.randomUUID();
writeFileSync('/data/writer', self);
setInterval(() => {
  if (readFileSync('/data/writer', 'utf8') !== self) appendFileSync('/data/others', 'another writes as well; ');
  writeFileSync('/data/writer', self);
}, 50);
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/die') process.exit(7);
  response.end(existsSync('/data/others') ? readFileSync('/data/others') : 'alone');
});
setTimeout(() => server.listen(process.env.PORT, process.env.HOST), 2000);
`,
  });
  await at.app.call('POST', '/volumes', { name: 'data', path: '/data' });
  await at.app.deploy();
  await at.app.visit('/die').catch(() => {});
  await until(async () => (await at.app.call('GET', '/logs')).text.includes('starting it again'));
  const { deployment_uuid: id } = await at.app.deploy();
  assert.equal((await at.app.visit()).text, 'alone');
  assert.match(await at.app.log(id), /stopping the previous version first/);
});

testInLane(
  'what a site writes beside its program stays where a volume is, and a link there leads nowhere else',
  async () => {
    await using at = await world(site('one', 'uploads'));
    await at.app.call('POST', '/volumes', { name: 'data', path: '/app/uploads' });
    await at.app.deploy();
    await at.repository.commit(site('two', './uploads'));
    await at.app.deploy();
    assert.equal((await at.app.visit()).text, 'one\ntwo\n');
    const ours = join(at.server.dataDir, 'kept');
    await writeFile(ours, 'ours');
    for (const target of ['/etc', '/home/site', at.server.dataDir, '../../..']) {
      spawnSync('ln', ['-sfn', target, join(at.repository.address.slice('file://'.length), 'uploads')]);
      await at.repository.commit({});
      await at.app.deploy('failed');
      assert.match((await at.app.visit()).text, /^one\ntwo\n/);
    }
    assert.equal(await readFile(ours, 'utf8'), 'ours');
  },
);

testInLane('no link of a release leads a volume out of the sandbox, nor anything else by it', async () => {
  await using at = await world(site('one'));
  await using outside = await mkdtempDisposable(join(tmpdir(), 'simcha-outside-'));
  await chmod(outside.path, 0o777);
  const folder = at.repository.address.slice('file://'.length);
  await at.app.call('POST', '/volumes', { name: 'data', path: '/app/up/inner' });
  const refused = async () => {
    const { reason_code, reason } = await at.app.deploy('failed');
    assert.equal(reason_code, 'volume_through_link', reason);
    assert.match(reason, /The path of the volume at \/app\/up\/inner leads through “up”/);
  };
  await symlink(`/oldroot${outside.path}`, join(folder, 'up'));
  await at.repository.commit({});
  await refused();
  await rm(join(folder, 'up'));
  // Links that a build makes, and a file in place of the folder.
  for (const build of [`ln -s /oldroot${outside.path} up`, 'ln -s . up', 'echo > up']) {
    await at.repository.commit({ 'simcha.json': JSON.stringify({ build }) });
    await refused();
  }
  assert.deepEqual(await readdir(outside.path), []);
  await at.repository.commit({ ...site('two', 'up/inner'), 'simcha.json': '{"build":"mkdir up"}' });
  await at.app.deploy();
  assert.equal((await at.app.visit()).text, 'two\n');
});

test('a volume is backed up, emptied and restored, while the site is stopped', async () => {
  await using at = await world(site('one'));
  await at.app.call('POST', '/volumes', { name: 'data', path: '/data' });
  await at.app.deploy();
  const backup = await at.archive('GET');
  assert.equal(backup.status, 200);
  assert.match(backup.headers.get('content-disposition') ?? '', /^attachment; filename="site-.*-data\.tar"$/);
  const archive = Buffer.from(await backup.arrayBuffer());
  const { backed_up_at: backedUpAt, backup_bytes: bytes } = (await at.app.call('GET', '/volumes/data')).body;
  assert.match(backedUpAt, /^\d{4}-/);
  assert.equal(bytes, archive.length);
  const listed = spawnSync('tar', ['--list', '--file=-'], { input: archive });
  assert.equal(listed.stdout.toString(), './\n./starts\n');

  for (const [method, path] of [
    ['POST', '/volumes/data/empty'],
    ['DELETE', '/volumes/data'],
  ] as const) {
    const refused = await at.app.call(method, path);
    assert.deepEqual([refused.status, refused.body.code], [409, 'site_runs']);
  }
  assert.equal((await at.archive('PUT', archive)).status, 409);

  await at.app.call('POST', '/stop');
  await at.app.call('POST', '/runs', { command: 'sleep 60' });
  await until(async () => (await at.app.call('POST', '/volumes/data/empty')).body.code === 'command_runs');
  const [{ run_uuid: run }] = (await at.app.call('GET', '/runs')).body.runs;
  await at.app.call('POST', `/runs/${run}/cancel`);
  await until(async () => (await at.app.call('POST', '/volumes/data/empty')).status === 200);
  await at.app.expect(await at.app.ask('start'), 'live');
  assert.equal((await at.app.visit()).text, 'one\n');
  await at.app.expect(await at.app.ask('restart'), 'live');
  assert.equal((await at.app.visit()).text, 'one\none\n');

  await at.app.call('POST', '/stop');
  await until(async () => (await at.archive('PUT', archive)).status === 200);
  // Archives that can't be read or are too large change nothing.
  const broken = await at.archive('PUT', archive.subarray(0, 600));
  assert.deepEqual([broken.status, ((await broken.json()) as { code: string }).code], [400, 'no_archive']);
  assert.equal((await at.archive('PUT', Buffer.from('no archive at all'))).status, 400);
  assert.equal((await at.archive('PUT', archive, 'application/json')).status, 415);
  assert.equal((await at.archive('PUT', await archiveOf({ large: Buffer.alloc(20 * 2 ** 20) }))).status, 413);
  await at.app.expect(await at.app.ask('start'), 'live');
  assert.equal((await at.app.visit()).text, 'one\none\n');

  await at.app.call('POST', '/stop');
  await until(async () => (await at.app.call('DELETE', '/volumes/data')).status === 204);
  assert.deepEqual((await at.app.call('GET', '/volumes')).body, { volumes: [] });
});

/** Archive of files and links. */
async function archiveOf(files: Record<string, Buffer | { to: string }>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-archive-'));
  for (const [name, content] of Object.entries(files)) {
    if (Buffer.isBuffer(content)) await writeFile(join(folder, name), content);
    else await symlink(content.to, join(folder, name));
  }
  const { stdout } = spawnSync('tar', ['--create', '--file=-', '.'], { cwd: folder, maxBuffer: 2 ** 26 });
  await rm(folder, { recursive: true });
  return stdout;
}

test('links in an archive lead a restore and a backup nowhere', async () => {
  await using at = await world(site('one'));
  const outside = join(at.server.dataDir, 'a-secret');
  await writeFile(outside, 'secret of the platform');
  await at.app.call('POST', '/volumes', { name: 'data', path: '/data' });
  const hostile = await archiveOf({
    starts: Buffer.from('restored\n'),
    link: { to: outside },
    up: { to: at.server.dataDir },
  });
  assert.equal((await at.archive('PUT', hostile)).status, 200);
  await at.app.deploy();
  assert.equal((await at.app.visit()).text, 'restored\none\n');
  const backup = Buffer.from(await (await at.archive('GET')).arrayBuffer());
  assert.doesNotMatch(backup.toString('latin1'), /secret of the platform/);
  assert.equal(await readFile(outside, 'utf8'), 'secret of the platform');

  // An archive can't write through a link that is already in the volume.
  await at.app.call('POST', '/stop');
  const through = spawnSync('tar', ['--create', '--file=-', '--transform=s,^starts,up/a-secret,', 'starts'], {
    cwd: await writtenTo('starts', 'overwritten'),
  }).stdout;
  await until(async () => (await at.archive('PUT', Buffer.from(through))).status !== 409);
  assert.equal(await readFile(outside, 'utf8'), 'secret of the platform');
});

testInLane('a site writes into what was brought back before it ever ran', async () => {
  await using at = await world(site('one'));
  await at.app.call('POST', '/volumes', { name: 'data', path: '/data' });
  assert.equal((await at.archive('PUT', await archiveOf({ other: Buffer.from('other') }))).status, 200);
  await at.app.deploy();
  assert.equal((await at.app.visit()).text, 'one\n');
});

async function writtenTo(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-written-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), text);
  return folder;
}

test('what a volume may be is said, and asked of any server of several', async () => {
  await using repository = await createRepository(site('one'));
  await using fleet = await newServerGroup();
  const first = await fleet.start({ INTERNAL_URL: 'http://127.0.0.1:1' });
  const app = await newApplication(first.call, first.url, repository.address);
  const refused = async (body: unknown, status: number, error: RegExp) => {
    const answer = await app.call('POST', '/volumes', body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.body.error, error);
  };
  for (const path of [
    '/',
    'data',
    '/app',
    '/app/',
    '/app/../etc',
    '/etc',
    '/a/../etc',
    '/proc/x',
    '/data/',
    '/tmp',
  ])
    await refused({ name: 'data', path }, 400, /path: takes an absolute path/);
  await refused({ name: 'Data', path: '/data' }, 400, /name: takes lower-case/);
  await refused({ name: 'data' }, 400, /path/);
  await refused({ name: 'data', path: '/data', size: 5 }, 400, /size/);
  assert.equal((await app.call('POST', '/volumes', { name: 'data', path: '/data' })).status, 201);
  await refused({ name: 'data', path: '/other' }, 409, /already/);
  await refused({ name: 'other', path: '/data/inner' }, 409, /already/);
  assert.equal((await app.call('GET', '/volumes/none')).status, 404);
  await until(async () => (await app.call('POST', '/volumes/data/empty')).status === 200);

  // A server that can't reach the lease holder shows the volume without its size, and refuses the rest.
  const second = await fleet.start();
  const there = await second.call('GET', `${app.at}/volumes`);
  assert.deepEqual([there.status, there.body.volumes[0].bytes], [200, null]);
  assert.equal((await second.call('POST', `${app.at}/volumes/data/empty`)).status, 503);
});

testInLane(
  'what a restore brings takes the volume’s place at once or not at all, and what is left over goes',
  async () => {
    await using repository = await createRepository(site('one'));
    await using fleet = await newServerGroup();
    const { call, url, key, simcha } = await fleet.start();
    const app = await newApplication(call, url, repository.address);
    await app.call('POST', '/volumes', { name: 'data', path: '/data' });
    const rows = (statement: string) => queryDatabase(fleet.databaseUrl, statement);
    const [{ environment_id: environment, content: first }] = await rows('select * from volumes');
    const body = (await archiveOf({ starts: Buffer.from('restored\n') })).toString('ascii');
    const headers = { 'x-api-key': key, 'content-type': 'application/x-tar' };
    const restored = await call('PUT', `${app.at}/volumes/data/backup`, { body, headers });
    assert.equal(restored.status, 200, restored.text);
    const [{ content }] = await rows('select content from volumes');
    assert.notEqual(content, first);
    assert.deepEqual(await rows('select content from volume_leftovers'), []);
    await app.deploy();
    assert.equal((await app.visit()).text, 'restored\none\n');

    // A server was killed during a restore.
    const store = new VolumeStore(simcha.database.sql);
    await store.recordOrphan(environment, 'data.half');
    assert.deepEqual(await store.orphans(), [], 'somebody may be at it');
    await rows(`update volume_leftovers set left_at = left_at - interval '2 hours'`);
    const [row] = await store.list(environment);
    assert.ok(row);
    const replacing = simcha.database.sql
      .transaction()
      .execute((through) => store.replace(environment, row, 'data.half', through));
    await assert.rejects(replacing, { code: 'volume_changed' }, 'it may be gone already');
    const [half] = await store.orphans();
    assert.ok(half);
    assert.equal(half.name, 'data.half');
    const emptied: string[] = [];
    let isAway = true;
    const volumeMigration = {
      async empty({ name }: { name: string }) {
        if (isAway) throw new Error('its machine is away');
        emptied.push(name);
      },
    };
    const { remove } = createOrphanedVolumes({ store, volumeMigration, log: { warn() {} } });
    await remove(half);
    assert.equal((await store.orphans()).length, 1);
    isAway = false;
    await remove(half);
    assert.deepEqual([await store.orphans(), emptied], [[], ['data.half']]);
  },
);

testInLane(
  'what sites keep in a folder stays where a server of another database begins with it by mistake',
  async () => {
    await using own = await temporaryDatabase('embedded');
    await using other = await temporaryDatabase('postgres');
    await using repository = await createRepository(site('one'));
    const env = { ...SETTINGS, ...own.env, PORT: String(await freePort()) };
    let server = await spawnReadyServer(env);
    const end = async () => {
      server.child.kill('SIGTERM');
      await server.ended;
    };
    try {
      const user = await verifiedUser(server.url, own.env.DATA_DIR);
      const app = await newApplication(user.call, server.url, repository.address);
      await app.call('POST', '/volumes', { name: 'data', path: '/data' });
      await app.deploy();
      await end();
      server = await spawnReadyServer({ ...env, ...other.env, DATA_DIR: own.env.DATA_DIR });
      await until(() => server.output().includes('is of sites of another database, and stays'));
      await end();
      server = await spawnReadyServer(env);
      // A process ends with its server and is started again; a container runs on.
      const starts = RUNTIME_SETTINGS.APPS_RUNTIME === undefined ? 2 : 1;
      await until(async () => (await app.visit()).text === 'one\n'.repeat(starts));
      await app.expect(await app.ask('restart'), 'live');
      assert.equal((await app.visit()).text, 'one\n'.repeat(starts + 1));
    } finally {
      await end();
    }
  },
);
