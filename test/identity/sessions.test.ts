import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { composeSimcha } from '../../server/compose.ts';
import { SessionStore } from '../../server/identity/sessions/store.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { createClient } from '../support/client.ts';
import { codeTo } from '../support/outbox.ts';
import { spawnReadyServer } from '../support/process.ts';
import {
  ANY_DATABASE,
  DATABASES,
  KEY,
  SECRET,
  startServer,
  type TestServer,
  temporaryDatabase,
} from '../support/server.ts';
import { newSession, startSession, type TestSession } from '../support/sessions.ts';
import { startInProcess } from '../support/several-servers.ts';
import { sharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';

const AUTH = '/api/auth';
const EVENT = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
const APPLICATION = { name: 'Wedding', repository: 'https://example.com/wedding.git' };
const somebody = () => `somebody-${randomUUID()}@example.com`;

const opens = async ({ call }: Pick<TestSession, 'call'>) =>
  (await call('GET', `${AUTH}/session`)).status === 200;

/** Asks as a browser does for a page of another site, which `fetch` in node can't be made to. */
async function browse(server: Pick<TestServer, 'url'>, path: string, headers: Record<string, string>) {
  const asked = request(server.url + path, { headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(text) };
}

for (const kind of DATABASES) {
  describe(`sessions on ${kind}`, () => {
    test('signing in by a browser gives it a cookie, which opens what a token opens', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { status, body, headers } = await startSession(server, email);
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(body).sort(), ['csrf_token', 'operator', 'session', 'user']);
      assert.deepEqual(Object.keys(body.session).sort(), ['created_at', 'expires_at', 'id']);
      assert.deepEqual(Object.keys(body.user).sort(), [
        'email',
        'registered_at',
        'role',
        'user_id',
        'verified',
      ]);
      assert.deepEqual([body.user.email, body.user.role, body.user.verified], [email, 'organizer', true]);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      const [cookie = '', ...more] = headers.getSetCookie();
      assert.deepEqual(more, []);
      assert.match(cookie, /^simcha_session=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);

      const page = await newSession(server, somebody());
      const made = await page.call('POST', '/api/events', { body: EVENT });
      assert.equal(made.status, 201, made.text);
      assert.equal(made.body.event.organizer_id, page.userId);
      const listed = await page.call('GET', '/api/events');
      assert.deepEqual([listed.status, listed.body.total], [200, 1]);
      const token = await server.token(page.userId);
      assert.equal((await server.call('GET', '/api/events', { token })).body.total, 1);

      const application = await page.call('POST', '/api/v1/applications', { body: APPLICATION });
      assert.equal(application.status, 201, application.text);
      const path = `/api/v1/applications/${application.body.application_uuid}`;
      assert.equal((await page.call('GET', path)).status, 200);
      assert.equal((await page.call('PATCH', `${path}/env`, { body: { A: 'b' } })).status, 200);
      assert.equal((await page.call('GET', '/api/v1/users/me')).body.email, page.email);
      const key = await page.call('POST', '/api/v1/users/me/tokens', { body: { name: 'CI' } });
      const byKey = { headers: { 'x-api-key': key.body.token } };
      assert.equal((await server.call('GET', path, byKey)).status, 200);
    });

    test('who is signed in is read again, with the same token for changes', async () => {
      await using server = await sharedServer(kind);
      const page = await newSession(server);
      const read = await page.call('GET', `${AUTH}/session`);
      assert.equal(read.status, 200);
      assert.deepEqual(
        [read.body.session.id, read.body.csrf_token, read.body.user.user_id],
        [page.id, page.headers['x-csrf-token'], page.userId],
      );
      const nobody = await server.call('GET', `${AUTH}/session`);
      assert.equal(nobody.status, 204);
      const unknown = { cookie: `simcha_session=${'a'.repeat(43)}` };
      assert.equal((await server.call('GET', `${AUTH}/session`, { headers: unknown })).status, 204);
      const list = await server.call('GET', `${AUTH}/sessions`);
      assert.deepEqual([list.status, list.body.code], [401, 'unauthorized']);
    });

    test('answers by a session are for its own page, and for no cache', async () => {
      await using server = await sharedServer(kind);
      const page = await newSession(server);
      for (const path of [
        '/api/events',
        '/api/v1/applications',
        `${AUTH}/session`,
        `/api/events/${page.id}`,
      ]) {
        const { headers } = await page.call('GET', path);
        assert.deepEqual(
          [headers.get('cache-control'), headers.get('cross-origin-resource-policy'), headers.get('vary')],
          ['no-store', 'same-origin', 'Cookie'],
          path,
        );
      }
    });

    test('a wrong code gives no cookie, and too many of them are refused', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const asked = await server.call('POST', `${AUTH}/code`, { body: { email } });
      const [given = ''] = asked.headers.getSetCookie();
      assert.match(given, /^simcha_browser=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
      const cookie = given.split(';', 1)[0] ?? '';
      const code = await codeTo(server.dataDir, email);
      const enter = (body: object) =>
        server.call('POST', `${AUTH}/session`, { body, headers: { origin: server.url, cookie } });
      const wrong = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
      for (let i = 0; i < 5; i += 1) {
        const refused = await enter({ email, code: wrong });
        assert.deepEqual([refused.status, refused.body.code], [400, 'wrong_code']);
        assert.deepEqual(refused.headers.getSetCookie(), []);
      }
      const late = await enter({ email, code });
      assert.deepEqual([late.status, late.headers.getSetCookie()], [429, []]);
      const unknown = await enter({ email, code, remember: true });
      assert.deepEqual([unknown.status, unknown.body.field], [400, 'remember']);
    });

    test('another page signs nobody in: not as somebody else, either', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      await server.call('POST', `${AUTH}/code`, { body: { email } });
      const body = { email, code: await codeTo(server.dataDir, email) };
      const host = new URL(server.url).host;
      for (const headers of [
        {},
        { origin: 'null' },
        { origin: `http://demo.${host}` },
        { origin: server.url, 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        const refused = await server.call('POST', `${AUTH}/session`, { body, headers });
        assert.deepEqual([refused.status, refused.body.code], [403, 'wrong_origin'], JSON.stringify(headers));
        assert.deepEqual(refused.headers.getSetCookie(), []);
      }
      const headers = { origin: server.url };
      assert.equal((await server.call('POST', `${AUTH}/session`, { body, headers })).status, 201);
    });

    test('a change that another page has the browser ask for is refused, and writes nothing', async () => {
      await using server = await sharedServer(kind);
      const page = await newSession(server);
      const other = await newSession(server, page.email);
      const { cookie, origin, 'x-csrf-token': token } = page.headers;
      const host = new URL(server.url).host;
      const forged: [string, Record<string, string>][] = [
        ['wrong_origin', { cookie, 'x-csrf-token': token }],
        ['wrong_origin', { cookie, 'x-csrf-token': token, origin: `http://demo.${host}` }],
        ['wrong_origin', { cookie, 'x-csrf-token': token, origin: 'null' }],
        ['wrong_origin', { cookie, 'x-csrf-token': token, origin, 'sec-fetch-site': 'same-site' }],
        ['csrf_token', { cookie, origin }],
        ['csrf_token', { cookie, origin, 'x-csrf-token': '' }],
        ['csrf_token', { cookie, origin, 'x-csrf-token': other.headers['x-csrf-token'] }],
      ];
      const made = await page.call('POST', '/api/events', { body: EVENT });
      const path = `/api/events/${made.body.event.id}`;
      for (const [code, headers] of forged) {
        const changes: [string, string, object?][] = [
          ['POST', '/api/events', EVENT],
          ['PUT', path, { title: 'stolen' }],
          ['DELETE', path],
          ['POST', `${path}/guests`, { name: 'Nobody' }],
          ['POST', '/api/v1/applications', APPLICATION],
          ['POST', '/api/v1/users/me/tokens', { name: 'stolen' }],
          ['POST', `/api/v1/applications/${randomUUID()}/deploy`],
          ['DELETE', `${AUTH}/session`],
          ['DELETE', `${AUTH}/sessions`],
          ['DELETE', `${AUTH}/sessions/${other.id}`],
        ];
        for (const [method, to, body] of changes) {
          const refused = await server.call(method, to, {
            body,
            headers: { 'accept-language': 'en', ...headers },
          });
          const told = `${method} ${to} ${JSON.stringify(headers)}`;
          assert.deepEqual([refused.status, refused.body.code], [403, code], told);
          assert.deepEqual(refused.headers.getSetCookie(), [], told);
        }
      }
      const { events, total } = (await page.call('GET', '/api/events')).body;
      assert.deepEqual([total, events[0].title], [1, EVENT.title]);
      assert.equal((await page.call('GET', `${path}/guests`)).body.total, 0);
      assert.equal((await page.call('GET', '/api/v1/applications')).body.total, 0);
      assert.deepEqual((await page.call('GET', '/api/v1/users/me/tokens')).body.tokens, []);
      assert.ok(await opens(other));
    });

    test('another page loads nothing by the cookie, but a link leads to what it shows', async () => {
      await using server = await sharedServer(kind);
      const { headers } = await newSession(server);
      const { cookie } = headers;
      for (const path of ['/api/events', '/api/v1/applications', `${AUTH}/session`]) {
        for (const site of ['same-site', 'cross-site']) {
          const image = { cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' };
          const refused = await browse(server, path, { ...image, 'accept-language': 'en' });
          assert.deepEqual([refused.status, refused.body.code], [403, 'wrong_origin'], `${path} ${site}`);
          assert.equal(refused.headers['cross-origin-resource-policy'], 'same-origin');
          const link = { cookie, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' };
          assert.equal((await browse(server, path, link)).status, 200, `${path} ${site}`);
        }
        const own = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
        assert.equal((await browse(server, path, own)).status, 200, path);
      }
    });

    test('of two cookies of the name none counts, and beside another credential none does', async () => {
      await using server = await sharedServer(kind);
      const [mine, theirs] = [await newSession(server), await newSession(server)];
      const both = [
        `${mine.headers.cookie}; ${theirs.headers.cookie}`,
        `${theirs.headers.cookie}; ${mine.headers.cookie}`,
        `${mine.headers.cookie}; simcha_session=`,
        `${mine.headers.cookie}; ${mine.headers.cookie}`,
      ];
      const paths = ['/api/events', '/api/v1/applications', `${AUTH}/sessions`];
      for (const path of paths) {
        for (const cookie of both)
          assert.equal((await mine.call('GET', path, { headers: { cookie } })).status, 401, path);
        for (const headers of [
          { authorization: 'Bearer x' },
          { authorization: 'Basic eDp4' },
          { 'x-api-key': 'x' },
        ])
          assert.equal(
            (await mine.call('GET', path, { headers })).status,
            401,
            `${path} ${Object.keys(headers)}`,
          );
        assert.equal(
          (await mine.call('GET', path, { headers: { cookie: `a=1; ${mine.headers.cookie}` } })).status,
          200,
        );
      }
      // A sign-in ends what the browser had; of two it is not known which that is.
      await startSession(server, somebody(), { cookie: both[0] ?? '' });
      assert.deepEqual([await opens(mine), await opens(theirs)], [true, true]);
    });

    test('signing out ends the session at once, and can be done twice', async () => {
      await using server = await sharedServer(kind);
      const page = await newSession(server);
      const out = await page.call('DELETE', `${AUTH}/session`);
      assert.equal(out.status, 204);
      const taken = ['simcha_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'];
      assert.deepEqual(out.headers.getSetCookie(), taken);
      for (const path of [`${AUTH}/sessions`, '/api/events', '/api/v1/applications'])
        assert.equal((await page.call('GET', path)).status, 401, path);
      const again = await page.call('DELETE', `${AUTH}/session`);
      assert.deepEqual([again.status, again.headers.getSetCookie()], [204, taken]);
    });

    test('signing in again ends the session that the browser had, whoever’s it was', async () => {
      await using server = await sharedServer(kind);
      const before = await newSession(server);
      const elsewhere = await newSession(server, before.email);
      const { status } = await startSession(server, somebody(), { cookie: before.headers.cookie });
      assert.equal(status, 201);
      assert.deepEqual([await opens(before), await opens(elsewhere)], [false, true]);
    });

    test('somebody sees where they are signed in, and ends one or all others', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const agent = `Mozilla/5.0 \u00a0 (test) ${'x'.repeat(400)}`;
      await startSession(server, email, { 'user-agent': agent });
      const [second, here] = [await newSession(server, email), await newSession(server, email)];
      const stranger = await newSession(server);
      const { status, body } = await here.call('GET', `${AUTH}/sessions`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.sessions.map(({ current }: { current: boolean }) => current),
        [true, false, false],
      );
      assert.deepEqual(
        body.sessions.slice(0, 2).map(({ id }: { id: string }) => id),
        [here.id, second.id],
      );
      const first = body.sessions[2];
      assert.deepEqual(Object.keys(first).sort(), [
        'address',
        'created_at',
        'current',
        'expires_at',
        'id',
        'seen_at',
        'user_agent',
      ]);
      assert.ok(first.user_agent.startsWith('Mozilla/5.0') && first.user_agent.length === 300);
      assert.match(first.address, /^198\.18\./);

      for (const id of [stranger.id, randomUUID(), 'x']) {
        const missing = await here.call('DELETE', `${AUTH}/sessions/${id}`);
        assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
      }
      const path = `${AUTH}/sessions/${first.id}`;
      assert.equal((await here.call('DELETE', path)).status, 204);
      assert.equal((await here.call('DELETE', path)).status, 404);
      assert.ok(await opens(second));
      assert.equal((await here.call('DELETE', `${AUTH}/sessions`)).status, 204);
      assert.deepEqual([await opens(here), await opens(second), await opens(stranger)], [true, false, true]);
      const self = await here.call('DELETE', `${AUTH}/sessions/${here.id}`);
      assert.equal(self.status, 204);
      assert.match(self.headers.getSetCookie()[0] ?? '', /^simcha_session=; .*Max-Age=0/);
      assert.ok(!(await opens(here)));
    });

    test('a session ends thirty days after its last use, and half a year after it was made', async () => {
      const start = Temporal.Instant.from('2026-11-21T08:00:00Z');
      let now = start;
      const later = (hours: number) => {
        now = start.add({ seconds: hours * 3_600 });
      };
      await using server = await startServer(kind, { clock: () => now });
      const page = await newSession(server);
      const idle = await newSession(server, page.email);
      const read = async () =>
        (await page.call('GET', `${AUTH}/sessions`)).body.sessions?.find(
          ({ current }: { current: boolean }) => current,
        );
      const days = (count: number) =>
        start.add({ hours: 24 * count }).toString({ fractionalSecondDigits: 3 });
      later(0.15);
      assert.deepEqual([(await read()).seen_at, (await read()).expires_at], [days(0), days(30)]);
      // Noted every ten minutes.
      later(1 / 6);
      const noted = await read();
      assert.equal(noted.seen_at, '2026-11-21T08:10:00.000Z');
      assert.equal(noted.expires_at, '2026-12-21T08:10:00.000Z');
      later(24 * 30 - 1);
      assert.equal((await read()).expires_at, '2027-01-20T07:00:00.000Z');
      later(24 * 30);
      assert.deepEqual([await opens(page), await opens(idle)], [true, false]);
      assert.equal((await page.call('GET', `${AUTH}/sessions`)).body.sessions.length, 1);
      for (const day of [55, 80, 105, 130, 155, 179]) {
        later(24 * day);
        assert.ok(await opens(page), `day ${day}`);
      }
      assert.equal((await read()).expires_at, days(180));
      later(24 * 180);
      assert.ok(!(await opens(page)));
      assert.equal((await page.call('GET', '/api/events')).status, 401);

      const db = server.simcha.database.sql;
      const kept = async () => (await sql`select 1 from sessions`.execute(db)).rows.length;
      assert.equal(await kept(), 2);
      await new SessionStore(db).forget(now.subtract({ seconds: 1 }));
      assert.equal(await kept(), 1);
      await new SessionStore(db).forget(now);
      assert.equal(await kept(), 0);
    });

    test('a database that takes no writes has a session read, and what it opens', async () => {
      let now = Temporal.Now.instant();
      await using server = await startServer(kind, { clock: () => now });
      const page = await newSession(server);
      const db = server.simcha.database.sql;
      await sql`
        create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'read-only' using errcode = '25006'; end $$`.execute(db);
      await sql`create trigger refuse before update on sessions for each row execute function refuse()`.execute(
        db,
      );
      now = now.add({ hours: 1 });
      for (const path of [`${AUTH}/sessions`, '/api/events', '/api/v1/applications'])
        assert.equal((await page.call('GET', path)).status, 200, path);
    });

    test('an account has fifty sessions: the one unused longest goes', async () => {
      await using server = await startServer(kind);
      const email = somebody();
      const [oldest, second] = [await newSession(server, email), await newSession(server, email)];
      const db = server.simcha.database.sql;
      await sql`
        insert into sessions (id, account_id, hash, address, created_at, seen_at, expires_at)
        select gen_random_uuid(), account_id, sha256(n::text::bytea), 'here', now(), now(), now() + interval '1 day'
        from sessions, generate_series(1, 48) n where id = ${oldest.id}`.execute(db);
      assert.deepEqual([await opens(oldest), await opens(second)], [true, true]);
      // Used since: not the one that goes.
      await sql`update sessions set seen_at = now() + interval '1 minute' where id = ${oldest.id}`.execute(
        db,
      );
      const newest = await newSession(server, email);
      assert.deepEqual([await opens(oldest), await opens(second), await opens(newest)], [true, false, true]);
      assert.equal((await newest.call('GET', `${AUTH}/sessions`)).body.sessions.length, 50);
    });

    test('an account that is deleted has no sessions', async () => {
      await using server = await sharedServer(kind);
      const [page, other] = [await newSession(server), await newSession(server)];
      const db = server.simcha.database.sql;
      await sql`delete from users where user_id = ${page.userId}`.execute(db);
      assert.deepEqual([await opens(page), await opens(other)], [false, true]);
      const { rows } = await sql`select 1 from sessions where id = ${page.id}`.execute(db);
      assert.deepEqual(rows, []);
    });

    test('the database does not know what the cookie carries', async () => {
      await using server = await sharedServer(kind);
      const page = await newSession(server);
      const { rows } = await sql<{ hash: Uint8Array; row: string }>`
        select hash, sessions::text as row from sessions where id = ${page.id}`.execute(
        server.simcha.database.sql,
      );
      const hash = createHash('sha256').update(page.token).digest();
      assert.deepEqual(Buffer.from(rows[0]?.hash ?? ''), hash);
      const hex = (text: string) => Buffer.from(text).toString('hex');
      for (const plain of [page.token, page.headers['x-csrf-token']])
        assert.ok(!rows[0]?.row.includes(plain) && !rows[0]?.row.includes(hex(plain)));
    });
  });
}

test('where the platform is at https, the cookie is the host’s own and never travels in the open', async () => {
  await using server = await startServer('postgres', { env: { PUBLIC_URL: 'https://simcha.example.com' } });
  const { host } = new URL(server.url);
  const inTheOpen = await startSession(server, somebody());
  assert.deepEqual([inTheOpen.status, inTheOpen.body.code], [403, 'wrong_origin']);
  const origin = `https://${host}`;
  const { status, headers, body } = await startSession(server, somebody(), { origin });
  assert.equal(status, 201);
  const [cookie = ''] = headers.getSetCookie();
  assert.match(
    cookie,
    /^__Host-simcha_session=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
  );
  const [pair = ''] = cookie.split(';');
  const page = { cookie: pair, origin, 'x-csrf-token': body.csrf_token };
  assert.equal((await server.call('POST', '/api/events', { body: EVENT, headers: page })).status, 201);
  // One by the other name is somebody else's: it opens nothing, and takes nothing away.
  const plain = pair.replace('__Host-', '');
  const read = (given: string) => server.call('GET', '/api/events', { headers: { cookie: given } });
  assert.deepEqual([(await read(plain)).status, (await read(`${plain}; ${pair}`)).status], [401, 200]);
  const out = await server.call('DELETE', `${AUTH}/session`, { headers: page });
  assert.match(out.headers.getSetCookie()[0] ?? '', /^__Host-simcha_session=; .*; Secure$/);
});

test('the host is the one that a proxy we trust says, and nobody else’s word', async () => {
  const far = { 'x-forwarded-host': 'simcha.example', origin: 'http://simcha.example' };
  await using behind = await sharedServer('postgres');
  assert.equal((await startSession(behind, somebody(), far)).status, 201);
  const { 'x-forwarded-host': _, ...alone } = far;
  assert.equal((await startSession(behind, somebody(), alone)).status, 403);
  await using server = await startServer(ANY_DATABASE);
  assert.equal((await startSession(server, somebody(), far)).status, 403);
});

test('one server ends a session, and another one on the database knows it at once', async () => {
  await using database = await temporaryDatabase('postgres');
  const second = await mkdtemp(join(tmpdir(), 'simcha-test-'));
  const env = { ...database.env, PORT: '0', JWT_SECRET: SECRET, ENCRYPTION_KEY: KEY, LOG_LEVEL: 'silent' };
  const open = async (dataDir: string) => {
    const simcha = await startInProcess({ ...env, DATA_DIR: dataDir });
    const url = `http://127.0.0.1:${(simcha.app.server.address() as AddressInfo).port}`;
    return { url, dataDir, call: createClient(url), [Symbol.asyncDispose]: () => simcha.close() };
  };
  try {
    await using one = await open(database.env.DATA_DIR);
    const page = await newSession(one);
    await using other = await open(second);
    const there = (method: string, path: string, headers = {}) =>
      other.call(method, path, { headers: { ...page.headers, origin: other.url, ...headers } });
    assert.equal((await there('GET', '/api/events')).status, 200);
    const body = EVENT;
    const made = { ...page.headers, origin: other.url };
    assert.equal((await other.call('POST', '/api/events', { body, headers: made })).status, 201);
    assert.equal((await page.call('DELETE', `${AUTH}/session`)).status, 204);
    assert.equal((await there('GET', '/api/events')).status, 401);
    assert.equal((await there('GET', '/api/v1/applications')).status, 401);
  } finally {
    await rm(second, { recursive: true, force: true });
  }
});

test('of several requests at once one notes the use of a session, and all are let in', async () => {
  let now = Temporal.Now.instant();
  await using server = await startServer('postgres', { clock: () => now });
  const page = await newSession(server);
  const db = server.simcha.database.sql;
  await sql`create table notes (at timestamptz)`.execute(db);
  await sql`
    create function note() returns trigger language plpgsql as
    $$ begin insert into notes values (new.seen_at); return new; end $$`.execute(db);
  await sql`create trigger notes after update on sessions for each row execute function note()`.execute(db);
  now = now.add({ minutes: 11 });
  // Each has read that it is due before the first of them can note it.
  const asked = await db.transaction().execute(async (transaction) => {
    await sql`select 1 from sessions for update`.execute(transaction);
    const all = Array.from({ length: 5 }, () => page.call('GET', '/api/events'));
    await until(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length === all.length;
    });
    return { all };
  });
  const answers = await Promise.all(asked.all);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.equal((await sql`select 1 from notes`.execute(db)).rows.length, 1);
});

test('signing in by a browser is counted with all that guessing could pay for', async () => {
  await using server = await startServer('postgres', { env: { STRICT_RATE_LIMIT: '3' } });
  const enter = () =>
    server.call('POST', `${AUTH}/session`, {
      body: { email: somebody(), code: 'AAAA-AAAA' },
      headers: { origin: server.url },
    });
  for (let i = 0; i < 3; i += 1) assert.equal((await enter()).status, 400);
  assert.equal((await enter()).status, 429);
});

test('what another page asks for is not taken from the allowance of the user', async () => {
  await using server = await startServer('postgres', { env: { RATE_LIMIT: '5' } });
  const page = await newSession(server);
  const forge = () => page.call('GET', '/api/events', { headers: { 'sec-fetch-site': 'same-site' } });
  for (let i = 0; i < 5; i += 1) assert.equal((await forge()).status, 403);
  assert.equal((await forge()).status, 429);
  assert.equal((await page.call('GET', '/api/events')).status, 200);
});

test('pages of other origins may call the API, and never with the cookie', async () => {
  for (const CORS_ORIGINS of ['https://console.example', '*']) {
    await using server = await startServer(ANY_DATABASE, { env: { CORS_ORIGINS } });
    const page = await newSession(server);
    const headers = { origin: 'https://console.example', 'access-control-request-method': 'POST' };
    for (const path of ['/api/events', '/api/v1/applications', `${AUTH}/session`, `${AUTH}/sessions`]) {
      const preflight = await server.call('OPTIONS', path, { headers });
      const read = await page.call('GET', path, { headers: { origin: 'https://console.example' } });
      for (const answer of [preflight, read]) {
        assert.ok(answer.headers.get('access-control-allow-origin'), path);
        assert.equal(answer.headers.get('access-control-allow-credentials'), null, path);
      }
      if (CORS_ORIGINS !== '*') assert.equal(read.headers.get('vary'), 'Origin, Cookie');
    }
  }
});

test('while the database is not there, a session is neither right nor wrong', async () => {
  await using database = await temporaryDatabase('embedded');
  const config = readConfig({ ...database.env, JWT_SECRET: SECRET });
  const simcha = await composeSimcha(config, pino({ level: 'silent' }));
  try {
    const headers = { cookie: `simcha_session=${'a'.repeat(43)}` };
    for (const url of ['/api/events', '/api/v1/applications', `${AUTH}/session`])
      assert.equal((await simcha.app.inject({ url, headers })).statusCode, 503, url);
    assert.equal((await simcha.app.inject({ url: '/api/events' })).statusCode, 401);
  } finally {
    await simcha.close();
  }
});

test('no log has the cookie, the code or the token for changes', async () => {
  await using database = await temporaryDatabase('embedded');
  const child = await spawnReadyServer({ ...database.env, LOG_LEVEL: 'trace' });
  const dataDir = database.env.DATA_DIR;
  const server = { url: child.url, dataDir, call: createClient(child.url) };
  const page = await newSession(server);
  const code = await codeTo(dataDir, page.email);
  await page.call('POST', '/api/events', { body: EVENT });
  await page.call('POST', '/api/events', { body: EVENT, headers: { origin: 'null' } });
  await page.call('GET', '/api/events', {
    headers: { cookie: `${page.headers.cookie}; ${page.headers.cookie}` },
  });
  await page.call('DELETE', `${AUTH}/session`);
  child.child.kill('SIGTERM');
  await child.ended;
  const log = child.output();
  assert.match(log, /"route":"\/api\/auth\/session","status":201/);
  for (const secret of [page.token, page.headers['x-csrf-token'], code, 'simcha_session'])
    assert.ok(!log.includes(secret));
});
