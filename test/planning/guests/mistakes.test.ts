import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DATABASES_OF_SLOW_TESTS } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { newEvent, startEvent, type TestEvent } from '../event.ts';

const namesOf = (guests: readonly { name: string }[]) => guests.map(({ name }) => name);

async function bulk(event: TestEvent, path: string, body: object, query = '') {
  return event.call('POST', `/guests/bulk${path}${query}`, { body });
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`thirty guests are tagged in one call, and the tags are counted on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const { id } = await event.guest({
        name: `אורח ${n}`,
        party_size: 2,
        tags: n < 2 ? ['עבודה'] : ['צד החתן'],
      });
      ids.push(id);
    }
    const other = await event.guest({ name: 'אחרת' });
    const dry = await bulk(event, '', { guest_ids: ids, add_tags: ['עבודה'] }, '?dry_run=true');
    assert.deepEqual(dry.body, { chosen: 30, changed: 28, not_found: [], warnings: [] });
    assert.deepEqual((await event.read(ids[9] ?? '')).tags, ['צד החתן']);
    const key = { 'idempotency-key': 'tags' };
    const body = { guest_ids: [...ids, '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47'], add_tags: ['עבודה'] };
    const tried = await event.call('POST', '/guests/bulk?dry_run=true', { body, headers: key });
    assert.equal(tried.body.changed, 28, 'a key does not make it real');
    assert.deepEqual((await event.read(ids[9] ?? '')).tags, ['צד החתן']);
    const done = await event.call('POST', '/guests/bulk', { body });
    assert.deepEqual(done.body, {
      chosen: 30,
      changed: 28,
      not_found: [body.guest_ids.at(-1)],
      warnings: [],
    });
    assert.deepEqual((await event.read(ids[9] ?? '')).tags, ['צד החתן', 'עבודה']);
    assert.deepEqual((await event.read(other.id)).tags, []);
    const byFilter = {
      filter: { tag: 'צד החתן' },
      remove_tags: ['צד החתן'],
      add_tags: ['משפחה'],
      language: 'arabic',
    };
    assert.equal((await bulk(event, '', byFilter)).body.changed, 28);
    assert.equal((await event.read(ids[9] ?? '')).language, 'arabic');
    await bulk(event, '', { guest_ids: ids.slice(0, 1), rsvp_status: 'confirmed' });
    const { body: tags } = await event.call('GET', '/guests/tags');
    assert.deepEqual(tags.tags, [
      { tag: 'עבודה', guests: 30, invited: 60, people: 2 },
      { tag: 'משפחה', guests: 28, invited: 56, people: 0 },
    ]);
    assert.equal(tags.total, 2);
    const lines = await event.call('GET', `/history?subject_id=${ids[9]}`);
    assert.deepEqual(lines.body.history[1].changes, {
      tags: { from: ['צד החתן'], to: ['צד החתן', 'עבודה'] },
    });
  });

  test(`a bulk change that can’t be done for one is done for nobody on ${kind}`, async () => {
    await using event = await newEvent(kind, { venue_capacity: 4 });
    const first = await event.guest({ name: 'א', party_size: 2, rsvp_status: 'confirmed' });
    const second = await event.guest({ name: 'ב', party_size: 2, rsvp_status: 'confirmed' });
    const ids = [first.id, second.id];
    const full = await bulk(event, '', { guest_ids: ids, coming: 3, note: 'x' });
    assert.deepEqual([full.status, full.body.code, full.body.guest_id], [409, 'full', first.id]);
    assert.equal((await event.read(first.id)).note, null);
    const many = Array.from({ length: 20 }, (_, n) => `t${n}`);
    await bulk(event, '', { guest_ids: [first.id], add_tags: many });
    const over = await bulk(event, '', { guest_ids: ids, add_tags: ['עוד'] });
    assert.deepEqual([over.body.code, over.body.guest_id], ['too_many_tags', first.id]);
    for (const [body, code] of [
      [{ add_tags: ['x'] }, 'nobody'],
      [{ guest_ids: ids }, 'nothing_to_change'],
      [{ guest_ids: ids, phone: '050-1234567' }, 'invalid_field'],
      [{ filter: { tagg: 'x' }, add_tags: ['x'] }, 'invalid_field'],
      [{ guest_ids: ids, coming: 1, rsvp_status: 'declined' }, 'invalid_field'],
    ] as const) {
      const answer = await bulk(event, '', body);
      assert.deepEqual([answer.status, answer.body.code], [400, code], answer.text);
    }
    const third = await event.guest({ name: 'ג', party_size: 2, rsvp_status: 'confirmed' });
    assert.notEqual((await event.read(third.id)).waiting_since, null);
    const all = { guest_ids: [...ids, third.id], rsvp_status: 'declined' };
    assert.equal((await bulk(event, '', all)).body.changed, 3, 'who moved up in between as well');
    const { people, waiting, rsvp_declined } = await event.counts();
    assert.deepEqual([people, waiting, rsvp_declined], [0, 0, 3]);
  });

  test(`a deleted guest comes back with all that was theirs on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { call } = event;
    const ask = async (text: string) =>
      (await call('POST', '/questions', { body: { kind: 'text', text } })).body.question.id;
    const [song, bus] = [await ask('שיר?'), await ask('הסעה?')];
    const guest = await event.guest({
      name: 'משפחת כהן',
      phone: '050-1234567',
      email: 'cohen@example.com',
      tags: ['צד הכלה'],
      party_size: 3,
      party_children: 1,
      rsvp_status: 'confirmed',
      allergies: 'אגוזים',
      answers: { [song]: 'הורה', [bus]: 'כן' },
    });
    const { url } = (await call('GET', `/guests/${guest.id}/link`)).body.link;
    const page = async () => (await event.server.call('GET', new URL(url).pathname)).status;
    const round = await call('POST', '/rounds', { body: { filter: {}, kind: 'message', message: 'שלום' } });
    assert.ok(round.status < 300, round.text);
    const sent = async () =>
      (await call('GET', `/rounds/${round.body.round.id}/guests`)).body.guests.map(
        ({ delivery }: { delivery: string }) => delivery,
      );
    await until(async () => (await sent())[0] === 'sent');
    const counts = await event.counts();
    assert.equal((await call('DELETE', `/guests/${guest.id}`)).status, 204);
    assert.equal(await page(), 404);
    assert.equal((await event.counts()).people, 0);
    const { guests, total } = (await call('GET', '/guests/deleted')).body;
    assert.equal(total, 1);
    const { deleted_at, until: last, ...shown } = guests[0];
    assert.deepEqual(shown, { id: guest.id, name: guest.name, rsvp_status: 'confirmed', party_size: 3 });
    assert.equal(Date.parse(last) - Date.parse(deleted_at), 30 * 86_400_000);

    // What is asked no more is not brought back.
    await call('DELETE', `/questions/${bus}`);
    const back = await call('POST', `/guests/${guest.id}/restore`);
    assert.equal(back.status, 200, back.text);
    const { updated_at: _, answered_at: __, ...same } = back.body.guest;
    const { updated_at: ___, answered_at: ____, ...before } = guest;
    assert.deepEqual(same, { ...before, answers: { [song]: 'הורה' } });
    assert.deepEqual(await event.counts(), counts);
    assert.equal(await page(), 200);
    assert.deepEqual(await sent(), ['sent']);
    assert.equal((await call('GET', '/guests/deleted')).body.total, 0);
    assert.equal((await call('POST', `/guests/${guest.id}/restore`)).status, 404);
    assert.equal((await call('POST', '/guests/x/restore')).status, 404);
    const { history } = (await call('GET', `/history?subject_id=${guest.id}`)).body;
    assert.deepEqual(
      history.slice(0, 2).map(({ action }: { action: string }) => action),
      ['restored', 'deleted'],
    );
    const stale = await call('PUT', `/guests/${guest.id}`, {
      body: { note: 'x' },
      headers: { 'if-match': '"1"' },
    });
    assert.equal(stale.status, 412, 'the tag of before is another one');
  });

  test(`who comes back asks for a place anew, and a taken number is refused on ${kind}`, async () => {
    await using event = await newEvent(kind, { venue_capacity: 2 });
    const { call } = event;
    const first = await event.guest({
      name: 'ראשונה',
      phone: '050-1234567',
      party_size: 2,
      rsvp_status: 'confirmed',
    });
    const second = await event.guest({ name: 'שני', party_size: 2, rsvp_status: 'confirmed' });
    const no = await event.guest({ name: 'לא', rsvp_status: 'declined' });
    await bulk(event, '/delete', { guest_ids: [first.id, no.id] });
    assert.equal((await event.read(second.id)).rsvp_status, 'confirmed', 'the place went on');
    const twin = await event.guest({ name: 'תאומה', phone: '050-1234567' });
    const taken = await call('POST', `/guests/${first.id}/restore`);
    assert.deepEqual([taken.status, taken.body.field], [409, 'phone']);
    await call('DELETE', `/guests/${twin.id}`);
    const dry = await bulk(event, '/restore', { guest_ids: [no.id, first.id] }, '?dry_run=true');
    const [waits] = dry.body.warnings;
    assert.deepEqual([waits.guest_id, waits.code], [first.id, 'waits']);
    assert.deepEqual(dry.body, { chosen: 2, changed: 2, not_found: [], warnings: [waits] });
    const missing = '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47';
    const back = await bulk(event, '/restore', { guest_ids: [no.id, first.id, missing] });
    assert.deepEqual(back.body, { chosen: 2, changed: 2, not_found: [missing], warnings: [waits] });
    const waiting = await event.read(first.id);
    assert.deepEqual([waiting.rsvp_status, waiting.coming], ['pending', 2]);
    assert.notEqual(waiting.waiting_since, null);
    // Where they had a place they wait now, and the history says so; a no is the no that it was.
    const lineOf = async (id: string) =>
      (await call('GET', `/history?subject_id=${id}`)).body.history.find(
        ({ action }: { action: string }) => action === 'restored',
      );
    const { waiting_since } = waiting;
    const { answered_at: _, ...changes } = (await lineOf(first.id)).changes;
    assert.deepEqual(changes, {
      rsvp_status: { from: 'confirmed', to: 'pending' },
      waiting_since: { from: null, to: waiting_since },
    });
    assert.equal((await lineOf(no.id)).changes, null);
    await call('DELETE', `/guests/${first.id}`);
    const alone = await call('POST', `/guests/${first.id}/restore`, { headers: { 'accept-language': 'en' } });
    assert.deepEqual(
      alone.body.warnings.map(({ code }: { code: string }) => code),
      ['waits'],
    );
    const declined = await event.read(no.id);
    assert.deepEqual([declined.rsvp_status, declined.answered_at], ['declined', no.answered_at]);
    const twice = await bulk(event, '/restore', { guest_ids: [twin.id] });
    assert.deepEqual([twice.status, twice.body.guest_id], [409, twin.id]);
    assert.deepEqual(namesOf((await call('GET', '/guests/deleted')).body.guests), ['תאומה']);
    assert.equal((await bulk(event, '/delete', {})).body.code, 'nobody');
    assert.equal((await bulk(event, '/delete', { filter: { status: 'declined' } })).body.changed, 1);
  });

  test(`a deleted guest is gone for good after thirty days, or at once with the others’ data on ${kind}`, async () => {
    let now = Temporal.Instant.from('2026-12-01T10:00Z');
    await using event = await startEvent(kind, {}, { clock: () => now, lifetime: '100y' });
    const { call, server } = event;
    const [early, late] = [await event.guest({ name: 'א' }), await event.guest({ name: 'ב' })];
    await call('DELETE', `/guests/${early.id}`);
    now = now.add({ hours: 24 });
    await call('DELETE', `/guests/${late.id}`);
    now = now.add({ hours: 29 * 24 + 1 });
    assert.deepEqual(namesOf((await call('GET', '/guests/deleted')).body.guests), ['ב']);
    assert.equal((await call('POST', `/guests/${early.id}/restore`)).status, 404);
    const kept = async () => {
      const { rows } = await sql<{ name: string }>`
        select kept->'guest'->>'name' as name from deleted_guests where event_id = ${event.id}`.execute(
        server.simcha.database.sql,
      );
      return namesOf(rows);
    };
    assert.deepEqual((await kept()).toSorted(), ['א', 'ב']);
    await server.simcha.enforceRetention();
    assert.deepEqual(await kept(), ['ב']);
    await call('POST', '/guests/erase');
    assert.deepEqual(await kept(), []);
    assert.equal((await call('POST', `/guests/${late.id}/restore`)).status, 404);
  });
}
