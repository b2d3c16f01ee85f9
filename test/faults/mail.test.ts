import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../support/client.ts';
import { serverOnOwnPostgres } from '../support/own-postgres.ts';
import { freePort } from '../support/postgres.ts';
import { spawnReadyServer } from '../support/process.ts';
import { sendRound } from '../support/rounds.ts';
import { DATABASES_OF_SLOW_TESTS, temporaryDatabase } from '../support/server.ts';
import { startMailServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a code outlives a mail server that is down and a server that is killed, on ${kind}`, {
    timeout: 120_000,
  }, async () => {
    await using place = await temporaryDatabase(kind);
    const port = await freePort();
    const env = {
      ...place.env,
      SMTP_URL: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
      MAIL_FROM: 'Simcha <simcha@example.com>',
    };
    const email = 'noa@example.com';
    const first = await spawnReadyServer(env);
    const call = createClient(first.url);
    const registered = await call('POST', '/api/v1/users/register', { body: { email } });
    assert.equal(registered.status, 201, registered.text);
    first.child.kill('SIGKILL');
    await first.ended;
    assert.equal((await stat(join(place.env.DATA_DIR, 'encryption-key'))).mode & 0o777, 0o600);

    await using mailServer = await startMailServer({ port });
    const second = await spawnReadyServer(env);
    let code = '';
    try {
      const mail = await mailServer.mailTo(email);
      [code = ''] = /\b[A-Z][A-Z2-9]{3}-[A-Z2-9]{4}\b/.exec(mail.part('text/plain')) ?? [];
      const own = createClient(second.url, { headers: { 'x-api-key': registered.body.api_key } });
      const verified = await own('POST', '/api/v1/users/verify', { body: { code } });
      assert.deepEqual(verified.body, { user_id: registered.body.user_id, email, verified: true });
      await until(() => second.output().includes(`mail goes to smtp://127.0.0.1:${port}"`));
    } finally {
      second.child.kill('SIGTERM');
      assert.equal(await second.ended, 0);
    }
    const output = first.output() + second.output();
    for (const secret of [code, email, registered.body.api_key]) assert.ok(!output.includes(secret), secret);
    assert.equal(mailServer.mails.length, 1);
  });
}

test('a mail that was taken while the database was away is not sent a second time', {
  timeout: 180_000,
}, async () => {
  const GUESTS = 3;
  const isAway = Promise.withResolvers<undefined>();
  let held = 0;
  await using mailServer = await startMailServer({
    hideSTARTTLS: true,
    taking: () => {
      held += 1;
      return isAway.promise;
    },
  });
  await using own = await serverOnOwnPostgres({
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Simcha <simcha@example.com>',
  });
  const guests = Array.from({ length: GUESTS }, (_, n) => ({ name: `${n}`, email: `guest${n}@example.com` }));
  const round = await sendRound(own.server.url, guests, { kind: 'message', message: 'שלום' });
  await until(() => held === GUESTS);
  await own.postgres.stop();
  isAway.resolve(undefined);
  await until(() => mailServer.mails.length === GUESTS);
  await own.postgres.start();
  await until(async () => (await round())?.sent === GUESTS, 120_000);
  assert.deepEqual(
    mailServer.mails.flatMap(({ to }) => to).sort(),
    guests.map(({ email }) => email),
  );
});
