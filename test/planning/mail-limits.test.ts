import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { releaseSender } from '../../server/kernel/mail/senders.ts';
import { createClient } from '../support/client.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { startMailServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { form } from './answers/links.ts';
import { startEvent, type TestEvent } from './event.ts';

const LIMITS = { MAILS_PER_DAY: '12', MAIL_PAUSE_MINUTES: '60' };

async function startLimited(guests: number, lifetime = '1h') {
  const event = await startEvent(ANY_DATABASE, {}, { env: LIMITS, lifetime });
  for (let n = 1; n <= guests; n += 1) await event.guest({ name: `אורח ${n}`, email: `guest${n}@x.co` });
  return event;
}

async function send(event: TestEvent, body: object): Promise<string> {
  const sent = await event.call('POST', '/rounds', { body: { filter: {}, ...body } });
  assert.equal(sent.status, 202, sent.text);
  return sent.body.round.id;
}

const report = async (event: TestEvent, id: string) => (await event.call('GET', `/rounds/${id}`)).body.round;

interface Delivered {
  name: string;
  delivery: string;
  waits_until: string | null;
  left_out: string | null;
}

const guestsOf = async (event: TestEvent, id: string): Promise<Delivered[]> =>
  (await event.call('GET', `/rounds/${id}/guests?limit=100`)).body.guests;

/** Waits until each mail of a round has gone, or waits for a time. */
async function untilHandled(event: TestEvent, id: string): Promise<Delivered[]> {
  let guests: Delivered[] = [];
  await until(async () => {
    guests = await guestsOf(event, id);
    return guests.every(({ delivery, waits_until }) => delivery !== 'waiting' || waits_until !== null);
  }, 20_000);
  return guests;
}

test('of a round that is more than a day has, the organizer is told before, and the rest waits; a cancellation does not', async () => {
  await using event = await startLimited(5);
  const dry = await event.call('POST', '/rounds?dry_run=true', { body: { filter: {} } });
  const { warnings } = dry.body.preview;
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['no_reply', 'some_later'],
  );
  // The first day of an organizer has a quarter.
  assert.match(warnings[1].message, /: 3 יישלחו מייד, ו־2 יישלחו אוטומטית עד יום /);

  const invitation = await send(event, {});
  const invited = await untilHandled(event, invitation);
  assert.deepEqual(
    invited.map(({ delivery }) => delivery),
    ['sent', 'sent', 'sent', 'waiting', 'waiting'],
  );
  const { rows } = await sql<{ created_at: Date }>`select created_at from events`.execute(
    event.server.simcha.database.sql,
  );
  assert.equal(Date.parse(invited[4]?.waits_until ?? ''), (rows[0]?.created_at.getTime() ?? 0) + 86_400_000);
  assert.equal((await report(event, invitation)).waiting, 2);

  const metrics = await event.server.call('GET', '/metrics');
  assert.match(metrics.text, /^simcha_mails\{state="waiting"\} 2$/m);
  assert.match(metrics.text, /^simcha_mails\{state="sent"\} 3$/m);

  const cancelled = await event.call('PUT', '', { body: { status: 'cancelled' } });
  assert.equal(cancelled.status, 200, cancelled.text);
  const told = await untilHandled(event, await send(event, { kind: 'cancellation' }));
  assert.deepEqual(
    told.map(({ delivery, left_out }) => left_out ?? delivery),
    ['sent', 'sent', 'sent', 'waiting', 'waiting'],
    'whom no mail reached before is not told at once',
  );
});

test('a round that a week has no room for is refused, and says what is left', async () => {
  await using event = await startLimited(0);
  const rows = Array.from({ length: 100 }, (_, n) => `אורח ${n},guest${n}@x.co`);
  const csv = ['שם,מייל', ...rows].join('\n');
  const imported = await event.call('POST', '/guests/import', {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  });
  assert.ok(imported.status < 300, imported.text);
  const refused = await event.call('POST', '/rounds', { body: { filter: {} } });
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_mails'], refused.text);
  const { mails_left: left } = refused.body;
  assert.ok(left > 7 * 12 - 12 && left < 100, String(left));
  assert.match(refused.body.error, new RegExp(`נותרו ${left}`));
  assert.equal((await event.call('GET', '/rounds')).body.total, 0);
});

test('a second mail of an event to a mailbox within the hour waits for its end, to whichever of its addresses', async () => {
  await using event = await startLimited(0);
  await event.guest({ name: 'א', email: 'target+1@x.co' });
  await event.guest({ name: 'ב', email: 'target+2@x.co' });
  const guests = await untilHandled(event, await send(event, { kind: 'message', message: 'שלום' }));
  assert.deepEqual(guests.map(({ delivery }) => delivery).sort(), ['sent', 'waiting']);
  const at = Date.parse(guests.find(({ waits_until }) => waits_until)?.waits_until ?? '');
  assert.ok(at > Date.now() + 3_500_000 && at <= Date.now() + 3_600_000);
});

