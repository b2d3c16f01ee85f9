import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createOutbox } from '../../../server/kernel/mail/outbox.ts';
import { mailsTo, mailTo } from '../../support/outbox.ts';
import { ANY_DATABASE, BOTH_DATABASES, type DatabaseKind } from '../../support/server.ts';
import { startMailServer } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';
import { startEvent } from '../event.ts';
import { linkOf } from './links.ts';

// Registration with an address that is confirmed first: a link in a mail, and places that are held until then.

async function startRegistration(
  kind: DatabaseKind,
  fields: object = {},
  settings: object = {},
  env: Record<string, string> = {},
) {
  let now = Temporal.Instant.from('2027-06-01T08:00Z');
  const event = await startEvent(
    kind,
    { language_pref: 'english', event_date: '2027-06-20T19:30', ...fields },
    { env: { TRUSTED_PROXIES: '127.0.0.0/8', ...env }, clock: () => now, lifetime: '100y' },
  );
  const body = { open: true, slug: 'open-day', registration: true, accept_by_itself: true, ...settings };
  assert.equal((await event.call('PUT', '/rsvp', { body })).status, 200);
  let networks = 0;
  /** A form from a network of its own, unless `from` names one. */
  const post = (path: string, fields: Record<string, string> = {}, from?: string) =>
    event.server.call('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': from ?? `198.51.100.${++networks}`,
      },
    });
  return {
    event,
    post,
    register: (name: string, more: Record<string, string> = {}, from?: string) =>
      post('/e/open-day', { name, email: `${name.toLowerCase()}@example.com`, ...more }, from),
    /** Path of the newest link to confirm that was mailed to an address. */
    async linkTo(address: string, past = 0): Promise<string> {
      const { text } = await mailTo(event.server.dataDir, address, past);
      return /\/e\/open-day\/confirm\/[\w-]{43}\?lang=\w+/.exec(text)?.[0] ?? '';
    },
    guests: async (): Promise<Listed[]> => (await event.call('GET', '/guests')).body.guests,
    later(duration: Temporal.DurationLike) {
      now = now.add(duration);
    },
    [Symbol.asyncDispose]: () => event[Symbol.asyncDispose](),
  };
}

interface Listed {
  id: string;
  name: string;
  rsvp_status: string;
  waiting_since: string | null;
  coming: number;
}

const shown = ({ name, rsvp_status, waiting_since }: Listed) => [name, waiting_since ? 'waits' : rsvp_status];
const CONFIRM = '/e/open-day?confirm=1&lang=english';
const SENT = '/e/open-day?sent=1&lang=english';

