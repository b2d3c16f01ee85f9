import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { createClient } from '../support/client.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { spawnReadyServer } from '../support/process.ts';
import { SECRET, temporaryDatabase } from '../support/server.ts';

const BODY = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
/** The server's jobs ask the database too, so the least of some tries is what a request takes. */
const TRIES = 10;

test('a request waits for the database a few times at most: what can be asked together is one round trip', async () => {
  await using database = await temporaryDatabase('postgres');
  await using proxy = await openDatabaseProxy(database.env.DATABASE_URL ?? '');
  const env = { ...database.env, DATABASE_URL: proxy.url, JWT_SECRET: SECRET, HOSTING: 'off' };
  const server = await spawnReadyServer(env);
  try {
    const id = '5f3c2a10-94c1-4c5e-9a3b-0c1d2e3f4a5b';
    const call = createClient(server.url, {
      token: await signToken(SECRET, { id, role: 'organizer' }, '1d'),
    });
    const made = await call('POST', '/api/events', { body: BODY });
    const path = `/api/events/${made.body.event.id}`;
    await call('PUT', path, { body: { status: 'published' } });
    const { body } = await call('POST', `${path}/guests`, {
      body: { name: 'אורח', email: 'guest@example.com' },
    });
    const { link } = (await call('GET', `${path}/guests/${body.guest.id}/link`)).body;
    const answers = ['confirmed', 'declined'];
    let turn = 0;
    const requests: Record<string, () => ReturnType<typeof call>> = {
      'a new event': () => call('POST', '/api/events', { body: BODY }),
      'an event': () => call('GET', path),
      'the events': () => call('GET', '/api/events'),
      'a change of an event': () => call('PUT', path, { body: { description: `${turn++}` } }),
      'a change of a guest': () =>
        call('PUT', `${path}/guests/${body.guest.id}`, { body: { note: `${turn++}` } }),
      'an answer of a guest': () =>
        call('POST', link.url.replace(/^.*\/r\//, '/api/rsvp/'), {
          body: { rsvp_status: answers[turn++ % 2] },
        }),
    };
    const roundTrips: Record<string, number> = {};
    for (const [name, send] of Object.entries(requests)) {
      let least = Number.POSITIVE_INFINITY;
      for (let count = 0; count < TRIES; count += 1) {
        const before = proxy.messages();
        assert.ok((await send()).status < 300, name);
        least = Math.min(least, proxy.messages() - before);
      }
      roundTrips[name] = least;
    }
    assert.deepEqual(roundTrips, {
      'a new event': 1,
      'an event': 1,
      'the events': 1,
      'a change of an event': 2,
      'a change of a guest': 3,
      'an answer of a guest': 3,
    });
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});
