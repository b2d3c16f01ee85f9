import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES, DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { newEvent } from '../event.ts';
import { form, pathOf } from './links.ts';

// What the pages of an event say besides the form: in its state, in its words, to whoever opens them.

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a cancelled event says so first and invites to nothing, on ${kind}`, async () => {
    await using event = await newEvent(kind, { description: 'חופה בשקיעה' });
    const path = await pathOf(event, { name: 'דנה', language: 'english' });
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `cancelled-${kind}` } });
    await event.call('PUT', '', { body: { status: 'cancelled' } });
    for (const [address, word] of [
      [path, 'The event has been cancelled.'],
      [`/e/cancelled-${kind}`, 'האירוע בוטל.'],
    ] as const) {
      const { status, text } = await event.server.call('GET', address);
      assert.equal(status, 200, text);
      const main = text.slice(text.indexOf('<main>'));
      assert.ok(main.indexOf(word) < main.indexOf('<h1') && main.includes(word), main);
      assert.ok(!/<form|google|waze|event\.ics|invited|להזמין|חופה/.test(main), main);
    }
    assert.equal((await form(event, path, { rsvp_status: 'confirmed' })).status, 409);
  });

  test(`an answer is thanked for in one message, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = await pathOf(event, { name: 'Dana', language: 'english', party_size: 2 });
    const notes = (text: string) =>
      [...text.matchAll(/<p class="note (\w+)"[^>]*>([^<]*)/g)].map(([, kind, said]) => [kind, said]);
    const sent = await form(event, path, { rsvp_status: 'confirmed', coming: '2' });
    const saved = await event.server.call('GET', sent.headers.get('location') ?? '');
    assert.deepEqual(notes(saved.text), [
      ['good', 'Your answer is saved. Thank you! We have you down for 2 people. See you there!'],
    ]);
    const later = await event.server.call('GET', path);
    assert.deepEqual(notes(later.text), [['good', 'We have you down for 2 people. See you there!']]);
  });

  test(`a mistake stands above the form, beside its field and in the title, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const path = await pathOf(event, { name: 'Dana', language: 'english' });
    const { status, text } = await form(event, path, {
      rsvp_status: 'confirmed',
      allergies: 'x'.repeat(501),
    });
    assert.equal(status, 400);
    assert.match(text, /<title>Please correct: /);
    assert.match(text, /role="alert"[^>]*><a href="#allergies">One of the texts/);
    assert.match(text, /id="allergies"[^>]* aria-invalid="true" aria-describedby="allergies-problem"/);
    assert.match(text, /<p class="problem" id="allergies-problem">One of the texts/);
    assert.equal(text.match(/aria-invalid="/g)?.length, 1);
    const nothing = await form(event, path, { coming: '1' });
    assert.match(nothing.text, /<fieldset role="radiogroup" aria-invalid="true"/);
    assert.match(nothing.text, /id="rsvp_status-problem"/);
  });

  test(`an event invites by its own title, words, hosts and contact, in each language, on ${kind}`, async () => {
    await using event = await newEvent(kind, { description: 'חופה בשקיעה' });
    const invitation = {
      hosts: { hebrew: 'נועה & איתי', english: 'Noa & Itay' },
      title: { english: 'Noa & Itay’s wedding' },
      words: { english: 'A chuppah <at sunset>' },
      contact_name: { english: 'Noa' },
      contact_phone: '050-123-4567',
      contact_email: 'noa@example.com',
    };
    const put = await event.call('PUT', '/invitation', { body: invitation });
    assert.deepEqual(put.body.invitation, {
      ...invitation,
      contact_phone: '+972501234567',
      venue_name: null,
      venue_address: null,
      picture_alt: null,
      map: null,
      coordinates: null,
      hebrew_date: null,
      online_url: null,
      event_end: null,
    });
    const same = await event.call('PUT', '/invitation', { body: put.body.invitation });
    assert.deepEqual([same.body, same.headers.get('etag')], [put.body, put.headers.get('etag')], same.text);
    const path = await pathOf(event, { name: 'Dana', language: 'english' });
    const english = (await event.server.call('GET', path)).text;
    for (const said of [
      '<h1 dir="auto">Noa &amp; Itay’s wedding</h1>',
      '<title>Noa &amp; Itay’s wedding</title>',
      '<p class="hosts" dir="auto">Noa &amp; Itay</p>',
      'A chuppah &lt;at sunset&gt;',
      'href="tel:+972501234567" dir="ltr">050-123-4567<',
      'href="https://wa.me/972501234567"',
      'href="mailto:noa@example.com"',
    ]) {
      assert.ok(english.includes(said), said);
    }
    const hebrew = (await event.server.call('GET', `${path}?lang=hebrew`)).text;
    assert.ok(hebrew.includes('<h1 dir="auto">החתונה של נועה ואיתי</h1>') && hebrew.includes('חופה בשקיעה'));
    assert.match(hebrew, /<p class="hosts" dir="auto">נועה &amp; איתי<[\s\S]*<bdi>Noa<\/bdi>/);
    const entry = async (lang: string) =>
      (await event.server.call('GET', `${path}/event.ics?lang=${lang}`)).text;
    assert.match(await entry('english'), /SUMMARY:Noa & Itay’s wedding\r\n/);
    assert.match(await entry('arabic'), /SUMMARY:החתונה של נועה ואיתי\r\n/);
    const read = (await event.server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`)).body.event;
    assert.deepEqual(
      [read.title, read.description, read.hosts, read.contact_phone],
      ['Noa & Itay’s wedding', 'A chuppah <at sunset>', 'Noa & Itay', '+972501234567'],
    );
    for (const [field, value] of [
      ['title', { german: 'Hochzeit' }],
      ['contact_phone', '12'],
      ['online_url', 'javascript:alert(1)'],
      ['online_url', 'https://me:secret@example.com/'],
      ['coordinates', '95.1, 34.9'],
      ['map', 'yes'],
    ] as const) {
      const refused = await event.call('PUT', '/invitation', { body: { [field]: value } });
      assert.equal(refused.status, 400, refused.text);
      assert.equal(refused.body.field.split('.')[0], field);
    }
  });

  test(`hosts who are not named in a guest’s language have one name on the page and in mail, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/invitation', { body: { hosts: { arabic: 'نوعا', english: 'Noa' } } });
    const path = await pathOf(event, { name: 'דנה', email: 'dana@example.com' });
    const [, onPage] =
      /<p class="hosts"[^>]*>([^<]*)</.exec((await event.server.call('GET', path)).text) ?? [];
    const body = { kind: 'invitation', filter: {} };
    const { preview } = (await event.call('POST', '/rounds?dry_run=true', { body })).body;
    assert.ok(onPage && preview.letters[0].text.includes(`בשם ${onPage}`), preview.letters[0].text);
  });

  test(`guests read the venue in their language, as long as it is that venue, on ${kind}`, async () => {
    await using event = await newEvent(kind, { venue_name: 'גן עדן', venue_address: 'הנמל 1' });
    const say = { venue_name: { english: 'Eden' }, venue_address: { english: '1 The Port' } };
    assert.equal((await event.call('PUT', '/invitation', { body: say })).status, 200);
    const path = await pathOf(event, { name: 'Dana', language: 'english' });
    const read = async () => {
      const { text } = await event.server.call('GET', path);
      const { body } = await event.server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`);
      const [, place] = /<dt>Where<\/dt><dd>(.*)<\/dd>/.exec(text) ?? assert.fail(text);
      const [, location] =
        /LOCATION:(.*)\r/.exec((await event.server.call('GET', `${path}/event.ics`)).text) ?? [];
      const [, preview] = /og:description" content="([^"]*)"/.exec(text) ?? [];
      const { venue_name, venue_address, map_url } = body.event;
      const sought = new URL(map_url).searchParams.get('query');
      return { place, location, preview: preview?.split(' · ').at(-1), venue_name, venue_address, sought };
    };
    assert.deepEqual(await read(), {
      place: '<bdi>Eden</bdi><br><bdi>1 The Port</bdi>',
      location: 'Eden\\, 1 The Port',
      preview: 'Eden, 1 The Port',
      venue_name: 'Eden',
      venue_address: '1 The Port',
      sought: 'גן עדן, הנמל 1',
    });
    const noa = { name: 'Noa', email: 'noa@example.com', language: 'english' };
    await event.guest({ ...noa, rsvp_status: 'confirmed' });
    await event.call('PUT', '', { body: { venue_name: 'אולמי הים' } });
    const moved = await read();
    assert.deepEqual(
      [moved.place, moved.venue_name],
      ['<bdi>אולמי הים</bdi><br><bdi>1 The Port</bdi>', 'אולמי הים'],
    );
    await event.call('PUT', '/invitation', { body: { venue_name: { english: 'Sea Hall' } } });
    assert.equal((await read()).venue_name, 'Sea Hall');
    const round = { kind: 'change', filter: {} };
    const told = async () => {
      const { body } = await event.call('POST', '/rounds?dry_run=true', { body: round });
      return body.preview.letters[0].text;
    };
    assert.match(await told(), /The new place: Sea Hall, 1 The Port\n\(instead of גן עדן, הנמל 1\)/);
    await event.call('PUT', '', { body: { venue_name: 'גן עדן', event_date: '2099-06-16T20:00' } });
    await event.call('PUT', '/invitation', { body: say });
    assert.match(await told(), /Where: Eden, 1 The Port\n/, 'what is only translated was not moved');
  });

  test(`guests read the Hebrew date beside the civil one, by day and by night, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { server } = event;
    const path = await pathOf(event, { name: 'Dana', language: 'english' });
    const open = `/e/dated-${kind}`;
    await event.call('PUT', '/rsvp', { body: { open: true, slug: open.slice(3) } });
    const beside = async (page: string) => {
      const { text } = await server.call('GET', page);
      const [, shown] = /<\/time>(?:<br>([^<]*))?<\/dd>/.exec(text) ?? assert.fail(text);
      const preview = /property="og:description" content="[^"]*\(([^)"]*)\)/.exec(text)?.[1];
      assert.equal(preview, shown, 'a chat shows the same');
      return shown;
    };
    const all = async () => [
      ...(await Promise.all([path, `${path}?lang=hebrew`, `${path}?lang=arabic`, open].map(beside))),
      (await server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`)).body.event.hebrew_date,
    ];
    const none = [undefined, undefined, undefined, undefined, null];
    const [he, en] = ['כ״ז בסיוון תתנ״ט', '27 Sivan 5859'];
    assert.deepEqual(await all(), [en, he, undefined, he, en]);
    await event.call('PUT', '/invitation', { body: { hebrew_date: false } });
    assert.deepEqual(await all(), none);
    await event.call('PUT', '/invitation', { body: { hebrew_date: null } });
    await event.call('PUT', '/rsvp', { body: { registration: true } });
    assert.deepEqual(await all(), none, 'a conference');
    await event.call('PUT', '', { body: { event_date: '2099-06-15T20:30' } });
    await event.call('PUT', '/invitation', { body: { hebrew_date: true } });
    const [night, eve] = ['אור לכ״ח בסיוון תתנ״ט', 'eve of 28 Sivan 5859'];
    assert.deepEqual(await all(), [eve, night, undefined, night, eve]);
  });

  test(`a map is there where there is a place, and a link where there is none, on ${kind}`, async () => {
    await using event = await newEvent(kind, { venue_name: 'זום / ייקבע בהמשך', venue_address: '' });
    const path = await pathOf(event, { name: 'Dana', language: 'english' });
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `afar-${kind}` } });
    const links = async (invitation: object, page = path) => {
      await event.call('PUT', '/invitation', { body: invitation });
      const { text } = await event.server.call('GET', page);
      return [...text.matchAll(/<a href="(https:[^"]+)"/g)].map(([, url = '']) =>
        url.replaceAll('&amp;', '&'),
      );
    };
    const [calendar, ...none] = await links({});
    assert.deepEqual(none, []);
    const asked = new URL(calendar ?? '').searchParams;
    assert.deepEqual(
      ['text', 'dates', 'location'].map((name) => asked.get(name)),
      ['החתונה של נועה ואיתי', '20990615T163000Z/20990615T213000Z', 'זום / ייקבע בהמשך'],
    );
    assert.ok(asked.get('details')?.endsWith(path), 'the entry leads back to the guest’s page');
    const online_url = 'https://meet.example.com/noa';
    assert.deepEqual((await links({ online_url })).slice(0, -1), [online_url]);
    assert.deepEqual(await links({}, `/e/afar-${kind}`), []);
    const byName = await links({ online_url: null, map: true });
    assert.match(byName[0] ?? '', /^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=%D7/);
    const byPoint = await links({ map: null, coordinates: '32.1741, 34.9012' });
    assert.deepEqual(byPoint.slice(0, 2), [
      'https://www.google.com/maps/search/?api=1&query=32.1741%2C34.9012',
      'https://waze.com/ul?ll=32.1741,34.9012&navigate=yes',
    ]);
    // Another place is elsewhere, until the organizer says that it is not.
    await event.call('PUT', '', { body: { venue_name: 'אולמי הים' } });
    assert.equal((await links({ hosts: 'נועה ואיתי' })).length, 1);
    assert.deepEqual((await links({ coordinates: '32.1741, 34.9012' })).slice(0, 2), byPoint.slice(0, 2));
    assert.equal((await links({ map: false })).length, 1);
    const read = await event.server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`);
    assert.equal(read.body.event.map_url, null);
  });

  test(`mail calls an event as its invitation does, in each guest’s language, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    await event.call('PUT', '/invitation', { body: { title: { english: 'A wedding' } } });
    for (const language of ['english', 'hebrew']) {
      await event.guest({ name: language, email: `${language}@example.com`, language });
    }
    const tried = await event.call('POST', '/rounds?dry_run=true', { body: { filter: {} } });
    const subjects = tried.body.preview.letters.map((one: { subject: string }) => one.subject).sort();
    assert.deepEqual(subjects, ['Invitation: A wedding', 'הזמנה: החתונה של נועה ואיתי']);
  });
}

