import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { mailTo } from '../../support/outbox.ts';
import { DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

// A conference: people register through the open link, and are accepted by themselves until it is full.

async function conference(event: TestEvent, slug: string, settings: object = {}) {
  const body = {
    open: true,
    slug,
    registration: true,
    accept_by_itself: true,
    confirm_email: false,
    most_each: 1,
    ...settings,
  };
  const put = await event.call('PUT', '/rsvp', { body });
  assert.equal(put.status, 200, put.text);
  return `/e/${slug}`;
}

const guestsOf = async (event: TestEvent) => (await event.call('GET', '/guests')).body.guests;

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`who registers is a guest at once, with company and role, until it is full, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 1, language_pref: 'english' });
    const path = await conference(event, `conference-${kind}`);
    const page = (await event.server.call('GET', path)).text;
    assert.ok(page.includes('Registration') && page.includes('>Register<') && !page.includes('Ask to come'));
    assert.ok(
      page.includes('name="company"') && page.includes('name="role"') && !page.includes('name="coming"'),
    );
    const sent = await form(event, path, {
      name: 'Dana',
      email: 'dana@example.com',
      company: 'Or Tech',
      role: 'Engineer',
    });
    assert.equal(sent.status, 303, sent.text);
    const thanks = (await event.server.call('GET', sent.headers.get('location') ?? '')).text;
    assert.ok(thanks.includes('Thank you for registering') && !thanks.includes('<form'));
    const [dana] = await guestsOf(event);
    assert.deepEqual(
      [dana.name, dana.company, dana.role, dana.rsvp_status, dana.coming, dana.answered_via],
      ['Dana', 'Or Tech', 'Engineer', 'confirmed', 1, 'open_link'],
    );
    await form(event, path, { name: 'Ron', email: 'ron@example.com' });
    const ron = (await guestsOf(event)).find((one: { name: string }) => one.name === 'Ron');
    assert.ok(ron.waiting_since);
    const { requests } = (await event.call('GET', '/guest-requests')).body;
    assert.deepEqual(
      requests.map((one: { status: string; company: string | null }) => [one.status, one.company]),
      [
        ['accepted', 'Or Tech'],
        ['accepted', null],
      ],
    );
    const mailed = await sql<{ count: number }>`
      select count(*)::integer as count from rounds where event_id = ${event.id} and kind = 'accepted'`.execute(
      event.server.simcha.database.sql,
    );
    assert.equal(mailed.rows[0]?.count, 2);
    const { dataDir } = event.server;
    const [welcome, later] = [
      await mailTo(dataDir, 'dana@example.com'),
      await mailTo(dataDir, 'ron@example.com'),
    ];
    assert.match(welcome.text, /^We have your registration: .*You are registered: /s);
    assert.match(later.text, /We have your registration for .*waiting list/s);
  });

  test(`messages to who is to register speak of no invitation, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await conference(event, `letters-${kind}`, { accept_by_itself: false });
    for (const [language, speaks, unsaid] of [
      ['hebrew', /הרשמה|להירשם|נרשמתם/, /הזמנה|להזמין/],
      ['arabic', /سجيل|تسجّلوا/, /دعوة|نؤكد/],
      ['english', /regist/i, /invitation/i],
    ] as const) {
      const contact = { email: `${language}@example.com`, phone: '0501234567' };
      const guest = await event.guest({ name: 'Dana', language, ...contact });
      for (const kindOfRound of ['save_the_date', 'invitation', 'reminder']) {
        const body = { kind: kindOfRound, guest_ids: [guest.id] };
        const { preview } = (await event.call('POST', '/rounds?dry_run=true', { body })).body;
        const [{ subject, text }] = preview.letters;
        const said = `${subject} ${text}`;
        assert.match(said, speaks);
        assert.doesNotMatch(said, unsaid);
      }
      assert.match((await linkOf(event, guest.id)).message ?? '', speaks);
      await event.call('DELETE', `/guests/${guest.id}`);
    }
  });

  test(`who registers with another guest's number answers nothing for them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = await conference(event, `strangers-${kind}`);
    const guest = await event.guest({ name: 'Dana', phone: '0501234567', rsvp_status: 'declined' });
    const known = await form(event, path, { name: 'X', email: 'x@example.com', phone: '0501234567' });
    const unknown = await form(event, path, { name: 'Y', email: 'y@example.com' });
    assert.deepEqual(
      [known.status, known.headers.get('location')],
      [unknown.status, unknown.headers.get('location')],
      'nobody learns who is on the list',
    );
    assert.equal((await event.read(guest.id)).rsvp_status, 'declined');
    const waiting = (await event.call('GET', '/guest-requests?status=waiting')).body.requests;
    assert.deepEqual(
      waiting.map((one: { name: string }) => one.name),
      ['X'],
    );
  });

  test(`who is accepted by themselves gives an address, and comes with as many as they may, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english' });
    const path = await conference(event, `few-${kind}`, { most_each: 2 });
    const noAddress = await form(event, path, { name: 'Dana', phone: '0501234567' });
    assert.equal(noAddress.status, 400);
    assert.match(noAddress.text, /id="email-problem">Please give a valid email address/);
    const many = await form(event, path, { name: 'Dana', email: 'dana@example.com', coming: '3' });
    assert.equal(many.status, 400);
    assert.match(many.text, /id="coming-problem">Please enter a smaller/);
    assert.equal(
      (await form(event, path, { name: 'Dana', email: 'd@example.com', coming: '2' })).status,
      303,
    );
    assert.equal((await event.counts()).people, 2);
    for (const wrong of [{ most_each: 0 }, { most_each: 101 }, { registration: 'yes' }]) {
      assert.equal((await event.call('PUT', '/rsvp', { body: wrong })).status, 400);
    }
  });

  test(`registration may wait for the organizer as well, on ${kind}`, async () => {
    await using event = await newEvent(kind, { language_pref: 'english' });
    const path = await conference(event, `by-hand-${kind}`, { accept_by_itself: false });
    await form(event, path, { name: 'Dana', phone: '0501234567', company: 'Or Tech' });
    const [request] = (await event.call('GET', '/guest-requests?status=waiting')).body.requests;
    assert.deepEqual([request.name, request.company], ['Dana', 'Or Tech']);
    assert.deepEqual(await guestsOf(event), []);
    const accepted = await event.call('POST', `/guest-requests/${request.id}/accept`);
    assert.equal(accepted.body.guest.company, 'Or Tech');
  });

  test(`who comes in by the open link brings no more than it takes of one, unless the organizer says so, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_plus_ones_buffer: 30 });
    const path = await conference(event, `held-${kind}`, { most_each: 2, accept_by_itself: false });
    const invited = await event.guest({ name: 'Levi', phone: '0527654321', party_size: 1 });
    await form(event, path, { name: 'Dana', phone: '0501234567' });
    await form(event, path, { name: 'Levi', phone: '0527654321', coming: '2' });
    const { requests } = (await event.call('GET', '/guest-requests?status=waiting')).body;
    for (const { id } of requests) await event.call('POST', `/guest-requests/${id}/accept`);
    await conference(event, `held-${kind}`);
    await form(event, path, { name: 'Ron', email: 'ron@example.com' });
    const guests = new Map<string, Limited>((await guestsOf(event)).map((one: Limited) => [one.name, one]));
    assert.deepEqual(
      ['Dana', 'Levi', 'Ron'].map((name) => [guests.get(name)?.party_size, guests.get(name)?.max_plus_ones]),
      [
        [1, 1],
        [1, null],
        [1, 0],
      ],
    );
    const answers = async (id: string | undefined, coming: number) => {
      const token = tokenOf((await linkOf(event, id ?? '')).url);
      const body = { rsvp_status: 'confirmed', coming };
      const { status, body: told } = await event.server.call('POST', `/api/rsvp/${token}`, { body });
      return [status, told.guest?.coming ?? told.up_to];
    };
    const [dana, ron] = [guests.get('Dana')?.id, guests.get('Ron')?.id];
    assert.deepEqual(await answers(ron, 4), [409, 1]);
    assert.deepEqual(await answers(dana, 4), [409, 2]);
    assert.deepEqual(await answers(dana, 2), [200, 2]);
    assert.deepEqual(await answers(invited.id, 4), [200, 4], 'who was on the list keeps what they had');
    await event.call('PUT', `/guests/${ron}`, { body: { max_plus_ones: 3 } });
    assert.deepEqual(await answers(ron, 4), [200, 4]);
  });

  test(`who registered reads of a registration on their own page, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { id } = await event.guest({ name: 'Dana' });
    const path = `/r/${tokenOf((await linkOf(event, id)).url)}`;
    const read = async (lang: string) => (await event.server.call('GET', `${path}?lang=${lang}`)).text;
    const wedding = {
      english: ['You are warmly invited to', 'Yes, gladly', 'We don’t know yet', 'just a hug'],
      hebrew: ['שמחים להזמין אתכם', 'כן, בשמחה', 'עוד לא יודעים', 'חיבוק'],
      arabic: ['يسعدنا أن ندعوكم', 'بكل سرور', 'لا نعرف بعد', 'تهنئة أو طلب'],
    };
    const conferenceSays = {
      english: ['Registration for<', 'I’ll be there', 'Not sure yet', 'Anything we should know?'],
      hebrew: ['הרשמה לאירוע<', '> אגיע<', '> עוד לא ידוע<', 'משהו שכדאי שנדע?'],
      arabic: ['التسجيل في<', '> سأحضر<', 'لم يتقرر بعد', 'هل هناك ما يجب أن نعرفه؟'],
    };
    const registered = {
      english: 'You are registered for',
      hebrew: 'נרשמתם לאירוע',
      arabic: 'تم تسجيلكم في',
    };
    for (const lang of ['english', 'hebrew', 'arabic'] as const) {
      await conference(event, `words-${kind}`, { registration: false });
      const invited = await read(lang);
      for (const said of wedding[lang]) assert.ok(invited.includes(said), said);
      await conference(event, `words-${kind}`);
      const registers = await read(lang);
      for (const said of conferenceSays[lang]) assert.ok(registers.includes(said), said);
      for (const said of wedding[lang]) assert.ok(!registers.includes(said), said);
      assert.ok(!registers.includes(registered[lang]));
      await event.call('PUT', `/guests/${id}`, { body: { rsvp_status: 'confirmed' } });
      assert.ok((await read(lang)).includes(`<p>${registered[lang]}</p>`));
      await event.call('PUT', `/guests/${id}`, { body: { rsvp_status: 'pending' } });
    }
  });
}

interface Limited {
  id: string;
  name: string;
  party_size: number;
  max_plus_ones: number | null;
}
