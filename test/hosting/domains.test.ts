import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { type NameServer, startNameServer } from '../support/dns.ts';
import { askGateway, startSite } from '../support/gateway.ts';
import { placeSite } from '../support/placed-site.ts';
import { DATABASES_OF_SLOW_TESTS, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

async function newApplication(developer: TestDeveloper): Promise<string> {
  const body = { name: 'Demo', repository: 'https://example.com/a/b.git' };
  const created = await developer.call('POST', '/api/v1/applications', { body });
  assert.equal(created.status, 201, created.text);
  return created.body.application_uuid;
}

// biome-ignore lint/suspicious/noExplicitAny: a body of the API
const setTxt = (names: NameServer, { hostname, records }: any) =>
  names.records.set(`_simcha.${hostname}`, { txt: ['v=other', records[1].value] });

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a custom domain is claimed, proved, served and removed on ${kind}`, async () => {
    await using names = await startNameServer();
    await using server = await startServer(kind, { env: { APPS_DNS_SERVERS: names.address }, stays: true });
    const developer = await newDeveloper(server);
    const application = await newApplication(developer);
    await using site = await startSite((request, response) =>
      response.end(`site for ${request.headers.host}`),
    );
    await placeSite(server, application, site.target);
    const { port } = server.simcha.app.server.address() as AddressInfo;
    const domains = `/api/v1/applications/${application}/domains`;
    const visit = async (host: string) => (await askGateway(port, host)).text;
    const known = async (host: string) => (await server.call('GET', `/tls/ask?domain=${host}`)).status;

    const added = await developer.call('POST', domains, { body: { hostname: 'WWW.Shop.example.' } });
    assert.equal(added.status, 201, added.text);
    assert.equal(added.headers.get('location'), `${domains}/www.shop.example`);
    const { hostname, status, problem, records, advice } = added.body;
    assert.deepEqual([hostname, status, problem], ['www.shop.example', 'pending', 'record_missing']);
    assert.match(advice, /Neither record/);
    const inHebrew = await developer.call('GET', `${domains}/${hostname}`, {
      headers: { 'x-api-key': developer.apiKey, 'accept-language': 'he' },
    });
    assert.match(inHebrew.body.advice, /^לא נמצאה אף אחת מהרשומות/);
    assert.deepEqual(
      records.map(({ type, name }: { type: string; name: string }) => [type, name]),
      [
        ['CNAME', 'www.shop.example'],
        ['TXT', '_simcha.www.shop.example'],
      ],
    );
    assert.match(await visit('www.shop.example'), /no site here/);
    assert.equal(await known('www.shop.example'), 404);

    names.records.set('www.shop.example', { cname: 'demo.localhost' });
    const wrong = await developer.call('POST', `${domains}/www.shop.example/check`);
    assert.deepEqual([wrong.status, wrong.body.problem], [200, 'record_wrong']);

    names.records.set('www.shop.example', { cname: records[0].value });
    const proved = await developer.call('POST', `${domains}/www.shop.example/check`);
    assert.deepEqual([proved.body.status, proved.body.problem], ['proved', null]);
    assert.equal(await visit('www.shop.example'), 'site for www.shop.example');
    assert.equal(await visit('WWW.SHOP.example.:8080'), 'site for WWW.SHOP.example.:8080');
    assert.equal(await known('www.shop.example'), 200);
    // A new version comes up: the domain stays.
    await placeSite(server, application, site.target);
    assert.equal(await visit('www.shop.example'), 'site for www.shop.example');

    // Name servers that fail prove nothing, and take nothing away.
    names.failing = true;
    const away = await developer.call('POST', `${domains}/www.shop.example/check`);
    assert.deepEqual([away.body.status, away.body.problem], ['proved', 'dns_unavailable']);
    names.failing = false;
    names.records.clear();
    const lost = await developer.call('POST', `${domains}/www.shop.example/check`);
    assert.deepEqual([lost.body.status, lost.body.problem], ['pending', 'record_missing']);
    await until(async () => /no site here/.test(await visit('www.shop.example')));

    setTxt(names, added.body);
    assert.equal((await developer.call('POST', `${domains}/www.shop.example/check`)).body.status, 'proved');
    const again = await developer.call('POST', domains, { body: { hostname: 'www.shop.example' } });
    assert.deepEqual([again.status, again.body.records], [201, records]);
    assert.equal((await developer.call('GET', domains)).body.domains.length, 1);
    assert.equal((await developer.call('GET', `${domains}/www.SHOP.example`)).body.status, 'proved');

    assert.equal((await developer.call('DELETE', `${domains}/www.shop.example`)).status, 204);
    await until(async () => /no site here/.test(await visit('www.shop.example')));
    assert.equal((await developer.call('DELETE', `${domains}/www.shop.example`)).status, 404);
    assert.equal(await visit('demo.localhost'), 'site for demo.localhost');
  });

  test(`a domain redirects to another of the same site, on ${kind}`, async () => {
    await using names = await startNameServer();
    const env = { APPS_DNS_SERVERS: names.address, PUBLIC_URL: 'https://console.example.com' };
    await using server = await startServer(kind, { env, stays: true });
    const developer = await newDeveloper(server);
    const application = await newApplication(developer);
    await using site = await startSite((request, response) => response.end(`site at ${request.url}`));
    await placeSite(server, application, site.target);
    const { port } = server.simcha.app.server.address() as AddressInfo;
    const domains = `/api/v1/applications/${application}/domains`;
    const addProved = async (hostname: string, redirect_to: string | null) => {
      const { body } = await developer.call('POST', domains, { body: { hostname, redirect_to } });
      setTxt(names, body);
      return (await developer.call('POST', `${domains}/${hostname}/check`)).body;
    };
    const visit = async (path: string) => {
      const { status, headers, text } = await askGateway(port, 'www.shop.example', path);
      return status === 308 ? headers.location : text;
    };
    const redirect = (hostname: string, redirect_to: unknown) =>
      developer.call('PATCH', `${domains}/${hostname}`, { body: { redirect_to } });

    const early = await developer.call('POST', domains, {
      body: { hostname: 'www.shop.example', redirect_to: 'shop.example' },
    });
    assert.deepEqual([early.status, early.body.field], [400, 'redirect_to'], early.text);
    assert.match(early.body.error, /another domain of the same application/);

    // The target is not proved yet, so the domain shows the site.
    const { body: target } = await developer.call('POST', domains, { body: { hostname: 'shop.example' } });
    const added = await addProved('www.shop.example', 'Shop.example.');
    assert.deepEqual([added.status, added.redirect_to], ['proved', 'shop.example']);
    assert.equal(await visit('/menu'), 'site at /menu');

    setTxt(names, target);
    await developer.call('POST', `${domains}/shop.example/check`);
    const origin = 'https://shop.example';
    assert.equal(await visit('/menu?a=1&b=%20'), `${origin}/menu?a=1&b=%20`);
    assert.equal(await visit('//evil.example/'), `${origin}//evil.example/`);
    assert.equal((await askGateway(port, 'shop.example', '/menu')).text, 'site at /menu');
    // The proxy in front gets a certificate for the redirecting domain too, and the developer sees that it asked.
    assert.equal((await server.call('GET', '/tls/ask?domain=www.shop.example')).status, 200);
    const asked = await developer.call('GET', `${domains}/www.shop.example`);
    assert.match(asked.body.certificate_asked_at, /^\d{4}-/);

    await addProved('shop.example.org', null);
    for (const [hostname, redirect_to] of [
      ['shop.example', 'www.shop.example'],
      ['shop.example', 'shop.example.org'],
      ['shop.example.org', 'www.shop.example'],
      ['shop.example.org', 'shop.example.org'],
      ['shop.example.org', 'elsewhere.example'],
      ['shop.example.org', 7],
      ['shop.example.org', undefined],
    ] as const) {
      const refused = await redirect(hostname, redirect_to);
      assert.deepEqual([refused.status, refused.body.field], [400, 'redirect_to'], refused.text);
    }
    assert.equal((await redirect('nowhere.example', null)).status, 404);
    assert.equal((await redirect('www.shop.example', null)).body.redirect_to, null);
    assert.equal(await visit('/'), 'site at /');

    // Without its target, the domain shows the site.
    assert.equal((await redirect('www.shop.example', 'shop.example')).status, 200);
    assert.equal(await visit('/'), `${origin}/`);
    assert.equal((await developer.call('DELETE', `${domains}/shop.example`)).status, 204);
    await until(async () => (await visit('/')) === 'site at /');
    const left = await developer.call('GET', `${domains}/www.shop.example`);
    assert.deepEqual([left.body.status, left.body.redirect_to], ['proved', null]);
  });

  test(`a domain belongs to whoever proves it, one at a time, on ${kind}`, async () => {
    await using names = await startNameServer();
    await using server = await startServer(kind, { env: { APPS_DNS_SERVERS: names.address } });
    const [first, second] = await Promise.all([newDeveloper(server), newDeveloper(server)]);
    const [one, two] = await Promise.all([newApplication(first), newApplication(second)]);
    const body = { hostname: 'shop.example' };
    const at = (application: string) => `/api/v1/applications/${application}/domains`;
    const mine = await first.call('POST', at(one), { body });
    const theirs = await second.call('POST', at(two), { body });
    assert.notEqual(mine.body.records[0].value, theirs.body.records[0].value);

    const { value: mineTxt } = mine.body.records[1];
    const { value: theirTxt } = theirs.body.records[1];
    names.records.set('_simcha.shop.example', { txt: [mineTxt] });
    const check = (developer: TestDeveloper, application: string) =>
      developer.call('POST', `${at(application)}/shop.example/check`);
    assert.equal((await check(first, one)).body.status, 'proved');
    assert.equal((await check(second, two)).body.problem, 'record_wrong');

    // While the first one's record stands, nobody takes the name from it.
    names.records.set('_simcha.shop.example', { txt: [theirTxt] });
    names.records.set('shop.example', { cname: mine.body.records[0].value });
    assert.deepEqual((await check(second, two)).body.problem, 'taken');
    names.records.delete('shop.example');
    const moved = await check(second, two);
    assert.equal(moved.body.status, 'proved', moved.text);
    assert.equal((await first.call('GET', `${at(one)}/shop.example`)).body.status, 'pending');
  });
}

