import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { signToken } from '../../server/identity/tokens.ts';
import type { Clock } from '../../server/kernel/clock.ts';
import { createLinks } from '../../server/planning/answers/personal-links.ts';
import { writeMessages } from '../../server/planning/rounds/work.ts';
import { ANY_DATABASE, DATABASES_OF_SLOW_TESTS, type DatabaseKind, SECRET } from '../support/server.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '../support/smtp.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { form, linkOf } from './answers/links.ts';
import { newEvent, startEvent, type TestEvent } from './event.ts';

async function report(event: TestEvent, id: string) {
  return (await event.call('GET', `/rounds/${id}`)).body.round;
}

async function startMailed(
  kind: DatabaseKind,
  fields: object = {},
  manner: Pick<MailServerOptions, 'refuse' | 'taking'> = {},
  by: { clock?: Clock; lifetime?: string } = {},
) {
  const smtp = await startMailServer({
    hideSTARTTLS: true,
    refuse: (address) => (address.startsWith('gone') ? 550 : undefined),
    ...manner,
  });
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, PUBLIC_URL: 'https://simcha.example.com' };
  const event = await startEvent(kind, fields, { env, ...by });
  return {
    smtp,
    event,
    async [Symbol.asyncDispose]() {
      await event[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

/** Sends a round and waits until each of its mails has gone. */
async function round(event: TestEvent, body: object) {
  const id = await send(event, body);
  await until(async () => (await report(event, id)).state === 'sent', 30_000);
  return report(event, id);
}

async function send(event: TestEvent, body: object): Promise<string> {
  const sent = await event.call('POST', '/rounds', { body });
  assert.equal(sent.status, 202, sent.text);
  return sent.body.round.id;
}

/** Waits until each of so many mails in the queue is in one of these states of a job. */
async function untilMails(event: TestEvent, count: number, ...states: string[]): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ state: string }>`
      select state::text from pgboss.job where name = 'mail'`.execute(event.server.simcha.database.sql);
    return rows.length === count && rows.every(({ state }) => states.includes(state));
  });
}

async function tokenIn(smtp: MailServer, address: string): Promise<string> {
  return /\/r\/([\w-]{43})/.exec((await smtp.mailTo(address)).part('text/plain'))?.[1] ?? '';
}

