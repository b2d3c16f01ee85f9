import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES_OF_SLOW_TESTS } from '../support/server.ts';
import { startClocked } from './clocked.ts';
import { newEvent } from './event.ts';

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a deleted event comes back as it was on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { server, id, call } = event;
    const guest = await event.guest({ name: 'נועה', party_size: 3, rsvp_status: 'confirmed' });
    const page = new URL((await call('GET', `/guests/${guest.id}/link`)).body.link.url).pathname;
    const token = await server.token('me');
    const other = await server.token('other');
    const before = (await call('GET', '')).body.event;

    const restore = `/api/deleted-events/${id}/restore`;
    assert.equal((await server.call('POST', restore, { token })).status, 404, 'it is not deleted');
    assert.equal((await call('DELETE', '')).status, 204);
    assert.equal((await server.call('GET', page, { token })).status, 404);
    const { body: list } = await server.call('GET', '/api/deleted-events', { token });
    const [listed] = list.events.filter((one: { id: string }) => one.id === id);
    assert.deepEqual(
      [listed.title, listed.event_date, listed.status],
      [before.title, before.event_date, 'published'],
    );
    assert.equal(Date.parse(listed.until) - Date.parse(listed.deleted_at), 30 * 86_400_000);
    assert.equal(
      (await server.call('GET', '/api/deleted-events', { token: other })).body.events.some(
        (one: { id: string }) => one.id === id,
      ),
      false,
    );

    assert.equal((await server.call('POST', restore, { token: other })).status, 404, 'it is not theirs');
    const back = await server.call('POST', restore, { token });
    assert.equal(back.status, 200, back.text);
    assert.match(String(back.headers.get('etag')), /^"\d+"$/);
    const { updated_at: _, ...same } = before;
    const { updated_at: __, ...now } = back.body.event;
    assert.deepEqual(now, same);
    assert.deepEqual((await call('GET', '')).body.event, back.body.event);
    assert.equal((await server.call('GET', page, { token })).status, 200);
    assert.equal((await server.call('POST', restore, { token })).status, 404, 'it is back already');
    const actions = (await call('GET', '/history?subject=event')).body.history.map(
      ({ action }: { action: string }) => action,
    );
    assert.deepEqual(actions.slice(0, 2), ['restored', 'deleted']);
    assert.equal((await server.call('POST', '/api/deleted-events/1/restore', { token })).status, 404);
  });
}

test('a deleted event is gone after 30 days', async () => {
  await using clocked = await startClocked('postgres');
  const { event, moveTo } = clocked;
  const token = await event.server.token('me', 'organizer', '100y');
  const deleted = async () => (await event.server.call('GET', '/api/deleted-events', { token })).body.events;
  await event.call('DELETE', '');
  moveTo('2027-07-01T09:59');
  assert.equal((await deleted()).length, 1);
  moveTo('2027-07-01T10:01');
  assert.deepEqual(await deleted(), []);
  const restore = `/api/deleted-events/${event.id}/restore`;
  assert.equal((await event.server.call('POST', restore, { token })).status, 404);
});
