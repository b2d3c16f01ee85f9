import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { newInvitation } from '../../server/identity/invitations.ts';
import { createEncryption } from '../../server/kernel/encryption.ts';
import { codeTo } from '../support/outbox.ts';
import { ANY_DATABASE, DATABASES_OF_SLOW_TESTS, KEY } from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

const V1 = '/api/v1';
const ROOT = new URL('../..', import.meta.url).pathname;
const at = (domain: string) => `somebody-${randomUUID()}@${domain}`;
const closed = { REGISTRATION: 'closed' };
const run = promisify(execFile);

type Server = Pick<SharedServer, 'call' | 'dataDir'>;

const register = ({ call }: Server, body: object) => call('POST', `${V1}/users/register`, { body });

async function signIn({ call, dataDir }: Server, email: string, more: object = {}, past = 0) {
  const asked = await call('POST', '/api/auth/code', { body: { email } });
  assert.deepEqual([asked.status, asked.body.status], [202, 'accepted']);
  const code = await codeTo(dataDir, email, past);
  return call('POST', '/api/auth/token', { body: { email, code, ...more } });
}

function invitationFor(email: string, hours = 1): string {
  return newInvitation(createEncryption([KEY]), email, Temporal.Now.instant().add({ hours }));
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`closed: who is invited registers, verifies and signs in, and nobody else, on ${kind}`, async () => {
    await using server = await sharedServer(kind, closed);
    const email = at('example.com');
    const refused = await register(server, { email });
    assert.deepEqual([refused.status, refused.body.code], [403, 'registration_closed']);
    // By the command, beside the running server.
    const { stdout } = await run(process.execPath, ['commands/invite.ts', '--email', email.toUpperCase()], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ENCRYPTION_KEY: KEY },
    });
    const invitation = stdout.trim();
    const other = at('example.com');
    for (const body of [
      { email: other, invitation },
      { email, invitation: `${invitation}x` },
      { email, invitation: invitationFor(email, -1) },
      { email, invitation: null },
    ]) {
      const answer = await register(server, body);
      assert.deepEqual([answer.status, answer.body.code], [403, 'registration_closed'], answer.text);
    }
    const registered = await register(server, { email, invitation });
    assert.equal(registered.status, 201, registered.text);
    const code = await codeTo(server.dataDir, email);
    const verified = await server.call('POST', `${V1}/users/verify`, { body: { code } });
    assert.equal(verified.status, 200, verified.text);
    const again = await signIn(server, email, {}, 1);
    assert.deepEqual([again.status, again.body.user.user_id], [200, registered.body.user_id]);

    // A stranger gets a code as everybody does, and is refused once they have shown to read the mailbox.
    const stranger = await signIn(server, other);
    assert.deepEqual([stranger.status, stranger.body.code], [403, 'registration_closed']);
    const invited = await signIn(server, other, { invitation: invitationFor(other) }, 1);
    assert.deepEqual([invited.status, invited.body.user?.email], [200, other]);
    // Who registered by an invitation need not show it again.
    const third = at('example.com');
    await register(server, { email: third, invitation: invitationFor(third) });
    assert.equal((await signIn(server, third, {}, 1)).status, 200);
  });

  test(`a list of domains: their addresses come in, others by invitation, on ${kind}`, async () => {
    await using server = await sharedServer(kind, { REGISTRATION: 'Example.com, example.org' });
    for (const domain of ['example.com', 'EXAMPLE.ORG']) {
      assert.equal((await register(server, { email: at(domain) })).status, 201);
      assert.equal((await signIn(server, at(domain))).status, 200);
    }
    for (const domain of ['example.net', 'sub.example.com', 'badexample.com']) {
      const email = at(domain);
      assert.equal((await register(server, { email })).status, 403, domain);
      assert.equal((await signIn(server, email)).status, 403, domain);
      const invitation = invitationFor(email);
      assert.equal((await register(server, { email, invitation })).status, 201, domain);
    }
  });
}

test('what was registered before the doors were closed is verified by who is invited alone', async () => {
  await using server = await sharedServer('postgres', closed);
  const invited = at('example.com');
  const early = at('example.com');
  await register(server, { email: invited, invitation: invitationFor(invited) });
  const code = await codeTo(server.dataDir, invited);
  assert.equal((await server.call('POST', `${V1}/users/verify`, { body: { code } })).status, 200);
  await register(server, { email: early, invitation: invitationFor(early) });
  // As one that registered while everybody could.
  await sql`update users set invited = false where email = ${early}`.execute(server.simcha.database.sql);
  const body = { code: await codeTo(server.dataDir, early) };
  const refused = await server.call('POST', `${V1}/users/verify`, { body });
  assert.deepEqual([refused.status, refused.body.code], [403, 'registration_closed']);
});

test('closed doors tell nobody which addresses have accounts', async () => {
  await using server = await sharedServer(ANY_DATABASE, closed);
  const known = at('example.com');
  const waiting = at('example.com');
  assert.equal((await signIn(server, known, { invitation: invitationFor(known) })).status, 200);
  await register(server, { email: waiting, invitation: invitationFor(waiting) });
  for (const [path, more] of [
    [`${V1}/users/register`, {}],
    [`${V1}/users/register`, { invitation: 'made up' }],
    [`${V1}/users/verify`, { code: 'WRNG-WRNG' }],
    [`${V1}/users/verify/resend`, {}],
    ['/api/auth/code', {}],
    ['/api/auth/token', { code: 'WRNG-WRNG' }],
    ['/api/auth/token', { code: 'WRNG-WRNG', invitation: 'made up' }],
  ] as const) {
    const answers = [];
    for (const email of [known, waiting, at('example.com')]) {
      const { status, text } = await server.call('POST', path, { body: { email, ...more } });
      answers.push([status, text.replace(/"request_id":"[\w-]{43}"/, '"request_id":""')]);
    }
    assert.deepEqual(answers[0], answers[1], path);
    assert.deepEqual(answers[0], answers[2], path);
  }
});

test('the refusal is said in three languages', async () => {
  await using server = await sharedServer(ANY_DATABASE, closed);
  for (const [language, words] of [
    ['he', /הזמנה/],
    ['ar', /دعوة/],
    ['en', /invitation/],
  ] as const) {
    const { body } = await server.call('POST', `${V1}/users/register`, {
      body: { email: at('example.com') },
      headers: { 'accept-language': language },
    });
    assert.match(body.message ?? body.error, words);
  }
});
