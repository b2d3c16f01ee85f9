import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { isDayBeforeTime } from '../../server/planning/rounds/day-before.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startClocked, wall } from './clocked.ts';

test('the day before is the last one that is none of rest, from ten in the morning', () => {
  for (const [begins, language, now, expected] of [
    // Of a Tuesday: Monday.
    ['2027-06-22T19:30', 'hebrew', '2027-06-21T09:59', false],
    ['2027-06-22T19:30', 'hebrew', '2027-06-21T10:00', true],
    ['2027-06-22T19:30', 'hebrew', '2027-06-22T12:00', true],
    // Of a Sunday: Friday, and not on Shabbat itself, which begins in the evening.
    ['2027-06-20T19:30', 'hebrew', '2027-06-17T23:00', false],
    ['2027-06-20T19:30', 'hebrew', '2027-06-18T10:00', true],
    ['2027-06-20T19:30', 'hebrew', '2027-06-18T19:30', false],
    ['2027-06-20T19:30', 'hebrew', '2027-06-19T12:00', false],
    ['2027-06-20T19:30', 'english', '2027-06-19T12:00', false],
    ['2027-06-20T19:30', 'hebrew', '2027-06-20T09:00', true],
    ['2027-06-20T19:30', 'arabic', '2027-06-18T10:00', false],
    ['2027-06-20T19:30', 'arabic', '2027-06-19T10:00', true],
    // Rosh Hashana 5789 is a Thursday and a Friday, and Shabbat follows.
    ['2028-09-24T19:30', 'hebrew', '2028-09-20T10:00', true],
    ['2028-09-24T19:30', 'hebrew', '2028-09-22T10:00', false],
    // In the night, the day before is that of the evening.
    ['2027-06-23T00:30', 'hebrew', '2027-06-22T10:00', true],
  ] as const) {
    assert.equal(
      isDayBeforeTime(wall(begins), language, wall(now)),
      expected,
      `${begins} ${language} ${now}`,
    );
  }
});

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`who comes is told once, the day before, unless the organizer has, on ${kind}`, async () => {
    await using clocked = await startClocked(kind);
    const { event, smtp, moveTo } = clocked;
    const { simcha } = event.server;
    await event.guest({ name: 'דנה', email: 'dana@example.com', rsvp_status: 'confirmed' });
    await event.guest({ name: 'רות', email: 'ruth@example.com' });
    await event.call('PUT', '/invitation', { body: { contact_email: 'noa@example.com' } });
    const rounds = async () => (await event.call('GET', '/rounds')).body.rounds;

    moveTo('2027-06-18T09:30');
    await simcha.sendDayBeforeMessages();
    assert.deepEqual(await rounds(), []);
    moveTo('2027-06-18T10:00');
    await event.call('PUT', '/notices', { body: { day_before: false } });
    await simcha.sendDayBeforeMessages();
    assert.deepEqual(await rounds(), []);

    await event.call('PUT', '/notices', { body: { day_before: true } });
    await simcha.sendDayBeforeMessages();
    await until(async () => (await rounds())[0]?.state === 'sent');
    moveTo('2027-06-20T10:00');
    await simcha.sendDayBeforeMessages();
    const [told, ...more] = await rounds();
    assert.deepEqual([told.kind, told.automatic, told.sent, more.length], ['see_you', true, 1, 0]);
    // Friday is two days before.
    const mail = await smtp.mailTo('dana@example.com');
    assert.match(mail.part('text/plain'), /^נתראה בקרוב: /);
    assert.ok(mail.raw.includes('text/calendar'));
    assert.equal(smtp.mails.length, 1);

    // Moved on by a month, it comes again; the organizer's own is enough.
    await event.call('PUT', '', { body: { event_date: '2027-07-20T19:30' } });
    await event.call('POST', '/rounds', {
      body: { kind: 'see_you', filter: {}, send_at: '2027-07-19T18:00' },
    });
    moveTo('2027-07-19T10:00');
    await simcha.sendDayBeforeMessages();
    assert.equal((await rounds()).length, 2);
    const [own] = await rounds();
    await event.call('POST', `/rounds/${own.id}/call-off`);
    await simcha.sendDayBeforeMessages();
    assert.equal((await rounds()).length, 3);
    assert.match((await smtp.mailTo('dana@example.com', 1)).part('text/plain'), /^נתראה מחר: /);

    // Whom the organizer told by hand is told enough, and the others are told.
    const lea = await event.guest({
      name: 'לאה',
      email: 'lea@example.com',
      phone: '050-222-3344',
      rsvp_status: 'confirmed',
    });
    await event.call('PUT', '', { body: { event_date: '2027-08-20T12:00' } });
    const byHand = { kind: 'see_you', channel: 'by_hand', guest_ids: [lea.id] };
    moveTo('2027-08-18T20:00');
    const { id } = (await event.call('POST', '/rounds', { body: byHand })).body.round;
    await event.call('POST', `/rounds/${id}/guests/${lea.id}/told`, { body: {} });
    moveTo('2027-08-19T10:00');
    await simcha.sendDayBeforeMessages();
    await smtp.mailTo('dana@example.com', 2);
    await until(async () => (await rounds())[0].state === 'sent');
    assert.ok(!smtp.mails.some(({ to }) => to.includes('lea@example.com')));
  });

  test(`the organizer is told in the morning what guests did since, and of nothing else, on ${kind}`, async () => {
    await using clocked = await startClocked(kind, { max_guests: 5, language_pref: 'english' });
    const { event, smtp, moveTo } = clocked;
    const { simcha, call } = event.server;
    const known = { id: 'me', role: 'organizer', email: 'me@example.com' } as const;
    const token = await signToken(SECRET, known, '100y');
    await event.call('PUT', '', { token, body: { title: 'Our wedding' } });
    const answer = async (name: string, body: object) => {
      const { id } = await event.guest({ name, party_size: 4 });
      const { url } = (await event.call('GET', `/guests/${id}/link`)).body.link;
      const answered = await call('POST', `/api/rsvp/${url.split('/r/')[1]}`, { body });
      assert.equal(answered.status, 200, answered.text);
      return id;
    };
    const tell = async (at: string) => {
      moveTo(at);
      await simcha.sendDigests();
    };
    await event.guest({ name: 'By phone', rsvp_status: 'confirmed' });
    await tell('2027-06-02T08:00');
    await answer('Grace', { rsvp_status: 'confirmed', coming: 3 });
    await answer('דנה', { rsvp_status: 'declined' });
    const waits = await answer('Ruth', { rsvp_status: 'confirmed', coming: 2 });
    const { slug } = (await event.call('PUT', '/rsvp', { body: { open: true } })).body.settings;
    const form = new URLSearchParams({ name: 'Lea', email: 'lea@example.com', coming: '1' });
    await call('POST', `/e/${slug}`, {
      body: String(form),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    // Shabbat.
    await tell('2027-06-05T08:00');
    await tell('2027-06-06T08:00');
    await simcha.sendDigests();
    const mail = await smtp.mailTo('me@example.com');
    const text = mail.part('text/plain').replace(/[\u2068\u2069]/g, '');
    for (const part of [
      'Coming – 1\nGrace (3)',
      'On the waiting list – 1\nRuth (2)',
      'Not coming – 1\nדנה',
      'Asked to come and are waiting for your answer – 1\nLea',
      'So far:\nComing – 2 (people in all: 4)\nNo answer yet – 0\nOn the waiting list – 1\nNot coming – 1',
    ]) {
      assert.ok(text.replaceAll('\r\n', '\n').includes(part), `${part} in ${text}`);
    }
    await tell('2027-06-07T08:00');
    assert.equal(smtp.mails.length, 1, 'nothing happened since');

    await event.call('PUT', '', { body: { max_guests: 50 } });
    assert.equal((await event.read(waits)).rsvp_status, 'confirmed');
    await event.call('PUT', '/notices', { body: { digest: false } });
    await tell('2027-06-08T08:00');
    assert.equal(smtp.mails.length, 1);
    await event.call('PUT', '/notices', { body: { digest: true } });
    await tell('2027-06-09T08:00');
    const moved = (await smtp.mailTo('me@example.com', 1)).part('text/plain');
    assert.match(
      moved.replace(/[\u2068\u2069\r]/g, ''),
      /Coming – 1\nRuth \(2\)\s+There is an update about their place, but [^–]+ – 1\nRuth \(2\)/,
    );

    await answer('Late', { rsvp_status: 'declined' });
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    await tell('2027-06-10T08:00');
    assert.equal(smtp.mails.length, 2);
  });
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a deadline for answers that a moved event left behind is a warning until it is set again, on ${kind}`, async () => {
    await using clocked = await startClocked(kind);
    const { event, moveTo } = clocked;
    await event.guest({ name: 'דנה', email: 'dana@example.com', rsvp_status: 'confirmed' });
    const warnings = async (language = 'he') =>
      (await event.call('GET', '/warnings', { headers: { 'accept-language': language } })).body.warnings.map(
        ({ code, message }: { code: string; message: string }) => [code, message],
      );
    await event.call('PUT', '/rsvp', { body: { answer_until: '2027-06-10T23:59' } });
    moveTo('2027-06-12T10:00');
    assert.deepEqual(await warnings(), [], 'a deadline passes before the event');
    await event.call('PUT', '', { body: { event_date: '2027-09-20T19:30' } });
    const [[code, message]] = await warnings('en');
    assert.equal(code, 'answers_closed');
    assert.match(message, /10 June 2027/);
    const { preview } = (
      await event.call('POST', '/rounds?dry_run=true', { body: { kind: 'change', filter: {} } })
    ).body;
    assert.equal(preview.chosen, 1);
    assert.doesNotMatch(preview.letters[0].text, /לעדכן/);

    await event.call('PUT', '/rsvp', { body: { answer_until: '2027-09-10T23:59' } });
    assert.deepEqual(await warnings(), []);
    const again = await event.call('POST', '/rounds?dry_run=true', { body: { kind: 'change', filter: {} } });
    assert.match(again.body.preview.letters[0].text, /לעדכן/);
    await event.call('PUT', '', { body: { event_date: '2027-07-20T19:30' } });
    assert.deepEqual(
      (await warnings()).map(([one]: [string]) => one),
      ['answers_after_event'],
    );
  });
}
