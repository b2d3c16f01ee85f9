import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ANY_DATABASE, BOTH_DATABASES, type DatabaseKind } from '../support/server.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { linkOf, tokenOf } from './answers/links.ts';
import { startClocked } from './clocked.ts';

// What guests answer on their page is confirmed by mail, some minutes after the last answer.

async function startAnswering(kind: DatabaseKind, fields: object = {}) {
  const clocked = await startClocked(kind, fields);
  const { event, smtp } = clocked;
  await event.call('PUT', '/invitation', { body: { contact_email: 'noa@example.com' } });
  return {
    ...clocked,
    async invite(guest: object) {
      const { id } = await event.guest(guest);
      const token = tokenOf((await linkOf(event, id)).url);
      const answer = async (body: object) => {
        const answered = await event.server.call('POST', `/api/rsvp/${token}`, { body });
        assert.equal(answered.status, 200, answered.text);
      };
      return { id, token, answer };
    },
    /** Confirms what is due at a time; two servers may do so at once. */
    async confirmAt(time: string) {
      clocked.moveTo(time);
      await Promise.all([event.server.simcha.confirmAnswers(), event.server.simcha.confirmAnswers()]);
    },
    /** Number of mails after one that is sent last has arrived. */
    async mails(): Promise<number> {
      const sent = smtp.mails.length;
      const last = { email: `last${sent}@example.com`, name: 'Last' };
      const { id } = await event.guest(last);
      await event.call('POST', '/rounds', { body: { kind: 'invitation', guest_ids: [id] } });
      await smtp.mailTo(last.email);
      await event.call('DELETE', `/guests/${id}`);
      return smtp.mails.filter(({ to }) => !to[0]?.startsWith('last')).length;
    },
    [Symbol.asyncDispose]: () => clocked[Symbol.asyncDispose](),
  };
}

for (const kind of BOTH_DATABASES) {
  test(`answers are confirmed by one mail some minutes after the last, with a calendar entry for a yes, on ${kind}`, async () => {
    await using at = await startAnswering(kind);
    const { event, smtp } = at;
    const dana = await at.invite({
      name: 'Dana',
      email: 'dana@example.com',
      party_size: 3,
      language: 'english',
    });
    await dana.answer({ rsvp_status: 'confirmed', coming: 3 });
    at.moveTo('2027-06-01T10:04');
    await dana.answer({ rsvp_status: 'confirmed', coming: 2, vegan: 1, allergies: 'Nuts' });
    await at.confirmAt('2027-06-01T10:06');
    assert.equal(await at.mails(), 0, 'five minutes after the last answer');
    await at.confirmAt('2027-06-01T10:10');
    const mail = await smtp.mailTo('dana@example.com');
    const text = mail.part('text/plain');
    assert.match(text, /Thank you for your answer/);
    for (const said of [
      'We have you down for 2 people.',
      'Meals: Vegan: 1',
      'Allergies: Nuts',
      `/r/${dana.token}`,
    ])
      assert.ok(text.includes(said), `${said} in ${text}`);
    const entryOf = ({ part }: typeof mail) => part('text/calendar').replaceAll('\r\n ', '');
    const sequenceOf = (one: string) => Number(/SEQUENCE:(\d+)/.exec(one)?.[1]);
    const entry = entryOf(mail);
    assert.match(entry, new RegExp(`METHOD:REQUEST[^]*UID:${dana.id}@simcha\\.example\\.com`));
    assert.equal(await at.mails(), 1);

    // A change and its opposite are no change; so is a message to the hosts.
    await dana.answer({ rsvp_status: 'declined' });
    await dana.answer({ rsvp_status: 'confirmed', coming: 2, vegan: 1 });
    await dana.answer({ rsvp_status: 'confirmed', coming: 2, message: 'Hello' });
    await at.confirmAt('2027-06-01T10:30');
    assert.equal(await at.mails(), 1);

    await dana.answer({ rsvp_status: 'declined' });
    await at.confirmAt('2027-06-01T12:00');
    const declined = await smtp.mailTo('dana@example.com', 1);
    assert.match(declined.part('text/plain'), /can’t come/);
    const cancelled = entryOf(declined);
    assert.match(cancelled, new RegExp(`METHOD:CANCEL[^]*UID:${dana.id}@simcha\\.example\\.com`));
    assert.match(cancelled, /STATUS:CANCELLED/);
    assert.ok(sequenceOf(cancelled) > sequenceOf(entry));
    await dana.answer({ rsvp_status: 'maybe' });
    await at.confirmAt('2027-06-01T12:10');
    await dana.answer({ rsvp_status: 'declined' });
    await at.confirmAt('2027-06-01T12:20');
    assert.equal(entryOf(await smtp.mailTo('dana@example.com', 3)), '', 'there is no entry by then');
    await dana.answer({ rsvp_status: 'confirmed', coming: 2 });
    await at.confirmAt('2027-06-01T12:30');
    const again = entryOf(await smtp.mailTo('dana@example.com', 4));
    assert.match(again, /METHOD:REQUEST/);
    assert.ok(sequenceOf(again) > sequenceOf(cancelled));

    // What the organizer enters is not confirmed.
    await event.call('PUT', `/guests/${dana.id}`, { body: { rsvp_status: 'confirmed', coming: 1 } });
    await at.confirmAt('2027-06-01T13:00');
    assert.equal(await at.mails(), 5);
  });

  test(`answers that can’t be confirmed hold up nobody, and are given up in the end, on ${kind}`, async () => {
    await using at = await startAnswering(kind);
    const { event, smtp } = at;
    const db = event.server.simcha.database.sql;
    const broken = await at.invite({ name: 'Broken', email: 'broken@example.com' });
    await broken.answer({ rsvp_status: 'confirmed' });
    // Answers that nothing can read: more than one run confirms.
    await sql`update answer_confirmations set before = '"broken"'`.execute(db);
    await sql`
      insert into guests (id, event_id, name, email, party_size, created_at, updated_at)
      select gen_random_uuid(), ${event.id}, 'Guest', 'guest' || number || '@example.com', 1, now(), now()
      from generate_series(1, 200) number`.execute(db);
    await sql`
      insert into answer_confirmations (guest_id, event_id, before, due_at)
      select id, event_id, '"broken"', '2027-06-01T00:00Z' from guests where name = 'Guest'`.execute(db);
    const dana = await at.invite({ name: 'Dana', email: 'dana@example.com' });
    await dana.answer({ rsvp_status: 'confirmed' });
    const left = async () =>
      (await sql<{ count: number }>`select count(*)::integer as count from answer_confirmations`.execute(db))
        .rows[0]?.count;
    await at.confirmAt('2027-06-01T10:06');
    assert.equal(await left(), 202);
    await at.confirmAt('2027-06-01T10:07');
    await smtp.mailTo('dana@example.com');
    assert.equal(await left(), 201);
    await sql`delete from answer_confirmations where guest_id <> ${broken.id}`.execute(db);
    for (let hour = 11; hour < 24; hour += 1) await at.confirmAt(`2027-06-01T${hour}:00`);
    assert.equal(await left(), 1, 'eight tries');
    await at.confirmAt('2027-06-02T01:00');
    assert.equal(await left(), 0);
    assert.equal(smtp.mails.filter(({ to }) => to[0] === 'broken@example.com').length, 0);
  });

  test(`nobody is mailed who wants no mail, and nobody of an event that confirms nothing or is over, on ${kind}`, async () => {
    await using at = await startAnswering(kind, { max_guests: 1 });
    const { event, smtp } = at;
    const [silent, phone, waits, off] = [
      await at.invite({ name: 'Silent', email: 'silent@example.com' }),
      await at.invite({ name: 'Phone', phone: '0501234567' }),
      await at.invite({ name: 'ממתין', email: 'waits@example.com' }),
      await at.invite({ name: 'Off', email: 'off@example.com' }),
    ];
    await event.server.call('POST', `/r/${silent.token}/unsubscribe`, { body: {} });
    await silent.answer({ rsvp_status: 'confirmed' });
    await phone.answer({ rsvp_status: 'maybe' });
    await waits.answer({ rsvp_status: 'confirmed' });
    await at.confirmAt('2027-06-01T11:00');
    assert.match((await smtp.mailTo('waits@example.com')).part('text/plain'), /רשימת ההמתנה/);
    assert.equal(await at.mails(), 1);

    await off.answer({ rsvp_status: 'declined' });
    const put = await event.call('PUT', '/notices', { body: { answered: false } });
    assert.equal(put.body.notices.answered, false);
    await at.confirmAt('2027-06-01T12:00');
    await event.call('PUT', '/notices', { body: { answered: true } });
    await off.answer({ rsvp_status: 'maybe' });
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    await at.confirmAt('2027-06-01T13:00');
    await event.server.simcha.releaseMails();
    assert.equal(smtp.mails.filter(({ to }) => to[0] === 'off@example.com').length, 0);
  });
}

