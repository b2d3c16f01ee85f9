import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { signToken } from '../../server/identity/tokens.ts';
import { createClient } from '../support/client.ts';
import { type ServerProcess, spawnReadyServer } from '../support/process.ts';
import {
  BOTH_DATABASES,
  DATABASES_OF_SLOW_TESTS,
  SECRET,
  startServer,
  temporaryDatabase,
} from '../support/server.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', max_guests: 120 };

async function someEvent(server: SharedServer, token: string) {
  const created = await server.call('POST', '/api/events', { token, body });
  assert.equal(created.status, 201, created.text);
  return { path: `/api/events/${created.body.event.id}`, etag: created.headers.get('etag') ?? '' };
}

for (const kind of BOTH_DATABASES) {
  test(`an ETag guards against lost updates on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const { path, etag } = await someEvent(server, token);
    const read = await server.call('GET', path, { token });
    assert.equal(read.headers.get('etag'), etag, 'what was created is what is read');

    const put = (tag: string, change: object) =>
      server.call('PUT', path, { token, body: change, headers: { 'if-match': tag } });
    const mine = await put(etag, { title: 'שלי' });
    assert.equal(mine.status, 200, mine.text);
    assert.notEqual(mine.headers.get('etag'), etag);
    const theirs = await put(etag, { title: 'שלהם' });
    assert.equal(theirs.status, 412, theirs.text);
    assert.match(theirs.body.error, /[א-ת]/);
    assert.equal((await server.call('GET', path, { token })).body.event.title, 'שלי');

    const current = mine.headers.get('etag') ?? '';
    assert.equal((await put(`W/${current}`, { title: 'א' })).status, 412, 'a weak tag never matches');
    assert.equal((await put('unquoted', { title: 'א' })).status, 400);
    assert.equal((await put(`"other", ${current}`, { title: 'ב' })).status, 200);
    assert.equal((await put('*', { title: 'ג' })).status, 200);

    const remove = (tag: string) => server.call('DELETE', path, { token, headers: { 'if-match': tag } });
    assert.equal((await remove(current)).status, 412);
    assert.equal((await remove('*')).status, 204);
    assert.equal((await remove('"1"')).status, 404, 'a missing event is missing before it is stale');
  });

  test(`If-Match comes after the contract’s own checks on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const { path } = await someEvent(server, token);
    const stale = { 'if-match': '"999"' };
    const put = (change: object, as = token) =>
      server.call('PUT', path, { token: as, body: change, headers: stale });
    assert.equal((await put({ title: 'א' }, await server.token('stranger'))).status, 404);
    assert.equal((await put({ status: 'completed' })).status, 400);
    assert.equal((await put({ event_date: 'yesterday' })).status, 400);
    assert.equal((await put({ title: 'א' })).status, 412);
    await server.call('PUT', path, { token, body: { status: 'cancelled' } });
    assert.equal((await put({ title: 'א' })).status, 400);
  });

  test(`an Idempotency-Key does a thing once on ${kind}`, async () => {
    let now = Temporal.Now.instant();
    await using server = await startServer(kind, { clock: () => now });
    const token = await server.token('me', 'organizer', '30d');
    const post = (key: string, sent: object = body, as = token) =>
      server.call('POST', '/api/events', { token: as, body: sent, headers: { 'idempotency-key': key } });
    const total = async () => (await server.call('GET', '/api/events', { token })).body.total;

    const first = await post('k1');
    const again = await post('k1');
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(await total(), 1);

    assert.equal((await post('k1', { ...body, title: 'אחר' })).status, 422);
    assert.equal((await post('has space')).status, 400);
    assert.equal((await post('x'.repeat(256))).status, 400);
    const other = await post('k1', body, await server.token('another', 'organizer', '30d'));
    assert.notEqual(other.body.event.id, first.body.event.id, 'keys belong to their caller');

    const refused = await post('k2', { ...body, title: ' ' });
    assert.equal(refused.status, 400);
    assert.equal((await post('k2')).status, 201, 'a failure leaves the key free');

    now = now.add({ hours: 24, seconds: 1 });
    const nextDay = await post('k1', { ...body, title: 'למחרת' });
    assert.equal(nextDay.status, 201, nextDay.text);
    assert.equal(await total(), 3);
  });

  test(`of twenty requests with one key at once, one works on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('hurried');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        server.call('POST', '/api/events', { token, body, headers: { 'idempotency-key': 'same' } }),
      ),
    );
    const ids = new Set(answers.filter(({ status }) => status === 201).map((one) => one.body.event.id));
    assert.equal(ids.size, 1);
    assert.ok(
      answers.every(({ status }) => status === 201 || status === 409),
      answers.map((one) => one.status).join(),
    );
    const list = await server.call('GET', '/api/events', { token });
    assert.equal(list.body.total, 1);
  });

  test(`the history says who changed what on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await server.token('me');
    const { path } = await someEvent(server, token);
    const change = {
      title: 'חתונה גדולה',
      venue_capacity: 400,
      event_date: '2099-06-16T19:30+03:00',
      budget: 12.5,
    };
    await server.call('PUT', path, { token, body: change });
    await server.call('PUT', path, { token, body: { title: 'חתונה גדולה' } });
    await server.call('PUT', path, { token, body: { status: 'completed' } });

    const { status, text, body: read } = await server.call('GET', `${path}/history`, { token });
    assert.equal(status, 200, text);
    assert.equal(read.total, 2, 'what changed nothing, or was refused, is no history');
    const [latest, first] = read.history;
    assert.deepEqual(latest.by, { kind: 'organizer', id: 'me', email: null, token: null });
    assert.deepEqual(latest.changes, {
      title: { from: 'חתונה', to: 'חתונה גדולה' },
      venue_capacity: { from: null, to: 400 },
      event_date: { from: '2099-06-15T16:30:00.000Z', to: '2099-06-16T16:30:00.000Z' },
      budget: { from: null, to: 12.5 },
    });
    assert.deepEqual([first.subject, first.action, first.changes], ['event', 'created', null]);
    assert.equal(path.endsWith(first.subject_id), true);

    const paged = await server.call('GET', `${path}/history?limit=1&page=2`, { token });
    assert.deepEqual([paged.body.history.length, paged.body.history[0].action], [1, 'created']);
    assert.equal((await server.call('GET', `${path}/history?subject=guest`, { token })).body.total, 0);
    assert.equal((await server.call('GET', `${path}/history?page=9`, { token })).body.total, 2);
    const stranger = await server.token('stranger');
    assert.equal((await server.call('GET', `${path}/history`, { token: stranger })).status, 403);
    assert.equal((await server.call('GET', '/api/events/nothing/history', { token })).status, 404);
    assert.equal((await server.call('GET', `${path}/history`)).status, 401);
  });
}