async function preview(event: TestEvent, body: object) {
  const answer = await event.call('POST', '/rounds?dry_run=true', { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.preview;
}

async function change(event: TestEvent, body: object): Promise<void> {
  const answer = await event.call('PUT', '', { body });
  assert.equal(answer.status, 200, answer.text);
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`each chosen guest gets one mail in their language, and the report has its state, on ${kind}`, async () => {
    await using mailed = await startMailed(kind);
    const { smtp, event } = mailed;
    const dana = await event.guest({ name: 'דנה', email: 'dana@example.com' });
    await event.guest({ name: 'أحمد', email: 'ahmad@example.com', language: 'arabic' });
    await event.guest({ name: 'Grace', email: 'grace@example.com', language: 'english' });
    await event.guest({ name: 'עבר', email: 'gone@example.com' });
    await event.guest({ name: 'רק טלפון', phone: '0501234567' });
    const greeting = { hebrew: 'בואו לשמוח איתנו', english: 'Come and be merry' };
    const hosts = { hosts: 'נועה ואיתי', contact_email: 'noa@example.com', words: greeting };
    assert.equal((await event.call('PUT', '/invitation', { body: hosts })).status, 200);

    const body = { filter: {}, message: { hebrew: 'מחכים לכם!', english: 'Can’t wait!' } };
    const send = () => event.call('POST', '/rounds', { body, headers: { 'idempotency-key': 'round-1' } });
    const sent = await send();
    assert.equal(sent.status, 202, sent.text);
    const { id } = sent.body.round;
    assert.deepEqual((await send()).body.round.id, id);
    await until(async () => (await report(event, id)).state === 'sent', 20_000);
    const { sent: went, bounced, chosen, left_out, answered } = await report(event, id);
    assert.deepEqual([chosen, went, bounced, left_out, answered], [4, 3, 1, { no_email: 1 }, 0]);
    assert.deepEqual(smtp.mails.flatMap((mail) => mail.to).sort(), [
      'ahmad@example.com',
      'dana@example.com',
      'grace@example.com',
    ]);

    const gone = await event.call('PUT', `/rounds/${id}`, { body: { message: 'מאוחר מדי' } });
    assert.deepEqual([gone.status, gone.body.code], [409, 'not_waiting']);

    const mail = await smtp.mailTo('dana@example.com');
    const text = mail.part('text/plain');
    for (const words of [
      'דנה',
      'החתונה של נועה ואיתי',
      greeting.hebrew,
      'מתי: יום שני, 15 ביוני 2099 בשעה 19:30 (כ״ז בסיוון תתנ״ט)\n',
      'מחכים לכם!',
    ]) {
      assert.ok(text.includes(words), `${words} in ${text}`);
    }
    const [, name = ''] = /^From: =\?UTF-8\?B\?([^\r?]+)\?=\s+<simcha@/m.exec(mail.raw) ?? [];
    assert.equal(Buffer.from(name, 'base64').toString(), 'Simcha · נועה ואיתי');
    assert.equal(mail.headers.get('reply-to'), 'noa@example.com');
    // A phone is not made wide by an address: the way out is a word.
    const shown = mail.part('text/html').replace(/<[^>]*>/g, '');
    assert.doesNotMatch(shown, /\/r\//);
    const arabic = await smtp.mailTo('ahmad@example.com');
    assert.ok(arabic.part('text/html').includes('dir="rtl"'));
    assert.doesNotMatch(arabic.part('text/plain'), /5859|תתנ״ט/);
    assert.ok(
      arabic.part('text/plain').includes('מחכים לכם!'),
      'the event’s language, where there is no other',
    );
    const english = (await smtp.mailTo('grace@example.com')).part('text/plain');
    for (const said of [greeting.english, 'Monday, 15 June 2099 at 19:30 (27 Sivan 5859)', 'Can’t wait!'])
      assert.ok(english.includes(said));
    const link = /https:\/\/simcha\.example\.com\/r\/([\w-]{43})/.exec(text)?.[1];
    const opened = await event.server.call('GET', `/api/rsvp/${link}`);
    assert.equal(opened.body.guest.name, 'דנה');
    assert.match(mail.headers.get('list-unsubscribe') ?? '', new RegExp(`${link}/unsubscribe`));
    assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');

    // A job that is worked once more finds nothing left to write.
    const links = createLinks('any other secret', 'http://x');
    const never = { enqueueAll: () => Promise.reject(new Error('a second mail')) };
    const { database } = event.server.simcha;
    const parts = {
      db: database.sql,
      mail: never,
      texts: never,
      links,
      clock: Temporal.Now.instant,
      host: 'x',
    };
    await writeMessages(parts, id, new AbortController().signal);

    // Who answered or wants no mail is not reminded.
    await event.server.call('POST', `/api/rsvp/${link}`, { body: { rsvp_status: 'confirmed' } });
    const grace = await tokenIn(smtp, 'grace@example.com');
    await event.server.call('POST', `/r/${grace}/unsubscribe`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal((await report(event, id)).answered, 1);
    const reminded = await round(event, { kind: 'reminder', filter: {} });
    assert.deepEqual(
      [reminded.chosen, reminded.sent, reminded.bounced, reminded.left_out],
      [2, 1, 1, { answered: 1, no_email: 1, unsubscribed: 1 }],
    );
    assert.equal(smtp.mails.length, 4);

    const refused = (await event.call('GET', `/rounds/${id}/guests?delivery=bounced`)).body;
    assert.deepEqual([refused.guests[0].name, refused.total], ['עבר', 1]);
    const each = await event.call('GET', `/rounds/${id}/guests`);
    assert.deepEqual(
      each.body.guests.map(
        (guest: { name: string; delivery: string; left_out: string; answered: boolean }) => [
          guest.name,
          guest.delivery,
          guest.left_out,
          guest.answered,
        ],
      ),
      [
        ['Grace', 'sent', null, false],
        ['דנה', 'sent', null, true],
        ['עבר', 'bounced', null, false],
        ['רק טלפון', 'left_out', 'no_email', false],
        ['أحمد', 'sent', null, false],
      ],
    );
    const problems = async (language?: string) => {
      const headers: Record<string, string> = language ? { 'accept-language': language } : {};
      const { guests } = (await event.call('GET', `/rounds/${id}/guests`, { headers })).body;
      const { problem, problem_code } = guests[2];
      return [problem, problem_code];
    };
    assert.deepEqual(await problems(), ['שרת המייל דחה את ההודעה: הוא ענה 550 על RCPT TO', 'refused']);
    assert.deepEqual(await problems('ar'), ['رفض خادم البريد الرسالة: أجاب 550 عن RCPT TO', 'refused']);
    assert.deepEqual(await problems('en'), ['the mail server answered 550 to RCPT TO', 'refused']);
    const all = await event.call('GET', '/rounds');
    assert.deepEqual([all.body.total, all.body.rounds[1].id], [2, id]);
    assert.equal((await event.call('GET', '/rounds?kind=reminder,thanks')).body.total, 1);

    const named = await event.call('POST', '/rounds', {
      body: { guest_ids: [dana.id], filter: { answered: true } },
    });
    assert.equal(named.body.round.chosen, 1);
  });

  test(`a second round reaches those who were never invited, or have not answered, on ${kind}`, async () => {
    await using mailed = await startMailed(kind);
    const { smtp, event } = mailed;
    await event.guest({ name: 'א', email: 'a@example.com' });
    await event.guest({ name: 'ב', email: 'b@example.com' });
    await round(event, { filter: {} });
    await event.server.call('POST', `/api/rsvp/${await tokenIn(smtp, 'a@example.com')}`, {
      body: { rsvp_status: 'declined' },
    });
    assert.equal((await smtp.mailTo('a@example.com')).headers.get('reply-to'), undefined, 'nobody knows one');
    const me = { id: 'me', role: 'organizer', email: 'me@example.com' } as const;
    const token = await signToken(SECRET, me, '1h');
    const titled = { body: { title: 'service@bank.example' }, token };
    assert.equal((await event.call('PUT', '', titled)).status, 200);
    await event.guest({ name: 'ג', email: 'c@example.com', language: 'english' });

    const named = async (query: string) => {
      const { guests } = (await event.call('GET', `/guests?${query}`)).body;
      return guests.map(({ name }: { name: string }) => name).join('');
    };
    assert.deepEqual(
      [await named('invited=false'), await named('invited=true'), await named('answered=false')],
      ['ג', 'אב', 'בג'],
    );
    const tried = await preview(event, { filter: {}, message: 'שוב' });
    assert.deepEqual([tried.total, tried.chosen, tried.left_out], [3, 2, { answered: 1 }]);
    assert.deepEqual(
      tried.guests.map(({ name, left_out }: { name: string; left_out: string | null }) => [name, left_out]),
      [
        ['א', 'answered'],
        ['ב', null],
        ['ג', null],
      ],
    );
    const [hebrew, english] = ['hebrew', 'english'].map((language) =>
      tried.letters.find((letter: { language: string }) => letter.language === language),
    );
    assert.deepEqual([hebrew.guests, english.guests], [1, 1]);
    assert.match(hebrew.text, /שלום ב,[\s\S]*שמחים להזמין אתכם[\s\S]*שוב/);
    assert.match(english.subject, /^Invitation: /);
    assert.doesNotMatch(hebrew.text + hebrew.html, /\/r\/[\w-]{43}/);
    assert.equal((await event.call('GET', '/rounds')).body.total, 1, 'a dry run is no round');

    assert.equal((await preview(event, { filter: { invited: false } })).chosen, 1);
    assert.equal((await preview(event, { filter: { answered: true } })).chosen, 1);
    assert.equal((await preview(event, { kind: 'reminder', filter: { answered: true } })).chosen, 0);
    const unsure = await event.guest({ name: 'ד', email: 'd@example.com', rsvp_status: 'maybe' });
    const reminder = await preview(event, { kind: 'reminder', guest_ids: [unsure.id] });
    assert.match(reminder.letters[0].text, /עניתם שעוד לא ידוע אם תגיעו/);
    assert.equal((await event.call('DELETE', `/guests/${unsure.id}`)).status, 204);
    const again = await round(event, { filter: { invited: false } });
    assert.deepEqual([again.chosen, again.left_out], [1, {}]);
    assert.deepEqual(smtp.mails.map(({ to }) => to[0]).sort(), [
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
    assert.equal(
      (await smtp.mailTo('c@example.com')).headers.get('from'),
      'Simcha <simcha@simcha.example.com>',
      'a title is no sender’s name',
    );
    const { headers } = await smtp.mailTo('c@example.com');
    assert.equal(headers.get('reply-to'), 'me@example.com', 'the organizer’s own');
    assert.equal(await named('invited=false'), '');
  });

  test(`who was told another time or place is told of the change, once, with the old and the new, on ${kind}`, async () => {
    await using mailed = await startMailed(kind);
    const { smtp, event } = mailed;
    await event.call('PUT', '/invitation', { body: { contact_email: 'noa@example.com' } });
    const suggested = async () => (await event.call('GET', '/rounds/suggested')).body.suggested;
    await event.guest({ name: 'א', email: 'a@example.com' });
    await event.guest({ name: 'ב', email: 'b@example.com' });
    await round(event, { filter: {} });
    await event.server.call('POST', `/api/rsvp/${await tokenIn(smtp, 'a@example.com')}`, {
      body: { rsvp_status: 'confirmed' },
    });
    await event.guest({ name: 'ה', email: 'e@example.com', rsvp_status: 'confirmed' });
    assert.deepEqual(await suggested(), []);
    await change(event, { event_date: '2099-06-22T19:30', venue_name: 'אולמי הגן' });
    await event.guest({ name: 'ג', email: 'c@example.com' });
    await round(event, { filter: { invited: false } });
    await event.guest({ name: 'ד', email: 'd@example.com' });

    assert.deepEqual(await suggested(), [{ kind: 'change', guests: 3, without_email: 0, unsubscribed: 0 }]);
    const told = await round(event, { kind: 'change', filter: {} });
    assert.deepEqual([told.sent, told.left_out], [3, { told: 1, not_told_before: 1 }]);
    const mail = await smtp.mailTo('a@example.com', 1);
    const text = mail.part('text/plain');
    for (const words of [
      'המועד החדש: יום שני, 22 ביוני 2099',
      '(במקום יום שני, 15 ביוני 2099 בשעה 19:30)',
      'המקום החדש: אולמי הגן',
      '(במקום גן האירועים עדן',
    ]) {
      assert.ok(text.includes(words), `${words} in ${text}`);
    }
    // Who comes has the entry in their calendar moved; who has not answered has none.
    const entry = mail.part('text/calendar').replaceAll('\r\n ', '');
    assert.match(entry, /METHOD:REQUEST\r\n[\s\S]*DTSTART;TZID=Asia\/Jerusalem:20990622T193000/);
    assert.equal((await smtp.mailTo('b@example.com', 1)).part('text/calendar'), '');
    assert.deepEqual(await suggested(), []);

    await change(event, { event_date: '2099-06-23T19:30' });
    await change(event, { event_date: '2099-06-22T19:30' });
    assert.deepEqual(await suggested(), [], 'there and back again is no change');

    await change(event, { status: 'cancelled' });
    assert.deepEqual(await suggested(), [
      { kind: 'cancellation', guests: 4, without_email: 0, unsubscribed: 0 },
    ]);
    const over = await round(event, { kind: 'cancellation', filter: {} });
    assert.deepEqual([over.sent, over.left_out], [4, { not_told_before: 1 }]);
    const cancelled = (await smtp.mailTo('a@example.com', 2)).part('text/calendar').replaceAll('\r\n ', '');
    const sequence = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]);
    const uid = (text: string) => /UID:(\S+)/.exec(text)?.[1];
    assert.match(cancelled, /METHOD:CANCEL/);
    assert.equal(uid(cancelled), uid(entry));
    assert.ok(sequence(cancelled) > sequence(entry));
    assert.deepEqual(await suggested(), []);
    const onPaper = { kind: 'cancellation', filter: { status: ['pending', 'confirmed'] } };
    const { chosen, left_out } = await preview(event, onPaper);
    assert.deepEqual([chosen, left_out], [1, { told: 4 }]);
  });

  test(`what the mail server has not taken when the event is cancelled is withdrawn, and its round says so, on ${kind}`, async () => {
    let isFull = true;
    await using mailed = await startMailed(kind, {}, { refuse: () => (isFull ? 452 : undefined) });
    const { smtp, event } = mailed;
    for (const name of ['a', 'b', 'c']) await event.guest({ name, email: `${name}@example.com` });
    const invitation = await send(event, { filter: {} });
    const message = await send(event, { kind: 'message', message: 'שלום', filter: {} });
    await untilMails(event, 6, 'retry');

    const tried = await event.call('PUT', '?dry_run=true', { body: { status: 'cancelled' } });
    assert.equal(tried.status, 200, tried.text);
    assert.equal((await report(event, invitation)).waiting, 3);
    await change(event, { status: 'cancelled' });
    const { state, chosen, sent, left_out } = await report(event, invitation);
    assert.deepEqual([state, chosen, sent, left_out], ['sent', 0, 0, { not_now: 3 }]);
    assert.equal((await report(event, message)).waiting, 3);

    isFull = false;
    await until(async () => (await report(event, message)).sent === 3);
    await untilMails(event, 6, 'completed');
    assert.deepEqual(smtp.mails.map((mail) => /שלום/.test(mail.part('text/plain')) && mail.to[0]).sort(), [
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ]);
  });

  test(`what is on its way when the event is cancelled is tried no more, on ${kind}`, async () => {
    const isCancelled = Promise.withResolvers<undefined>();
    let held = 0;
    const taking = async () => {
      held += 1;
      const isRefused = held === 1;
      await isCancelled.promise;
      return isRefused ? 452 : undefined;
    };
    await using mailed = await startMailed(kind, {}, { taking });
    const { smtp, event } = mailed;
    const GUESTS = 20;
    for (let n = 0; n < GUESTS; n += 1) await event.guest({ name: `${n}`, email: `guest${n}@example.com` });
    const invitation = await send(event, { filter: {} });
    await until(() => held === 3);
    await change(event, { status: 'cancelled' });
    isCancelled.resolve(undefined);
    await until(async () => (await report(event, invitation)).sent === 2);
    await untilMails(event, GUESTS, 'completed');
    const { unknown, left_out } = await report(event, invitation);
    assert.deepEqual([smtp.mails.length, unknown, left_out], [2, 1, { not_now: GUESTS - 3 }]);
    const { guests } = (await event.call('GET', `/rounds/${invitation}/guests`)).body;
    const doubtful = guests.filter(({ delivery }: { delivery: string }) => delivery === 'unknown');
    assert.equal(doubtful[0]?.problem_code, 'withdrawn');
  });

  test(`of a deleted event guests are told that it is off, and nothing else, on ${kind}`, async () => {
    let isFull = true;
    await using mailed = await startMailed(kind, {}, { refuse: () => (isFull ? 452 : undefined) });
    const { smtp, event } = mailed;
    await event.guest({ name: 'א', email: 'a@example.com', rsvp_status: 'confirmed' });
    await send(event, { kind: 'see_you', filter: {} });
    await send(event, { kind: 'message', message: 'שלום', filter: {} });
    await untilMails(event, 2, 'retry');
    await change(event, { status: 'cancelled' });
    await send(event, { kind: 'cancellation', filter: {} });
    await untilMails(event, 3, 'retry');
    assert.equal((await event.call('DELETE', '')).status, 204);
    isFull = false;
    await untilMails(event, 3, 'completed');
    assert.deepEqual(
      smtp.mails.map((mail) => /בוטל/.test(mail.part('text/plain')) || mail.part('text/plain')),
      [true],
    );
  });

  test(`who unsubscribes gets nothing of what waits, on ${kind}`, async () => {
    let isFull = false;
    await using mailed = await startMailed(kind, {}, { refuse: () => (isFull ? 452 : undefined) });
    const { smtp, event } = mailed;
    for (const name of ['a', 'b']) await event.guest({ name, email: `${name}@example.com` });
    await round(event, { filter: {} });
    isFull = true;
    const reminder = await send(event, { kind: 'reminder', filter: {} });
    await untilMails(event, 4, 'completed', 'retry');
    await event.server.call('POST', `/r/${await tokenIn(smtp, 'a@example.com')}/unsubscribe`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual((await report(event, reminder)).left_out, { unsubscribed: 1 });
    isFull = false;
    await untilMails(event, 4, 'completed');
    const { sent, left_out } = await report(event, reminder);
    assert.deepEqual([sent, left_out, smtp.mails.length], [1, { unsubscribed: 1 }, 3]);

    // They have an address: no other one would tell them of what changes.
    await change(event, { venue_name: 'גן אחר' });
    const { suggested } = (await event.call('GET', '/rounds/suggested')).body;
    assert.deepEqual(suggested, [{ kind: 'change', guests: 1, without_email: 0, unsubscribed: 1 }]);
  });

  test(`a dry run says what may have been meant otherwise, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    // What goes out now may do so on Shabbat, whenever these tests run.
    const codesOf = ({ warnings }: { warnings: { code: string }[] }, isPlanned: boolean) =>
      warnings.map(({ code }) => code).filter((code) => isPlanned || code !== 'day_of_rest');
    const warnings = async (body: object) => codesOf(await preview(event, body), 'send_at' in body);
    await event.guest({ name: 'דנה', email: 'dana@example.com', phone: '0501234567' });
    assert.deepEqual(await warnings({ filter: {} }), ['no_reply']);
    assert.deepEqual(await warnings({ filter: {}, channel: 'by_hand' }), []);
    const identified = await signToken(
      SECRET,
      { id: 'me', role: 'organizer', email: 'me@example.com' },
      '1h',
    );
    const path = `/api/events/${event.id}/rounds?dry_run=true`;
    const mine = await event.server.call('POST', path, { token: identified, body: { filter: {} } });
    assert.deepEqual(codesOf(mine.body.preview, false), []);
    await event.call('PUT', '/invitation', { body: { contact_email: 'noa@example.com' } });
    assert.deepEqual(await warnings({ filter: { tag: 'אין כזה' } }), ['nobody']);
    const monday = Temporal.Now.plainDateISO('Asia/Jerusalem').add({ days: 7 });
    const at = (dayOfWeek: number) => {
      const day = monday.add({ days: dayOfWeek - monday.dayOfWeek });
      return { filter: {}, send_at: `${day}T10:00` };
    };
    assert.deepEqual(await warnings(at(6)), ['day_of_rest']);
    const reminder = { kind: 'reminder', ...at(6) };
    assert.deepEqual(await warnings(reminder), ['not_invited', 'day_of_rest']);
    const { guests } = (await event.call('GET', '/guests')).body;
    await linkOf(event, guests[0].id);
    assert.deepEqual(await warnings(reminder), ['day_of_rest']);
  });

  test(`a dry run counts the guests who were invited before, by any channel, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const counted = async (body: object) =>
      (await preview(event, body)).warnings
        .filter(({ code }: { code: string }) => code === 'invited_before')
        .map(({ message }: { message: string }) => message);
    const dana = await event.guest({ name: 'דנה', email: 'dana@example.com', phone: '0501234567' });
    const noa = await event.guest({ name: 'נועה', email: 'noa@example.com', phone: '0521234567' });
    assert.deepEqual(await counted({ filter: {} }), []);
    const byHand = { filter: {}, channel: 'by_hand' };
    const id = await send(event, byHand);
    assert.deepEqual(await counted(byHand), [], 'a list of which nothing was sent');
    assert.equal((await event.call('POST', `/rounds/${id}/guests/${dana.id}/told`)).status, 200);
    assert.deepEqual(await counted({ filter: {} }), ['אורח אחד שכבר הוזמן יקבל הזמנה נוספת.']);
    await event.call('POST', `/rounds/${id}/guests/${noa.id}/told`);
    for (const channel of ['mail', 'by_hand', 'phone'])
      assert.deepEqual(await counted({ filter: {}, channel }), ['שני אורחים שכבר הוזמנו יקבלו הזמנה נוספת.']);
    // Nothing surprises an organizer who chose these guests, or writes something else.
    for (const body of [
      { filter: { invited: false } },
      { filter: { invited: true } },
      { guest_ids: [dana.id] },
      { filter: {}, kind: 'reminder' },
      { filter: {}, kind: 'save_the_date' },
    ])
      assert.deepEqual(await counted(body), []);
  });

  test(`each kind goes out while it makes sense, and a draft tells nobody anything, on ${kind}`, async () => {
    await using event = await newEvent(kind, {}, 'draft');
    const contact = { email: 'dana@example.com', phone: '0501234567' };
    const guest = await event.guest({ name: 'דנה', ...contact, rsvp_status: 'confirmed' });
    const tried = async (kind: string, query = '') => {
      const body = { kind, filter: {}, message: 'שלום' };
      const answer = await event.call('POST', `/rounds${query}`, { body });
      return answer.status === 202 || answer.status === 200 ? 'goes' : answer.body.code;
    };
    const kinds = ['invitation', 'change', 'see_you', 'cancellation', 'thanks', 'message'];
    const all = async () => {
      const answers = await Promise.all(kinds.map((one) => tried(one, '?dry_run=true')));
      return answers.join(' ');
    };
    assert.equal(await all(), 'draft draft draft not_cancelled draft draft');
    assert.equal(await tried('invitation'), 'draft');
    const { link } = (await event.call('GET', `/guests/${guest.id}/link`)).body;
    assert.deepEqual([link.message, link.whatsapp_url], [null, null]);
    const token = new URL(link.url).pathname.split('/').at(-1);
    const answer = () =>
      event.server.call('POST', `/api/rsvp/${token}`, { body: { rsvp_status: 'declined' } });
    assert.deepEqual([(await answer()).status, (await answer()).body.code], [409, 'closed']);
    assert.equal((await event.server.call('GET', `/api/rsvp/${token}`)).body.closed, 'draft');
    const page = await event.server.call('GET', `/r/${token}`);
    assert.match(page.text, /העמוד עוד לא פורסם/);
    assert.doesNotMatch(page.text, /<form method="post" action="[^"]*\?lang/);
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `draft-${kind}` } });
    for (const path of [`/r/${token}`, `/e/draft-${kind}`, `/r/${token}/unsubscribe`]) {
      const { status, text } = await event.server.call('GET', path);
      assert.equal(status, 200);
      for (const unsettled of ['החתונה', 'גן האירועים', 'דרך השרון', '2099', 'להזמין', 'event.ics', 'og:']) {
        assert.ok(!text.includes(unsettled), `${path} says ${unsettled}`);
      }
    }
    assert.equal((await event.server.call('GET', `/r/${token}/event.ics`)).status, 404);

    await change(event, { status: 'published' });
    assert.equal(await all(), 'goes goes goes not_cancelled not_yet goes');
    assert.equal((await event.server.call('GET', `/r/${token}/event.ics`)).status, 200);
    assert.equal((await answer()).status, 200);
    await change(event, { status: 'completed' });
    assert.equal(await all(), 'completed completed completed not_cancelled not_yet goes');
    assert.equal((await event.call('GET', '/rounds')).body.total, 0);

    await using past = await newEvent(kind);
    await past.guest({ name: 'דנה', email: 'dana@example.com', rsvp_status: 'confirmed' });
    await change(past, { status: 'completed', event_date: '2020-06-15T19:30' });
    assert.equal((await preview(past, { kind: 'thanks', filter: {} })).chosen, 1);

    await using untold = await newEvent(kind, {}, 'draft');
    await untold.guest({ name: 'דנה', email: 'dana@example.com' });
    await change(untold, { status: 'cancelled' });
    assert.deepEqual((await untold.call('GET', '/rounds/suggested')).body.suggested, []);
  });

  test(`a round waits for its time, is moved and called off, on ${kind}`, async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await using mailed = await startMailed(kind, { event_date: inDays(60) });
    const { smtp, event } = mailed;
    await event.guest({ name: 'א', email: 'a@example.com' });
    const body = { filter: {}, send_at: inDays(30), message: 'אחת' };
    const add = async () => (await event.call('POST', '/rounds', { body })).body.round;
    const first = await add();
    const second = await add();
    assert.deepEqual([first.state, first.send_at, first.chosen], ['scheduled', body.send_at, 0]);
    for (const [send_at, code] of [
      ['2001-01-01T10:00', 'invalid_field'],
      [inDays(800), 'invalid_field'],
      [inDays(61), 'begun'],
      [null, 'invalid_field'],
    ]) {
      const refused = await event.call('PUT', `/rounds/${first.id}`, { body: { send_at } });
      assert.deepEqual([refused.body.code, refused.body.field], [code, 'send_at'], String(send_at));
    }
    const own = (await event.call('POST', '/rounds', { body: { ...body, kind: 'message' } })).body.round;
    const wordless = await event.call('PUT', `/rounds/${own.id}`, { body: { message: null } });
    assert.deepEqual([wordless.status, wordless.body.field], [400, 'message']);
    await event.call('POST', `/rounds/${own.id}/call-off`);
    const called = await event.call('POST', `/rounds/${first.id}/call-off`);
    assert.deepEqual(
      [called.body.round.state, called.body.round.called_off_because],
      ['called_off', 'organizer'],
    );
    for (const [method, path, sent] of [
      ['POST', '/call-off', {}],
      ['PUT', '', { message: 'x' }],
    ] as const) {
      const refused = await event.call(method, `/rounds/${first.id}${path}`, { body: sent });
      assert.deepEqual([refused.status, refused.body.code], [409, 'not_waiting']);
    }

    // Who comes to the list before its time is in it.
    await event.guest({ name: 'ב', email: 'b@example.com' });
    const soon = new Date(Date.now() + 1_500).toISOString();
    const moved = await event.call('PUT', `/rounds/${second.id}`, {
      body: { send_at: soon, message: 'שתיים' },
    });
    assert.equal(moved.status, 200, moved.text);
    await until(async () => (await report(event, second.id)).state === 'sent', 30_000);
    assert.deepEqual(smtp.mails.map(({ to }) => to[0]).sort(), ['a@example.com', 'b@example.com']);
    assert.match((await smtp.mailTo('a@example.com')).part('text/plain'), /שתיים/);

    const third = (
      await event.call('POST', '/rounds', { body: { ...body, send_at: new Date(Date.now() + 2_000) } })
    ).body.round;
    await change(event, { status: 'cancelled' });
    await until(async () => (await report(event, third.id)).state === 'called_off', 30_000);
    assert.equal((await report(event, third.id)).called_off_because, 'cancelled');
    assert.equal(smtp.mails.length, 2);
    const { history } = (await event.call('GET', '/history?subject=round')).body;
    assert.deepEqual(
      history
        .map(({ action, by }: { action: string; by: { kind: string } }) => `${action} ${by.kind}`)
        .reverse(),
      [
        'scheduled organizer',
        'scheduled organizer',
        'scheduled organizer',
        'called_off organizer',
        'called_off organizer',
        'changed organizer',
        'sent system',
        'scheduled organizer',
        'called_off system',
      ],
    );
  });

  test(`what the organizer sends by hand waits until they say so, and tells as mail does, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const dana = await event.guest({ name: 'דנה', phone: '050-222-3344', email: 'dana@example.com' });
    const ahmad = await event.guest({ name: 'أحمد', phone: '054-222-3344', language: 'arabic' });
    for (const [name, phone] of [
      ['בית', '03-612-3456'],
      ['עסק', '1-700-500-600'],
      ['London', '+44 20 7946 0958'],
      ['בלי', null],
    ] as const) {
      await event.guest({ name, phone });
    }
    const abroad = await event.guest({ name: 'Grace', phone: '+44 7911 123456', language: 'english' });
    const body = { filter: {}, channel: 'by_hand', message: { hebrew: 'מחכים לכם!', english: 'Do come!' } };
    const tried = await preview(event, body);
    assert.deepEqual([tried.chosen, tried.left_out], [3, { no_phone: 1, no_mobile: 3 }]);
    const [hebrew] = tried.letters.filter(({ language }: { language: string }) => language === 'hebrew');
    assert.deepEqual([hebrew.subject, hebrew.html], [null, null]);
    assert.match(hebrew.text, /מחכים לכם!/);

    const sent = await event.call('POST', '/rounds', { body });
    assert.equal(sent.status, 202, sent.text);
    const { id } = sent.body.round;
    assert.deepEqual([sent.body.round.channel, sent.body.round.waiting], ['by_hand', 3]);
    const next = async (query = '') => (await event.call('GET', `/rounds/${id}/next${query}`)).body;
    const names = async (query = '') => (await next(query)).next.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(), ['Grace', 'דנה', 'أحمد']);
    assert.deepEqual([await names('?limit=1&page=2'), (await next('?page=9')).total], [['דנה'], 3]);
    const taken = async () => (await event.call('POST', `/rounds/${id}/next`, { body: {} })).body.guest;
    const grace = await taken();
    assert.ok(grace.whatsapp_url.startsWith('https://wa.me/447911123456?text=Dear%20Grace%2C'));
    // The list names the guests; the message to one of them comes with the reservation alone.
    const [, listed] = (await next()).next;
    assert.deepEqual(listed, { guest_id: dana.id, name: 'דנה', tries: 0, outcome: null });
    assert.equal(new URL(grace.whatsapp_url).searchParams.get('text'), grace.text);
    for (const words of ['Dear Grace,', 'החתונה של נועה ואיתי', 'Do come!', '/r/']) {
      assert.ok(grace.text.includes(words), `${words} in ${grace.text}`);
    }

    const mark = (guest: string, what = 'told') =>
      event.call('POST', `/rounds/${id}/guests/${guest}/${what}`, { body: {} });
    assert.deepEqual((await mark(dana.id)).body.round.sent, 1);
    assert.deepEqual((await mark(dana.id)).body.round.sent, 1);
    assert.deepEqual((await mark(abroad.id)).body.round.waiting, 1);
    assert.deepEqual((await mark(abroad.id, 'not-told')).body.round.waiting, 2);
    const { history } = (await event.call('GET', `/history?subject=guest&subject_id=${abroad.id}`)).body;
    assert.deepEqual(
      history.map(({ action }: { action: string }) => action),
      ['not_told', 'told', 'created'],
    );
    assert.deepEqual(await names(), ['Grace', 'أحمد']);
    // Who is taken back is taken next, although another was at hand; who is left for later comes last.
    const take = async () => (await taken()).name;
    assert.equal(await take(), 'Grace');
    await mark(abroad.id);
    assert.equal(await take(), 'أحمد');
    await mark(abroad.id, 'not-told');
    assert.equal(await take(), 'Grace');
    const left = await mark(abroad.id, 'later');
    assert.deepEqual([left.status, left.body.round.waiting], [200, 2], left.text);
    assert.deepEqual(await names(), ['أحمد', 'Grace']);
    assert.equal(await take(), 'أحمد');
    await mark(ahmad.id, 'later');
    assert.equal(await take(), 'Grace');
    // Who was told already is not to be told again by that.
    assert.equal((await mark(dana.id, 'later')).body.round.waiting, 2);
    // Who answers meanwhile is sent nothing any more.
    await event.call('PUT', `/guests/${ahmad.id}`, { body: { rsvp_status: 'declined' } });
    assert.deepEqual(await names(), ['Grace']);
    const invited = await event.call('GET', '/guests?invited=true');
    assert.deepEqual(
      invited.body.guests.map(({ name }: { name: string }) => name),
      ['דנה'],
    );
    const each = (await event.call('GET', `/rounds/${id}/guests`)).body.guests;
    assert.deepEqual(
      each
        .map(({ name, delivery, left_out }: Record<string, string>) => [name, delivery, left_out])
        .filter(([, , why]: string[]) => !why),
      [
        ['Grace', 'waiting', null],
        ['דנה', 'sent', null],
        ['أحمد', 'waiting', null],
      ],
    );

    const found = async (query: string) => {
      const { guests, total } = (await event.call('GET', `/rounds/${id}/guests?${query}`)).body;
      assert.equal(guests.length, total);
      return guests.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await found('delivery=sent'), ['דנה']);
    assert.deepEqual(await found('delivery=sent,waiting'), ['Grace', 'דנה', 'أحمد']);
    assert.deepEqual(await found('search=grace'), ['Grace']);
    assert.deepEqual(await found('search=7911&delivery=sent'), []);
    assert.equal((await event.call('GET', `/rounds/${id}/guests?delivery=lost`)).body.field, 'delivery');

    // What is known of it counts: a change goes to who was told before.
    await change(event, { venue_name: 'גן אחר' });
    const { suggested } = (await event.call('GET', '/rounds/suggested')).body;
    assert.deepEqual(suggested, [{ kind: 'change', guests: 1, without_email: 1, unsubscribed: 0 }]);

    const home = each.find(({ left_out }: { left_out: string }) => left_out === 'no_mobile');
    for (const [method, path, sentBody, status, code] of [
      ['POST', `/rounds/${id}/guests/${home.guest_id}/told`, {}, 409, 'not_meant'],
      ['POST', `/rounds/${id}/guests/${id}/told`, {}, 404, 'not_found'],
      ['POST', `/rounds/${id}/guests/nobody/told`, {}, 404, 'not_found'],
      ['POST', '/rounds', { ...body, subject: 'x' }, 400, 'invalid_field'],
      ['POST', '/rounds', { ...body, channel: 'pigeon' }, 400, 'invalid_field'],
    ] as const) {
      const refused = await event.call(method, path, { body: sentBody });
      assert.deepEqual([refused.status, refused.body.code], [status, code], path);
    }
    const mailed = (await event.call('POST', '/rounds', { body: { filter: {} } })).body.round;
    for (const path of ['/next', `/guests/${dana.id}/told`]) {
      const method = path === '/next' ? 'GET' : 'POST';
      const refused = await event.call(
        method,
        `/rounds/${mailed.id}${path}`,
        method === 'POST' ? { body: {} } : {},
      );
      assert.deepEqual([refused.status, refused.body.code], [409, 'not_by_hand']);
    }
    await change(event, { status: 'cancelled' });
    assert.equal((await event.call('GET', `/rounds/${id}/next`)).body.code, 'cancelled');
  });

  test(`callers share a round: whom next, what came of it, and the answer with it, on ${kind}`, async () => {
    let now = Temporal.Instant.from('2027-03-01T10:00Z');
    const later = (duration: Temporal.DurationLike) => {
      now = now.add(duration);
    };
    await using event = await startEvent(kind, { max_guests: 4 }, { clock: () => now, lifetime: '100y' });
    const ids: Record<string, string> = {};
    for (const [name, phone] of [
      ['א', '03-612-3456'],
      ['ב', '050-222-3344'],
      ['ג', '050-222-3345'],
      ['ד', null],
    ] as const) {
      ids[name] = (await event.guest({ name, phone, party_size: 3 })).id;
    }
    const body = { kind: 'reminder', filter: {}, channel: 'phone' };
    const sent = await event.call('POST', '/rounds', { body });
    assert.deepEqual([sent.status, sent.body.round.left_out], [202, { no_phone: 1 }], sent.text);
    const { id } = sent.body.round;
    const colleague = await event.server.token('colleague', 'organizer', '100y');
    await event.call('POST', '/co-organizers', { body: { email: 'c@example.com', access: 'edit' } });
    const invited = await signToken(
      SECRET,
      { id: 'colleague', role: 'organizer', email: 'c@example.com' },
      '100y',
    );
    const take = async (token?: string) => {
      const taken = await event.call('POST', `/rounds/${id}/next`, { body: {}, ...(token && { token }) });
      assert.equal(taken.status, 200, taken.text);
      return taken.body.guest?.name ?? null;
    };
    const called = (name: string, said: object) =>
      event.call('POST', `/rounds/${id}/guests/${ids[name]}/calls`, { body: said });
    assert.equal(
      (await event.call('POST', `/rounds/${id}/next`, { body: {}, token: colleague })).status,
      404,
    );

    // Each has a guest at hand, the same one until something came of it.
    assert.deepEqual(
      [await take(), await take(), await take(invited), await take(invited)],
      ['א', 'א', 'ב', 'ב'],
    );
    const next = async () => (await event.call('GET', `/rounds/${id}/next`)).body.next;
    assert.deepEqual(
      (await next()).map(({ name }: Record<string, string>) => name),
      ['א', 'ג'],
    );
    const missed = await called('א', { outcome: 'no_answer' });
    assert.deepEqual([missed.status, missed.body.call.outcome], [201, 'no_answer'], missed.text);
    assert.equal(await take(), 'ג');
    const promised = '2027-03-01T20:30:00.000Z';
    const again = await called('ג', { outcome: 'call_again', call_again_at: promised, note: 'אחרי העבודה' });
    assert.equal(again.body.call.call_again_at, promised, again.text);
    assert.equal(await take(), null);
    later({ minutes: 16 });
    assert.equal(await take(), 'ב', 'who took them did not say what came of it');

    const reached = await called('ב', { outcome: 'reached', rsvp_status: 'confirmed', coming: 2 });
    assert.equal(reached.status, 201, reached.text);
    assert.deepEqual([reached.body.round.sent, reached.body.round.waiting], [1, 2]);
    assert.deepEqual(reached.body.warnings, []);
    const { rsvp_status, coming, answered_via } = await event.read(ids.ב ?? '');
    assert.deepEqual([rsvp_status, coming, answered_via], ['confirmed', 2, 'organizer']);
    later({ hours: 2 });
    assert.equal(await take(), 'א');
    later({ hours: 9 });
    assert.deepEqual(
      (await next()).map(({ name, tries, outcome }: Record<string, unknown>) => [name, tries, outcome]),
      [
        ['ג', 1, 'call_again'],
        ['א', 1, 'no_answer'],
      ],
    );
    // A promise is put off for a quarter of an hour, and before all others again then.
    await event.call('POST', `/rounds/${id}/guests/${ids.ג}/later`, { body: {} });
    assert.equal(await take(), 'א');
    later({ minutes: 15 });
    assert.equal((await next())[0].name, 'ג');
    for (const [field, said] of [
      ['coming', { coming: 2 }],
      ['rsvp_status', { rsvp_status: 'confirmed', coming: 2 }],
    ] as const) {
      const both = await called('ג', { outcome: 'wrong_number', ...said });
      assert.deepEqual([both.status, both.body.field], [400, field]);
    }
    const wrong = await called('ג', { outcome: 'wrong_number' });
    assert.deepEqual(wrong.body.round.left_out, { no_phone: 1, wrong_number: 1 });
    const { calls } = (await event.call('GET', `/rounds/${id}/guests/${ids.ג}/calls`)).body;
    assert.deepEqual(
      calls.map(({ outcome, note }: Record<string, string>) => [outcome, note]),
      [
        ['wrong_number', null],
        ['call_again', 'אחרי העבודה'],
      ],
    );

    for (const [said, status, code, field] of [
      [{}, 400, 'invalid_field', 'outcome'],
      [{ outcome: 'reached', mood: 'good' }, 400, 'invalid_field', 'mood'],
      [{ outcome: 'no_answer', rsvp_status: 'declined' }, 400, 'invalid_field', 'rsvp_status'],
      [{ outcome: 'call_again' }, 400, 'invalid_field', 'call_again_at'],
      [{ outcome: 'call_again', call_again_at: '2027-01-01T10:00Z' }, 400, 'invalid_field', 'call_again_at'],
      [{ outcome: 'reached', call_again_at: '2027-04-01T10:00Z' }, 400, 'invalid_field', 'call_again_at'],
      [{ outcome: 'reached', rsvp_status: 'confirmed', coming: 500 }, 400, 'invalid_field', 'coming'],
    ] as const) {
      const refused = await called('א', said);
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.field],
        [status, code, field],
        refused.text,
      );
    }
    assert.equal((await called('ג', { outcome: 'reached' })).body.code, 'not_meant');
    // A yes for which there is no place waits, as any other.
    const waits = await called('א', { outcome: 'reached', rsvp_status: 'confirmed' });
    assert.deepEqual(
      waits.body.warnings?.map(({ code }: { code: string }) => code),
      ['waits'],
      waits.text,
    );
    assert.ok((await event.read(ids.א ?? '')).waiting_since);

    assert.equal((await event.call('POST', '/guests/erase', { body: {} })).status, 200);
    const after = (await event.call('GET', `/rounds/${id}/guests/${ids.ג}/calls`)).body.calls;
    assert.deepEqual(
      after.map(({ note }: { note: string | null }) => note),
      [null, null],
    );
  });

  test(`who gets a place, or the answer to a request, is told by itself unless it is switched off, on ${kind}`, async () => {
    await using mailed = await startMailed(kind, { max_guests: 1 });
    const { smtp, event } = mailed;
    const subjectTo = async (address: string, past = 0) =>
      (await smtp.mailTo(address, past)).part('text/plain').split('\n', 1)[0]?.trim();
    const first = await event.guest({ name: 'א', rsvp_status: 'confirmed' });
    const waits = await event.guest({ name: 'ב', email: 'b@example.com', rsvp_status: 'confirmed' });
    await event.guest({ name: 'ג', rsvp_status: 'confirmed' });
    await event.call('DELETE', `/guests/${first.id}`);
    assert.equal(await subjectTo('b@example.com'), 'התפנה לכם מקום: החתונה של נועה ואיתי');
    const rounds = async (query = '') => (await event.call('GET', `/rounds${query}`)).body.rounds;
    await until(async () => (await rounds()).every(({ state }: { state: string }) => state === 'sent'));
    const [moved] = await rounds('?automatic=true');
    assert.deepEqual([moved.kind, moved.sent, moved.left_out], ['moved_up', 1, {}]);
    assert.deepEqual(await rounds('?automatic=false'), []);
    assert.deepEqual((await event.call('GET', '/rounds/suggested')).body.suggested, []);

    const { slug } = (await event.call('PUT', '/rsvp', { body: { open: true } })).body.settings;
    const asks = async (name: string) => {
      const form = new URLSearchParams({ name, email: `${name}@example.com`, coming: '1' });
      const answer = await event.server.call('POST', `/e/${slug}?lang=english`, {
        body: String(form),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(answer.status, 303, answer.text);
      const { requests } = (await event.call('GET', '/guest-requests?status=waiting')).body;
      return requests[0].id;
    };
    const decide = async (name: string, what: 'accept' | 'decline') => {
      const answer = await event.call('POST', `/guest-requests/${await asks(name)}/${what}`);
      assert.equal(answer.status, 200, answer.text);
    };
    await decide('dana', 'decline');
    assert.match((await subjectTo('dana@example.com')) ?? '', /^About your request: /);
    // The one place is taken: who is accepted waits.
    await decide('grace', 'accept');
    assert.match((await subjectTo('grace@example.com')) ?? '', /^You are on the waiting list: /);
    assert.match((await smtp.mailTo('grace@example.com')).part('text/plain'), /you are on the waiting list/);

    for (const body of [
      { moved_up: 'yes' },
      { moved_down: true },
      { accepted: null },
      { channels: [] },
      { channels: ['phone'] },
      { channels: 'mail' },
    ]) {
      assert.equal((await event.call('PUT', '/notices', { body })).status, 400);
    }
    const closed = await event.call('PUT', '/notices', { body: { channels: ['mail', 'sms'] } });
    assert.deepEqual([closed.status, closed.body.code], [409, 'channel_closed']);
    const off = await event.call('PUT', '/notices', { body: { moved_up: false, declined: false } });
    const others = { accepted: true, answered: true, day_before: true, digest: true, channels: ['mail'] };
    assert.deepEqual(off.body.notices, { ...others, moved_up: false, declined: false });
    const went = smtp.mails.length;
    await decide('ruth', 'decline');
    await event.call('DELETE', `/guests/${waits.id}`);
    const { history } = (await event.call('GET', '/history?subject=guest')).body;
    assert.equal(history[0].action, 'moved_up');
    await decide('lea', 'accept');
    await smtp.mailTo('lea@example.com');
    assert.equal(smtp.mails.length, went + 1);
  });

  test(`who got a place or a yes that could not reach them stands among what to tell, until they are told, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 2 });
    const suggested = async () => (await event.call('GET', '/rounds/suggested')).body.suggested;
    const sent = async (channel: string, kind = 'moved_up') =>
      (await event.call('POST', '/rounds', { body: { kind, channel, filter: {} } })).body.round;
    const first = await event.guest({ name: 'א', rsvp_status: 'confirmed' });
    const second = await event.guest({ name: 'ב', rsvp_status: 'confirmed' });
    const mobile = { name: 'ג', phone: '0501234567', rsvp_status: 'confirmed' };
    const up = await event.guest(mobile);
    await event.guest({ name: 'ד', phone: '036123456', rsvp_status: 'confirmed' });
    await event.guest({ name: 'ה', phone: '0521234567', rsvp_status: 'confirmed' });
    await event.call('DELETE', `/guests/${first.id}`);
    await event.call('DELETE', `/guests/${second.id}`);
    assert.deepEqual(await suggested(), [{ kind: 'moved_up', guests: 0, without_email: 2, unsubscribed: 0 }]);
    assert.deepEqual((await sent('mail')).left_out, {
      not_coming: 1,
      no_email: 2,
    });
    const byHand = await sent('by_hand');
    assert.deepEqual([byHand.chosen, byHand.left_out], [1, { not_coming: 1, no_mobile: 1 }]);
    const { guest: next } = (await event.call('POST', `/rounds/${byHand.id}/next`)).body;
    assert.equal(next.guest_id, up.id);
    assert.match(next.text, /יש לכם מקום/);
    const path = `/rounds/${byHand.id}/guests/${up.id}/told`;
    assert.equal((await event.call('POST', path)).status, 200);
    assert.deepEqual(await suggested(), [{ kind: 'moved_up', guests: 0, without_email: 1, unsubscribed: 0 }]);
    const calls = await sent('phone');
    assert.deepEqual([calls.chosen, calls.left_out], [1, { not_coming: 1, told: 1 }]);
    const accepted = await sent('phone', 'accepted');
    assert.deepEqual([accepted.chosen, accepted.left_out], [0, { told: 3 }]);
  });

  test(`a round without a choice of guests, of nonsense or of a stranger's event is refused, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'דנה', email: 'dana@example.com' });
    for (const body of [
      {},
      { guest_ids: ['x'] },
      { guest_ids: 'all' },
      { filter: [] },
      { filter: {}, kind: 'spam' },
      { filter: {}, kind: 'message' },
      { filter: {}, sendat: '2099-01-01T10:00' },
      { filter: {}, message: { klingon: 'x' } },
      { filter: {}, subject: 5 },
      { filter: { tagg: 'x' } },
      { filter: { tags: ['x'] } },
      { filter: { status: 'zzz' } },
      { filter: { status: ['confirmed', 'zzz'] } },
      { filter: { status: [] } },
      { filter: { status: null } },
      { filter: { tag: '' } },
      { filter: { tag: ['x', ' '] } },
      { filter: { search: 5 } },
      { filter: { invited: 'no' } },
      [],
    ]) {
      for (const query of ['', '?dry_run=true']) {
        const answer = await event.call('POST', `/rounds${query}`, { body });
        assert.equal(answer.status, 400, `${JSON.stringify(body)} ${answer.text}`);
      }
    }
    const token = await event.server.token('stranger');
    for (const query of ['', '?dry_run=true']) {
      const foreign = await event.call('POST', `/rounds${query}`, { token, body: { filter: {} } });
      assert.equal(foreign.status, 404);
    }
    assert.equal((await event.call('GET', '/rounds', { token })).status, 403);
    assert.equal((await event.call('GET', '/rounds/suggested', { token })).status, 404);
    assert.equal((await event.call('GET', '/rounds/x')).status, 404);
    assert.equal((await event.call('GET', '/rounds')).body.total, 0);
  });

  test(`an event says who invites and how long it lasts, and keeps the length when it moves, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const read = async () => (await event.call('GET', '/invitation')).body.invitation;
    assert.deepEqual(new Set(Object.values(await read())), new Set([null]));
    for (const [body, field] of [
      [{ hosts: 'Bank <ceo@bank.example>' }, 'hosts'],
      [{ contact_email: 'x' }, 'contact_email'],
      [{ event_end: '2099-06-15T19:00' }, 'event_end'],
      [{ event_end: '2099-07-30T19:00' }, 'event_end'],
      [{ event_ends: '2099-06-15T23:00' }, 'event_ends'],
    ] as const) {
      const refused = await event.call('PUT', '/invitation', { body });
      assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
    }
    const changed = await event.call('PUT', '/invitation', {
      body: { hosts: 'נועה ואיתי', event_end: '2099-06-16T01:30' },
      headers: { 'if-match': '"0"' },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.body.invitation.event_end, '2099-06-15T22:30:00.000Z');
    await change(event, { event_date: '2099-06-20T18:00' });
    const { hosts, event_end } = await read();
    const inAll = { hebrew: 'נועה ואיתי', arabic: 'נועה ואיתי', english: 'נועה ואיתי' };
    assert.deepEqual([hosts, event_end], [inAll, '2099-06-20T21:00:00.000Z']);
    const guest = await event.guest({ name: 'דנה' });
    const { link } = (await event.call('GET', `/guests/${guest.id}/link`)).body;
    const calendar = await event.server.call('GET', `${new URL(link.url).pathname}/event.ics`);
    assert.match(calendar.text, /DTEND;TZID=Asia\/Jerusalem:20990621T000000/);
    const { history } = (await event.call('GET', '/history?subject=invitation')).body;
    assert.deepEqual(history[0].changes.hosts, { from: null, to: inAll });
  });
}

