import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { codeTo, mailTo } from '../support/outbox.ts';
import { ANY_DATABASE, DATABASES_OF_SLOW_TESTS, startServer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const V1 = '/api/v1';
const somebody = () => `somebody-${randomUUID()}@example.com`;
const key = (apiKey: string) => ({ 'x-api-key': apiKey });

async function register(
  server: Pick<TestServer, 'call'>,
  email: string,
  headers: Record<string, string> = {},
) {
  const answer = await server.call('POST', `${V1}/users/register`, { body: { email }, headers });
  return answer as typeof answer & { body: { user_id: string; api_key: string } };
}

const verify = (server: Pick<TestServer, 'call'>, body: object, headers: Record<string, string> = {}) =>
  server.call('POST', `${V1}/users/verify`, { body, headers });

/** Another code than the one given. */
const wrong = (code: string) => (code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`);

for (const kind of DATABASES_OF_SLOW_TESTS) {
  describe(`identity on ${kind}`, () => {
    test('somebody registers, verifies by the mailed code, and reads who they are', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { status, body, headers } = await register(server, email);
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(body).sort(), ['api_key', 'user_id']);
      assert.match(body.api_key, /^sk_[0-9A-Za-z]{43}$/);
      assert.equal(headers.get('cache-control'), 'no-store');

      const before = await server.call('GET', `${V1}/users/me`, { headers: key(body.api_key) });
      assert.equal(before.status, 200);
      assert.deepEqual(Object.keys(before.body).sort(), ['email', 'registered_at', 'user_id', 'verified']);
      assert.deepEqual(
        [before.body.user_id, before.body.email, before.body.verified],
        [body.user_id, email, false],
      );

      const code = await codeTo(server.dataDir, email);
      const verified = await verify(server, { code });
      assert.equal(verified.status, 200, verified.text);
      assert.deepEqual(verified.body, { user_id: body.user_id, email, verified: true });
      const after = await server.call('GET', `${V1}/users/me`, { headers: key(body.api_key) });
      assert.equal(after.body.verified, true);

      const again = await verify(server, { code });
      assert.deepEqual([again.status, again.body.code], [400, 'wrong_code']);
    });

    test('a code is taken with email, user_id or key to say whose it is, however it is typed', async () => {
      await using server = await sharedServer(kind);
      const ways = [
        (email: string) => ({ body: { email: email.toUpperCase() }, headers: {} }),
        (_: string, { user_id }: { user_id: string }) => ({ body: { user_id }, headers: {} }),
        (_: string, { api_key }: { api_key: string }) => ({ body: {}, headers: key(api_key) }),
      ];
      for (const way of ways) {
        const email = somebody();
        const { body } = await register(server, email);
        const code = await codeTo(server.dataDir, email);
        const { body: about, headers } = way(email, body);
        const typed = ` ${code.toLowerCase().replace('-', ' ')} `;
        const answer = await verify(server, { code: typed, ...about }, headers);
        assert.equal(answer.status, 200, answer.text);
      }
    });

    test('a code of one user is wrong for another, and for a key of another', async () => {
      await using server = await sharedServer(kind);
      const [mine, theirs] = [somebody(), somebody()];
      await register(server, mine);
      const { body: other } = await register(server, theirs);
      const code = await codeTo(server.dataDir, mine);
      for (const [about, headers] of [
        [{ email: theirs }, {}],
        [{ user_id: other.user_id }, {}],
        [{}, key(other.api_key)],
        [{ email: mine }, key(other.api_key)],
        [{ user_id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44' }, {}],
      ] as const) {
        assert.equal((await verify(server, { code, ...about }, headers)).status, 400);
      }
      assert.equal((await verify(server, { code }, key('sk_unknown'))).status, 401);
      assert.equal((await verify(server, { code })).status, 200);
    });

    test('registered again before verifying: the same user, and another key with a code of its own', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const first = await register(server, email);
      const firstCode = await codeTo(server.dataDir, email);
      const second = await register(server, email);
      assert.deepEqual([second.status, second.body.user_id], [201, first.body.user_id]);
      for (const { body } of [first, second]) {
        const seen = await server.call('GET', `${V1}/users/me`, { headers: key(body.api_key) });
        assert.deepEqual([seen.status, seen.body.verified], [200, false]);
      }
      const secondCode = await codeTo(server.dataDir, email, 1);
      const mine = key(second.body.api_key);
      assert.equal((await verify(server, { code: secondCode, email }, mine)).status, 200);
      assert.equal((await verify(server, { code: firstCode, email })).status, 400);
      const opens = async ({ body }: typeof first) =>
        (await server.call('GET', `${V1}/users/me`, { headers: key(body.api_key) })).status;
      assert.deepEqual([await opens(first), await opens(second)], [401, 200]);
      const third = await register(server, email.toUpperCase());
      assert.deepEqual(
        [third.status, third.body as unknown],
        [409, { error: third.body.error, code: 'already_registered' }],
      );
    });

    test('five wrong tries by a key kill its code, and then even the right one is refused; the next one counts anew', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { body: own } = await register(server, email);
      const code = await codeTo(server.dataDir, email);
      for (const about of [{}, { email }, { user_id: own.user_id }, {}, {}]) {
        assert.equal((await verify(server, { code: wrong(code), ...about }, key(own.api_key))).status, 400);
      }
      const late = await verify(server, { code, email }, key(own.api_key));
      assert.deepEqual([late.status, late.body.code], [429, 'too_many_tries']);
      const wait = Number(late.headers.get('retry-after'));
      assert.ok(wait > 800 && wait <= 900, String(wait));
      // Without saying whose it is: the code is dead, not only refused.
      assert.equal((await verify(server, { code })).status, 400);
      await server.call('POST', `${V1}/users/verify/resend`, { headers: key(own.api_key) });
      const fresh = await codeTo(server.dataDir, email, 1);
      assert.equal((await verify(server, { code: fresh }, key(own.api_key))).status, 200);
    });

    test('a user_id counts its own wrong tries while its registration is the only one, and none of anybody afterwards', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { body: theirs } = await register(server, email);
      const guess = (headers = {}) => verify(server, { code: 'WRNG-WRNG', user_id: theirs.user_id }, headers);
      for (let i = 0; i < 5; i += 1) assert.equal((await guess()).status, 400);
      assert.equal((await guess()).status, 429);
      // The owner registers too, and has the same user_id.
      const { body: own } = await register(server, email);
      const code = await codeTo(server.dataDir, email, 1);
      for (let i = 0; i < 6; i += 1) assert.equal((await guess()).status, 400);
      assert.equal((await verify(server, { code }, key(own.api_key))).status, 200);
    });

    test('tries and codes are forgotten after a quarter of an hour', async () => {
      let now = Temporal.Now.instant();
      await using server = await startServer(kind, { clock: () => now });
      const email = somebody();
      await register(server, email);
      const code = await codeTo(server.dataDir, email);
      for (let i = 0; i < 20; i += 1) await verify(server, { code: wrong(code), email });
      assert.equal((await verify(server, { code, email })).status, 429);
      now = now.add({ minutes: 14, seconds: 59 });
      assert.equal((await verify(server, { code, email })).status, 429);
      now = now.add({ seconds: 1 });
      await server.call('POST', `${V1}/users/verify/resend`, { body: { email } });
      const fresh = await codeTo(server.dataDir, email, 1);
      now = now.add({ minutes: 14, seconds: 59 });
      assert.equal((await verify(server, { code: fresh, email })).status, 200);

      const late = somebody();
      await register(server, late);
      const old = await codeTo(server.dataDir, late);
      now = now.add({ minutes: 15 });
      assert.equal((await verify(server, { code: old, email: late })).status, 400);
    });

    test('twenty wrong tries of one client are all it has, whomever they are about', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      await register(server, email);
      const code = await codeTo(server.dataDir, email);
      const guesses = Array.from({ length: 30 }, (_, i) =>
        verify(server, { code: `WRNG-${1000 + i}`, email: somebody() }),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 400).length, 20);
      assert.equal(statuses.filter((status) => status === 429).length, 10);
      assert.equal((await verify(server, { code, email })).status, 429);
    });

    test('a client that has used up its tries can’t use up those of others', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      await register(server, email);
      const code = await codeTo(server.dataDir, email);
      const guesser = { 'x-forwarded-for': '192.0.2.7' };
      for (let i = 0; i < 20; i += 1) await verify(server, { code, email: somebody() }, guesser);
      for (let i = 0; i < 6; i += 1) {
        assert.equal((await verify(server, { code: wrong(code), email }, guesser)).status, 429);
      }
      assert.equal((await verify(server, { code, email }, { 'x-forwarded-for': '192.0.2.8' })).status, 200);
    });

    test('of twenty guesses at once by one key no more than five are judged', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { body: own } = await register(server, email);
      const code = await codeTo(server.dataDir, email);
      const guesses = Array.from({ length: 20 }, () =>
        verify(server, { code: wrong(code), email }, key(own.api_key)),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 400).length, 5);
      assert.equal(statuses.filter((status) => status === 429).length, 15);
    });

    test('of twenty verifications at once one is right', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      await register(server, email);
      const code = await codeTo(server.dataDir, email);
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(server, { code, email })));
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1);
      assert.ok(
        statuses.every((status) => [200, 400, 429].includes(status)),
        String(statuses),
      );
    });

    test('twenty registrations of one address at once make one user, of which one code leaves one key', async () => {
      await using server = await startServer(kind, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
      const email = somebody();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          register(server, email, { 'x-forwarded-for': `192.0.2.${i + 1}` }),
        ),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array.from({ length: 20 }, () => 201),
      );
      assert.equal(new Set(answers.map(({ body }) => body.user_id)).size, 1);
      const living = async () => {
        const seen = await Promise.all(
          answers.map(({ body }) => server.call('GET', `${V1}/users/me`, { headers: key(body.api_key) })),
        );
        const { rows } = await sql`select 1 from one_time_codes`.execute(server.simcha.database.sql);
        return { keys: seen.filter(({ status }) => status === 200).length, codes: rows.length };
      };
      assert.deepEqual(await living(), { keys: 20, codes: 20 });
      const { text } = await mailTo(server.dataDir, email, 19);
      const code = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0];
      const own = answers.find(({ body }) => text.includes(body.api_key.slice(0, 7)));
      const verified = await verify(server, { code }, key(own?.body.api_key ?? ''));
      assert.equal(verified.status, 200, verified.text);
      assert.deepEqual(await living(), { keys: 1, codes: 0 });
    });

    test('registering and verifying at once never fails unexpectedly', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      await register(server, email);
      const code = await codeTo(server.dataDir, email);
      const calls = Array.from({ length: 12 }, (_, i) =>
        i % 2 ? register(server, email) : verify(server, { code: i === 6 ? code : wrong(code), email }),
      );
      for (const { status, text } of await Promise.all(calls)) {
        assert.ok([200, 201, 400, 409, 429].includes(status), `${status} ${text}`);
      }
    });

    test('nothing tells whether an address is known', async () => {
      await using server = await sharedServer(kind);
      const known = somebody();
      await register(server, known);
      await verify(server, { code: await codeTo(server.dataDir, known), email: known });
      const unverified = somebody();
      await register(server, unverified);
      const shape = async (path: string, body: object) => {
        const { status, text, headers } = await server.call('POST', path, { body });
        // Random, and of one length.
        const said = text.replace(/"request_id":"[\w-]{43}"/, '"request_id":""');
        return [status, said, headers.get('content-type')];
      };
      for (const [path, more] of [
        ['/api/auth/code', {}],
        ['/api/auth/token', { code: 'WRNG-WRNG' }],
        [`${V1}/users/verify`, { code: 'WRNG-WRNG' }],
        [`${V1}/users/verify/resend`, {}],
      ] as const) {
        const answers = await Promise.all(
          [known, unverified, somebody()].map((email) => shape(path, { email, ...more })),
        );
        assert.deepEqual(answers[0], answers[1], path);
        assert.deepEqual(answers[0], answers[2], path);
      }
      // The unverified one got another code, the verified one a sign-in code alone.
      await mailTo(server.dataDir, unverified, 2);
      assert.match((await mailTo(server.dataDir, known, 1)).subject, /כניסה/);
    });

    test('an organizer signs in by a mailed code, once, and plans an event with the token', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const asked = await server.call('POST', '/api/auth/code', { body: { email } });
      assert.deepEqual([asked.status, Object.keys(asked.body)], [202, ['status', 'request_id']]);
      const code = await codeTo(server.dataDir, email);
      const signedIn = await server.call('POST', '/api/auth/token', { body: { email, code } });
      assert.equal(signedIn.status, 200, signedIn.text);
      const { token, user } = signedIn.body;
      assert.deepEqual([user.email, user.role, user.verified], [email, 'organizer', true]);
      const payload = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
      assert.deepEqual(
        [payload.sub, payload.role, payload.exp - payload.iat],
        [user.user_id, 'organizer', 12 * 3600],
      );
      const event = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
      const created = await server.call('POST', '/api/events', { token, body: event });
      assert.deepEqual([created.status, created.body.event.organizer_id], [201, user.user_id]);
      assert.equal((await server.call('POST', '/api/auth/token', { body: { email, code } })).status, 400);
      // The same user signs in again; the token also opens the user's own record.
      await server.call('POST', '/api/auth/code', { body: { email: email.toUpperCase() } });
      const next = await codeTo(server.dataDir, email.toUpperCase());
      const second = await server.call('POST', '/api/auth/token', { body: { email, code: next } });
      assert.equal(second.body.user.user_id, user.user_id);
      assert.equal((await server.call('GET', `${V1}/users/me`, { token })).body.user_id, user.user_id);
    });

    test('a verification code does not sign in, and a sign-in code does not verify', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      await register(server, email);
      const verification = await codeTo(server.dataDir, email);
      await server.call('POST', '/api/auth/code', { body: { email } });
      const signIn = await codeTo(server.dataDir, email, 1);
      assert.equal(
        (await server.call('POST', '/api/auth/token', { body: { email, code: verification } })).status,
        400,
      );
      assert.equal((await verify(server, { email, code: signIn })).status, 400);
    });

    test('who registered somebody else’s address keeps no key once its owner signs in', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { body: squatter } = await register(server, email);
      await server.call('POST', '/api/auth/code', { body: { email } });
      const code = await codeTo(server.dataDir, email, 1);
      assert.equal((await server.call('POST', '/api/auth/token', { body: { email, code } })).status, 200);
      assert.equal(
        (await server.call('GET', `${V1}/users/me`, { headers: key(squatter.api_key) })).status,
        401,
      );
    });

    test('keys are made, listed without their secret, and revoked by their owner alone', async () => {
      await using server = await sharedServer(kind);
      const { body: mine } = await register(server, somebody());
      const { body: theirs } = await register(server, somebody());
      const made = await server.call('POST', `${V1}/users/me/tokens`, {
        headers: key(mine.api_key),
        body: { name: 'CI' },
      });
      assert.equal(made.status, 201, made.text);
      assert.ok(made.body.token.startsWith(made.body.hint));
      assert.equal(
        (await server.call('GET', `${V1}/users/me`, { headers: key(made.body.token) })).status,
        200,
      );
      const list = await server.call('GET', `${V1}/users/me/tokens`, { headers: key(mine.api_key) });
      assert.deepEqual(
        list.body.tokens.map(({ name }: { name: string }) => name),
        ['registration', 'CI'],
      );
      assert.ok(!list.text.includes(made.body.token) && !list.text.includes(mine.api_key));
      const path = `${V1}/users/me/tokens/${made.body.id}`;
      assert.equal((await server.call('DELETE', path, { headers: key(theirs.api_key) })).status, 404);
      assert.equal((await server.call('DELETE', path, { headers: key(mine.api_key) })).status, 204);
      assert.equal((await server.call('DELETE', path, { headers: key(mine.api_key) })).status, 404);
      assert.equal(
        (await server.call('DELETE', `${V1}/users/me/tokens/x`, { headers: key(mine.api_key) })).status,
        404,
      );
      assert.equal(
        (await server.call('GET', `${V1}/users/me`, { headers: key(made.body.token) })).status,
        401,
      );
      const statuses = await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          const body = { name: `key ${i}` };
          return (await server.call('POST', `${V1}/users/me/tokens`, { headers: key(mine.api_key), body }))
            .status;
        }),
      );
      assert.equal(statuses.filter((status) => status === 201).length, 49);
      assert.equal(statuses.filter((status) => status === 409).length, 11);
    });

    test('no secret is in the database as it is', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { body } = await register(server, email);
      const code = await codeTo(server.dataDir, email);
      const dump = [];
      for (const table of [
        'users',
        'access_tokens',
        'one_time_codes',
        'code_counts',
        'known_origins',
        'mails',
        'pgboss.job',
      ]) {
        const { rows } = await sql`select row_to_json(t)::text as row from ${sql.raw(table)} t`.execute(
          server.simcha.database.sql,
        );
        dump.push(...rows);
      }
      const text = JSON.stringify(dump);
      for (const secret of [body.api_key, code, code.replace('-', '')]) assert.ok(!text.includes(secret));
      for (const secret of [body.api_key, code])
        assert.ok(!text.includes(Buffer.from(secret).toString('hex')));
    });
  });
}

test('mail speaks the language that the request likes best', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  for (const [language, direction, words] of [
    ['he', 'rtl', /קוד/],
    ['ar', 'rtl', /رمز/],
    ['en', 'ltr', /code/],
  ] as const) {
    for (const path of ['/api/auth/code', `${V1}/users/register`]) {
      const email = somebody();
      await server.call('POST', path, {
        body: { email },
        headers: { 'accept-language': `fr, ${language};q=0.9` },
      });
      const mail = await mailTo(server.dataDir, email);
      assert.match(mail.text, words);
      assert.ok(mail.html.includes(`<html lang="${language}" dir="${direction}">`));
    }
  }
});

test('a mail with a code says when, from which address and for which key it was asked, in its language', async () => {
  const now = Temporal.Instant.from('2026-11-21T22:05:30Z');
  await using server = await startServer('postgres', {
    clock: () => now,
    env: { TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  for (const [language, when] of [
    ['he', '22 בנובמבר 2026 בשעה 00:05'],
    ['ar', '22 تشرين الثاني 2026 الساعة 00:05'],
    ['en', '22 November 2026 at 00:05'],
  ] as const) {
    for (const [forwarded, from] of [
      ['203.0.113.7', '203.0.113.7'],
      ['198.51.100.9, 2001:db8::7', '2001:db8::7'],
      ['::ffff:203.0.113.8', '203.0.113.8'],
    ] as const) {
      const headers = { 'accept-language': language, 'x-forwarded-for': forwarded };
      const email = somebody();
      const { body } = await register(server, email, headers);
      const verification = await mailTo(server.dataDir, email);
      await server.call('POST', '/api/auth/code', { body: { email }, headers });
      const signIn = await mailTo(server.dataDir, email, 1);
      // Set apart from text that runs from right to left.
      const apart = (text: string) => (language === 'en' ? text : `\u2066${text}\u2069`);
      for (const mail of [verification, signIn]) {
        for (const part of [when, apart(from)]) {
          assert.ok(mail.text.includes(part) && mail.html.includes(part), `${part}: ${mail.text}`);
        }
      }
      assert.ok(verification.text.includes(apart(body.api_key.slice(0, 7))));
      assert.ok(!signIn.text.includes('sk_'));
    }
  }
});

test('the address in a mail is that of the connection where no proxy is trusted', async () => {
  await using server = await startServer('postgres');
  const email = somebody();
  await register(server, email, { 'x-forwarded-for': '203.0.113.7' });
  const { text } = await mailTo(server.dataDir, email);
  assert.ok(text.includes('127.0.0.1') && !text.includes('203.0.113.7'), text);
});

test('wrong bodies are told, by field, and absurd addresses refused', async () => {
  await using server = await sharedServer(ANY_DATABASE);
  const cases: [string, unknown, RegExp][] = [
    ['register', undefined, /body/],
    ['register', {}, /^email: is required/],
    ['register', { email: 7 }, /^email: must be text/],
    ['register', { email: 'x' }, /^email: must be a mail address/],
    ['register', { email: 'a@b.co\r\nBcc: c@d.co' }, /^email/],
    ['register', { email: 'a@b.co,c@d.co' }, /^email/],
    ['register', { email: `${'a'.repeat(2_000)}@b.co` }, /^email: is too long/],
    ['register', { email: ['a@b.co'] }, /^email: must be text/],
    ['verify', {}, /^code: is required/],
    ['verify', { code: 7 }, /^code: must be text/],
    ['verify', { code: 'x'.repeat(200) }, /^code: is too long/],
    ['verify', { code: 'ABCD-EFGH', user_id: 'x' }, /^user_id/],
    ['verify', { code: 'ABCD-EFGH', email: 'x' }, /^email/],
    ['verify/resend', {}, /^email: is required/],
  ];
  for (const [path, body, said] of cases) {
    const answer = await server.call('POST', `${V1}/users/${path}`, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 400, answer.text);
    if (body !== undefined) assert.match(answer.body.error, said);
    assert.equal(typeof answer.body.code, 'string');
  }
  for (const headers of [
    {},
    key(''),
    key('sk_x'),
    key(`sk_${'A'.repeat(43)}`),
    { authorization: 'Bearer x' },
  ]) {
    const answer = await server.call('GET', `${V1}/users/me`, { headers: headers as Record<string, string> });
    assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized']);
  }
  // A token of somebody who is no user here.
  assert.equal((await server.call('GET', `${V1}/users/me`, { token: await server.token('me') })).status, 401);
});

test('where guessing pays a client has 60 requests a quarter hour, and as many as it likes elsewhere', async () => {
  await using server = await startServer('postgres', { env: { STRICT_RATE_LIMIT: '60' } });
  const { body } = await register(server, somebody());
  for (let i = 0; i < 59; i += 1) {
    assert.equal((await server.call('POST', '/api/auth/code', { body: {} })).status, 400);
  }
  const refused = await server.call('POST', `${V1}/users/verify`, { body: { code: 'ABCD-EFGH' } });
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_requests']);
  assert.ok(Number(refused.headers.get('retry-after')) > 800);
  assert.equal((await server.call('GET', `${V1}/users/me`, { headers: key(body.api_key) })).status, 200);
});
