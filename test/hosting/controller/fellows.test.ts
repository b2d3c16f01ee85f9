import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationClient, newApplication } from '../../support/deployed.ts';
import { startNameServer } from '../../support/dns.ts';
import { askGateway, startSite } from '../../support/gateway.ts';
import { createRepository } from '../../support/git.ts';
import { placeSite } from '../../support/placed-site.ts';
import { queryDatabase } from '../../support/server.ts';
import { newServerGroup } from '../../support/server-group.ts';
import { until } from '../../support/until.ts';

test('a server with HOSTING=off never runs sites: it takes what is asked, which waits for one that does, and passes visitors on', async () => {
  await using repository = await createRepository({ 'index.html': 'here' });
  await using fleet = await newServerGroup();
  const off = await fleet.start({ HOSTING: 'off' });
  const app = await newApplication(off.call, off.url, repository.address);
  // Nobody has the lease at first, nor once its holder is gone.
  for (const generation of [1, 2]) {
    const id = await app.ask();
    const { status, reason_code } = await app.record(id);
    assert.deepEqual([status, reason_code], ['queued', 'no_host']);
    const runs = await fleet.start();
    await app.expect(id, 'live');
    assert.deepEqual(
      await queryDatabase(fleet.databaseUrl, 'select generation::integer, address from hosting_lease'),
      [{ generation, address: runs.url }],
    );
    assert.deepEqual(await app.visit(), { status: 200, text: 'here' });
    await runs.close();
  }
});

test('a custom domain is the same at each server, whichever is asked to prove it', async () => {
  await using names = await startNameServer();
  await using site = await startSite((_request, response) => response.end());
  await using fleet = await newServerGroup();
  const env = { APPS_DNS_SERVERS: names.address };
  const runs = await fleet.start(env);
  const members = [runs, await fleet.start({ ...env, HOSTING: 'off' })];
  const app = await newApplication(runs.call, runs.url, 'file:///nowhere');
  await placeSite(runs, app.uuid, site.target);
  /** What each server says: of the domain, to a proxy that wants a certificate, and to a visitor. */
  const everywhere = (hostname: string) =>
    Promise.all(
      members.map(async ({ call, port }) => [
        (await call('GET', `${app.at}/domains/${hostname}`)).body.status,
        (await call('GET', `/tls/ask?domain=${hostname}`)).status,
        (await askGateway(port, hostname)).status,
      ]),
    );

  for (const [n, { call }] of members.entries()) {
    const hostname = `www${n}.shop.example`;
    const { body } = await call('POST', `${app.at}/domains`, { body: { hostname } });
    const pending = ['pending', 404, 404];
    assert.deepEqual(await everywhere(hostname), [pending, pending]);
    names.records.set(hostname, { cname: body.records[0].value });
    await call('POST', `${app.at}/domains/${hostname}/check`);
    const proved = ['proved', 200, 200];
    assert.deepEqual(await everywhere(hostname), [proved, proved]);
    assert.equal((await call('DELETE', `${app.at}/domains/${hostname}`)).status, 204);
    const gone = [undefined, 404, 404];
    await until(async () => {
      const said = await everywhere(hostname);
      return said.every((one) => JSON.stringify(one) === JSON.stringify(gone));
    });
  }
});

test('a cancel that another server is asked for ends a build', async () => {
  await using repository = await createRepository({
    'package.json': '{"scripts":{"build":"echo under way; sleep 600"}}',
    'index.html': '',
  });
  await using fleet = await newServerGroup();
  const runs = await fleet.start();
  const other = await fleet.start({ HOSTING: 'off' });
  const app = await newApplication(other.call, other.url, repository.address);
  const id = await app.ask();
  await until(async () => /^\S+ \[build\] under way$/m.test(await app.log(id)));
  assert.equal((await app.call('POST', `/deployments/${id}/cancel`)).status, 202);
  await applicationClient(runs.call, runs.url, app.uuid, app.host).expect(id, 'cancelled');
  assert.equal((await app.record(id)).status, 'cancelled');
});
