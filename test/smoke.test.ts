import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATABASES, startServer } from './support/server.ts';

for (const kind of DATABASES) {
  test(`an event is created and read back on ${kind}`, async () => {
    await using server = await startServer(kind);
    const token = await server.token('me');
    const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
    const created = await server.call('POST', '/api/events', { token, body });
    assert.equal(created.status, 201, created.text);
    const read = await server.call('GET', `/api/events/${created.body.event.id}`, { token });
    assert.equal(read.status, 200, read.text);
    const put = await server.call('PUT', `/api/events/${created.body.event.id}`, {
      token,
      body: { status: 'published', kashrut_level: 'mehadrin' },
    });
    assert.equal(put.status, 200, put.text);
    const bad = await server.call('PUT', `/api/events/${created.body.event.id}`, {
      token,
      body: { kashrut_level: ['x'] },
    });
    assert.equal(bad.status, 500, bad.text);
    const list = await server.call('GET', `/api/events?page=99999999999999&limit=1000`, { token });
    assert.equal(list.status, 200, list.text);
    assert.deepEqual([list.body.total, list.body.events.length], [1, 0]);
    const docs = await server.call('GET', `/openapi.json`);
    assert.equal(docs.status, 200, list.text);
    assert.equal((await server.call('PATCH', '/api/events')).status, 405);
    assert.equal(
      (await server.call('DELETE', `/api/events/${created.body.event.id}`, { token })).status,
      204,
    );
  });
}