test('claims are judged, counted and kept to their owner', async () => {
  await using names = await startNameServer();
  await using server = await startServer('postgres', { env: { APPS_DNS_SERVERS: names.address } });
  const [developer, stranger] = await Promise.all([newDeveloper(server), newDeveloper(server)]);
  const application = await newApplication(developer);
  const domains = `/api/v1/applications/${application}/domains`;
  for (const [body, expected] of [
    [{}, /^hostname: is required/],
    [{ hostname: 7 }, /^hostname: /],
    [{ hostname: 'http://a.b/' }, /^hostname: must be a host name/],
    [{ hostname: 'server.internal' }, /^hostname: must be a name of the public internet/],
    [{ hostname: 'x.localhost' }, /^hostname: /],
    ['[]', /^body: /],
  ] as const) {
    const refused = await developer.call('POST', domains, { body });
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_field'], refused.text);
    assert.match(refused.body.error, expected);
  }
  for (const [method, path] of [
    ['GET', domains],
    ['POST', domains],
    ['GET', `${domains}/a.example`],
    ['POST', `${domains}/a.example/check`],
    ['PATCH', `${domains}/a.example`],
    ['DELETE', `${domains}/a.example`],
  ] as const) {
    assert.equal((await server.call(method, path)).status, 401, `${method} ${path}`);
    assert.equal((await stranger.call(method, path)).status, 403, `${method} ${path}`);
  }
  for (const unknown of ['a.example', '%00', 'a'.repeat(300)]) {
    assert.equal((await developer.call('GET', `${domains}/${unknown}`)).status, 404, unknown);
  }
  const claims = await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      developer.call('POST', domains, { body: { hostname: `a${i}.example` } }),
    ),
  );
  assert.deepEqual(claims.map(({ status }) => status).sort(), [
    ...Array.from({ length: 20 }, () => 201),
    ...Array.from({ length: 5 }, () => 409),
  ]);
});

test('the proxy in front learns which hosts are ours', async () => {
  await using server = await startServer('postgres', {
    env: { HOSTING: 'auto', PUBLIC_URL: 'https://console.example.com' },
  });
  const developer = await newDeveloper(server);
  const made = await developer.call('POST', '/api/v1/applications', {
    body: { name: 'demo', subdomain: 'demo', repository: 'https://git.example.com/noa/site.git' },
  });
  await placeSite(server, made.body.application_uuid, { kind: 'server', origin: 'http://127.0.0.1:1' });
  for (const [domain, status] of [
    ['console.example.com', 200],
    ['demo.localhost', 200],
    ['Demo.localhost', 200],
    ['other.localhost', 404],
    ['evil.example', 404],
    ['', 400],
    ['a b', 404],
  ] as const) {
    assert.equal((await server.call('GET', `/tls/ask?domain=${domain}`)).status, status, domain);
  }
  const missing = await server.call('GET', '/tls/ask');
  assert.deepEqual([missing.status, missing.body.field], [400, 'domain'], missing.text);
});
