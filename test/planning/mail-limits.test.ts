import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { until } from '../support/until.ts';
import { startEvent, type TestEvent } from './event.ts';

const LIMITS = { MAILS_PER_DAY: '12', MAIL_PAUSE_MINUTES: '60' };

async function startLimited(guests: number, lifetime = '1h') {
  const event = await startEvent('embedded', {}, { env: LIMITS, lifetime });
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
  assert.match(warnings[1].message, /: 3 ייצאו מייד, ו־2 ייצאו מעצמם עד יום /);

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
