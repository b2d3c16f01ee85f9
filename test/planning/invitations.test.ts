import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinks } from '../../server/planning/answers/personal-links.ts';
import { writeMails } from '../../server/planning/invitations/work.ts';
import { DATABASES } from '../support/server.ts';
import { startMailServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { startEvent, type TestEvent } from './event.ts';

async function report(event: TestEvent, id: string) {
  return (await event.call('GET', `/invitations/${id}`)).body.invitation;
}

for (const kind of DATABASES) {
  test(`each chosen guest gets one mail in their language, and the report tells what became of it, on ${kind}`, async () => {
    await using smtp = await startMailServer({
      hideSTARTTLS: true,
      refuse: (address) => (address.startsWith('gone') ? 550 : undefined),
    });
    const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, PUBLIC_URL: 'https://simcha.example.com' };
    await using event = await startEvent(kind, {}, { env });
    const dana = await event.guest({ name: 'דנה', email: 'dana@example.com' });
    await event.guest({ name: 'أحمد', email: 'ahmad@example.com', language: 'arabic' });
    await event.guest({ name: 'Grace', email: 'grace@example.com', language: 'english' });
    await event.guest({ name: 'עבר', email: 'gone@example.com' });
    await event.guest({ name: 'רק טלפון', phone: '0501234567' });

    const body = { filter: {}, message: 'מחכים לכם!' };
    const send = () =>
      event.call('POST', '/invitations', { body, headers: { 'idempotency-key': 'round-1' } });
    const sent = await send();
    assert.equal(sent.status, 202, sent.text);
    const { id } = sent.body.invitation;
    assert.deepEqual((await send()).body.invitation.id, id);
    await until(async () => (await report(event, id)).waiting === 0, 20_000);
    const { sent: went, bounced, chosen, without_email, answered } = await report(event, id);
    assert.deepEqual([chosen, went, bounced, without_email, answered], [4, 3, 1, 1, 0]);
    assert.deepEqual(smtp.mails.flatMap((mail) => mail.to).sort(), [
      'ahmad@example.com',
      'dana@example.com',
      'grace@example.com',
    ]);

    const mail = await smtp.mailTo('dana@example.com');
    const text = mail.part('text/plain');
    for (const words of ['דנה', 'החתונה של נועה ואיתי', 'יום שני, 15 ביוני 2099', 'מחכים לכם!']) {
      assert.ok(text.includes(words), `${words} in ${text}`);
    }
    assert.ok((await smtp.mailTo('ahmad@example.com')).part('text/html').includes('dir="rtl"'));
    assert.ok((await smtp.mailTo('grace@example.com')).part('text/plain').includes('Monday, 15 June 2099'));
    const link = /https:\/\/simcha\.example\.com\/r\/([\w-]{43})/.exec(text)?.[1];
    const opened = await event.server.call('GET', `/api/rsvp/${link}`);
    assert.equal(opened.body.guest.name, 'דנה');
    assert.match(mail.headers.get('list-unsubscribe') ?? '', new RegExp(`${link}/unsubscribe`));
    assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');

    // A job that is worked once more finds nothing left to write.
    const links = createLinks('any other secret', 'http://x');
    const never = { enqueueAll: () => Promise.reject(new Error('a second mail')) };
    await writeMails(
      { db: event.server.simcha.database.sql, mail: never, links },
      id,
      new AbortController().signal,
    );

    // Who answered or wants no mail is not reminded.
    await event.server.call('POST', `/api/rsvp/${link}`, { body: { rsvp_status: 'confirmed' } });
    const grace = /\/r\/([\w-]{43})/.exec((await smtp.mailTo('grace@example.com')).part('text/plain'))?.[1];
    await event.server.call('POST', `/r/${grace}/unsubscribe`, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal((await report(event, id)).answered, 1);
    const reminder = await event.call('POST', '/invitations', { body: { kind: 'reminder', filter: {} } });
    await until(async () => (await report(event, reminder.body.invitation.id)).waiting === 0, 20_000);
    const reminded = await report(event, reminder.body.invitation.id);
    assert.deepEqual([reminded.chosen, reminded.sent, reminded.bounced, reminded.unsubscribed], [2, 1, 1, 1]);
    assert.equal(smtp.mails.length, 4);

    const each = await event.call('GET', `/invitations/${id}/guests`);
    assert.deepEqual(
      each.body.guests.map((guest: { name: string; mail: string; answered: boolean }) => [
        guest.name,
        guest.mail,
        guest.answered,
      ]),
      [
        ['Grace', 'sent', false],
        ['דנה', 'sent', true],
        ['עבר', 'bounced', false],
        ['أحمد', 'sent', false],
      ],
    );
    const problems = async (language?: string) => {
      const headers: Record<string, string> = language ? { 'accept-language': language } : {};
      const { guests } = (await event.call('GET', `/invitations/${id}/guests`, { headers })).body;
      return guests.map((one: { problem: string | null; problem_code: string | null }) => [
        one.problem,
        one.problem_code,
      ]);
    };
    const none = [null, null];
    const refused = (sentence: string) => [none, none, [sentence, 'refused'], none];
    assert.deepEqual(await problems(), refused('שרת הדואר דחה את ההודעה: הוא ענה 550 על RCPT TO'));
    assert.deepEqual(await problems('ar'), refused('رفض خادم البريد الرسالة: أجاب 550 عن RCPT TO'));
    assert.deepEqual(await problems('en'), refused('the mail server answered 550 to RCPT TO'));
    const all = await event.call('GET', '/invitations');
    assert.deepEqual([all.body.total, all.body.invitations[1].id], [2, id]);

    const named = await event.call('POST', '/invitations', { body: { guest_ids: [dana.id] } });
    assert.equal(named.body.invitation.chosen, 1);
  });

  test(`a round without a choice of guests, of nonsense or of a stranger's event is refused, on ${kind}`, async () => {
    await using event = await startEvent(kind);
    await event.guest({ name: 'דנה', email: 'dana@example.com' });
    for (const body of [
      {},
      { guest_ids: ['x'] },
      { guest_ids: 'all' },
      { filter: [] },
      { filter: {}, kind: 'spam' },
      { filter: { tagg: 'x' } },
      { filter: { tags: ['x'] } },
      { filter: { status: 'zzz' } },
      { filter: { status: ['confirmed', 'zzz'] } },
      { filter: { status: [] } },
      { filter: { status: null } },
      { filter: { tag: '' } },
      { filter: { tag: ['x', ' '] } },
      { filter: { search: 5 } },
      [],
    ]) {
      const answer = await event.call('POST', '/invitations', { body });
      assert.equal(answer.status, 400, `${JSON.stringify(body)} ${answer.text}`);
    }
    const token = await event.server.token('stranger');
    const foreign = await event.call('POST', '/invitations', { token, body: { filter: {} } });
    assert.equal(foreign.status, 404);
    assert.equal((await event.call('GET', '/invitations', { token })).status, 403);
    assert.equal((await event.call('GET', '/invitations/x')).status, 404);
    assert.equal((await event.call('GET', '/invitations')).body.total, 0);
  });
}
