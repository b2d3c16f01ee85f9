import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOTH_DATABASES } from '../support/server.ts';
import type { ReceivedMail } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { startClocked } from './clocked.ts';

/** As a mother-in-law keeps it: a title, running numbers, two phones, sizes and answers in words. */
const LIST = `רשימת מוזמנים – נועה ואיתי,,,,,,,
,,,,,,,
מס',שם המוזמן/ת,טלפון 1,טלפון 2,דוא"ל,כמה,צד,אישור הגעה
1,משפחת כהן,03-555-1234,050-123-4501,cohen@example.com,2+2,צד הכלה,
2,סבא יוסף,,,,1,צד הכלה,אישרו הגעה
3,דנה לוי,052-123-4503,,dana@example.com,זוג,צד הכלה,
4,אבי ביטון,052-123-4504,,avi@example.com,,צד החתן,
5,משפחת לוין,052-123-4505,,levin@example.com,4 נפשות,צד החתן,מתלבטים
6,רות ארזי,03-555-4567,,,1,צד החתן,-
7,רותי ארזי,054-123-4507,,,1,צד החתן,
8,סבתא רבקה,12,,,1,צד החתן,
9,סבא יוסף,,,,1,צד החתן,
`;

for (const kind of BOTH_DATABASES) {
  test(`a wedding, from the messy list to the thanks, on ${kind}`, { timeout: 120_000 }, async () => {
    const wedding = {
      event_date: '2027-06-15T19:30',
      max_guests: 8,
      max_plus_ones_buffer: 1,
      budget: 90_000,
      kashrut_level: 'regular',
    };
    await using clocked = await startClocked(kind, wedding, '2027-01-10T10:00');
    const { event, smtp, moveTo } = clocked;
    const { simcha } = event.server;
    const ok = async (method: string, path: string, body?: object) => {
      const answer = await event.call(method, path, { ...(body && { body }) });
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      return answer.body;
    };
    const sent = async (body: object) => {
      const { round } = await ok('POST', '/rounds', body);
      const report = async () => (await ok('GET', `/rounds/${round.id}`)).round;
      // What people carry out waits for them.
      if (round.channel === 'mail') await until(async () => (await report()).state === 'sent');
      return report();
    };
    const guests = async (query = '') => (await ok('GET', `/guests?limit=50&${query}`)).guests;
    const byName = async (name: string) =>
      (await guests()).find((guest: { name: string }) => guest.name === name);
    const linkIn = (mail: ReceivedMail) => /\/r\/([\w-]{43})/.exec(mail.part('text/plain'))?.[1] ?? '';
    const answers = async (address: string, answer: object) => {
      const token = linkIn(await smtp.mailTo(address));
      const given = await event.server.call('POST', `/api/rsvp/${token}`, { body: answer });
      assert.equal(given.status, 200, given.text);
      return given.body;
    };

    // The winter before: who invites, and whom.
    await ok('PUT', '/invitation', { hosts: 'נועה ואיתי', contact_email: 'noa@example.com' });
    const bus = { kind: 'choice', text: 'הסעה מחיפה?', options: [{ text: 'כן' }, { text: 'לא' }] };
    const { question } = await ok('POST', '/questions', bus);
    const upload = (query: string) =>
      event.call('POST', `/guests/import/csv?${query}`, {
        body: LIST,
        headers: { 'content-type': 'text/csv' },
      });
    const tried = (await upload('dry_run=true')).body.import;
    assert.deepEqual([tried.lists[0].headings_row, tried.created, tried.refused, tried.asked], [3, 7, 1, 1]);
    assert.deepEqual(tried.ignored_columns, ["מס'"]);
    assert.deepEqual(await guests(), []);
    const taken = (await upload('on_problem=skip')).body.import;
    assert.equal(taken.created, 7);
    assert.match(taken.to_mend.content, /סבתא רבקה/);
    assert.deepEqual(
      (await guests()).map((guest: Record<string, unknown>) => [
        guest.name,
        guest.party_size,
        guest.phone,
        guest.rsvp_status,
      ]),
      [
        ['אבי ביטון', 1, '+972521234504', 'pending'],
        ['דנה לוי', 2, '+972521234503', 'pending'],
        ['משפחת כהן', 4, '+972501234501', 'pending'],
        ['משפחת לוין', 4, '+972521234505', 'pending'],
        ['סבא יוסף', 1, null, 'confirmed'],
        ['רות ארזי', 1, '+97235554567', 'pending'],
        ['רותי ארזי', 1, '+972541234507', 'pending'],
      ],
    );
    await ok('POST', '/guests', { name: 'סבתא רבקה', phone: '054-123-4508' });

    // Spring: the invitation, to who has an address by mail, to the others by hand.
    moveTo('2027-04-04T10:00');
    const mailed = await sent({ kind: 'invitation', filter: {} });
    assert.deepEqual([mailed.sent, mailed.left_out], [4, { answered: 1, no_email: 3 }]);
    const hand = await sent({ kind: 'invitation', filter: { invited: false }, channel: 'by_hand' });
    assert.deepEqual([hand.waiting, hand.left_out], [2, { answered: 1, no_mobile: 1 }]);
    for (let left = 2; left > 0; left--) {
      const { guest } = await ok('POST', `/rounds/${hand.id}/next`);
      assert.ok(guest.whatsapp_url);
      await ok('POST', `/rounds/${hand.id}/guests/${guest.guest_id}/told`);
    }

    // They answer: a family that brings one too many keeps its places, and the next ones wait.
    const cohen = await answers('cohen@example.com', {
      rsvp_status: 'confirmed',
      coming: 6,
      coming_children: 2,
      vegan: 1,
      childrens_meals: 2,
      answers: { [question.id]: question.options[0].id },
    });
    assert.equal(cohen.guest.coming, 4);
    await answers('dana@example.com', { rsvp_status: 'confirmed', coming: 2, allergies: 'בוטנים' });
    await answers('levin@example.com', { rsvp_status: 'confirmed', coming: 4 });
    await answers('avi@example.com', { rsvp_status: 'maybe' });
    assert.ok((await byName('משפחת לוין')).waiting_since);
    assert.equal((await byName('אבי ביטון')).maybe, true);

    // A round of calls to those who have not said.
    const calls = await sent({ kind: 'reminder', filter: {}, channel: 'phone' });
    const { guest: first } = await ok('POST', `/rounds/${calls.id}/next`);
    const reached = { outcome: 'reached', rsvp_status: 'declined' };
    await ok('POST', `/rounds/${calls.id}/guests/${first.guest_id}/calls`, reached);
    const { guest: second } = await ok('POST', `/rounds/${calls.id}/next`);
    assert.notEqual(second.guest_id, first.guest_id);
    await ok('POST', `/rounds/${calls.id}/guests/${second.guest_id}/calls`, { outcome: 'no_answer' });

    // Somebody can't come after all: who waits moves up, and hears of it.
    await answers('dana@example.com', { rsvp_status: 'declined' });
    await ok('PUT', '', { max_guests: 10 });
    const moved = await smtp.mailTo('levin@example.com', 1);
    assert.match(moved.part('text/plain'), /התפנה לכם מקום|יש לכם מקום/);
    assert.equal((await byName('משפחת לוין')).rsvp_status, 'confirmed');
    const grandma = await ok('PUT', `/guests/${(await byName('סבתא רבקה')).id}`, {
      rsvp_status: 'confirmed',
      over_limit: true,
    });
    assert.deepEqual([grandma.guest.rsvp_status, grandma.warnings], ['confirmed', []]);

    // The hall by the plate, and what is paid of it.
    const { vendor } = await ok('POST', '/../../vendors', { name: 'אולמי עדן', kind: 'hall' });
    const { booking } = await ok('POST', '/bookings', {
      vendor_id: vendor.id,
      status: 'confirmed',
      price_per_plate: 320,
      minimum_plates: 100,
      payments: [{ amount: 5_000, due_date: '2027-05-02' }],
    });
    const [payment] = booking.payments;
    await ok('PUT', `/bookings/${booking.id}/payments/${payment.id}`, { paid_date: '2027-04-04' });
    assert.equal((await ok('GET', '/budget')).budget.paid, 5_000);

    // An hour later than was told: offered, and told with the entry in their calendars.
    moveTo('2027-05-20T10:00');
    await ok('PUT', '', { event_date: '2027-06-15T20:00' });
    const [suggested] = (await ok('GET', '/rounds/suggested')).suggested;
    assert.equal(suggested.kind, 'change');
    const changed = await sent({ kind: 'change', filter: {} });
    assert.ok(changed.sent >= 2);
    const update = await smtp.mailTo('cohen@example.com', 1);
    assert.match(update.part('text/plain'), /20:00[\s\S]*במקום [\s\S]*19:30/);
    assert.match(update.part('text/calendar'), /METHOD:REQUEST[\s\S]*SEQUENCE:\d/);

    // What the caterer is told.
    const { numbers } = await ok('GET', '/guests/numbers');
    assert.deepEqual([numbers.meals.vegan, numbers.meals.childrens_meals], [1, 2]);
    const caterer = await event.call('GET', '/guests/caterer');
    assert.match(caterer.text, /<html lang="he" dir="rtl">/);
    assert.match((await event.call('GET', '/guests/caterer/csv')).text, /משפחת כהן/);

    // The day before, by itself; and in the morning the organizer heard of it all.
    await simcha.sendDigests();
    moveTo('2027-06-14T10:30');
    await simcha.sendDayBeforeMessages();
    assert.match((await smtp.mailTo('levin@example.com', 3)).part('text/plain'), /מחר/);

    // And after it: thanks to who came, and then what is known of them goes.
    moveTo('2027-06-16T12:00');
    await ok('PUT', '', { status: 'completed' });
    const thanks = await sent({ kind: 'thanks', filter: {} });
    assert.deepEqual([thanks.sent, thanks.left_out.not_coming], [2, 4]);
    moveTo('2028-06-20T04:00');
    await simcha.enforceRetention();
    assert.ok(
      (await guests()).every(({ phone, email }: Record<string, unknown>) => phone === null && email === null),
    );
  });
}
