import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { pack } from 'tar-stream';
import { ZipFile } from 'yazl';
import { applicationClient, newAddress, verifiedUser, versionSite } from '../support/deployed.ts';
import { askGateway } from '../support/gateway.ts';
import { DATABASES_OF_SLOW_TESTS, type DatabaseKind } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10', APPS_UPLOAD_MB: '4' };
const APPS = '/api/v1/applications';

async function openWorld(kind: DatabaseKind) {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await sharedServer(kind, SETTINGS));
  const user = await verifiedUser(server.url, server.dataDir, newAddress());
  const created = await user.call('POST', APPS, { body: { name: 'Folder', source: 'upload' } });
  assert.equal(created.status, 201, created.text);
  assert.deepEqual([created.body.source, created.body.repository], ['upload', null]);
  const { application_uuid: uuid, domain } = created.body;
  const { hostname } = new URL(domain);
  const app = applicationClient(user.call, server.url, uuid, hostname);
  const all = opened.move();
  /** Uploads an archive as curl does. */
  const upload = async (archive: Uint8Array, query = '', type = 'application/octet-stream') => {
    const response = await fetch(`${server.url}${app.at}/source${query}`, {
      method: 'PUT',
      headers: { 'x-api-key': user.key, 'content-type': type },
      body: Buffer.from(archive),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { status: response.status, body: (await response.json()) as any };
  };
  /** Visits the site as a browser does that has the page with this tag already. */
  const revisit = (etag = '') => {
    const headers = { 'if-none-match': etag };
    return askGateway(Number(new URL(server.url).port), hostname, '/', { headers });
  };
  return { server, user, app, upload, revisit, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Writes files into a folder, and returns its tar.gz by the machine's tar. */
async function tarOf(files: Record<string, string>): Promise<Buffer> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'simcha-folder-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  return execFileSync('tar', ['-cz', '-C', folder.path, '.'], { maxBuffer: 2 ** 27 });
}

function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return buffer(zip.outputStream as never);
}

const page = (text: string) => ({ 'index.html': text, 'assets/style.css': 'p { color: red }' });

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a folder without git goes live, is replaced, and is rolled back to (${kind})`, async () => {
    await using at = await openWorld(kind);
    const early = await at.app.call('POST', '/deploy');
    assert.deepEqual([early.status, early.body.code], [409, 'no_source']);
    assert.equal((await at.app.call('GET', '/source')).status, 404);

    const first = await at.upload(await tarOf(page('one')));
    assert.equal(first.status, 201, JSON.stringify(first.body));
    assert.deepEqual([first.body.files, first.body.bytes, first.body.deployment_uuid], [2, 19, null]);
    assert.deepEqual((await at.app.call('GET', '/source')).body, first.body);
    const plan = await at.app.call('GET', '/plan');
    assert.deepEqual([plan.body.plan.type, plan.body.commit_hash], ['static', null]);

    const live = await at.app.deploy();
    assert.equal((await at.app.visit()).text, 'one');
    assert.equal((await at.app.visit('/assets/style.css')).status, 200);
    assert.deepEqual([live.commit_hash, live.commit_message], [null, null]);
    const { application_uuid: _a, deployment_uuid: _d, ...folder } = first.body;
    assert.deepEqual(live.upload, folder);
    const { sha256, uploaded_at } = folder;
    assert.ok(
      (await at.app.log(live.deployment_uuid)).includes(
        `folder uploaded at ${uploaded_at}, 2 files, sha256 ${sha256}`,
      ),
    );

    // The same folder as a zip is the same folder.
    const again = await at.upload(await zipOf(page('one')), '?deploy=true');
    assert.equal(again.body.sha256, sha256);
    await at.app.expect(again.body.deployment_uuid, 'live');
    assert.match(await at.app.log(again.body.deployment_uuid), /Nothing has changed/);

    const { etag } = (await at.revisit()).headers;
    assert.equal((await at.revisit(etag)).status, 304);
    const second = await at.upload(await zipOf(page('two')), '?deploy=true');
    await at.app.expect(second.body.deployment_uuid, 'live');
    // The page has the same length, and archives often give all of their files one time.
    assert.equal((await at.revisit(etag)).text, 'two');
    const back = await at.app.expect(await at.app.ask('rollback'), 'live');
    assert.equal((await at.app.visit()).text, 'one');
    assert.equal(back.upload.sha256, sha256);
    assert.equal((await at.app.expect(await at.app.ask('restart'), 'live')).upload.sha256, sha256);
  });

  test(`a server from a folder is built again from the database where its files are gone (${kind})`, async () => {
    await using at = await openWorld(kind);
    const sent = await at.upload(await tarOf(versionSite('folder')), '?deploy=true');
    await at.app.expect(sent.body.deployment_uuid, 'live');
    const other = await at.upload(await tarOf(versionSite('other')), '?deploy=true');
    await at.app.expect(other.body.deployment_uuid, 'live');
    const builds = join(at.server.dataDir, 'sites', at.app.uuid, 'builds');
    // Images of an engine have no folders here.
    const names = process.env.SIMCHA_RUNTIME ? [] : await readdir(builds);
    for (const name of names) await rm(join(builds, name), { recursive: true });
    const back = await at.app.expect(await at.app.ask('rollback'), 'live');
    assert.equal((await at.app.visit('/version')).text, 'folder');
    const log = await at.app.log(back.deployment_uuid);
    assert.match(log, /release of upload [0-9a-f]{12}\n/);
    if (names.length > 0)
      assert.match(log, /the release of upload [0-9a-f]{12} is not on this machine; building it again/);
  });

  test(`what must not be in a folder is refused with its name (${kind})`, async () => {
    await using at = await openWorld(kind);
    const archiveOf = (entries: [object, string?][]) => {
      const archive = pack();
      for (const [header, text] of entries) archive.entry(header as never, text ?? '');
      archive.finalize();
      return buffer(archive as never);
    };
    const tar = await tarOf(page('one'));
    const fine = { name: 'index.html' };
    const zip = await zipOf({ 'index.html': 'x'.repeat(5_000) });
    const [damaged, otherMethod] = [Buffer.from(zip), Buffer.from(zip)];
    damaged.fill(0xff, 45, 55);
    // The method of the only entry, in the list at the end of the archive: 14 is LZMA.
    otherMethod.writeUInt16LE(14, otherMethod.indexOf('PK\x01\x02') + 10);
    for (const [archive, status, code, words] of [
      [Buffer.from('no archive'), 400, 'no_archive', /no complete tar/],
      [Buffer.alloc(0), 400, 'no_archive', /no complete tar|no files/],
      [tar.subarray(0, tar.length - 20), 400, 'no_archive', /no complete tar/],
      [Buffer.from('PK\x03\x04 broken'), 400, 'no_archive', /no complete tar/],
      [otherMethod, 400, 'no_archive', /no complete tar/],
      [damaged, 400, 'no_archive', /no complete tar/],
      [await archiveOf([[{ name: 'a/', type: 'directory' }]]), 400, 'no_archive', /no files/],
      [await archiveOf([[{ name: '../up' }, 'x']]), 400, 'bad_entry', /"\.\.\/up" is not inside/],
      [await archiveOf([[{ name: '/etc/cron.d/x' }, 'x']]), 400, 'bad_entry', /is not inside/],
      [
        await archiveOf([[fine, 'x'], [{ name: 'l', type: 'symlink', linkname: '/etc' }]]),
        400,
        'bad_entry',
        /"l"/,
      ],
      [await archiveOf([[{ name: 'd', type: 'character-device' }]]), 400, 'bad_entry', /"d" is no file/],
      [await archiveOf([[{ name: 'p', type: 'fifo' }]]), 400, 'bad_entry', /"p" is no file/],
      [gzipSync(await archiveOf([[{ name: '.git/config' }, 'x']])), 400, 'no_archive', /no files/],
      [Buffer.alloc(5 * 2 ** 20), 413, 'too_large', /larger than 4 MiB/],
    ] as const) {
      const refused = await at.upload(archive);
      assert.deepEqual([refused.status, refused.body.code], [status, code], JSON.stringify(refused.body));
      assert.match(refused.body.error, words);
    }
    const typed = await at.upload(tar, '', 'application/json');
    assert.deepEqual([typed.status, typed.body.code], [415, 'wrong_content_type']);
    assert.equal((await at.app.call('GET', '/source')).status, 404);
    assert.deepEqual(await readdir(join(at.server.dataDir, 'source-uploads')), []);
  });

  test(`an application with uploads says that it has no repository, until it gets one (${kind})`, async () => {
    await using at = await openWorld(kind);
    await at.upload(await tarOf(page('one')));
    for (const body of [{ commit: 'c0ffee0' }, { branch: 'main' }, { tag: 'v1' }]) {
      const named = await at.app.call('POST', '/deploy', body);
      assert.deepEqual([named.status, named.body.code], [400, 'invalid_field']);
      assert.match(named.body.error, /has no repository/);
    }
    for (const [method, path, body] of [
      ['POST', '/deploy-key'],
      ['GET', '/hook'],
      ['POST', '/hook'],
      ['POST', '/previews', { branch: 'next' }],
    ] as const) {
      const answer = await at.app.call(method, path, body);
      assert.deepEqual([answer.status, answer.body.code], [409, 'no_repository'], `${method} ${path}`);
    }
    for (const body of [{ branch: 'main' }, { previews: 'branches' }, { source: 'repository' }]) {
      const changed = await at.app.call('PATCH', '', body);
      assert.deepEqual([changed.status, changed.body.code], [400, 'invalid_field'], JSON.stringify(body));
    }
    const create = (body: object) => at.user.call('POST', APPS, { body: { name: 'x', ...body } });
    for (const body of [
      {},
      { source: 'repository' },
      { source: 'upload', repository: 'https://example.com/a.git' },
    ])
      assert.equal((await create(body)).body.field, 'repository');

    const repository = 'file:///srv/git/site';
    const changed = await at.app.call('PATCH', '', { repository, branch: 'main' });
    assert.deepEqual([changed.body.source, changed.body.repository], ['repository', repository]);
    const refused = await at.upload(await tarOf(page('two')));
    assert.deepEqual([refused.status, refused.body.code], [409, 'source_is_repository']);
    const back = await at.app.call('PATCH', '', { source: 'upload' });
    assert.deepEqual([back.body.repository, back.body.branch], [null, null]);
    await at.app.deploy();
    assert.equal((await at.app.visit()).text, 'one');
  });

  test(`folders are kept as releases need them, and go with the application (${kind})`, async () => {
    await using at = await openWorld(kind);
    const { sql: db } = at.server.simcha.database;
    const kept = async () =>
      (
        await sql<{ sha256: string }>`
          select sha256 from uploads where application_uuid = ${at.app.uuid} order by upload_id`.execute(db)
      ).rows.map(({ sha256 }) => sha256);
    const live = await at.upload(await tarOf(page('live')), '?deploy=true');
    await at.app.expect(live.body.deployment_uuid, 'live');
    const hashes = [live.body.sha256];
    for (const text of ['never deployed', 'newest'])
      hashes.push((await at.upload(await tarOf(page(text)))).body.sha256);
    assert.deepEqual(await kept(), [hashes[0], hashes[2]]);
    assert.equal((await at.app.call('DELETE')).status, 204);
    assert.deepEqual(await kept(), []);
    const { rows } =
      await sql`select from upload_chunks where upload_id not in (select upload_id from uploads)`.execute(db);
    assert.equal(rows.length, 0);
  });
}
