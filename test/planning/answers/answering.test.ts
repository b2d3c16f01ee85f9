import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES } from '../../support/server.ts';
import { newEvent, startEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

for (const kind of DATABASES) {
  test(`a guest answers through the personal link, which shows nobody else, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 3 });
    const guest = await event.guest({ name: 'דנה לוי', phone: '0501234567', party_size: 2, note: 'סודי' });
    await event.guest({ name: 'אורח אחר' });
    const link = await linkOf(event, guest.id);
    assert.deepEqual(await linkOf(event, guest.id), link);
    assert.match(link.whatsapp_url, /^https:\/\/wa\.me\/972501234567\?text=/);
    assert.ok(link.message.includes(link.url) && link.message.includes('דנה לוי'));
    const path = `/api/rsvp/${tokenOf(link.url)}`;

    const read = await event.server.call('GET', path);
    assert.equal(read.status, 200, read.text);
    assert.equal(read.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(read.body.guest, {
      name: 'דנה לוי',
      language: 'hebrew',
      party_size: 2,
      party_children: 0,
      coming: 0,
      coming_children: 0,
      vegetarian: 0,
      vegan: 0,
      kosher: 0,
      mehadrin: 0,
      chalav_yisrael: 0,
      childrens_meals: 0,
      allergies: null,
      members: [],
      answers: {},
      message: null,
      rsvp_status: 'pending',
      maybe: false,
      waiting: false,
      up_to: 3,
      may_bring: null,
    });
    assert.equal(read.body.event.event_date, '2099-06-15T16:30:00.000Z');
    for (const hidden of ['אורח אחר', 'סודי', event.id, guest.id, '+972']) {
      assert.ok(!read.text.includes(hidden), hidden);
    }

    const body = { rsvp_status: 'confirmed', coming: 3, vegan: 1, message: 'מזל טוב!' };
    const answered = await event.server.call('POST', path, { body, headers: { 'idempotency-key': 'k1' } });
    assert.equal(answered.status, 200, answered.text);
    assert.deepEqual(
      [answered.body.guest.rsvp_status, answered.body.guest.coming, answered.body.guest.vegan],
      ['confirmed', 3, 1],
    );
    const again = await event.server.call('POST', path, { body, headers: { 'idempotency-key': 'k1' } });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const stored = await event.read(guest.id);
    assert.deepEqual([stored.answered_via, stored.message, stored.note], ['link', 'מזל טוב!', 'סודי']);
    const more = await event.server.call('POST', path, { body: { rsvp_status: 'confirmed', coming: 4 } });
    assert.deepEqual([more.status, more.body.code, more.body.up_to], [409, 'full', 3], more.text);
    for (const wrong of [
      {},
      { rsvp_status: 'pending' },
      { rsvp_status: 'confirmed', coming: 101 },
      { rsvp_status: 'declined', allergies: 7 },
      { rsvp_status: 'confirmed', coming: 2, coming_children: 3 },
      { rsvp_status: 'confirmed', coming: 2, vegan: 3 },
    ]) {
      assert.equal(
        (await event.server.call('POST', path, { body: wrong })).status,
        400,
        JSON.stringify(wrong),
      );
    }
    const no = await event.server.call('POST', path, { body: { rsvp_status: 'declined' } });
    assert.deepEqual([no.body.guest.rsvp_status, no.body.guest.coming], ['declined', 0]);
    const history = await event.call('GET', `/history?subject_id=${guest.id}`);
    assert.deepEqual(history.body.history[0].by, { kind: 'guest', id: guest.id, email: null, token: null });
  });

  test(`the words beside a link go by what the guest answered, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 1 });
    const said = async (language: string, answer: object) => {
      const guest = await event.guest({ name: 'Dana', language, ...answer });
      const { message, url } = await linkOf(event, guest.id);
      await event.call('DELETE', `/guests/${guest.id}`);
      assert.ok(message.endsWith(`: ${url}`), message);
      return message;
    };
    const yes = { rsvp_status: 'confirmed' };
    for (const [language, invites, comes, waits, doubts, declines] of [
      ['hebrew', /להזמין/, /נשמח לראות אתכם/, /ברשימת ההמתנה/, /עוד לא ידוע/, /לא תוכלו להגיע/],
      ['arabic', /دعوتكم/, /أن نراكم/, /قائمة الانتظار/, /لا تعرفون بعد/, /لن تتمكنوا من الحضور/],
      ['english', /invited/, /look forward to seeing you/, /waiting list/, /don’t know yet/, /can’t come/],
    ] as const) {
      assert.match(await said(language, {}), invites);
      for (const [answer, words] of [
        [yes, comes],
        [{ ...yes, party_size: 2 }, waits],
        [{ rsvp_status: 'maybe' }, doubts],
        [{ rsvp_status: 'declined' }, declines],
      ] as const) {
        const message = await said(language, answer);
        assert.match(message, words);
        assert.doesNotMatch(message, invites);
      }
    }
  });

  test(`a link that was revoked, made up or of a deleted event opens nothing, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const guest = await event.guest({ name: 'דנה' });
    const { url } = await linkOf(event, guest.id);
    const old = tokenOf(url);
    assert.equal((await event.call('DELETE', `/guests/${guest.id}/link`)).status, 204);
    const next = tokenOf((await linkOf(event, guest.id)).url);
    assert.notEqual(next, old);
    for (const token of [old, 'x', 'A'.repeat(43), `${next}x`, '%00', encodeURIComponent('א'.repeat(43))]) {
      assert.equal((await event.server.call('GET', `/api/rsvp/${token}`)).status, 404, token);
      const page = await event.server.call('GET', `/r/${token}`);
      assert.equal(page.status, 404, token);
      assert.match(page.headers.get('content-type') ?? '', /html/);
    }
    assert.equal((await event.server.call('GET', `/r/${next}`)).status, 200);
    const viewer = await event.server.token('stranger');
    assert.equal((await event.call('GET', `/guests/${guest.id}/link`, { token: viewer })).status, 403);
    await event.call('DELETE', '');
    assert.equal((await event.server.call('GET', `/r/${next}`)).status, 404);
  });

  test(`the page takes the answer of a form without a script, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 2, description: 'חופה <b>בשקיעה</b>' });
    const guest = await event.guest({ name: 'Dana <script>', language: 'english' });
    const other = await event.guest({ name: 'רון' });
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const page = await event.server.call('GET', path);
    assert.equal(page.status, 200);
    assert.match(page.text, /<html lang="en" dir="ltr">/);
    assert.ok(page.text.includes('Monday, 15 June 2099'), 'the date in English');
    assert.ok(!/<script|<b>/.test(page.text));
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-/,
    );
    assert.match((await event.server.call('GET', `${path}?lang=arabic`)).text, /<html lang="ar" dir="rtl">/);

    const sent = await form(event, path, {
      rsvp_status: 'confirmed',
      coming: '2',
      vegan: '2',
      message: 'Mazal tov',
    });
    assert.equal(sent.status, 303, sent.text);
    const after = await event.server.call('GET', sent.headers.get('location') ?? '');
    assert.ok(after.text.includes('Your answer is saved'));
    assert.ok(after.text.includes('for 2 people'));
    assert.match(after.text, /name="vegan"[^>]* value="2"/);
    assert.equal((await event.read(guest.id)).vegan, 2);

    const second = `/r/${tokenOf((await linkOf(event, other.id)).url)}`;
    await form(event, second, { rsvp_status: 'confirmed', coming: '1' });
    assert.ok((await event.server.call('GET', second)).text.includes('ברשימת ההמתנה'));
    const problem = await form(event, path, { rsvp_status: 'confirmed', coming: '3', message: 'keep <me>' });
    assert.equal(problem.status, 409);
    assert.ok(problem.text.includes('Up to 2 people can come') && problem.text.includes('keep &lt;me&gt;'));
    assert.equal((await form(event, path, { coming: '1' })).status, 400);
    const json = await event.server.call('POST', path, { body: {} });
    assert.equal(json.status, 415);
    assert.ok(json.text.includes('not the form of this page') && !json.text.includes('our side'), json.text);
    await form(event, path, { rsvp_status: 'declined' });
    assert.equal((await event.read(other.id)).rsvp_status, 'confirmed');

    const calendar = await event.server.call('GET', `${path}/event.ics`);
    assert.match(calendar.headers.get('content-type') ?? '', /^text\/calendar/);
    assert.match(calendar.text, /DTSTART;TZID=Asia\/Jerusalem:20990615T193000\r\n/);

    assert.equal((await event.server.call('GET', `${path}/unsubscribe`)).status, 200);
    assert.equal((await form(event, `${path}/unsubscribe`, { 'List-Unsubscribe': 'One-Click' })).status, 200);
    assert.ok(
      (await event.server.call('GET', `${path}/unsubscribe`)).text.includes('by email, SMS or WhatsApp'),
    );
    for (const wanted of ['no', 'yes', 'yes']) await form(event, `${path}/unsubscribe`, { wanted });
    const { history } = (await event.call('GET', `/history?subject_id=${guest.id}&limit=3`)).body;
    assert.deepEqual(
      history.map(({ action, by }: { action: string; by: { kind: string } }) => `${action} ${by.kind}`),
      ['subscribed guest', 'unsubscribed guest', 'answered guest'],
    );
  });

  test(`a form that says nothing is an empty one, and a mail program unsubscribes by whatever it sends, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `nothing-${kind}` } });
    const guest = await event.guest({ name: 'Grace', language: 'english' });
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const sent = async (to: string, type?: string, body?: string) => {
      const answer = await event.server.call('POST', to, {
        headers: type === undefined ? {} : { 'content-type': type },
        ...(body !== undefined && { body }),
      });
      return [answer.status, answer.headers.get('content-type')];
    };
    const page = 'text/html; charset=utf-8';
    assert.deepEqual(await sent(path), [400, page]);
    assert.deepEqual(await sent(`/e/nothing-${kind}`), [400, page]);
    assert.deepEqual((await sent(`${path}/erase`))[0], 303);
    const asked = 'List-Unsubscribe=One-Click';
    for (const [type, body] of [
      [undefined, undefined],
      ['', ''],
      ['multipart/form-data; boundary=x', `--x\r\ncontent-disposition: form-data\r\n\r\n${asked}\r\n--x--`],
      ['multipart/form-data', asked],
      ['application/x-www-form-urlencoded; charset=UTF-8', asked],
      ['APPLICATION/X-WWW-FORM-URLENCODED', ''],
      ['text/plain', asked],
      ['application/json', '{}'],
      ['nonsense', asked],
    ] as const) {
      assert.deepEqual(await sent(`${path}/unsubscribe`, type, body), [200, page], `${type}`);
      const { text } = await event.server.call('GET', `${path}/unsubscribe`);
      assert.ok(text.includes('value="yes"'), `${type} did not unsubscribe`);
      await form(event, `${path}/unsubscribe`, { wanted: 'yes' });
    }
  });

  test(`the open link says what is wrong, and where, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = `/e/wrong-${kind}`;
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `wrong-${kind}`, most_each: 4 } });
    const right = { name: 'Dana', phone: '0501234567', coming: '1' };
    for (const [wrong, field, sentence] of [
      [{ name: 'x'.repeat(201) }, 'name', 'This name is too long.'],
      [{ name: ' ' }, 'name', 'Please give your name.'],
      [{ coming: '-1' }, 'coming', 'must be a whole number, 1 or more'],
      [{ coming: '1e1' }, 'coming', 'must be a whole number, 1 or more'],
      [{ coming: '0' }, 'coming', 'must be a whole number, 1 or more'],
      [{ coming: '5' }, 'coming', 'Please enter a smaller number'],
      [{ coming: '1000' }, 'coming', 'Please enter a smaller number'],
      [{ phone: '12', email: 'dana@example.com' }, 'phone', 'Please give a valid phone number'],
      [{ phone: '' }, 'phone', 'phone number or email address'],
      [{ email: 'dana' }, 'email', 'Please give a valid email address'],
    ] as const) {
      const { status, text } = await form(event, `${path}?lang=english`, { ...right, ...wrong });
      assert.equal(status, 400, text);
      const [, at, said = ''] = /<p class="note bad"[^>]*><a href="#(\w+)">([^<]*)/.exec(text) ?? [];
      assert.ok(at === field && said.includes(sentence), `${JSON.stringify(wrong)}: ${at} ${said}`);
    }
    assert.equal((await event.call('GET', '/guest-requests')).body.total, 0);
    assert.equal((await form(event, path, { ...right, coming: '' })).status, 303);
  });

  test(`a family that would bring one too many keeps its places, and reads how many can come, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 400, max_plus_ones_buffer: 20 });
    await event.guest({ name: 'מביאים', rsvp_status: 'confirmed', coming: 21 });
    const family = await event.guest({ name: 'משפחת כהן', party_size: 12 });
    const path = `/r/${tokenOf((await linkOf(event, family.id)).url)}`;
    const sent = await form(event, path, { rsvp_status: 'confirmed', coming: '13' });
    const page = await event.server.call('GET', sent.headers.get('location') ?? '');
    assert.ok(page.text.includes('ביקשתם 13 מקומות.'), page.text);
    assert.ok(page.text.includes('כרגע אפשר להגיע עד 12 אנשים'), page.text);
    assert.ok(page.text.includes('רשמנו שמגיעים 12 אנשים'));
    assert.deepEqual((await event.read(family.id)).coming, 12);
    const later = await event.server.call('GET', path);
    assert.ok(!later.text.includes('אפשר להגיע עד'), 'told once');

    // One guest may be held to fewer than the event has room for.
    await event.call('PUT', '', { body: { max_plus_ones_buffer: 60 } });
    const couple = await event.guest({ name: 'זוג', party_size: 2, max_plus_ones: 1 });
    const api = `/api/rsvp/${tokenOf((await linkOf(event, couple.id)).url)}`;
    const answered = await event.server.call('POST', api, { body: { rsvp_status: 'confirmed', coming: 30 } });
    assert.deepEqual([answered.body.guest.coming, answered.body.guest.up_to], [2, 3], answered.text);
    const { message, ...short } = answered.body.short;
    assert.deepEqual(short, { asked: 30, most: 3 });
    assert.equal(message, 'ביקשתם 30 מקומות. ההזמנה לשניים, ואפשר להביא עוד אדם אחד.');
    const three = await event.server.call('POST', api, { body: { rsvp_status: 'confirmed', coming: 3 } });
    assert.deepEqual([three.body.guest.coming, three.body.short], [3, undefined]);
    await event.call('PUT', `/guests/${couple.id}`, { body: { max_plus_ones: null } });
    const many = await event.server.call('POST', api, { body: { rsvp_status: 'confirmed', coming: 30 } });
    assert.equal(many.body.guest.coming, 30, many.text);
    await event.call('PUT', `/guests/${couple.id}`, { body: { max_plus_ones: 0 } });
    assert.equal((await event.read(couple.id)).coming, 30, 'a lower limit takes nobody’s place');
  });

  test(`a guest is asked what can differ from the event’s own kitchen, and how many are children, on ${kind}`, async () => {
    const asked = async (fields: object, guest: object = {}) => {
      await using event = await newEvent(kind, fields);
      const { id } = await event.guest({ name: 'משפחה', party_size: 4, party_children: 2, ...guest });
      const token = tokenOf((await linkOf(event, id)).url);
      const { body } = await event.server.call('GET', `/api/rsvp/${token}`);
      const page = await event.server.call('GET', `/r/${token}`);
      const inputs = [...page.text.matchAll(/<input type="number" id="(\w+)"/g)].map(([, name]) => name);
      assert.deepEqual(inputs, ['coming', 'coming_children', ...body.event.meals_asked]);
      return body.event.meals_asked.join(' ');
    };
    const always = 'vegetarian vegan childrens_meals';
    assert.equal(await asked({}), 'vegetarian vegan kosher mehadrin childrens_meals');
    assert.equal(await asked({ kashrut_level: 'regular' }), 'vegetarian vegan mehadrin childrens_meals');
    assert.equal(await asked({ kashrut_level: 'mehadrin' }), always);
    assert.equal(await asked({ language_pref: 'arabic' }), always);
    assert.equal(
      await asked({ kashrut_level: 'mehadrin' }, { chalav_yisrael: 1 }),
      'vegetarian vegan chalav_yisrael childrens_meals',
    );

    await using event = await newEvent(kind, { kashrut_level: 'mehadrin' });
    const family = await event.guest({ name: 'משפחה', party_size: 4, party_children: 2, mehadrin: 2 });
    const path = `/r/${tokenOf((await linkOf(event, family.id)).url)}`;
    const answer = {
      rsvp_status: 'confirmed',
      coming: '4',
      coming_children: '2',
      childrens_meals: '2',
      vegan: '',
    };
    assert.equal((await form(event, path, answer)).status, 303);
    const { coming_children, childrens_meals, vegan, mehadrin } = await event.read(family.id);
    assert.deepEqual([coming_children, childrens_meals, vegan, mehadrin], [2, 2, 0, 2]);
    for (const [wrong, said] of [
      [{ coming_children: '5' }, 'מספר הילדים'],
      [{ vegan: '5' }, 'מספר המנות'],
      [{ vegan: 'שתיים' }, 'מספר המנות'],
    ] as const) {
      const refused = await form(event, path, { ...answer, ...wrong });
      assert.equal(refused.status, 400);
      assert.ok(refused.text.includes(said) && refused.text.includes(Object.values(wrong)[0] ?? ''));
    }
  });

  test(`who does not know yet says so, takes no place, and is still reminded, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 2 });
    const guest = await event.guest({ name: 'דנה', email: 'dana@example.com', party_size: 2 });
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const say = (rsvp_status: string) => form(event, path, { rsvp_status, coming: '2' });
    await say('confirmed');
    const other = await event.guest({ name: 'רון', rsvp_status: 'confirmed' });
    const sent = await say('maybe');
    const page = await event.server.call('GET', sent.headers.get('location') ?? '');
    assert.ok(page.text.includes('רשמנו שעוד לא ידוע לכם'));
    assert.match(page.text, /value="maybe" required checked/);
    const { rsvp_status, maybe, coming, answered_at } = await event.read(guest.id);
    assert.deepEqual([rsvp_status, maybe, coming], ['pending', true, 0]);
    assert.ok(answered_at);
    assert.equal((await event.read(other.id)).rsvp_status, 'confirmed', 'their places went to who waited');
    const { maybe: count, rsvp_pending } = await event.counts();
    assert.deepEqual([count, rsvp_pending], [1, 1]);
    const list = async (query: string) => (await event.call('GET', `/guests?${query}`)).body.total;
    assert.deepEqual([await list('status=maybe'), await list('answered=true')], [1, 1]);
    const body = { kind: 'reminder', filter: {} };
    const round = await event.call('POST', '/rounds?dry_run=true', { body });
    assert.equal(round.body.preview.chosen, 1, round.text);

    // What is read may be sent back, and a yes is a yes.
    const { guest: read } = (await event.call('GET', `/guests/${guest.id}`)).body;
    const same = await event.call('PUT', `/guests/${guest.id}`, { body: read });
    assert.deepEqual([same.status, same.body.guest.maybe], [200, true], same.text);
    const put = async (fields: object) =>
      (await event.call('PUT', `/guests/${guest.id}`, { body: fields })).body.guest;
    assert.equal((await put({ rsvp_status: 'pending' })).maybe, false);
    assert.equal((await put({ rsvp_status: 'maybe' })).maybe, true);
    assert.equal((await put({ rsvp_status: 'declined' })).maybe, false);
  });

  test(`answers are taken until the organizer's date, on ${kind}`, async () => {
    let now = Temporal.Instant.from('2099-01-01T00:00:00Z');
    await using event = await startEvent(kind, {}, { clock: () => now, lifetime: '1000000h' });
    const guest = await event.guest({ name: 'דנה' });
    const path = `/api/rsvp/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const first = await event.call('GET', '/rsvp');
    assert.deepEqual(first.body.settings, {
      answer_until: null,
      open: false,
      registration: false,
      accept_by_itself: false,
      confirm_email: null,
      most_each: 10,
      plus_ones_each: null,
      children: null,
      meals: true,
      ask_names: false,
      slug: null,
      open_url: null,
    });
    const put = await event.call('PUT', '/rsvp', {
      body: { answer_until: '2099-06-01T23:59' },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    assert.equal(put.body.settings.answer_until, '2099-06-01T20:59:00.000Z', put.text);
    const stale = await event.call('PUT', '/rsvp', {
      body: { answer_until: null },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    assert.equal(stale.status, 412);
    assert.equal((await event.call('PUT', '/rsvp', { body: { answer_until: '2099-06-16' } })).status, 400);
    assert.equal(
      (await event.call('PUT', '/rsvp', { body: { answer_until: '2099-06-16T10:00' } })).status,
      400,
    );
    const yes = () => event.server.call('POST', path, { body: { rsvp_status: 'confirmed' } });
    assert.equal((await yes()).status, 200);
    now = Temporal.Instant.from('2099-06-02T00:00:00Z');
    assert.equal((await yes()).status, 409);
    assert.equal((await event.server.call('GET', path)).body.closed, 'late');
    await event.call('PUT', '/rsvp', { body: { answer_until: null } });
    assert.equal((await yes()).status, 200);
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    assert.equal((await event.server.call('GET', path)).body.closed, 'cancelled');
    assert.equal((await yes()).status, 409);
  });

  test(`people not on the list ask through the open link, and the organizer decides, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 3 });
    const opened = await event.call('PUT', '/rsvp', { body: { open: true } });
    const slug = opened.body.settings.slug;
    assert.match(slug, /^[a-z0-9]{10}$/);
    const named = await event.call('PUT', '/rsvp', { body: { slug: 'noa-and-itay' } });
    assert.equal(
      named.body.settings.open_url,
      `http://localhost:3000/e/noa-and-itay`.replace('3000', new URL(named.body.settings.open_url).port),
    );
    assert.equal((await event.call('PUT', '/rsvp', { body: { slug: 'No Spaces' } })).status, 400);
    assert.equal((await event.server.call('GET', `/e/${slug}`)).status, 404);
    assert.equal((await event.server.call('GET', '/e/noa-and-itay')).status, 200);

    const ask = (fields: Record<string, string>) => form(event, '/e/noa-and-itay', fields);
    assert.equal((await ask({ name: 'שכן' })).status, 400);
    assert.equal((await ask({ name: '', phone: '0521112233' })).status, 400);
    assert.equal((await ask({ name: 'שכן מלמעלה', phone: '0521112233', coming: '1' })).status, 303);
    assert.equal((await ask({ name: 'שכן מלמעלה', phone: '052-111-2233', coming: '2' })).status, 303);
    assert.equal((await ask({ name: 'דודה', email: 'aunt@example.com', coming: '2' })).status, 303);
    assert.equal((await ask({ name: 'robot', phone: '0529999999', website: 'http://x' })).status, 303);
    assert.equal((await event.counts()).rsvp_total, 0);
    const list = await event.call('GET', '/guest-requests?status=waiting');
    assert.deepEqual(
      list.body.requests.map((one: { name: string }) => one.name),
      ['שכן מלמעלה', 'דודה'],
    );
    const [neighbour, aunt] = list.body.requests;
    const accepted = await event.call('POST', `/guest-requests/${neighbour.id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(
      [accepted.body.guest.rsvp_status, accepted.body.guest.coming, accepted.body.guest.answered_via],
      ['confirmed', 2, 'open_link'],
    );
    assert.equal((await event.call('POST', `/guest-requests/${neighbour.id}/decline`)).status, 409);
    const waits = await event.call('POST', `/guest-requests/${aunt.id}/accept`);
    assert.ok(waits.body.guest.waiting_since);
    assert.deepEqual([accepted.body.warnings, waits.body.warnings[0].code], [[], 'waits']);
    // Asking once more is an answer of a guest who is on the list.
    await ask({ name: 'שכן', phone: '0521112233', coming: '1' });
    const [again] = (await event.call('GET', '/guest-requests?status=waiting')).body.requests;
    const fewer = await event.call('POST', `/guest-requests/${again.id}/accept`);
    assert.deepEqual([fewer.body.guest.id, fewer.body.guest.coming], [accepted.body.guest.id, 1]);
    assert.equal((await event.read(waits.body.guest.id)).rsvp_status, 'confirmed');
    await event.call('PUT', '/rsvp', { body: { open: false } });
    assert.equal((await event.server.call('GET', '/e/noa-and-itay')).status, 404);
  });

  test(`a page of what was invites to nothing, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const [came, asked] = [
      await event.guest({ name: 'דנה', rsvp_status: 'confirmed' }),
      await event.guest({ name: 'רון', rsvp_status: 'declined' }),
    ];
    const pageOf = async ({ id }: { id: string }) =>
      (await event.server.call('GET', `/r/${tokenOf((await linkOf(event, id)).url)}`)).text;
    const before = await pageOf(came);
    for (const said of ['שמחים להזמין', 'נתראה', 'event.ics']) assert.ok(before.includes(said), said);
    await event.call('PUT', '', { body: { status: 'completed', event_date: '2020-06-15T19:30' } });
    const page = await pageOf(came);
    for (const unsaid of ['שמחים להזמין', 'נתראה', 'event.ics']) assert.ok(!page.includes(unsaid), unsaid);
    assert.ok(page.includes('רשמנו שמגיע אדם אחד.') && page.includes('האירוע כבר התחיל או הסתיים'));
    assert.ok(!(await pageOf(asked)).includes('תחסרו'));
  });

  test(`who knows a number and an address takes no request away by them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `known-${kind}` } });
    const ask = (fields: Record<string, string>) => form(event, `/e/known-${kind}`, fields);
    await ask({ name: 'Aunt', phone: '0501111111', coming: '4', message: 'love' });
    await ask({ name: 'Uncle', email: 'uncle@example.com', coming: '2' });
    await ask({ name: 'Stranger', phone: '0501111111', email: 'uncle@example.com' });
    await ask({ name: 'Aunt', phone: '0501111111', email: 'uncle@example.com' });
    await ask({ name: 'Stranger', phone: '0501111111' });
    const guests = await Promise.all([
      event.guest({ name: 'Aunt Dora' }),
      event.guest({ name: 'uncle', phone: '0502222222' }),
      event.guest({ name: 'Dora', email: 'uncle@example.com' }),
    ]);
    const { requests } = (await event.call('GET', '/guest-requests?status=waiting')).body;
    assert.deepEqual(
      requests.map((one: { name: string; coming: number }) => [one.name, one.coming]),
      [
        ['Aunt', 4],
        ['Uncle', 2],
        ['Stranger', 1],
        ['Aunt', 1],
        ['Stranger', 1],
      ],
    );
    type MayBe = { what: string; id: string; name: string; by: string };
    const [aunt, uncle] = requests.map((one: { may_be: MayBe[] }) =>
      one.may_be.map(({ what, name, by }) => [what, name, by]),
    );
    assert.deepEqual(aunt, [
      ['request', 'Stranger', 'phone'],
      ['request', 'Aunt', 'phone'],
      ['request', 'Stranger', 'phone'],
    ]);
    assert.deepEqual(uncle.sort(), [
      ['guest', 'Dora', 'email'],
      ['guest', 'uncle', 'name'],
      ['request', 'Aunt', 'email'],
      ['request', 'Stranger', 'email'],
    ]);
    const accepted = await event.call('POST', `/guest-requests/${requests[1].id}/accept`);
    assert.equal(accepted.body.guest.id, guests[2]?.id, 'accepted, it answers for whom its address is');
    assert.deepEqual(accepted.body.request.may_be, []);
  });

  test(`a request names the guests and requests of the same name, however it is spelled, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `spelled-${kind}` } });
    for (const name of ['משפחת כהן', 'דנה כהן', 'אבוחצירא מאיר', 'דנה לוי']) await event.guest({ name });
    const ask = (fields: Record<string, string>) => form(event, `/e/spelled-${kind}`, fields);
    await ask({ name: "כהן משפ'", phone: '0501111111' });
    await ask({ name: 'מאיר אבו-חצירה', phone: '0502222222' });
    await ask({ name: 'כוהן', phone: '0503333333' });
    const { requests } = (await event.call('GET', '/guest-requests?status=waiting')).body;
    assert.deepEqual(
      requests.map((one: { may_be: { name: string; by: string }[] }) =>
        one.may_be.map(({ name, by }) => `${name} ${by}`).sort(),
      ),
      [['כוהן name', 'משפחת כהן name'], ['אבוחצירא מאיר name'], ["כהן משפ' name", 'משפחת כהן name']],
    );
    // The same phone number with another spelling of the name is another request.
    await ask({ name: 'משפחת כהן', phone: '0501111111' });
    assert.equal((await event.call('GET', '/guest-requests?status=waiting')).body.total, 4);
  });

  test(`ready messages are there for guests with a phone number alone, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.guest({ name: 'א', phone: '0501111111' });
    await event.guest({ name: 'ב', phone: '0502222222', email: 'b@example.com' });
    await event.guest({ name: 'ג', email: 'c@example.com' });
    await event.guest({ name: 'ד', phone: '0503333333', language: 'arabic' });
    const names = async (query: string) => {
      const { body } = await event.call('GET', `/guests/links?${query}`);
      return [body.links.map((link: { name: string }) => link.name).join(''), body.more];
    };
    assert.deepEqual(await names(''), ['אד', false]);
    assert.deepEqual(await names('limit=1'), ['א', true]);
    assert.deepEqual(await names('all=true'), ['אבד', false]);
  });
}
