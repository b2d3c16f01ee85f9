import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '../../support/gateway.ts';
import { freePort } from '../../support/postgres.ts';
import { startServer } from '../../support/server.ts';
import { testInLane } from '../../support/test-in-lane.ts';
import { until } from '../../support/until.ts';

for (const [nth, apart] of [false, true].entries())
  testInLane(
    `the Caddyfile of docs/operations.md serves ours by TLS, and nobody else${apart ? ', on ports of their own' : ''}`,
    {
      timeout: 60_000,
    },
    async () => {
      const appsPort = apart ? await freePort() : undefined;
      await using server = await startServer('postgres', {
        env: {
          PUBLIC_URL: 'https://console.example.com',
          APPS_DOMAIN: 'apps.example.com',
          TRUSTED_PROXIES: '127.0.0.1',
          ...(appsPort && { APPS_PORT: String(appsPort) }),
        },
      });
      await using site = await startSite((incoming, response) =>
        response.end(JSON.stringify(incoming.headers)),
      );
      server.simcha.sites.set('a', {
        routes: [{ host: 'demo.apps.example.com' }],
        state: 'live',
        targets: [site.target],
      });
      server.simcha.sites.setDomains('a', [{ host: 'www.shop.example' }]);
      if (appsPort) await server.simcha.listenForSites();
      const { port } = server.simcha.app.server.address() as AddressInfo;
      await using caddy = await startCaddy(nth, port, appsPort);

      for (const host of ['demo.apps.example.com', 'www.shop.example']) {
        const { text } = await caddy.get(host);
        const headers = JSON.parse(text);
        assert.equal(headers.host, `${host}:${caddy.port}`);
        assert.equal(headers['x-forwarded-proto'], 'https');
        assert.equal(headers['x-forwarded-for'], '127.0.0.1, 127.0.0.1');
      }
      const health = await caddy.get('console.example.com', '/healthz');
      assert.deepEqual(JSON.parse(health.text), { status: 'ok' });
      // No certificate, no connection: TLS ends before any HTTP is spoken.
      for (const host of ['other.apps.example.com', 'evil.example']) {
        await assert.rejects(caddy.get(host), /alert internal error|ECONNRESET|EPROTO/, host);
      }
    },
  );

/** By the nth Caddyfile of the document. */
async function startCaddy(nth: number, simchaPort: number, appsPort = simchaPort) {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-caddy-'));
  const [port, httpPort] = await Promise.all([freePort(), freePort()]);
  const document = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, caddyfile = ''] = [...document.matchAll(/```caddyfile\n([^`]*)```/g)][nth] ?? [];
  // Other ports, and an authority of Caddy's own in place of Let's Encrypt.
  const tried = caddyfile
    .replace(
      '{\n',
      `{\nhttp_port ${httpPort}\nhttps_port ${port}\nadmin off\nlocal_certs\nskip_install_trust\n`,
    )
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${simchaPort}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${appsPort}`);
  await writeFile(join(folder, 'Caddyfile'), tried);
  const child = spawn('/usr/bin/caddy', ['run', '--config', join(folder, 'Caddyfile')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  await until(() => log.includes('serving initial configuration') || child.exitCode !== null);
  assert.equal(child.exitCode, null, log);

  const get = async (host: string, path = '/') => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      servername: host,
      headers: { host: `${host}:${port}` },
      rejectUnauthorized: false,
      agent: false,
    }).end();
    const [response] = await once(outgoing, 'response');
    return { status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() };
  };
  return {
    port,
    get,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
