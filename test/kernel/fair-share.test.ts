import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { BOTH_DATABASES, postgresDatabase, startServer, waitingForLock } from '../support/server.ts';
import { until } from '../support/until.ts';

const event = {
  title: 'החתונה של נועה ואיתי',
  event_date: '2099-06-15T19:30',
  venue_name: 'גן האירועים עדן',
  venue_address: 'דרך השרון 12, הוד השרון',
};

test('one organizer’s many slow writes leave connections to another, and are all done in the end', async () => {
  const { url: databaseUrl, drop } = await postgresDatabase('simcha_template');
  {
    const env = { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '10' };
    await using server = await startServer('postgres', { env });
    const [busy, other] = [await server.token('busy'), await server.token('other')];
    const events: string[] = [];
    for (let one = 0; one < 12; one += 1) {
      const { body } = await server.call('POST', '/api/events', { token: busy, body: event });
      events.push(body.event.id);
    }
    const lock = new pg.Client({ connectionString: databaseUrl });
    await lock.connect();
    await lock.query('begin');
    await lock.query('select id from events for update');

    const writes = Array.from({ length: 60 }, (_, one) =>
      server.call('POST', `/api/events/${events[one % events.length]}/guests`, {
        token: busy,
        body: { name: `אורח ${one}` },
      }),
    );
    const imported = server.call('POST', `/api/events/${events[0]}/guests/import`, {
      token: busy,
      body: 'שם\nאחד\nשניים',
      headers: { 'content-type': 'text/csv' },
    });
    const all = Promise.all([...writes, imported]);
    all.catch(() => {});
    await until(async () => (await waitingForLock(databaseUrl)) >= 5);
    const reads = await Promise.all(
      Array.from({ length: 20 }, () => server.call('GET', '/api/events', { token: other })),
    );
    assert.deepEqual(
      reads.map(({ status }) => status),
      reads.map(() => 200),
    );
    assert.equal(await waitingForLock(databaseUrl), 5);

    await lock.query('commit');
    await lock.end();
    for (const { status, text } of await all) assert.ok(status === 201 || status === 200, text);
  }
  await drop();
});

for (const kind of BOTH_DATABASES) {
  test(`open streams, and clients that hang up, take nobody’s place on ${kind}`, async () => {
    await using server = await startServer(kind, { env: { DATABASE_POOL_SIZE: '4' } });
    const token = await server.token('me');
    const { body } = await server.call('POST', '/api/events', { token, body: event });
    const path = `/api/events/${body.event.id}`;
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const open = (to: string) => fetch(server.url + to, { headers, signal: stop.signal });
    const streams = await Promise.all(Array.from({ length: 12 }, () => open(`${path}/stream`)));
    assert.ok(streams.every(({ status }) => status === 200));
    const hungUp = Array.from({ length: 20 }, () => open(`${path}/guests`).catch(() => undefined));
    const files = await Promise.all(
      Array.from({ length: 12 }, () => server.call('GET', `${path}/guests/export`, { token })),
    );
    assert.ok(files.every(({ status }) => status === 200));
    stop.abort();
    await Promise.all(hungUp);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => server.call('GET', `${path}/guests`, { token })),
    );
    assert.ok(all.every(({ status }) => status === 200));
    const missing = await Promise.all(
      Array.from({ length: 12 }, () => server.call('GET', '/api/events/nothing', { token })),
    );
    assert.ok(missing.every(({ status }) => status === 404));
  });
}
