import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { composeSimcha } from '../../server/compose.ts';
import { signToken } from '../../server/identity/tokens.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { createLogger } from '../../server/kernel/log.ts';
import type { Answer } from '../support/client.ts';
import {
  BOTH_DATABASES,
  postgresDatabase,
  SECRET,
  startServer,
  type TestServer,
  temporaryDatabase,
} from '../support/server.ts';
import { until } from '../support/until.ts';

const HEBREW = /[֐-׿]/;
const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };

describe('every answer', () => {
  let server: TestServer;
  let token: string;
  before(async () => {
    server = await startServer('postgres', {
      env: { HOSTING: 'auto', CORS_ORIGINS: 'https://console.example' },
    });
    token = await server.token('me');
  });
  after(() => server.close());

  const post = (body: string, headers: Record<string, string> = {}) =>
    server.call('POST', '/api/events', { token, body, headers });

  test('at an unknown address is a page for a browser, and JSON for a program and under the API', async () => {
    const get = (path: string, accept: string) =>
      fetch(`${server.url}${path}`, { headers: { accept, 'accept-language': 'he' }, redirect: 'manual' });
    const page = await get('/nope', 'text/html,application/xhtml+xml');
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
    assert.match(await page.text(), /<html lang="he" dir="rtl"/);
    for (const [path, accept] of [
      ['/nope', 'application/json'],
      ['/nope', '*/*'],
      ['/api/nope', 'text/html'],
      ['/console/nope.js', 'text/html'],
    ] as const) {
      const answer = await get(path, accept);
      const { code } = (await answer.json()) as { code: string };
      assert.deepEqual([answer.status, code], [404, 'not_found'], `${path} ${accept}`);
    }
    const slash = await get('/today/?x=1', 'text/html');
    assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/today?x=1']);
    for (const path of ['//example.com/', '/%2f/today/'])
      assert.equal((await get(path, 'text/html')).status, 404, path);
  });

  test('to a broken body is a sentence in the area’s language with the right status', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const cases: [string, Record<string, string>, number][] = [
      ['{ broken', {}, 400],
      ['', {}, 400],
      ['{"a":1,}', {}, 400],
      ['{"__proto__":{"x":1}}', {}, 400],
      ['{"constructor":{"prototype":{}}}', {}, 400],
      [deep, {}, 400],
      [`{"title":${deep}}`, {}, 400],
      ['title=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['x', { 'content-type': 'text/plain' }, 415],
      ['{}', { 'content-type': 'nonsense' }, 415],
      [JSON.stringify({ ...BODY, description: 'א'.repeat(600_000) }), {}, 413],
      [JSON.stringify({ ...BODY, title: 'x'.repeat(1_000_000) }), {}, 400],
    ];
    for (const [body, headers, status] of cases) {
      const answer = await post(body, headers);
      assert.equal(answer.status, status, `${body.slice(0, 40)}: ${answer.text.slice(0, 200)}`);
      assert.deepEqual(Object.keys(answer.body), ['error']);
      assert.match(answer.body.error, HEBREW);
    }
    assert.equal((await server.call('GET', '/api/events', { token })).body.total, 0);
  });

  test('of two keys of one name the last one counts, as JSON’s readers agree', async () => {
    const answer = await post(
      `{"title":"first","title":"second","event_date":"2099-06-15T19:30","venue_name":"x"}`,
    );
    assert.deepEqual([answer.status, answer.body.event.title], [201, 'second']);
  });

  test('to an unknown address is a 404, to an unknown method a 405 that names the known ones', async () => {
    const hebrew = await server.call('GET', '/api/events/a/b/c', { token });
    assert.equal(hebrew.status, 404);
    assert.match(hebrew.body.error, HEBREW);
    const english = await server.call('GET', '/api/nothing');
    assert.deepEqual([english.status, english.body.code], [404, 'not_found']);
    const patched = await server.call('PATCH', `/api/events/${crypto.randomUUID()}`, { token });
    assert.deepEqual([patched.status, patched.headers.get('allow')], [405, 'DELETE, GET, HEAD, PUT']);
    assert.match(patched.body.error, HEBREW);
    assert.ok(patched.body.error.includes('DELETE, GET, HEAD, PUT'), patched.text);
    assert.equal((await server.call('DELETE', '/api/events', { token })).status, 405);
  });

  test('to what is no HTTP at all still has the shape of an error', async () => {
    const { hostname, port } = new URL(server.url);
    const say = (bytes: string) =>
      new Promise<string>((resolve) => {
        let heard = '';
        const socket = connect(Number(port), hostname, () => socket.write(bytes));
        socket.on('data', (chunk) => {
          heard += chunk;
        });
        socket.on('close', () => resolve(heard));
        socket.on('error', () => resolve(heard));
      });
    const nonsense = await say('NONSENSE\r\n\r\n');
    assert.match(nonsense, /^HTTP\/1\.1 400 /);
    assert.deepEqual(JSON.parse(nonsense.split('\r\n\r\n')[1] ?? ''), {
      error: 'The request could not be understood.',
      code: 'bad_request',
    });
    const hebrew = await say(
      'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /api/events/1/guests?tag=א HTTP/1.1\r\nhost: x\r\nAccept-Language: ar\r\n\r\n',
    );
    const { error, code, message } = JSON.parse(hebrew.split('\r\n\r\n').at(-1) ?? '');
    assert.equal(code, 'address_not_encoded');
    assert.match(error, /^בכתובת יש לקודד .*%D7%90/);
    assert.match(message, /^يجب ترميز .*%D8%A3/);
    assert.match(await say('GET /docs?x=א HTTP/1.1\r\nhost: x\r\n\r\n'), /"error":"Letters other than ASCII/);
    const large = await say(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`);
    assert.match(large, /^HTTP\/1\.1 431 /);
    const both = await say(
      'POST /api/events HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    assert.match(both, /^HTTP\/1\.1 400 /);
  });

  test('carries a request id of its own and the security headers', async () => {
    const answers = [
      await server.call('GET', '/api/events', { token }),
      await server.call('GET', '/nothing'),
      // They can't be decoded, and go the way of any other address.
      await server.call('GET', '/api/events/%ff/guests', { token }),
      await server.call('GET', '/%e2%82'),
    ];
    for (const { headers } of answers) {
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('strict-transport-security'), null);
    }
    assert.notEqual(answers[0]?.headers.get('x-request-id'), answers[1]?.headers.get('x-request-id'));
    assert.equal(answers[0]?.headers.get('cache-control'), 'no-store');
  });

  test('to an address that can’t be decoded is that to any other: 401 first, then 404, counted as others are', async () => {
    for (const path of ['/api/events/%ff', '/api/events/%zz/guests', '/api/v1/applications/%e2%82']) {
      assert.equal((await server.call('GET', path)).status, 401, path);
    }
    const { status, body, headers } = await server.call('GET', '/api/events/%ff/guests', { token });
    assert.deepEqual([status, body.code], [404, 'not_found']);
    assert.match(body.error, HEBREW);
    assert.ok(headers.has('ratelimit-remaining'));
    for (const path of ['/%ff', '/console/%ff', '/console/assets/%zz']) {
      assert.equal((await server.call('GET', path)).status, 404, path);
    }
    assert.equal((await server.call('POST', '/api/events/%ff', { token })).status, 405);
  });

  test('to a DELETE is the same whatever body comes along', async () => {
    const remove = async (init: RequestInit) => {
      const path = `${server.url}/api/events/${crypto.randomUUID()}`;
      const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
      const answer = await fetch(path, { ...init, method: 'DELETE', headers });
      await answer.text();
      return answer.status;
    };
    assert.equal(await remove({}), 404);
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'nonsense']) {
      for (const body of ['', '{', 'x'.repeat(2_000_000)]) {
        assert.equal(
          await remove({ headers: { 'content-type': type }, body }),
          404,
          `${type} ${body.length}`,
        );
      }
    }
  });

  test('is shared with the origins that are set, and with no other', async () => {
    const preflight = (origin: string) =>
      server.call('OPTIONS', '/api/events', { headers: { origin, 'access-control-request-method': 'PUT' } });
    const allowed = await preflight('https://console.example');
    assert.deepEqual(
      [allowed.status, allowed.headers.get('access-control-allow-origin')],
      [204, 'https://console.example'],
    );
    assert.match(allowed.headers.get('access-control-allow-methods') ?? '', /PUT/);
    assert.equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null);
  });

  test('of the metrics counts requests by route and never by address', async () => {
    await server.call('GET', `/api/events/${crypto.randomUUID()}`, { token });
    const { text } = await server.call('GET', '/metrics');
    assert.match(
      text,
      /http_request_duration_seconds_count\{method="GET",route="\/api\/events\/:id",status="404"\} 1/,
    );
    assert.match(text, /process_resident_memory_bytes/);
  });

  test('of health and readiness is 200', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, body } = await server.call('GET', path);
      const hosting = path === '/readyz' ? { hosting: 'ok' } : {};
      assert.deepEqual([status, body], [200, { status: 'ok', ...hosting }]);
    }
  });
});

test('readiness is told within a second, however long the database takes', async () => {
  await using server = await startServer('embedded');
  const held = Promise.withResolvers<void>();
  const holding = server.simcha.database.sql.transaction().execute(() => held.promise);
  try {
    const asked = performance.now();
    const { status, body } = await server.call('GET', '/readyz');
    assert.deepEqual([status, body.status], [503, 'unavailable']);
    assert.ok(performance.now() - asked < 1_500);
  } finally {
    held.resolve();
    await holding;
  }
  assert.equal((await server.call('GET', '/readyz')).status, 200);
});

test('metrics ask for their token where one is set, and are for this machine alone where none is', async () => {
  const far = { 'x-forwarded-for': '192.0.2.7' };
  await using server = await startServer('postgres', { env: { METRICS_TOKEN: 'a token for prometheus' } });
  const ask = async (options: object) => (await server.call('GET', '/metrics', options)).status;
  assert.equal(await ask({}), 401);
  assert.equal(await ask({ token: 'a token for prometheuS' }), 401);
  assert.equal(await ask({ token: 'a token for prometheus' }), 200);
  assert.equal(await ask({ token: 'a token for prometheus', headers: far }), 200);
  for (const TRUSTED_PROXIES of ['', '127.0.0.0/8']) {
    await using alone = await startServer('postgres', { env: { TRUSTED_PROXIES } });
    assert.equal((await alone.call('GET', '/metrics')).status, 200);
    // A proxy on this machine makes nobody local.
    const refused = await alone.call('GET', '/metrics', { headers: far });
    assert.deepEqual([refused.status, refused.body.code], [403, 'metrics_closed']);
    assert.match(refused.body.error, /METRICS_TOKEN/);
  }
  await using open = await startServer('postgres', {
    env: { METRICS_OPEN: 'true', TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  // Written once for all who ask together.
  const asked = Array.from({ length: 20 }, () => open.call('GET', '/metrics', { headers: far }));
  const answers = await Promise.all(asked);
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(new Set(answers.map(({ text }) => text)).size <= 2);
});

test('the description of the API is written once, compressed, and not sent again to who has it', async () => {
  await using server = await startServer('postgres');
  const url = `${server.url}/openapi.json`;
  const lengths: Record<string, number> = {};
  let etag = '';
  for (const coding of ['br', 'gzip', 'identity']) {
    const answer = await fetch(url, { headers: { 'accept-encoding': coding } });
    const { headers } = answer;
    const { openapi } = (await answer.json()) as { openapi: string };
    assert.deepEqual([answer.status, openapi], [200, '3.1.0']);
    assert.equal(headers.get('content-encoding') ?? 'identity', coding);
    assert.match(headers.get('vary') ?? '', /Accept-Encoding/);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    lengths[coding] = Number(headers.get('content-length'));
    etag = headers.get('etag') ?? '';
  }
  const { br = 0, gzip = 0, identity = 0 } = lengths;
  assert.ok(br > 0 && br < gzip && gzip < identity / 4, JSON.stringify(lengths));
  const again = await fetch(url, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
  const other = await fetch(url, { headers: { 'if-none-match': '"another"' } });
  assert.equal((await other.text()).length > 0 && other.status, 200);
});

test('pages for anybody count in the limit of the client’s network', async () => {
  await using server = await startServer('postgres', {
    env: { RATE_LIMIT: '3', METRICS_OPEN: 'true', TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  const ask = async (path: string, from: string) =>
    (await server.call('GET', path, { headers: { 'x-forwarded-for': from } })).status;
  for (const path of ['/openapi.json', '/metrics', '/openapi.json']) {
    assert.equal(await ask(path, '2001:db8::1'), 200);
  }
  for (const path of ['/openapi.json', '/metrics']) {
    assert.equal(await ask(path, '2001:db8::2'), 429);
    assert.equal(await ask(path, '192.0.2.7'), 200);
  }
});

test('past the limit a credential gets 429 with Retry-After, and others go on', async () => {
  await using server = await startServer('postgres', { env: { RATE_LIMIT: '3' } });
  const [token, other] = await Promise.all([server.token('busy'), server.token('calm')]);
  const answers: Answer[] = [];
  for (let i = 0; i < 5; i++) answers.push(await server.call('GET', '/api/events', { token }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  );
  assert.deepEqual(
    [0, 1, 2].map((i) => answers[i]?.headers.get('ratelimit-remaining')),
    ['2', '1', '0'],
  );
  const refused = answers[3];
  assert.match(refused?.body.error, HEBREW);
  const wait = Number(refused?.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 60, `retry-after ${wait}`);
  assert.equal((await server.call('GET', '/api/events', { token: other })).status, 200);
});

test('wrong tokens are counted by where they come from, and X-Forwarded-For counts from a trusted proxy alone', async () => {
  const statuses = async (server: TestServer) => {
    const seen = [];
    for (let i = 0; i < 3; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` };
      seen.push((await server.call('GET', '/api/events', { token: `wrong${i}`, headers })).status);
    }
    return seen;
  };
  await using direct = await startServer('postgres', { env: { RATE_LIMIT: '2' } });
  assert.deepEqual(await statuses(direct), [401, 401, 429]);
  await using proxied = await startServer('postgres', {
    env: { RATE_LIMIT: '2', TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  assert.deepEqual(await statuses(proxied), [401, 401, 401]);
});

test('an upload that its client cuts off is no failure of the server', async () => {
  await using database = await temporaryDatabase('postgres');
  const config = readConfig({ ...database.env, JWT_SECRET: SECRET, HOSTING: 'off', PORT: '0' });
  const lines: string[] = [];
  const log = createLogger(config, { write: (line) => lines.push(line) });
  const simcha = await composeSimcha(config, log);
  try {
    await simcha.start();
    await simcha.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = simcha.app.server.address() as AddressInfo;
    const authorization = `Bearer ${await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h')}`;
    const made = await simcha.app.inject({
      method: 'POST',
      url: '/api/events',
      headers: { authorization },
      payload: BODY,
    });
    const client = connect(port, '127.0.0.1');
    client.write(
      `PUT /api/events/${made.json().event.id}/invitation/picture HTTP/1.1\r\nhost: x\r\n` +
        `authorization: ${authorization}\r\ncontent-type: image/png\r\ncontent-length: 100000\r\n\r\nx`,
    );
    const stored = () => readdir(join(config.dataDir, 'uploads')).catch(() => []);
    await until(async () => (await stored()).length > 0);
    client.destroy();
    await until(async () => (await stored()).length === 0);
    // The failed upload is logged, if at all, before the next request is answered.
    await simcha.app.inject({ url: '/api/events', headers: { authorization } });
    const failures = lines.filter((line) => 'err' in JSON.parse(line));
    assert.deepEqual(failures, []);
  } finally {
    await simcha.close();
  }
});

test('logs carry the request’s id and route, and neither tokens nor what people wrote', async () => {
  const database = await postgresDatabase('simcha_template');
  const folder = await mkdtemp(join(tmpdir(), 'simcha-logs-'));
  const lines: string[] = [];
  const config = readConfig({ DATABASE_URL: database.url, DATA_DIR: folder, JWT_SECRET: SECRET });
  const log = createLogger(config, { write: (line) => lines.push(line) });
  const slow = () => Temporal.Now.instant().subtract({ hours: 1 });
  const simcha = await composeSimcha(config, log, { clock: slow });
  await simcha.start();
  const token = await signToken(SECRET, { id: 'private-sub@example.com', role: 'organizer' }, '1h');
  const headers = { authorization: `Bearer ${token}` };
  const created = await simcha.app.inject({
    method: 'POST',
    url: '/api/events?secret=query',
    headers,
    payload: { ...BODY, title: 'שם פרטי מאוד' },
  });
  const { id } = created.json().event;
  const failed = await simcha.app.inject({
    method: 'PUT',
    url: `/api/events/${id}`,
    headers,
    payload: { title: 'שם פרטי מאוד', kashrut_level: 'unheard' },
  });
  assert.equal(failed.statusCode, 500);
  const undecodable = await simcha.app.inject({ url: '/api/events/%ff', headers });
  await simcha.close();
  await database.drop();
  await rm(folder, { recursive: true });
  const all = lines.join('');
  const logged = lines
    .map((line) => JSON.parse(line))
    .find((line) => line.msg === 'request' && line.status === 500);
  assert.equal(logged.route, '/api/events/:id');
  assert.equal(logged.requestId, failed.headers['x-request-id']);
  const line = lines.find((one) => one.includes(String(undecodable.headers['x-request-id']))) ?? '{}';
  assert.deepEqual([JSON.parse(line).route, JSON.parse(line).status], ['/api/events/:id', 404]);
  assert.match(all, /events_kashrut_level/);
  assert.match(all, /clock: this server’s is 3600 s behind the database’s: .*NTP/);
  for (const secret of [token, 'private-sub', 'שם פרטי', 'secret=query', SECRET]) {
    assert.ok(!all.includes(secret), `the log has ${secret}`);
  }
});

describe('a database that can’t take a write now', () => {
  // https://www.postgresql.org/docs/15/errcodes-appendix.html
  const CODES = { full: '53100', stopping: '57P01', crashed: '57P02', starting: '57P03', readOnly: '25006' };

  for (const kind of BOTH_DATABASES) {
    test(`is a 503, and the write goes through once it can (${kind})`, async () => {
      await using server = await startServer(kind);
      const token = await server.token('me');
      const write = () => server.call('POST', '/api/events', { token, body: BODY });
      const { sql: db } = server.simcha.database;
      for (const [name, code] of Object.entries(CODES)) {
        await sql
          .raw(
            `create or replace function refuse() returns trigger language plpgsql as
               $$ begin raise exception 'not now' using errcode = '${code}'; end $$;`,
          )
          .execute(db);
        await sql.raw('create trigger refuse before insert on events execute function refuse()').execute(db);
        const refused = await write();
        assert.equal(refused.status, 503, `${name}: ${refused.text}`);
        assert.ok(refused.headers.get('retry-after'));
        await sql.raw('drop trigger refuse on events').execute(db);
        assert.equal((await write()).status, 201);
      }
    });
  }
});
