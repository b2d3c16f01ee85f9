import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEvent } from '../planning/event.ts';
import { startImapServer } from '../support/imap.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { startMailServer } from '../support/smtp.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';

// Mails that the mail server accepted and that come back later.

const SECRET = 'a secret of the provider';

async function startBouncing(imapUrl?: string) {
  const smtp = await startMailServer({ hideSTARTTLS: true });
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_BOUNCE_ADDRESS: 'bounces@example.com',
    MAIL_BOUNCE_SECRET: SECRET,
    ...(imapUrl && { MAIL_BOUNCE_IMAP_URL: imapUrl }),
  };
  const event = await startEvent(ANY_DATABASE, {}, { env });
  for (const name of ['dana', 'ron', 'noa']) await event.guest({ name, email: `${name}@example.com` });
  const sent = await event.call('POST', '/rounds', { body: { filter: {} } });
  const { id } = sent.body.round;
  const guests = async (): Promise<
    { name: string; delivery: string; problem: { message: string } | null }[]
  > => (await event.call('GET', `/rounds/${id}/guests`)).body.guests;
  await until(async () => (await guests()).every(({ delivery }) => delivery === 'sent'));
  return {
    event,
    guests,
    deliveries: async () =>
      Object.fromEntries((await guests()).map(({ name, delivery }) => [name, delivery])),
    mailTo: (name: string) => smtp.mailTo(`${name}@example.com`),
    async [Symbol.asyncDispose]() {
      await event[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

const dsn = (to: string, action: string, status: string) => `From: MAILER-DAEMON@mx.example.com
To: ${to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain; charset=utf-8

${'I could not deliver your mail. '.repeat(50)}

--B
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; somebody@example.com
Action: ${action}
Status: ${status}

--B--
`;

testInLane('bounces are read from a mailbox, once, and nobody reports the mail of another', async () => {
  await using imap = await startImapServer();
  await using at = await startBouncing(imap.url);
  const { simcha } = at.event.server;
  const [dana, ron, noa] = [await at.mailTo('dana'), await at.mailTo('ron'), await at.mailTo('noa')];
  assert.match(dana.from, /^bounces\+[0-9a-f]{48}@example\.com$/);
  assert.notEqual(dana.from, ron.from);
  const forged = `bounces+${noa.from.slice(8, 40)}${'0'.repeat(16)}@example.com`;
  await imap.deliver(dsn(dana.from, 'failed', '5.1.1'));
  await imap.deliver(dsn(ron.from, 'failed', '4.2.2'));
  await imap.deliver(dsn(forged, 'failed', '5.1.1'));
  await imap.deliver(`To: ${noa.from}\nSubject: Out of office\n\nStatus: 5.1.1\nAction: failed\n`);
  await imap.deliver(`To: ${noa.from}\nSubject: Large\n\n${'x'.repeat(70)}\n`.padEnd(5 * 2 ** 20, 'x\n'));
  await simcha.readBounces();
  assert.deepEqual(await at.deliveries(), { dana: 'bounced', ron: 'sent', noa: 'sent' });
  const [bounced] = (await at.guests()).filter(({ delivery }) => delivery === 'bounced');
  assert.match(JSON.stringify(bounced), /5\.1\.1/);
  assert.equal(await imap.read(), 5, 'each message is marked as read');
  await simcha.readBounces();
  await imap.deliver(dsn(noa.from, 'failed', '5.2.1'));
  await simcha.readBounces();
  assert.equal((await at.deliveries()).noa, 'bounced');
});

testInLane('a mailbox that can’t be read is an error of that run alone', async () => {
  await using imap = await startImapServer();
  await using at = await startBouncing(imap.url.replace('p%40ss', 'wrong'));
  await assert.rejects(at.event.server.simcha.readBounces());
  assert.equal((await at.event.server.call('GET', '/readyz')).status, 200);
});

test('a mail provider reports bounces with the secret alone', async () => {
  await using at = await startBouncing();
  const { call } = at.event.server;
  const id = (await at.mailTo('dana')).headers.get('message-id');
  const body = { message_id: id, status: '5.1.1' };
  const path = (secret: string) => `/api/mail-bounces/${encodeURIComponent(secret)}`;
  for (const wrong of [path('x'), '/api/mail-bounces'])
    assert.equal((await call('POST', wrong, { body })).status, 404, wrong);
  assert.equal((await at.deliveries()).dana, 'sent');
  assert.equal((await call('POST', path(SECRET), { body: { ...body, status: '4.4.1' } })).status, 204);
  assert.equal((await at.deliveries()).dana, 'sent', 'a delay');
  assert.equal((await call('POST', path(SECRET), { body })).status, 204);
  assert.deepEqual(await at.deliveries(), { dana: 'bounced', ron: 'sent', noa: 'sent' });
  const ron = (await at.mailTo('ron')).headers.get('message-id');
  const sns = {
    Type: 'Notification',
    Message: JSON.stringify({
      notificationType: 'Bounce',
      bounce: { bounceType: 'Permanent' },
      mail: { commonHeaders: { messageId: ron } },
    }),
  };
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'text/plain; charset=UTF-8' };
  assert.equal((await call('POST', '/api/mail-bounces', { body: JSON.stringify(sns), headers })).status, 204);
  assert.equal((await at.deliveries()).ron, 'bounced');
  for (const odd of ['', '{', '[]', '{"message_id":1}'])
    assert.equal(
      (await call('POST', path(SECRET), { body: odd, headers: { 'content-type': 'text/plain' } })).status,
      204,
    );
});