for (const kind of BOTH_DATABASES) {
  test(`who registers confirms the address; the places are held until then, on ${kind}`, async () => {
    await using open = await startRegistration(kind, { max_guests: 3 }, { most_each: 2 });
    const { event } = open;
    const page = (await event.server.call('GET', '/e/open-day')).text;
    assert.match(page, /name="email"[^>]* required/);
    const asked = await open.register('Dana', { coming: '2' });
    assert.deepEqual([asked.status, asked.headers.get('location')], [303, CONFIRM]);
    assert.match((await event.server.call('GET', CONFIRM)).text, /your registration is kept until then/);
    await open.register('Ron', { coming: '2' });
    assert.deepEqual(await open.guests(), [], 'nobody is a guest yet');
    assert.deepEqual((await event.call('GET', '/guest-requests')).body.requests, []);
    const counts = await event.counts();
    assert.deepEqual([counts.people, counts.held, counts.waiting, counts.places_left], [0, 2, 0, 1]);

    // A guest on the list gets what is free, and no place that is held.
    const invited = await event.guest({ name: 'Levi', party_size: 2, rsvp_status: 'confirmed' });
    assert.ok(invited.waiting_since);

    // Dana's limit is lowered meanwhile, and Ron had his turn before Levi.
    const path = await open.linkTo('dana@example.com');
    const confirmPage = await event.server.call('GET', path);
    assert.match(confirmPage.text, /<bdi>Dana<\/bdi> · 2 people/);
    assert.deepEqual(await open.guests().then((all) => all.length), 1, 'a link scanner confirms nothing');
    await event.call('PUT', '', { body: { max_guests: 1 } });
    assert.equal((await open.post(path)).headers.get('location'), SENT);
    await open.post(await open.linkTo('ron@example.com'));
    assert.deepEqual((await open.guests()).map(shown).sort(), [
      ['Dana', 'confirmed'],
      ['Levi', 'waits'],
      ['Ron', 'waits'],
    ]);
    assert.match((await mailTo(event.server.dataDir, 'dana@example.com', 1)).text, /You are registered/);
    const after = await event.counts();
    assert.deepEqual([after.people, after.held, after.waiting], [2, 0, 2]);
    for (const method of ['GET', 'POST']) assert.equal((await event.server.call(method, path)).status, 404);

    await event.call('PUT', '', { body: { max_guests: 4 } });
    const status = new Map((await open.guests()).map((one) => [one.name, one.rsvp_status]));
    assert.deepEqual([status.get('Ron'), status.get('Levi')], ['confirmed', 'pending'], 'Ron asked first');
  });

  test(`what nobody confirms goes to the next in turn, among them others who have not confirmed, on ${kind}`, async () => {
    await using open = await startRegistration(kind, { max_guests: 1 });
    const { event } = open;
    await open.register('First');
    open.later({ hours: 1 });
    await open.register('Second');
    const third = await event.guest({ name: 'Third', rsvp_status: 'confirmed' });
    assert.ok(third.waiting_since);
    open.later({ hours: 5, minutes: 1 });
    const late = await open.linkTo('first@example.com');
    assert.equal((await open.post(late)).status, 404);
    const free = await event.guest({ name: 'Fourth', rsvp_status: 'confirmed' });
    assert.ok(free.waiting_since, 'nobody gets ahead of who waits');
    await event.server.simcha.removeExpiredRequests();
    assert.deepEqual([(await event.counts()).held, (await event.counts()).places_left], [1, 0]);
    assert.equal((await open.post(await open.linkTo('second@example.com'))).status, 303);
    assert.deepEqual((await open.guests()).map(shown).sort(), [
      ['Fourth', 'waits'],
      ['Second', 'confirmed'],
      ['Third', 'waits'],
    ]);
    await open.register('Fifth');
    await event.call('DELETE', `/guests/${(await open.guests()).find(({ name }) => name === 'Second')?.id}`);
    open.later({ hours: 7 });
    await event.server.simcha.removeExpiredRequests();
    assert.deepEqual((await open.guests()).map(shown).sort(), [
      ['Fourth', 'waits'],
      ['Third', 'confirmed'],
    ]);
    const last = await event.counts();
    assert.deepEqual([last.held, last.waiting, last.people], [0, 1, 1]);
  });
}

test('a registration that is sent again is mailed once within some minutes, and then replaces the first', async () => {
  await using open = await startRegistration(ANY_DATABASE, {}, { most_each: 3 });
  const { event } = open;
  await open.register('Dana', { coming: '3' });
  const first = await open.linkTo('dana@example.com');
  assert.equal((await open.register('Dana', { coming: '3' })).headers.get('location'), CONFIRM);
  assert.equal((await event.counts()).held, 3);
  open.later({ minutes: 11 });
  await open.register('Dana', { coming: '3' });
  const second = await open.linkTo('dana@example.com', 1);
  assert.equal(await mailsTo(event.server.dataDir, 'dana@example.com'), 2);
  assert.equal((await event.counts()).held, 3);
  assert.equal((await open.post(first)).status, 404);
  assert.equal((await open.post(second)).status, 303);
  assert.equal((await open.guests())[0]?.coming, 3);
});

