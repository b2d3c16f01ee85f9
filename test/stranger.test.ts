import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from './support/client.ts';
import { newApplication } from './support/deployed.ts';
import { createRepository } from './support/git.ts';
import { spawnReadyServer } from './support/process.ts';
import { temporaryDatabase } from './support/server.ts';
import { startMailServer } from './support/smtp.ts';
import { until } from './support/until.ts';

const NODE_EXAMPLE = new URL('../examples/node/', import.meta.url).pathname;

async function example(): Promise<Record<string, string>> {
  const names = (await readdir(NODE_EXAMPLE, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(names.map(({ name }) => readFile(join(NODE_EXAMPLE, name), 'utf8')));
  return Object.fromEntries(names.map(({ name }, i) => [name, texts[i] ?? '']));
}

test('a stranger registers, reads the mail, deploys, sets a variable, breaks it and rolls back', async () => {
  await using database = await temporaryDatabase('embedded');
  await using mail = await startMailServer({ hideSTARTTLS: true });
  await using repository = await createRepository(await example());
  const server = await spawnReadyServer({
    ...database.env,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    APPS_GIT_PROTOCOLS: 'file',
  });
  try {
    const email = 'stranger@example.com';
    const registered = await createClient(server.url)('POST', '/api/v1/users/register', { body: { email } });
    const call = createClient(server.url, { headers: { 'x-api-key': registered.body.api_key } });
    const app = await newApplication(call, server.url, repository.address);
    assert.equal((await app.call('POST', '/deploy')).status, 403);

    const letter = (await mail.mailTo(email)).part('text/plain');
    const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(letter)?.[0];
    assert.equal((await call('POST', '/api/v1/users/verify', { body: { code, email } })).status, 200);

    const first = await app.deploy();
    assert.match((await app.visit()).text, /התפריט/);
    assert.equal((await app.visit('/greeting')).text, 'בתיאבון!');

    await app.call('PATCH', '/env', { GREETING: 'לחיים!' });
    await app.deploy();
    assert.equal((await app.visit('/greeting')).text, 'לחיים!');

    await repository.commit({ 'build.js': 'throw new Error("the oven is off")' });
    const broken = await app.deploy('failed');
    assert.match(await app.log(broken.deployment_uuid), /the oven is off/);
    assert.equal((await app.visit('/greeting')).text, 'לחיים!');

    const back = await app.ask('rollback', { deployment_uuid: first.deployment_uuid });
    await app.expect(back, 'live');
    assert.match((await app.visit()).text, /עוגת החתונה/);

    assert.equal((await app.call('DELETE')).status, 204);
    await until(async () => (await app.visit()).status === 404);
    assert.equal((await app.call('GET')).status, 404);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
