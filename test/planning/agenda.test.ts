import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { pathOf } from './answers/links.ts';
import { newEvent } from './event.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`an agenda is kept, seen by guests, and moves with its event, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const add = (body: object) => event.call('POST', '/agenda', { body });
    const talk = await add({
      title: 'Talk <1>',
      starts_at: '2099-06-15T20:00',
      ends_at: '2099-06-15T20:45',
      speaker: 'Dana',
      place: 'Hall A',
    });
    assert.equal(talk.status, 201, talk.text);
    const { item } = talk.body;
    assert.equal((await event.server.call('GET', talk.headers.get('location') ?? '')).status, 401);
    await add({ title: 'Doors', starts_at: '2099-06-15T19:00' });
    const titles = async () => {
      const { items } = (await event.call('GET', '/agenda')).body;
      return items.map((one: { title: string; starts_at: string }) => `${one.starts_at} ${one.title}`);
    };
    assert.deepEqual(await titles(), ['2099-06-15T16:00:00.000Z Doors', '2099-06-15T17:00:00.000Z Talk <1>']);

    const path = await pathOf(event, { name: 'Ron', language: 'english' });
    const page = (await event.server.call('GET', path)).text;
    assert.ok(page.indexOf('Doors') < page.indexOf('Talk &lt;1&gt;') && page.includes('<h2>Agenda</h2>'));
    assert.match(page, /20:00<\/time>–<time[^>]*>20:45<\/time>/);
    const read = await event.server.call('GET', `/api${path.replace('/r/', '/rsvp/')}`);
    assert.deepEqual(
      read.body.event.agenda.map((one: { title: string }) => one.title),
      ['Doors', 'Talk <1>'],
    );

    const changed = await event.call('PUT', `/agenda/${item.id}`, {
      body: { place: null, ends_at: '2099-06-15T21:00' },
      headers: { 'if-match': talk.headers.get('etag') ?? '' },
    });
    assert.deepEqual([changed.body.item.place, changed.body.item.speaker], [null, 'Dana'], changed.text);
    const same = await event.call('PUT', `/agenda/${item.id}`, { body: changed.body.item });
    assert.deepEqual(
      [same.body, same.headers.get('etag')],
      [changed.body, changed.headers.get('etag')],
      same.text,
    );
    const stale = await event.call('PUT', `/agenda/${item.id}`, {
      body: { place: 'Hall B' },
      headers: { 'if-match': talk.headers.get('etag') ?? '' },
    });
    assert.equal(stale.status, 412);
    await event.call('PUT', '', { body: { event_date: '2099-06-20T18:30' } });
    assert.deepEqual(await titles(), ['2099-06-20T15:00:00.000Z Doors', '2099-06-20T16:00:00.000Z Talk <1>']);
    const { history } = (await event.call('GET', '/history?subject=agenda_item')).body;
    assert.deepEqual(history[0].changes.place, { from: 'Hall A', to: null });

    for (const [body, field] of [
      [{ title: 'x' }, 'starts_at'],
      [{ starts_at: '2099-06-20T19:00' }, 'title'],
      [{ title: 'x', starts_at: '2099-06-18T18:00' }, 'starts_at'],
      [{ title: 'x', starts_at: '2099-08-20T18:00' }, 'starts_at'],
      [{ title: 'x', starts_at: '2099-06-20T19:00', ends_at: '2099-06-20T18:59' }, 'ends_at'],
      [{ title: 'x', starts_at: '2099-06-20T19:00', room: 'A' }, 'room'],
    ] as const) {
      const refused = await add(body);
      assert.deepEqual([refused.status, refused.body.field], [400, field], refused.text);
    }
    const stranger = await event.server.token('stranger');
    assert.equal((await event.call('GET', '/agenda', { token: stranger })).status, 403);
    assert.equal((await event.call('DELETE', `/agenda/${item.id}`, { token: stranger })).status, 404);
    assert.equal((await event.call('DELETE', `/agenda/${item.id}`)).status, 204);
    assert.equal((await event.call('GET', `/agenda/${item.id}`)).status, 404);
    assert.equal((await event.call('GET', '/agenda/nothing')).status, 404);
  });

  test(`what begins on the day before, or when the event is over, is taken with a warning, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const warned = async (starts_at: string) => {
      const added = await event.call('POST', '/agenda', { body: { title: 'x', starts_at } });
      assert.equal(added.status, 201, added.text);
      return added.body.warnings.map(({ code }: { code: string }) => code);
    };
    assert.deepEqual(await warned('2099-06-14T23:30'), ['day_before']);
    assert.deepEqual(await warned('2099-06-15T00:00'), []);
    assert.deepEqual(await warned('2099-06-16T05:30'), [], 'the night is the event’s');
    assert.deepEqual(await warned('2099-06-16T20:00'), ['after_the_end']);
    await event.call('PUT', '/invitation', { body: { event_end: '2099-06-16T22:00' } });
    assert.deepEqual(await warned('2099-06-16T20:00'), []);
    assert.deepEqual(await warned('2099-06-16T22:00'), ['after_the_end']);
  });

  test(`an agenda has an end, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const add = () => event.call('POST', '/agenda', { body: { title: 'x', starts_at: '2099-06-15T20:00' } });
    for (let n = 0; n < 200; n += 1) assert.equal((await add()).status, 201);
    const refused = await add();
    assert.deepEqual([refused.status, refused.body.code], [400, 'too_many']);
  });
}