test('a mailed link confirms what its reader wrote, whatever others send with the same name and mailbox', async () => {
  await using open = await startRegistration(ANY_DATABASE, { max_guests: 3 }, { most_each: 3 });
  const { event } = open;
  await open.register('Dana', { coming: '3' });
  const first = await open.linkTo('dana@example.com');
  const waits = await event.guest({ name: 'Levi', rsvp_status: 'confirmed' });
  assert.ok(waits.waiting_since);
  await open.register('dana', { email: 'dana+x@example.com', coming: '1', phone: '0521112223' });
  assert.match((await event.server.call('GET', first)).text, /<bdi>Dana<\/bdi> · 3 people/);
  const other = await open.linkTo('dana+x@example.com');
  assert.notEqual(other, first);
  await open.register('Dana', { coming: '2' });
  const corrected = await open.linkTo('dana@example.com', 1);
  assert.equal((await open.post(corrected)).status, 303);
  for (const path of [first, other]) assert.equal((await open.post(path)).status, 404, 'Dana has confirmed');
  const counts = await event.counts();
  assert.deepEqual([counts.people, counts.held, counts.waiting], [3, 0, 0]);
  assert.equal((await event.read(waits.id)).rsvp_status, 'confirmed', 'the place that Dana gave up');
  const dana = (await open.guests()).find(({ name }) => name === 'Dana') as Listed & { phone: string | null };
  assert.deepEqual([dana.coming, dana.phone], [2, null]);
});

test('a registration that is sent again and again holds its places for a day at most', async () => {
  await using open = await startRegistration(ANY_DATABASE, { max_guests: 1 });
  await open.register('Mallory');
  const honest = await open.event.guest({ name: 'Levi', rsvp_status: 'confirmed' });
  assert.ok(honest.waiting_since);
  for (let hour = 0; hour < 18; hour += 3) {
    open.later({ hours: 3 });
    await open.register('Mallory');
    assert.ok((await open.event.read(honest.id)).waiting_since, `hour ${hour + 3}`);
  }
  open.later({ hours: 3 });
  await open.register('Mallory');
  assert.equal((await open.event.read(honest.id)).rsvp_status, 'confirmed');
  assert.equal((await open.event.counts()).held, 0, 'a turn after the others');
});

test('the end of automatic acceptance frees the held places for the waiting list', async () => {
  for (const settings of [{ open: false }, { accept_by_itself: false }]) {
    await using open = await startRegistration(ANY_DATABASE, { max_guests: 2 }, { most_each: 2 });
    await open.register('Dana', { coming: '2' });
    await open.register('Ron');
    const levi = await open.event.guest({ name: 'Levi', rsvp_status: 'confirmed' });
    assert.ok(levi.waiting_since);
    assert.equal((await open.event.call('PUT', '/rsvp', { body: settings })).status, 200);
    assert.equal((await open.event.read(levi.id)).rsvp_status, 'confirmed');
    const { held, places_left, waiting } = await open.event.counts();
    assert.deepEqual([held, places_left, waiting], [0, 1, 0]);
    await open.event.call('PUT', '/rsvp', { body: { open: true, accept_by_itself: true } });
    assert.equal((await open.post(await open.linkTo('ron@example.com'))).status, 303);
    assert.deepEqual((await open.guests()).map(shown).sort(), [
      ['Levi', 'confirmed'],
      ['Ron', 'confirmed'],
    ]);
  }
});

test('one network holds places for twenty people at most, or for one large party', async () => {
  await using open = await startRegistration(ANY_DATABASE, { max_guests: 300 }, { most_each: 30 });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1)
    statuses.push((await open.register(`G${n}`, { coming: '8' }, '192.0.2.1')).status);
  assert.deepEqual(statuses, [303, 303, 429, 429]);
  assert.equal((await open.event.counts()).held, 16);
  assert.equal((await open.register('Large', { coming: '30' }, '192.0.2.2')).status, 303);
  assert.equal((await open.register('G9', {}, '192.0.2.2')).status, 429);
});