test('co-organizers’ invitations count, and so do mails of all events of an organizer', async () => {
  await using event = await startLimited(1);
  for (const name of ['a', 'b', 'c']) {
    const body = { email: `${name}@x.co`, access: 'view' };
    assert.equal((await event.call('POST', '/co-organizers', { body })).status, 201);
  }
  const [guest] = await untilHandled(event, await send(event, {}));
  assert.equal(guest?.delivery, 'waiting');
});

test('the mail of an organizer stops when a large part of it is refused, keeps what waits, and goes on when it is released', async () => {
  await using smtp = await startMailServer({
    hideSTARTTLS: true,
    refuse: (address) => (address.startsWith('gone') ? 550 : undefined),
  });
  await using event = await startEvent(
    ANY_DATABASE,
    {},
    { env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } },
  );
  const { simcha, call, token } = event.server;
  const db = simcha.database.sql;
  const import_ = async (names: string[]) => {
    const csv = ['שם,מייל', ...names.map((name) => `${name},${name}@x.co`)].join('\n');
    const imported = await event.call('POST', '/guests/import', {
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
    assert.ok(imported.status < 300, imported.text);
  };
  const numbered = (name: string, most: number) => Array.from({ length: most }, (_, n) => `${name}${n}`);
  await import_([...numbered('gone', 19), 'here']);
  const first = await untilHandled(event, await send(event, {}));
  assert.equal(first.filter(({ delivery }) => delivery === 'bounced').length, 19);
  const today = async () =>
    (await call('GET', '/api/today', { token: await token('me'), headers: { 'accept-language': 'en' } })).body
      .today;
  assert.equal((await today()).mail_stopped, null);

  await import_([...numbered('there', 20), 'gone20']);
  const second = await send(event, { filter: { invited: false } });
  await until(async () => (await today()).mail_stopped !== null, 20_000);
  const { because, message } = (await today()).mail_stopped;
  assert.equal(because, 'refused');
  assert.match(message, /^Your mail is stopped: too many of the addresses/);
  for (const path of ['/rounds', '/rounds?dry_run=true']) {
    const refused = await event.call('POST', path, { body: { filter: {} } });
    assert.deepEqual([refused.status, refused.body.code], [409, 'mail_stopped'], path);
    assert.match(refused.body.error, /^שליחת המיילים שלכם נעצרה/);
  }
  const shared = await event.call('POST', '/co-organizers', { body: { email: 'a@x.co', access: 'view' } });
  assert.deepEqual([shared.status, shared.body.code], [409, 'mail_stopped']);
  const byHand = await event.call('POST', '/rounds', { body: { filter: {}, channel: 'by_hand' } });
  assert.equal(byHand.status, 202, byHand.text);
  // Another organizer's goes, and so does a code.
  await createClient(event.server.url)('POST', '/api/auth/code', { body: { email: 'me@x.co' } });
  await smtp.mailTo('me@x.co');

  assert.equal(await releaseSender(db, 'me', Temporal.Now.instant()), true);
  await simcha.releaseMails();
  await until(async () => (await report(event, second)).state === 'sent', 20_000);
  const { sent, bounced, waiting } = await report(event, second);
  assert.deepEqual([sent, bounced, waiting], [20, 1, 0]);
  assert.equal((await today()).mail_stopped, null, 'what was refused before is forgiven');
});

test('strangers who register at addresses that do not exist neither stop the organizer’s mail nor use up its day', async () => {
  await using smtp = await startMailServer({
    hideSTARTTLS: true,
    refuse: (address) => (address.startsWith('gone') ? 550 : undefined),
  });
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAILS_PER_DAY: '240' };
  await using event = await startEvent(ANY_DATABASE, {}, { env });
  const settings = {
    open: true,
    slug: 'open-day',
    registration: true,
    accept_by_itself: true,
    confirm_email: false,
  };
  assert.equal((await event.call('PUT', '/rsvp', { body: settings })).status, 200);
  for (let n = 0; n < 35; n += 1) {
    const sent = await form(event, '/e/open-day', { name: `אורח ${n}`, email: `gone${n}@x.co` });
    assert.equal(sent.status, 303, sent.text);
  }
  const refused = sql<{ refused: number; waiting: number }>`
    select count(*) filter (where status = 'refused')::integer as refused,
      count(*) filter (where waits)::integer as waiting from mails where urgency = 'requested'`;
  const count = async () => (await refused.execute(event.server.simcha.database.sql)).rows[0];
  await until(async () => ((await count())?.refused ?? 0) >= 20, 30_000);
  // The first day has sixty mails, of which visitors have half.
  await until(async () => {
    const { refused = 0, waiting = 0 } = (await count()) ?? {};
    return refused + waiting === 35;
  }, 30_000);
  const asked = await count();
  assert.ok(asked && asked.refused <= 30 && asked.waiting >= 5, JSON.stringify(asked));

  await event.guest({ name: 'דנה', email: 'dana@x.co' });
  const body = { kind: 'message', message: 'שלום', filter: { search: 'דנה' } };
  const [guest] = await untilHandled(event, await send(event, body));
  assert.equal(guest?.delivery, 'sent');
});