test('a key that another server works on is a 409 here', async () => {
  await using server = await startServer('postgres');
  const token = await server.token('me');
  const id = JSON.stringify(['me', 'taken']);
  await server.simcha.database.sql.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`idempotency ${id}`}, 0))`.execute(transaction);
    const headers = { 'idempotency-key': 'taken' };
    const answer = await server.call('POST', '/api/events', { token, body, headers });
    assert.equal(answer.status, 409, answer.text);
  });
});

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a key outlives a kill -9, and counts on the next server too, on ${kind}`, async () => {
    await using place = await temporaryDatabase(kind);
    const env = { ...place.env, JWT_SECRET: SECRET, LOG_LEVEL: 'info' };
    const token = await signToken(SECRET, { id: 'me', role: 'organizer' }, '1h');
    const post = ({ url }: ServerProcess) =>
      createClient(url, { token })('POST', '/api/events', { body, headers: { 'idempotency-key': 'k' } });
    const first = await spawnReadyServer(env);
    const answered = await post(first);
    assert.equal(answered.status, 201, answered.text);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await spawnReadyServer(env);
    try {
      const again = await post(second);
      assert.deepEqual([again.status, again.text], [201, answered.text]);
    } finally {
      second.child.kill('SIGTERM');
      await second.ended;
    }
  });
}