test('strangers are not mailed in numbers: by network, by mailbox', async () => {
  await using open = await startRegistration(ANY_DATABASE);
  for (let n = 0; n < 20; n += 1)
    assert.equal((await open.register(`G${n}`, {}, '192.0.2.1')).status, 303, `number ${n}`);
  assert.equal((await open.register('G20', {}, '192.0.2.1')).status, 429);
  assert.equal((await open.register('G20', {}, '192.0.2.2')).status, 303);
  for (const [n, status] of [303, 303, 303, 429].entries()) {
    const sent = await open.register(`Name ${n}`, { email: `target+${n}@gmail.com` });
    assert.equal(sent.status, status, `number ${n} to one mailbox`);
  }
});

test('false addresses of one network stop the mails of that network, and those of nobody else', async () => {
  await using smtp = await startMailServer({
    hideSTARTTLS: true,
    refuse: (address) => (address.startsWith('gone') ? 550 : undefined),
  });
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
  await using open = await startRegistration(ANY_DATABASE, {}, {}, env);
  const db = open.event.server.simcha.database.sql;
  for (let n = 0; n < 19; n += 1) await open.register(`Gone${n}`, {}, '192.0.2.1');
  await open.register('Gone19', {}, '192.0.2.2');
  const unsettled = sql<{ count: number }>`
    select count(*)::integer as count from mails where settled_at is null`;
  await until(async () => (await unsettled.execute(db)).rows[0]?.count === 0, 30_000);
  const { held } = await open.event.counts();
  const stopped = await open.register('Ron', {}, '192.0.2.1');
  assert.equal(stopped.status, 429);
  assert.match(stopped.text, /No mail can be sent to you right now/);
  assert.equal((await open.event.counts()).held, held, 'nothing is held without a mail');
  assert.equal((await open.register('Noa')).headers.get('location'), CONFIRM);
  await smtp.mailTo('noa@example.com');
  const { token, call } = open.event.server;
  const mailStopped = async () => {
    const headers = { 'accept-language': 'en' };
    return (await call('GET', '/api/today', { token: await token('me', 'organizer', '100y'), headers })).body
      .today.mail_stopped;
  };
  assert.equal(await mailStopped(), null);

  // Refusals of very many networks.
  await sql`
    insert into mails (id, status, problem, sender, urgency, created_at, due_at, settled_at)
    select gen_random_uuid(), 'refused', '{"code":"refused"}', 'me', 'requested', at, at, at
    from generate_series(1, 200), (select max(due_at) as at from mails) newest`.execute(db);
  const late = await open.register('Tal');
  assert.deepEqual([late.status, (await open.event.counts()).held], [429, held + 1]);
  const { because, message } = await mailStopped();
  assert.equal(because, 'visitors');
  assert.match(message, /Your own messages to guests are sent as usual/);
});

test('who is on the list is mailed the personal link, and whoever fills in the form learns nothing', async () => {
  await using open = await startRegistration(ANY_DATABASE);
  const { event } = open;
  const { dataDir } = event.server;
  const dana = await event.guest({ name: 'Dana', email: 'dana@example.com', language: 'arabic' });
  /** Number of mails to Dana, to whom the first one went. */
  const mails = async () => {
    const counted = sql<{ count: number }>`
      select count(*)::integer as count from mails
      where mailbox = (select mailbox from mails order by id limit 1)`;
    return (await counted.execute(event.server.simcha.database.sql)).rows[0]?.count;
  };
  for (const settings of [{}, { confirm_email: false }, { accept_by_itself: false, confirm_email: false }]) {
    open.later({ hours: 2 });
    assert.equal((await event.call('PUT', '/rsvp', { body: settings })).status, 200);
    const before = await mailsTo(dataDir, 'dana@example.com');
    const known = await open.register('Somebody', { email: 'Dana@Example.com' });
    const unknown = await open.register(`New${before}`);
    assert.deepEqual(
      [known.status, known.headers.get('location'), known.text],
      [unknown.status, unknown.headers.get('location'), unknown.text],
    );
    const { text, subject } = await mailTo(dataDir, 'dana@example.com', before);
    assert.match(subject, /^رابطكم الشخصي: /);
    assert.ok(text.includes((await linkOf(event, dana.id)).url));
    open.later({ minutes: 9 });
    const queued = await mails();
    const again = await open.register('Somebody', { email: 'dana@example.com' });
    assert.deepEqual([again.status, again.headers.get('location')], [303, known.headers.get('location')]);
    assert.equal(await mails(), queued, 'once within some minutes');
  }
  const names = (await event.call('GET', '/guest-requests?limit=100')).body.requests.map(
    (one: { name: string }) => one.name,
  );
  assert.ok(names.includes('New2') && !names.includes('Somebody'), names.join());
  assert.equal((await event.read(dana.id)).rsvp_status, 'pending');
});