testInLane(
  'an answer about a former time and place is confirmed with the new ones instead of the former',
  async () => {
    await using at = await startAnswering(ANY_DATABASE);
    const { event, smtp } = at;
    const answered = [];
    for (const [language, rsvp_status] of [
      ['hebrew', 'confirmed'],
      ['arabic', 'maybe'],
      ['english', 'confirmed'],
      ['english', 'declined'],
    ] as const) {
      const email = `${language}-${rsvp_status}@example.com`;
      const guest = await at.invite({ name: 'Guest', email, language });
      await guest.answer({ rsvp_status });
      answered.push({ ...guest, email });
    }
    at.moveTo('2027-06-01T10:02');
    const moved = { event_date: '2027-06-27T19:30', venue_name: 'Sea Hall' };
    assert.equal((await event.call('PUT', '', { body: moved })).status, 200);
    const late = await at.invite({ name: 'Late', email: 'late@example.com', language: 'english' });
    await late.answer({ rsvp_status: 'confirmed' });
    await at.confirmAt('2027-06-01T10:10');
    const texts = [];
    for (const { email } of answered) texts.push((await smtp.mailTo(email)).part('text/plain'));
    const [hebrew = '', arabic = '', english = '', declined = ''] = texts;
    assert.match(
      hebrew,
      /השתנו אחרי שעניתם.*המועד החדש: .*27 ביוני.*\(במקום .*20 ביוני.*המקום החדש: Sea Hall.*אם התשובה שלכם השתנתה/s,
    );
    assert.match(arabic, /بعد ردكم.*الموعد الجديد: .*27.*\(بدلًا من .*20.*إذا تغيّر ردكم/s);
    assert.match(
      english,
      /changed since you answered.*new date: .*27 June.*\(instead of .*20 June.*new place: Sea Hall.*If your answer has changed/s,
    );
    assert.doesNotMatch(declined, /instead of|Sea Hall/);
    const afterwards = (await smtp.mailTo('late@example.com')).part('text/plain');
    assert.match(afterwards, /When: .*27 June/s);
    assert.doesNotMatch(afterwards, /instead of|changed/);
  },
);