for (const kind of DATABASES) {
  test(`a title and a place that break lines and turn text around are told on one line, and kept as they were sent, on ${kind}`, async () => {
    const odd = {
      title: 'Wed\u202eding\r\nof Noa',
      venue_name: 'Hall\u2066\nEden',
      venue_address: '12\u202b\tSharon\nRoad',
    };
    await using event = await newEvent(kind, odd);
    const { title, venue_name, venue_address } = (await event.call('GET', '')).body.event;
    assert.deepEqual({ title, venue_name, venue_address }, odd);
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `odd-${kind}` } });
    const body = { name: 'Dana', language: 'english', phone: '0501234567', email: 'dana@example.com' };
    const { id } = await event.guest({ ...body, rsvp_status: 'confirmed' });
    const { url, message, whatsapp_url } = (await event.call('GET', `/guests/${id}/link`)).body.link;
    const path = new URL(url).pathname;
    const get = async (at: string) => (await event.server.call('GET', at)).text;
    const round = { kind: 'see_you', filter: {} };
    const dry = await event.call('POST', '/rounds?dry_run=true', { body: round });
    const [letter] = dry.body.preview.letters;
    const byHand = await event.call('POST', '/rounds', { body: { ...round, channel: 'by_hand' } });
    const next = (await event.call('POST', `/rounds/${byHand.body.round.id}/next`)).body.guest;
    const rsvp = (await event.server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`)).body.event;
    const token = await event.server.token('me');
    const opened = await event.server.call('PUT', '/api/calendar/feed', { token, body: {} });
    const entries = async (at: string) => (await get(at)).replaceAll('\r\n ', '');
    const told: Record<string, string> = {
      message,
      whatsapp: decodeURIComponent(whatsapp_url),
      subject: letter.subject,
      mail: letter.text,
      html: letter.html,
      byHand: next.text,
      page: await get(path),
      open: await get(`/e/odd-${kind}`),
      caterer: (await event.call('GET', '/guests/caterer')).text,
      rsvp: rsvp.title,
      entry: await entries(`${path}/event.ics`),
      feed: await entries(new URL(opened.body.feed.url).pathname),
    };
    for (const [where, text] of Object.entries(told)) {
      assert.ok(text.includes('Wed ding of Noa'), `${where}: ${text}`);
      assert.ok(!/[\u2028\u202a-\u202e\u2066-\u2069]/.test(text), where);
    }
    for (const where of ['mail', 'byHand', 'caterer']) {
      assert.ok(told[where]?.includes('Hall Eden, 12 Sharon Road'), `${where}: ${told[where]}`);
    }
    for (const where of ['entry', 'feed']) {
      assert.ok(told[where]?.includes('LOCATION:Hall Eden\\, 12 Sharon Road'), `${told[where]}`);
    }
    assert.deepEqual([rsvp.venue_name, rsvp.venue_address], ['Hall Eden', '12 Sharon Road']);
    assert.ok(told.page?.includes('<title>Wed ding of Noa</title>'));
  });
}