test('an event that is cancelled while a round is written is cancelled for the round', async () => {
  await using event = await startEvent('postgres');
  const { sql: db } = event.server.simcha.database;
  await event.guest({ name: 'א', email: 'a@example.com' });
  const { id } = await round(event, { filter: {} });
  await sql`update round_guests set status = 'waiting', message_id = null`.execute(db);
  const links = createLinks('any other secret', 'http://x');
  let isOver = false;
  const none = { enqueueAll: () => Promise.reject(new Error('a message of a cancelled event')) };
  const parts = { db, mail: none, texts: none, links, clock: Temporal.Now.instant, host: 'x' };
  const writing = await db.transaction().execute(async (transaction) => {
    await sql`select from events for update`.execute(transaction);
    const ends = writeMessages(parts, id, new AbortController().signal).finally(() => {
      isOver = true;
    });
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return isOver || rows.length > 0;
    });
    await sql`update events set status = 'cancelled'`.execute(transaction);
    return { ends };
  });
  await writing.ends;
  assert.deepEqual((await report(event, id)).left_out, { not_now: 1 });
});

for (const kind of DATABASES_OF_SLOW_TESTS) {
  for (const by of ['the organizer', 'the night'] as const) {
    test(`who is erased by ${by} gets nothing of what waits, on ${kind}`, async () => {
      let isFull = true;
      let now = Temporal.Now.instant();
      const manner = { refuse: () => (isFull ? 452 : undefined) };
      const clock = { clock: () => now, lifetime: '1000000h' };
      await using mailed = await startMailed(kind, { retention_policy_days: 30 }, manner, clock);
      const { smtp, event } = mailed;
      const put = await event.call('PUT', '/rsvp', { body: { open: true, slug: 'asks' } });
      assert.equal(put.status, 200, put.text);
      await form(event, '/e/asks', { name: 'Asker', email: 'asker@example.com', phone: '0521112233' });
      const [asked] = (await event.call('GET', '/guest-requests')).body.requests;
      assert.equal((await event.call('POST', `/guest-requests/${asked.id}/decline`)).status, 200);
      for (const name of ['a', 'b']) {
        await event.guest({ name, email: `${name}@example.com`, phone: `050123456${name === 'a' ? 1 : 2}` });
      }
      const invitation = await send(event, { filter: {} });
      await untilMails(event, 3, 'retry');
      const calls = await send(event, { filter: {}, channel: 'phone' });
      if (by === 'the night') {
        now = Temporal.Instant.from('2099-12-31T00:00:00Z');
        await event.server.simcha.enforceRetention();
      } else assert.equal((await event.call('POST', '/guests/erase')).status, 200);
      for (const id of [invitation, calls]) {
        const { state, chosen, waiting, unknown, left_out } = await report(event, id);
        assert.deepEqual([state, chosen, waiting, unknown, left_out], ['sent', 0, 0, 0, { erased: 2 }]);
      }
      isFull = false;
      await untilMails(event, 3, 'completed');
      assert.deepEqual(smtp.mails, []);
    });
  }

  test(`who is deleted, or erases what is kept of them, gets nothing of what waits, on ${kind}`, async () => {
    let isFull = true;
    await using mailed = await startMailed(kind, {}, { refuse: () => (isFull ? 452 : undefined) });
    const { smtp, event } = mailed;
    const [deleted, erased, stays] = await Promise.all(
      ['a', 'b', 'c'].map((name) => event.guest({ name, email: `${name}@example.com` })),
    );
    const invitation = await send(event, { filter: {} });
    await untilMails(event, 3, 'retry');
    assert.equal((await event.call('DELETE', `/guests/${deleted?.id}`)).status, 204);
    const path = new URL((await linkOf(event, erased?.id ?? '')).url).pathname;
    assert.equal((await form(event, `${path}/erase`, { understood: 'yes' })).status, 200);
    assert.equal((await event.call('POST', `/guests/${deleted?.id}/restore`)).status, 200);
    const { chosen, waiting, left_out } = await report(event, invitation);
    assert.deepEqual(
      [chosen, waiting, left_out],
      [1, 1, {}],
      'who came back is in no round that had not reached them',
    );
    isFull = false;
    await untilMails(event, 3, 'completed');
    assert.deepEqual(
      smtp.mails.map(({ to }) => to),
      [[stays?.email]],
    );
  });

  test(`who is named and is no guest of the event is told of, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await using other = await newEvent(kind);
    const { id } = await event.guest({ name: 'דנה', email: 'dana@example.com', phone: '0501234567' });
    const foreign = await other.guest({ name: 'זר', email: 'other@example.com' });
    const missing = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47';
    const guest_ids = [id, foreign.id, missing.toUpperCase()];
    const body = { guest_ids, channel: 'by_hand' };
    assert.deepEqual((await preview(event, body)).not_found, [foreign.id, missing]);
    assert.deepEqual((await preview(event, { filter: {} })).not_found, []);
    const soon = Temporal.Now.instant().add({ hours: 24 }).toString();
    for (const when of [{}, { channel: 'mail', send_at: soon }]) {
      const sent = await event.call('POST', '/rounds', { body: { ...body, ...when } });
      assert.equal(sent.status, 202, sent.text);
      assert.deepEqual(sent.body.not_found, [foreign.id, missing]);
    }
  });
}

testInLane(
  'a yes by phone for more people than can come is asked about before anything is saved',
  async () => {
    await using event = await newEvent(ANY_DATABASE, { max_guests: 10 });
    await event.call('PUT', '/rsvp', { body: { plus_ones_each: 1 } });
    const ids = [];
    for (const [name, phone] of Object.entries({ א: '0502223344', ב: '0502223345' }))
      ids.push((await event.guest({ name, phone, party_size: 2 })).id);
    const sent = await event.call('POST', '/rounds', { body: { filter: {}, channel: 'phone' } });
    const path = `/rounds/${sent.body.round.id}`;
    const called = (id: string | undefined, more: object) =>
      event.call('POST', `${path}/guests/${id}/calls`, {
        body: { outcome: 'reached', rsvp_status: 'confirmed', ...more },
      });
    const refused = await called(ids[0], { coming: 4 });
    const { code, up_to, may_bring } = refused.body;
    assert.deepEqual([refused.status, code, up_to, may_bring], [409, 'full', 3, 1], refused.text);
    assert.match(refused.body.error, /השיחה עוד לא נרשמה/);
    assert.equal((await event.read(ids[0] ?? '')).rsvp_status, 'pending');
    assert.deepEqual((await event.call('GET', `${path}/guests/${ids[0]}/calls`)).body.calls, []);
    assert.equal((await called(ids[0], { coming: up_to })).status, 201);
    const anyway = await called(ids[1], { coming: 4, over_limit: true });
    assert.equal(anyway.status, 201, anyway.text);
    const people = await Promise.all(ids.map(async (id) => (await event.read(id)).coming));
    assert.deepEqual(people, [3, 4]);
  },
);
