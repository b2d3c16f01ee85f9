import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { MOST_MAILS, MOST_TRIES } from '../../server/identity/codes.ts';
import type { Client } from '../support/client.ts';
import { codeTo, mailsTo, mailTo } from '../support/outbox.ts';
import { DATABASES_OF_SLOW_TESTS, startServer } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

// Nobody keeps somebody else from signing in: not by wrong codes, not by asking for codes.

const somebody = () => `somebody-${randomUUID()}@example.com`;
const WRONG = 'WRNG-WRNG';
let networks = 0;

type Server = Pick<SharedServer, 'call' | 'dataDir'>;

/** The server as it is called from a network of its own. */
function elsewhere({ call }: Pick<Server, 'call'>): Client {
  networks += 1;
  const headers = { 'x-forwarded-for': `198.18.${200 + (networks >> 8)}.${networks & 255}` };
  return (method, path, options = {}) =>
    call(method, path, { ...options, headers: { ...headers, ...options.headers } });
}

interface Asked {
  code: string;
  handle: string;
  /** As a browser keeps it. */
  cookie: string;
}

/** Asks for a code and reads it in the mail. */
async function ask({ call, dataDir }: Server, email: string, headers = {}): Promise<Asked> {
  const before = await mailsTo(dataDir, email);
  const answer = await call('POST', '/api/auth/code', { body: { email }, headers });
  assert.equal(answer.status, 202, answer.text);
  const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  return { code: await codeTo(dataDir, email, before), handle: answer.body.request_id, cookie };
}

const enter = (call: Client, body: object, headers = {}) =>
  call('POST', '/api/auth/token', { body, headers });

