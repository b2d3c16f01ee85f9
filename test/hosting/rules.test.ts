import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { newDeveloper } from '../support/developers.ts';
import { askGateway, startSite } from '../support/gateway.ts';
import { placeSite } from '../support/placed-site.ts';
import { DATABASES_OF_SLOW_TESTS, startServer } from '../support/server.ts';

/** Site of a developer that answers with the path and the `Authorization` of each request. */
async function newRuledSite(kind: (typeof DATABASES_OF_SLOW_TESTS)[number]) {
  const resources = new AsyncDisposableStack();
  const server = resources.use(await startServer(kind, { env: { HOSTING: 'auto' }, stays: true }));
  const [developer, stranger] = await Promise.all([newDeveloper(server), newDeveloper(server)]);
  const body = { name: 'Demo', subdomain: 'ruled', repository: 'https://example.com/a/b.git' };
  const { application_uuid: uuid } = (await developer.call('POST', '/api/v1/applications', { body })).body;
  const site = resources.use(
    await startSite((request, response) => {
      response.setHeader('x-own', 'of the site');
      response.end(`site at ${request.url} ${request.headers.authorization ?? '-'}`);
    }),
  );
  await placeSite(server, uuid, site.target);
  const { port } = server.simcha.app.server.address() as AddressInfo;
  const rules = `/api/v1/applications/${uuid}/rules`;
  return {
    developer,
    stranger,
    rules,
    visit: (path = '/', headers = {}) => askGateway(port, 'ruled.localhost', path, { headers }),
    change: (body: unknown) => developer.call('PATCH', rules, { body }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const login = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`redirects, headers and a maintenance page apply before a site on ${kind}`, async () => {
    await using at = await newRuledSite(kind);
    const before = await at.developer.call('GET', at.rules);
    assert.equal(before.status, 200, before.text);
    const { redirects, maintenance, protection, has_password } = before.body;
    assert.deepEqual([redirects, maintenance, protection, has_password], ['', 'off', 'off', false]);

    const changed = await at.change({
      redirects: '# moved\n/menu /dinner 302\n/old/* https://new.example/:splat 308',
      headers: '/*\n  X-Frame-Options: DENY\n  X-Own: of the rules\n/private/*\n  X-Robots-Tag: noindex',
    });
    assert.equal(changed.status, 200, changed.text);
    const moved = await at.visit('/menu?table=7');
    assert.deepEqual([moved.status, moved.headers.location], [302, '/dinner?table=7']);
    const away = await at.visit('/old/a/b');
    assert.deepEqual([away.status, away.headers.location], [308, 'https://new.example/a/b']);
    const shown = await at.visit('/private/a');
    assert.equal(shown.text, 'site at /private/a -');
    assert.deepEqual(
      [shown.headers['x-frame-options'], shown.headers['x-robots-tag'], shown.headers['x-own']],
      ['DENY', 'noindex', 'of the site'],
    );

    await at.change({ maintenance: 'previews' });
    assert.equal((await at.visit()).status, 200);
    await at.change({ maintenance: 'all' });
    const closed = await at.visit('/menu', { accept: 'application/json' });
    assert.deepEqual([closed.status, JSON.parse(closed.text).code], [503, 'site_maintenance']);
    assert.match((await at.visit('/', { accept: 'text/html' })).text, /under maintenance/);
    await at.change({ maintenance: 'off', redirects: '' });
    assert.equal((await at.visit('/menu')).text, 'site at /menu -');
  });

  test(`a site with a password is for those who have it, on ${kind}`, async () => {
    await using at = await newRuledSite(kind);
    for (const [body, field] of [
      [{ protection: 'all' }, 'username'],
      [{ protection: 'all', username: 'noa' }, 'password'],
    ] as const) {
      const refused = await at.change(body);
      assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
    }
    assert.equal((await at.visit()).status, 200);
    const set = await at.change({ protection: 'production', username: 'noa', password: 'long-enough' });
    assert.deepEqual([set.status, set.body.has_password], [200, true]);
    assert.doesNotMatch(set.text, /long-enough|hash/);

    const asked = await at.visit();
    assert.equal(asked.status, 401);
    assert.match(String(asked.headers['www-authenticate']), /^Basic /);
    for (const headers of [
      login('noa', 'long-enougH'),
      login('itai', 'long-enough'),
      { authorization: 'Bearer long-enough' },
      { authorization: 'Basic %%%' },
    ]) {
      assert.equal((await at.visit('/', headers)).status, 401);
    }
    const challenge = '/.well-known/acme-challenge';
    for (const path of [`${challenge}/x`, `${challenge}/../../a`, `${challenge}/%2e%2e/%2e%2e/a`])
      assert.equal((await at.visit(path)).status, 401, path);
    // The site does not get the password. It does get other credentials once the site is open.
    assert.equal((await at.visit('/a', login('noa', 'long-enough'))).text, 'site at /a -');
    assert.equal((await at.visit('/b', login('noa', 'long-enough'))).text, 'site at /b -');
    await at.change({ password: 'another-one' });
    assert.equal((await at.visit('/', login('noa', 'long-enough'))).status, 401);
    assert.equal((await at.visit('/', login('noa', 'another-one'))).status, 200);

    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => at.visit('/', login('noa', `a-guess-${i}`))),
    );
    assert.ok(guesses.some(({ status }) => status === 429));
    assert.equal((await at.visit('/', login('noa', 'another-one'))).status, 200, 'who knows it stays in');
    await at.change({ protection: 'off' });
    assert.equal((await at.visit('/', { authorization: 'Bearer x' })).text, 'site at / Bearer x');
  });
}

test('rules are judged line by line, and kept to their owner', async () => {
  await using at = await newRuledSite('postgres');
  for (const [body, field, expected] of [
    [{ redirects: '/a /b\nmenu /c' }, 'redirects', /line 2: a path begins with/],
    [{ redirects: '/a /b 200' }, 'redirects', /line 1: the status/],
    [{ redirects: '/a //evil.example' }, 'redirects', /line 1: it needs a target/],
    [{ headers: 'X-A: b' }, 'headers', /line 1: a header must be below/],
    [{ headers: '/*\n  Set-Cookie: a=b' }, 'headers', /line 2: only the server/],
    [{ maintenance: 'yes' }, 'maintenance', /./],
    [{ username: 'a:b' }, 'username', /colon/],
    [{ password: 'short' }, 'password', /at least 8/],
    [{ password: null }, 'password', /./],
    [{ other: 1 }, 'other', /./],
  ] as const) {
    const refused = await at.change(body);
    assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
    assert.match(refused.body.error, expected);
  }
  assert.equal((await at.stranger.call('GET', at.rules)).status, 403);
  assert.equal((await at.stranger.call('PATCH', at.rules, { body: {} })).status, 403);
});
