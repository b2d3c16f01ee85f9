import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { applicationClient, newAddress, verifiedUser } from '../support/deployed.ts';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const SETTINGS = { APPS_GIT_PROTOCOLS: 'file', APPS_HEALTH_SECONDS: '10', APPS_UPLOAD_MB: '4' };
const APPS = '/api/v1/applications';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a server that runs sites as processes refuses images by name (${kind})`, async () => {
    await using server = await sharedServer(kind, SETTINGS);
    const user = await verifiedUser(server.url, server.dataDir, newAddress());
    const create = (body: object) => user.call('POST', APPS, { body: { name: 'Image', ...body } });
    const refused = await create({ image: 'nginx:1.27' });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.field],
      [400, 'invalid_field', 'image'],
    );
    assert.match(refused.body.error, /runs sites as processes, not as containers/);
    for (const [body, field, words] of [
      [{ image: 'https://ghcr.io/who/app' }, 'image', /must be the name of a container image/],
      [{ image: '--help' }, 'image', /must be the name of a container image/],
      [{ source: 'image' }, 'image', /is required|missing/],
      [
        { source: 'upload', registry_user: 'a:b', registry_password: 'x' },
        'registry_user',
        /without a colon/,
      ],
      [{ source: 'upload', registry_user: 'noa', registry_password: 'x' }, 'registry_user', /source: upload/],
    ] as const) {
      const answer = await create(body);
      assert.deepEqual([answer.status, answer.body.field], [400, field], JSON.stringify(body));
      assert.match(answer.body.error, words);
    }
  });

  test(`an application with an image is not deployed after a change to processes (${kind})`, async () => {
    await using server = await sharedServer(kind, SETTINGS);
    const user = await verifiedUser(server.url, server.dataDir, newAddress());
    const created = await user.call('POST', APPS, { body: { name: 'Image', source: 'upload' } });
    const { application_uuid: uuid, domain } = created.body;
    const { sql: db } = server.simcha.database;
    await sql`update applications set image = 'docker.io/library/nginx:1.27' where application_uuid = ${uuid}`.execute(
      db,
    );
    const app = applicationClient(user.call, server.url, uuid, new URL(domain).hostname);
    const { body: record } = await app.call('GET');
    assert.deepEqual([record.source, record.image], ['image', 'docker.io/library/nginx:1.27']);
    const failed = await app.deploy('failed');
    assert.equal(failed.reason_code, 'image_without_engine');
    assert.deepEqual(failed.image, { name: 'docker.io/library/nginx:1.27', digest: null });
    assert.equal((await app.call('GET', '/plan')).body.reason_code, 'image_without_engine');
    for (const [method, path, code] of [
      ['POST', '/deploy-key', 'no_repository'],
      ['GET', '/hook', 'no_repository'],
      ['POST', '/previews', 'no_repository'],
    ] as const) {
      const answer = await app.call(method, path, path === '/previews' ? { branch: 'next' } : undefined);
      assert.deepEqual([answer.status, answer.body.code], [409, code], `${method} ${path} ${answer.text}`);
    }
    const uploaded = await fetch(`${server.url}${app.at}/source`, {
      method: 'PUT',
      headers: { 'x-api-key': user.key, 'content-type': 'application/gzip' },
      body: 'x',
    });
    assert.deepEqual(
      [uploaded.status, ((await uploaded.json()) as { code: string }).code],
      [409, 'source_is_image'],
    );
    const named = await app.call('POST', '/deploy', { branch: 'main' });
    assert.deepEqual([named.status, named.body.field], [400, 'branch']);
    assert.match(named.body.error, /only a tag can be named/);
  });
}