for (const kind of DATABASES_OF_SLOW_TESTS) {
  describe(`sign-in that nobody can lock, on ${kind}`, () => {
    test('wrong codes from elsewhere cost the owner nothing, with the request’s handle or without', async () => {
      await using server = await sharedServer(kind);
      for (const hasHandle of [true, false]) {
        const email = somebody();
        const { code, handle } = await ask(server, email);
        const stranger = elsewhere(server);
        for (let i = 0; i < MOST_TRIES.network; i += 1)
          assert.equal((await enter(stranger, { email, code: WRONG })).status, 400);
        const refused = await enter(stranger, { email, code });
        assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_tries']);
        const body = { email, code, ...(hasHandle && { request_id: handle }) };
        assert.equal((await enter(server.call, body)).status, 200);
      }
    });

    test('wrong codes of a handle end the codes of that handle alone', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const own = await ask(server, email);
      const stranger = { call: elsewhere(server), dataDir: server.dataDir };
      const theirs = await ask(stranger, email);
      for (let i = 0; i < MOST_TRIES.handle; i += 1) {
        const tried = await enter(stranger.call, { email, code: WRONG, request_id: theirs.handle });
        assert.deepEqual([tried.status, tried.body.code], [400, 'wrong_code']);
      }
      const dead = await enter(stranger.call, { email, code: theirs.code, request_id: theirs.handle });
      assert.deepEqual([dead.status, dead.body.code], [429, 'too_many_tries']);
      assert.ok(Number(dead.headers.get('retry-after')) > 800);
      assert.equal((await enter(server.call, { email, code: theirs.code })).status, 400);
      assert.equal((await enter(server.call, { email, code: own.code, request_id: own.handle })).status, 200);
    });

    test('a handle is of its own address alone, and one that nobody was given is none', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const { code } = await ask(server, email);
      const { handle } = await ask(server, somebody());
      const stranger = elsewhere(server);
      const guesses = [handle, 'made up', 'A'.repeat(43), randomUUID()];
      for (let i = 0; i < MOST_TRIES.network; i += 1) {
        const request_id = guesses[i % guesses.length];
        assert.equal((await enter(stranger, { email, code: WRONG, request_id })).status, 400);
      }
      assert.equal((await enter(stranger, { email, code: WRONG, request_id: handle })).status, 429);
      assert.equal((await enter(server.call, { email, code })).status, 200);
    });

    test('asking again leaves the mail in hand good: the last three of a browser, of which one ends all', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const first = await ask(server, email);
      const headers = { cookie: first.cookie };
      const codes = [first.code];
      for (let i = 0; i < 3; i += 1) {
        const { code, handle } = await ask(server, email, headers);
        assert.equal(handle, first.handle);
        codes.push(code);
      }
      assert.equal((await enter(server.call, { email, code: codes[0] }, headers)).status, 400);
      assert.equal((await enter(server.call, { email, code: codes[1] }, headers)).status, 200);
      for (const code of codes) assert.equal((await enter(server.call, { email, code })).status, 400);
    });

    test('asking from elsewhere neither ends a code nor keeps mail from the owner', async () => {
      await using server = await sharedServer(kind);
      const email = somebody();
      const first = await ask(server, email);
      const browser = { cookie: first.cookie };
      assert.equal((await enter(server.call, { email, code: first.code }, browser)).status, 200);
      const held = await ask(server, email);
      // Strangers use up all that is mailed for whoever is not known.
      let mailed = 0;
      for (let network = 0; network * MOST_MAILS.origin < MOST_MAILS.address; network += 1) {
        const stranger = elsewhere(server);
        for (let i = 0; i < MOST_MAILS.origin; i += 1) {
          const asked = await stranger('POST', '/api/auth/code', { body: { email } });
          if (asked.status === 202) mailed += 1;
        }
        const more = await stranger('POST', '/api/auth/code', { body: { email } });
        assert.deepEqual([more.status, more.body.code], [429, 'too_many_codes']);
      }
      // The first one, when the owner was not known yet, was one of them.
      assert.equal(mailed, MOST_MAILS.address - 1);
      await mailTo(server.dataDir, email, 1 + mailed);
      const late = await elsewhere(server)('POST', '/api/auth/code', { body: { email } });
      assert.deepEqual([late.status, late.body.code], [429, 'too_many_codes']);
      assert.ok(Number(late.headers.get('retry-after')) > 0);
      assert.equal((await enter(server.call, { email, code: held.code })).status, 200);
      // Their network is known, and their browser wherever it is.
      const again = await ask(server, email);
      assert.equal((await enter(server.call, { email, code: again.code })).status, 200);
      const away = { call: elsewhere(server), dataDir: server.dataDir };
      const there = await ask(away, email, browser);
      assert.equal((await enter(away.call, { email, code: there.code }, browser)).status, 200);
    });

    test('who asks too often is told, alike for an address that is known and one that is not', async () => {
      await using server = await sharedServer(kind);
      const known = somebody();
      const { code } = await ask(server, known);
      assert.equal((await enter(elsewhere(server), { email: known, code })).status, 200);
      const waiting = somebody();
      await server.call('POST', '/api/v1/users/register', { body: { email: waiting } });
      for (const path of ['/api/auth/code', '/api/v1/users/verify/resend']) {
        const answers = [];
        for (const email of [known, waiting, somebody()]) {
          const call = elsewhere(server);
          const said = [];
          for (let i = 0; i <= MOST_MAILS.origin; i += 1) {
            const { status, body, headers } = await call('POST', path, { body: { email } });
            said.push([status, body.code, headers.has('retry-after')]);
          }
          answers.push(said);
        }
        assert.deepEqual(answers[0]?.at(-1), [429, 'too_many_codes', true]);
        assert.deepEqual(answers[0], answers[1]);
        assert.deepEqual(answers[0], answers[2]);
      }
    });

    test('many networks together guess a hundred times a day for an address, and never lock who holds a handle', async () => {
      let now = Temporal.Now.instant();
      const env = { TRUSTED_PROXIES: '127.0.0.0/8' };
      await using server = await startServer(kind, { clock: () => now, env });
      const email = somebody();
      for (let tries = 0; tries < MOST_TRIES.address; tries += MOST_TRIES.network) {
        const call = elsewhere(server);
        for (let i = 0; i < MOST_TRIES.network; i += 1)
          assert.equal((await enter(call, { email, code: WRONG })).status, 400);
      }
      const { code, handle } = await ask(server, email);
      const alone = await enter(server.call, { email, code });
      assert.deepEqual([alone.status, alone.body.code], [429, 'too_many_tries']);
      assert.match(alone.body.error, /request_id/);
      assert.equal((await enter(server.call, { email, code, request_id: handle })).status, 200);
      now = now.add({ hours: 24 });
      const next = await ask(server, email);
      assert.equal((await enter(server.call, { email, code: next.code })).status, 200);
    });
  });
}
