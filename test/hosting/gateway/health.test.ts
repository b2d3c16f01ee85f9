import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askGateway, startGateway, startSite } from '../../support/gateway.ts';
import { freePort } from '../../support/postgres.ts';
import { spawnServer } from '../../support/process.ts';
import { temporaryDatabase } from '../../support/server.ts';

const askHealth = async (port: number, path: string, host = '10.0.0.1') => {
  const { status, text } = await askGateway(port, host, path, { headers: { accept: 'application/json' } });
  return [status, JSON.parse(text)];
};

test('a port for sites tells at the platform’s names how it is, and leaves sites their own paths', async () => {
  await using site = await startSite((request, response) => response.end(JSON.stringify(request.url)));
  await using gateway = await startGateway();
  const { sites } = gateway;
  sites.isComplete = false;
  await gateway.gateway.listen('127.0.0.1', 0);
  const port = gateway.gateway.sitesPort() ?? 0;

  assert.deepEqual(await askHealth(port, '/healthz'), [200, { status: 'ok' }]);
  assert.deepEqual(await askHealth(port, '/readyz'), [503, { status: 'unavailable', hosting: 'starting' }]);
  sites.isComplete = true;
  sites.set('a', { routes: [{ host: 'demo.apps.test' }], state: 'live', targets: [site.target] });
  for (const host of ['localhost', 'console.test', '127.0.0.1:80'])
    assert.deepEqual(await askHealth(port, '/readyz?all', host), [200, { status: 'ok', hosting: 'ok' }]);
  sites.set('b', { routes: [{ host: 'b.apps.test' }], state: 'returning' });
  assert.deepEqual(await askHealth(port, '/readyz'), [200, { status: 'ok', hosting: 'starting' }]);
  sites.set('b', { routes: [{ host: 'b.apps.test' }], state: 'down' });
  assert.deepEqual(await askHealth(port, '/readyz'), [200, { status: 'ok', hosting: 'ok' }]);
  assert.equal((await askGateway(port, 'b.apps.test', '/')).status, 502);

  for (const path of ['/healthz', '/readyz'])
    assert.deepEqual(await askHealth(port, path, 'demo.apps.test'), [200, path]);
  assert.equal((await askGateway(port, 'nobody.apps.test', '/readyz')).status, 404);
  assert.equal((await askGateway(port, 'localhost', '/readyz', { method: 'POST' })).status, 404);
  assert.equal((await askGateway(port, 'localhost', '/metrics')).status, 404);
  const { status, text } = await askGateway(port, 'localhost', '/readyz', { method: 'HEAD' });
  assert.deepEqual([status, text], [200, '']);
  await gateway.gateway.close(1_000);
});

test('a gateway of its own that has no table yet lives, and is not ready', async () => {
  await using database = await temporaryDatabase('embedded');
  const gateway = await spawnServer(
    {
      ...database.env,
      DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/simcha`,
      APPS_PORT: String(await freePort()),
    },
    { args: ['gateway'] },
  );
  try {
    const port = Number(new URL(gateway.url).port);
    assert.deepEqual(await askHealth(port, '/healthz'), [200, { status: 'ok' }]);
    assert.deepEqual(await askHealth(port, '/readyz'), [503, { status: 'unavailable', hosting: 'starting' }]);
  } finally {
    gateway.child.kill('SIGTERM');
    await gateway.ended;
  }
});
