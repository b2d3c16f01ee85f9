import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { mailTo } from '../../support/outbox.ts';
import { ANY_DATABASE } from '../../support/server.ts';
import { startEvent, type TestEvent } from '../event.ts';

async function startOpen() {
  const event = await startEvent(ANY_DATABASE, {}, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  const opened = await event.call('PUT', '/rsvp', { body: { open: true, slug: 'party' } });
  assert.equal(opened.status, 200, opened.text);
  return event;
}

function post(event: TestEvent, path: string, from: string, fields: Record<string, string>) {
  return event.server.call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  });
}

const ask = (event: TestEvent, from: string, name: string, fields: Record<string, string> = {}) =>
  post(event, '/e/party', from, { name, phone: '0501234567', ...fields });

const waiting = async (event: TestEvent): Promise<{ id: string; name: string }[]> =>
  (await event.call('GET', '/guest-requests?status=waiting&limit=1000')).body.requests;

async function fill(event: TestEvent, count: number): Promise<void> {
  await sql`
    insert into guest_requests (id, event_id, name, phone, coming, created_at)
    select gen_random_uuid(), ${event.id}, 'Somebody ' || number, '+972501234567', 1, now()
    from generate_series(1, ${count}::integer) number`.execute(event.server.simcha.database.sql);
}

test('once many wait, a request through the open link is confirmed by mail, and counts from then on', async () => {
  await using event = await startOpen();
  await fill(event, 199);
  assert.equal(
    (await ask(event, '192.0.2.1', 'The last one')).headers.get('location'),
    '/e/party?sent=1&lang=hebrew',
  );

  const without = await ask(event, '192.0.2.2', 'Without an address');
  assert.equal(without.status, 400);
  assert.match(without.text, /id="email-problem"/);
  const asked = await ask(event, '192.0.2.2', 'דנה', { email: 'dana@example.com' });
  assert.deepEqual([asked.status, asked.headers.get('location')], [303, '/e/party?confirm=1&lang=hebrew']);
  const sent = await event.server.call('GET', '/e/party?confirm=1&lang=english');
  assert.match(sent.text, /Almost done! We have sent you an email/);
  assert.doesNotMatch(sent.text, /<form/);
  assert.equal((await waiting(event)).length, 200);

  const { text, subject } = await mailTo(event.server.dataDir, 'dana@example.com');
  assert.match(subject, /^אישור הבקשה להגיע: /);
  const [path = ''] = /\/e\/party\/confirm\/[\w-]{43}\?lang=hebrew/.exec(text) ?? [];
  const page = await event.server.call('GET', path);
  assert.equal(page.status, 200);
  assert.match(page.text, /<form method="post" action="\/e\/party\/confirm\//);
  assert.equal((await waiting(event)).length, 200, 'a program that follows links confirms nothing');
  const confirmed = await post(event, path, '192.0.2.2', {});
  assert.deepEqual(
    [confirmed.status, confirmed.headers.get('location')],
    [303, '/e/party?sent=1&lang=hebrew'],
  );
  const kept = await waiting(event);
  assert.deepEqual([kept.length, kept.filter(({ name }) => name === 'דנה').length], [201, 1]);
  for (const method of ['GET', 'POST'])
    assert.equal((await event.server.call(method, path)).status, 404, 'once');

  for (const [n, status] of [...Array(20).fill(303), 429].entries()) {
    const more = await ask(event, '192.0.2.3', `More ${n}`, { email: `more${n}@example.com` });
    assert.equal(more.status, status, `of one network, number ${n}`);
  }
  const late = await mailTo(event.server.dataDir, 'more0@example.com');
  const [latePath = ''] = /\/e\/party\/confirm\/\S+/.exec(late.text) ?? [];
  const db = event.server.simcha.database.sql;
  await sql`update request_confirmations set expires_at = now()`.execute(db);
  assert.equal((await post(event, latePath, '192.0.2.3', {})).status, 404);
  assert.equal((await ask(event, '192.0.2.3', 'Again', { email: 'again@example.com' })).status, 303);
});

test('one network does not close an event’s open link for others, and its requests are declined at once', async () => {
  await using event = await startOpen();
  for (let n = 1; n <= 100; n += 1) {
    const { status } = await ask(event, `2001:db8::${n.toString(16)}`, `Flood ${n}`, {
      email: `flood${n}@x.co`,
    });
    assert.equal(status, 303);
  }
  assert.equal((await ask(event, '2001:db8::ffff', 'One more')).status, 429);
  assert.equal((await ask(event, '2001:db8:0:1::1', 'A guest')).status, 303);
  const [flood, ...others] = await waiting(event);
  assert.equal(others.length, 100);
  const decline = (body: object) => event.call('POST', '/guest-requests/decline', { body });
  for (const body of [{}, { request_ids: ['x'] }, { filter: { of: 'x' } }]) {
    assert.equal((await decline(body)).status, 400, JSON.stringify(body));
  }
  const named = await decline({ request_ids: [flood?.id], filter: {} });
  assert.deepEqual([named.status, named.body], [200, { declined: 1 }]);
  const ofNetwork = await decline({ filter: { same_network_as: others[0]?.id } });
  assert.deepEqual([ofNetwork.status, ofNetwork.body], [200, { declined: 99 }]);
  assert.deepEqual(
    (await waiting(event)).map(({ name }) => name),
    ['A guest'],
  );
  assert.deepEqual((await decline({ filter: {} })).body, { declined: 1 });
  assert.deepEqual((await decline({ filter: {} })).body, { declined: 0 });
  const { rows } = await sql<{ mails: number }>`select count(*)::integer as mails from mails`.execute(
    event.server.simcha.database.sql,
  );
  assert.deepEqual(rows, [{ mails: 0 }], 'nobody is told');
  const [line] = (await event.call('GET', '/history?subject=guest_request')).body.history;
  assert.deepEqual(
    [line.action, line.subject_id, line.changes],
    ['many_declined', null, { declined: { from: null, to: 1 } }],
  );
});
