import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { newEvent, startEvent } from '../event.ts';
import { form, linkOf, tokenOf } from './links.ts';

// What a guest may know and do about what is kept of them.

const dana = {
  name: 'Dana Hopper',
  phone: '0501234567',
  email: 'dana@example.com',
  language: 'english',
  allergies: 'nuts',
  party_size: 2,
  members: [{ name: 'Dana Hopper' }, { name: null, child: true, meal: 'vegan' }],
  note: 'secret remark',
  tags: ['secret tag'],
};

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`pages say who keeps what, why, how long and which rights there are, on ${kind}`, async () => {
    await using event = await newEvent(kind, { retention_policy_days: 30 });
    await event.call('PUT', '/rsvp', { body: { open: true, slug: `rights-${kind}` } });
    await event.call('PUT', '/invitation', { body: { hosts: 'Noa & Itay', contact_phone: '0501112233' } });
    const guest = await event.guest(dana);
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    for (const base of [path, `/e/rights-${kind}`]) {
      const page = (await event.server.call('GET', `${base}?lang=english`)).text;
      for (const place of ['privacy', 'accessibility']) {
        assert.ok(page.includes(`href="${base}/${place}?lang=english"`), place);
      }
      const privacy = (await event.server.call('GET', `${base}/privacy?lang=english`)).text;
      for (const said of [
        'Noa &amp; Itay. They are responsible',
        'on 16 July 2099',
        'Especially sensitive information',
        '050-111-2233',
      ]) {
        assert.ok(privacy.includes(said), said);
      }
      assert.equal(privacy.includes('Dana Hopper'), base === path);
      assert.equal(privacy.split('may also keep tags').length, 2);
      for (const unasked of ['company and role', 'answers to questions']) {
        assert.ok(!privacy.includes(unasked), unasked);
      }
      const statement = (await event.server.call('GET', `${base}/accessibility?lang=hebrew`)).text;
      assert.ok(statement.includes('5568') && statement.includes('050-111-2233'));
    }
  });

  test(`pages name what a conference keeps, and what hosts noted unasked, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const slug = `talks-${kind}`;
    const noted = await event.guest({ name: 'Ron', role: 'Engineer' });
    const path = `/r/${tokenOf((await linkOf(event, noted.id)).url)}`;
    const kept = async (base: string, language: string) =>
      (await event.server.call('GET', `${base}/privacy?lang=${language}`)).text;
    assert.ok((await kept(path, 'english')).includes('company and role'));
    await event.call('PUT', '/rsvp', { body: { open: true, slug, registration: true, meals: false } });
    await event.call('POST', '/questions', { body: { kind: 'text', text: 'Talk?' } });
    for (const [language, ...all] of [
      ['hebrew', 'חברה ותפקיד', 'התשובות לשאלות', 'ומה שכתבתם למארגנים', 'שיחות טלפון'],
      ['arabic', 'الشركة والوظيفة', 'الإجابات عن الأسئلة', 'وما كتبتموه', 'المكالمات'],
      [
        'english',
        'company and role',
        'answers to questions',
        'what you wrote to the organizers',
        'phone calls',
      ],
    ] as const) {
      const text = await kept(`/e/${slug}`, language);
      for (const said of all) assert.ok(text.includes(said), said);
    }
  });

  test(`a guest sees what is kept of them, but not what hosts note for themselves, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const guest = await event.guest(dana);
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const { text } = await event.server.call('GET', `${path}/privacy`);
    for (const kept of [
      'Dana Hopper',
      '050-123-4567',
      'dana@example.com',
      'nuts',
      'Dana Hopper, guest of Dana Hopper (child, Vegan)',
    ]) {
      assert.ok(text.includes(kept), kept);
    }
    const file = await event.server.call('GET', `${path}/kept.json`);
    assert.match(file.headers.get('content-disposition') ?? '', /attachment/);
    assert.deepEqual([file.body.name, file.body.allergies], ['Dana Hopper', 'nuts']);
    for (const answer of [text, file.text]) assert.ok(!answer.includes('secret'));
  });

  test(`a guest erases what is kept of them, and their place goes to who waits, on ${kind}`, async () => {
    await using event = await newEvent(kind, { max_guests: 1 });
    const guest = await event.guest({ ...dana, rsvp_status: 'confirmed' });
    const next = await event.guest({ name: 'Ron', rsvp_status: 'confirmed' });
    await event.call('PUT', `/guests/${guest.id}`, { body: { allergies: 'peanuts' } });
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    const keyed = { headers: { 'idempotency-key': 'once' } };
    const said = { rsvp_status: 'confirmed', message: 'Dana says hello' };
    await event.server.call('POST', `/api${path.replace('/r/', '/rsvp/')}`, { body: said, ...keyed });
    await event.call('POST', '/guests/bulk', { body: { guest_ids: [next.id], note: 'window' }, ...keyed });
    await event.call('POST', `/guests/${guest.id}/restore`, keyed);
    const other = { body: { name: 'Dana Hopper' }, headers: { 'idempotency-key': 'other' } };
    assert.equal((await event.call('POST', '/guests', other)).status, 201);
    const unsure = await form(event, `${path}/erase`, {});
    assert.deepEqual([unsure.status, (await event.read(guest.id)).name], [303, 'Dana Hopper']);
    const erased = await form(event, `${path}/erase?lang=english`, { understood: 'yes' });
    assert.ok(erased.text.includes('have been deleted'), erased.text);
    assert.equal((await event.server.call('GET', path)).status, 404);
    assert.equal((await event.call('GET', `/guests/${guest.id}`)).status, 404);
    assert.equal((await event.read(next.id)).rsvp_status, 'confirmed');
    const history = await event.call('GET', `/history?subject_id=${guest.id}`);
    assert.deepEqual([history.body.history[0].action, history.body.history[0].by.kind], ['deleted', 'guest']);
    assert.ok(!/Dana|nuts|secret/.test(history.text), history.text);
    const { rows } = await sql<{ caller: string; body: string }>`
      select caller, body::text as body from idempotency_keys where about = ${event.id}`.execute(
      event.server.simcha.database.sql,
    );
    assert.ok(!rows.some(({ body }) => body.includes('Dana says hello') || body.includes(guest.id)));
    assert.equal(rows.length, 2, 'what is of others stays');
  });

  test(`of an event that was, a guest who erases what is kept stays a number, on ${kind}`, async () => {
    let now = Temporal.Instant.from('2099-01-01T00:00:00Z');
    await using event = await startEvent(kind, {}, { clock: () => now, lifetime: '1000000h' });
    const guest = await event.guest({ ...dana, rsvp_status: 'confirmed' });
    const other = await event.guest({ name: 'Ron' });
    const path = `/r/${tokenOf((await linkOf(event, guest.id)).url)}`;
    now = Temporal.Instant.from('2099-06-16T00:00:00Z');
    const before = await event.counts();
    assert.equal((await form(event, `${path}/erase`, { understood: 'yes' })).status, 200);
    assert.equal((await event.server.call('GET', path)).status, 404);
    const { name, phone, email, allergies, note, tags } = await event.read(guest.id);
    assert.deepEqual([name, phone, email, allergies, note, tags], ['—', null, null, null, null, []]);
    assert.equal((await event.read(other.id)).name, 'Ron');
    assert.deepEqual(await event.counts(), before);
    const { rows } = await sql<{ kept: string }>`
      select changes::text as kept from history where changes::text like '%Dana%' or changes::text like '%nuts%'`.execute(
      event.server.simcha.database.sql,
    );
    assert.deepEqual(rows, []);
  });
}
