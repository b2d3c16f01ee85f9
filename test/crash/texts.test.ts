import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { startCarriers } from '../support/carriers.ts';
import { createClient } from '../support/client.ts';
import { spawnReadyServer } from '../support/process.ts';
import { mostly, SECRET, temporaryDatabase } from '../support/server.ts';
import { until } from '../support/until.ts';

for (const kind of mostly('postgres')) {
  test(`a text that a server was killed with is not sent a second time, and said to be unknown, on ${kind}`, {
    timeout: 180_000,
  }, async () => {
    await using place = await temporaryDatabase(kind);
    await using carriers = await startCarriers((_to, attempt) => (attempt === 1 ? 'silence' : undefined));
    const env = { ...place.env, ...carriers.env, JWT_SECRET: SECRET };
    const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h');
    const first = await spawnReadyServer(env);
    const call = createClient(first.url);
    const make = async (path: string, body: object, method = 'POST') => {
      const made = await call(method, path, { token, body });
      assert.ok(made.status < 300, made.text);
      return made.body;
    };
    const details = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };
    const { event } = await make('/api/events', details);
    const path = `/api/events/${event.id}`;
    await make(path, { status: 'published' }, 'PUT');
    await make(`${path}/guests`, { name: 'דנה', phone: '0501234567' });
    const { round } = await make(`${path}/rounds`, { filter: {}, channel: 'sms' });
    await until(() => carriers.asked.length === 1);
    first.child.kill('SIGKILL');
    await first.ended;

    const second = await spawnReadyServer(env);
    try {
      const again = createClient(second.url);
      const report = async () => (await again('GET', `${path}/rounds/${round.id}`, { token })).body.round;
      await until(async () => (await report()).unknown === 1, 120_000);
      assert.equal(carriers.asked.length, 1);
      assert.equal((await report()).state, 'sent');
    } finally {
      second.child.kill('SIGTERM');
      assert.equal(await second.ended, 0);
    }
    assert.ok(!(first.output() + second.output()).includes('501234567'));
  });
}