test('the link is mailed to the address that was typed, also if it is another address of the guest', async () => {
  await using open = await startRegistration(ANY_DATABASE);
  const { event } = open;
  const contact = { email: 'dana@example.com', other_emails: ['dana@work.example.com'] };
  const dana = await event.guest({ name: 'Dana', ...contact });
  await open.register('Dana', { email: 'dana@work.example.com' });
  const { text } = await mailTo(event.server.dataDir, 'dana@work.example.com');
  assert.ok(text.includes((await linkOf(event, dana.id)).url));
  assert.equal(await mailsTo(event.server.dataDir, 'dana@example.com'), 0);
});

test('the limits of who is on the list are those of everybody', async () => {
  await using open = await startRegistration(ANY_DATABASE);
  await open.event.guest({ name: 'Dana', email: 'dana@example.com' });
  for (let n = 0; n < 18; n += 1) await open.register(`G${n}`, {}, '192.0.2.1');
  const dana = await open.register('Dana', {}, '192.0.2.1');
  assert.equal(dana.status, 303);
  assert.equal((await open.register('G18', {}, '192.0.2.1')).status, 303);
  assert.equal((await open.register('G19', {}, '192.0.2.1')).status, 429, 'Dana counts');
});

test('confirmation is a setting: on where requests are accepted automatically, off otherwise, or as the organizer says', async () => {
  await using open = await startRegistration(ANY_DATABASE, {}, { accept_by_itself: false });
  const { event } = open;
  const settings = async () => (await event.call('GET', '/rsvp')).body.settings;
  assert.equal((await settings()).confirm_email, null);
  assert.equal((await open.register('Dana')).headers.get('location'), SENT);
  await event.call('PUT', '/rsvp', { body: { confirm_email: true } });
  assert.equal((await open.post('/e/open-day', { name: 'Phone', phone: '0501234567' })).status, 400);
  assert.equal((await open.register('Ron')).headers.get('location'), CONFIRM);
  const again = await open.register('Dana');
  assert.equal(again.headers.get('location'), CONFIRM, 'nobody learns whose request waits');
  assert.equal((await event.counts()).held, 0, 'the organizer decides, so nothing is held');
  assert.equal((await open.post(await open.linkTo('ron@example.com'))).status, 303);
  const waiting = (await event.call('GET', '/guest-requests?status=waiting')).body.requests;
  assert.deepEqual(waiting.map((one: { name: string }) => one.name).sort(), ['Dana', 'Ron']);
  await event.call('PUT', '/rsvp', { body: { accept_by_itself: true, confirm_email: false } });
  assert.equal((await open.register('Noa')).headers.get('location'), SENT);
  assert.equal((await event.counts()).people, 1);
});

test('a guest who erases their data leaves no unconfirmed request', async () => {
  await using open = await startRegistration(ANY_DATABASE);
  const { event } = open;
  const dana = await event.guest({ name: 'Dana', email: 'dana@example.com' });
  await open.register('Dana');
  await mailTo(event.server.dataDir, 'dana@example.com');
  const path = new URL((await linkOf(event, dana.id)).url).pathname;
  const erased = await open.post(`${path}/erase`, { understood: 'yes' });
  assert.equal(erased.status, 200, erased.text);
  const mails = await createOutbox(event.server.dataDir).newest(10);
  assert.equal(mails.length, 1);
  open.later({ minutes: 11 });
  assert.equal((await open.register('Dana')).headers.get('location'), CONFIRM);
  assert.notEqual(await open.linkTo('dana@example.com', 1), '');
});
