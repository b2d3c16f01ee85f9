import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageTexts } from '../../../server/hosting/gateway/messages.ts';
import { applicationClient, newApplication } from '../../support/deployed.ts';
import { askGateway } from '../../support/gateway.ts';
import { createRepository } from '../../support/git.ts';
import { newServerGroup } from '../../support/server-group.ts';

test('a site whose server has no address for the others is a 503 at once there, and they tell so', {
  timeout: 60_000,
}, async () => {
  await using repository = await createRepository({ 'index.html': 'here' });
  await using fleet = await newServerGroup();
  const host = await fleet.start({ INTERNAL_URL: '' });
  const other = await fleet.start({ HOSTING: 'off', INTERNAL_URL: '', APPS_WAIT_SECONDS: '300' });
  const hosting = async ({ call }: typeof other) => (await call('GET', '/readyz')).body;
  const app = await newApplication(other.call, other.url, repository.address);
  await app.deploy();
  assert.equal((await applicationClient(host.call, host.url, app.uuid, app.host).visit()).text, 'here');

  const answer = await askGateway(other.port, app.host, '/', {
    headers: { accept: 'text/html', 'accept-language': 'ar' },
  });
  assert.deepEqual(
    [answer.status, answer.headers['retry-after'], answer.headers['content-language']],
    [503, '2', 'ar'],
  );
  assert.ok(answer.text.includes(pageTexts.ar.site_elsewhere.title));
  assert.deepEqual(await hosting(host), { status: 'ok', hosting: 'ok' });
  assert.deepEqual(await hosting(other), { status: 'ok', hosting: 'elsewhere' });

  // What is asked while nobody runs the sites waits for the next server that does.
  await host.close();
  const waiting = app.visit();
  await fleet.start();
  assert.deepEqual(await waiting, { status: 200, text: 'here' });
  assert.deepEqual(await hosting(other), { status: 'ok', hosting: 'ok' });
});
