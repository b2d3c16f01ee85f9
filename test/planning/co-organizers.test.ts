import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { signToken } from '../../server/identity/tokens.ts';
import { operationsOf } from '../support/reference.ts';
import { DATABASES_OF_SLOW_TESTS, SECRET, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { until } from '../support/until.ts';

const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן' };

/** What an editor may not do to an event either. */
const OWNERS_ALONE = [
  'DELETE /api/events/{id}',
  'POST /api/events/{id}/duplicate',
  'POST /api/events/{id}/co-organizers',
  'PUT /api/events/{id}/co-organizers/{coOrganizerId}',
  'DELETE /api/events/{id}/co-organizers/{coOrganizerId}',
  'PUT /api/events/{id}/retention',
  'POST /api/events/{id}/guests/erase',
];

function tokenOf(id: string, email?: string) {
  return signToken(SECRET, { id, role: 'organizer', ...(email && { email }) }, '1h');
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`a line of the history says whom it is about, the deleted to who may bring them back, on ${kind}`, async () => {
    const server = await sharedServer(kind);
    const [noa, itai] = [
      await tokenOf('namer', 'namer@example.com'),
      await tokenOf('seer', 'seer@example.com'),
    ];
    const as = async (token: string, method: string, path: string, sent?: object) => {
      const answer = await server.call(method, path, { token, ...(sent && { body: sent }) });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    const path = `/api/events/${(await as(noa, 'POST', '/api/events', body)).event.id}`;
    await as(noa, 'POST', `${path}/co-organizers`, { email: 'seer@example.com' });
    const { guest } = await as(noa, 'POST', `${path}/guests`, { name: 'Dana' });
    await as(noa, 'PUT', `${path}/guests/${guest.id}`, { name: 'Dana Levi' });
    const { vendor } = await as(noa, 'POST', '/api/vendors', { name: 'DJ', kind: 'dj' });
    const { booking } = await as(noa, 'POST', `${path}/bookings`, { vendor_id: vendor.id });
    const named = async (token: string) =>
      new Map(
        (await as(token, 'GET', `${path}/history`)).history.map((line: Record<string, unknown>) => [
          `${line.subject} ${line.action}`,
          line.subject_name,
        ]),
      );
    const seen = await named(itai);
    assert.deepEqual(
      ['event created', 'guest created', 'guest changed', 'booking created'].map((line) => seen.get(line)),
      [null, 'Dana Levi', 'Dana Levi', 'DJ'],
    );
    await as(noa, 'DELETE', `${path}/guests/${guest.id}`);
    await as(noa, 'DELETE', `${path}/bookings/${booking.id}`);
    const deleted = ['guest deleted', 'guest created', 'booking deleted'];
    const [mine, theirs] = [await named(noa), await named(itai)];
    assert.deepEqual(
      deleted.map((line) => mine.get(line)),
      ['Dana Levi', 'Dana Levi', 'DJ'],
    );
    assert.deepEqual(
      deleted.map((line) => theirs.get(line)),
      [null, null, null],
    );
  });

  test(`a co-organizer does what their access allows on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const noa = await tokenOf('noa', 'noa@example.com');
    const itai = await tokenOf('itai', 'Itai@Example.com');
    const stranger = await tokenOf('stranger', 'stranger@example.com');
    const created = await server.call('POST', '/api/events', { token: noa, body });
    const path = `/api/events/${created.body.event.id}`;
    const status = async (method: string, at: string, token: string, sent?: object) =>
      (await server.call(method, at, { token, ...(sent && { body: sent }) })).status;

    assert.equal(await status('GET', path, itai), 403);
    const invite = (sent: object, token = noa) =>
      server.call('POST', `${path}/co-organizers`, { token, body: sent });
    const invited = await invite({ email: ' ITAI@example.com ' });
    assert.equal(invited.status, 201, invited.text);
    assert.deepEqual(
      [invited.body.co_organizer.email, invited.body.co_organizer.access],
      ['itai@example.com', 'view'],
    );

    assert.equal(await status('GET', path, itai), 200);
    assert.equal(await status('GET', `${path}/history`, itai), 200);
    assert.equal(await status('PUT', path, itai, { title: 'של איתי' }), 403);
    assert.equal(await status('DELETE', path, itai), 403);
    assert.equal((await invite({ email: 'x@example.com' }, itai)).status, 403);
    assert.equal((await invite({ email: 'x@example.com' }, stranger)).status, 404);

    const shared = await server.call('GET', '/api/shared-events', { token: itai });
    assert.deepEqual([shared.body.total, shared.body.events[0].access], [1, 'view']);
    assert.equal(shared.body.events[0].event.rsvp_total, 0);
    assert.equal((await server.call('GET', '/api/shared-events', { token: noa })).body.total, 0);
    assert.equal((await server.call('GET', '/api/events', { token: itai })).body.total, 0);
    const nameless = await tokenOf('itai');
    assert.equal((await server.call('GET', '/api/shared-events', { token: nameless })).body.total, 0);
    assert.equal(await status('GET', path, nameless), 403, 'the address counts, not the sub');

    const one = `${path}/co-organizers/${invited.body.co_organizer.id}`;
    const etag = invited.headers.get('etag') ?? '';
    const put = await server.call('PUT', one, {
      token: noa,
      body: { access: 'edit' },
      headers: { 'if-match': etag },
    });
    assert.equal(put.status, 200, put.text);
    const stale = await server.call('PUT', one, {
      token: noa,
      body: { access: 'view' },
      headers: { 'if-match': etag },
    });
    assert.equal(stale.status, 412);
    assert.equal(await status('PUT', path, itai, { title: 'של איתי' }), 200);
    assert.equal(await status('DELETE', path, itai), 403, 'an editor can’t delete');
    const history = await server.call('GET', `${path}/history`, { token: noa });
    assert.deepEqual(history.body.history[0].by, {
      kind: 'organizer',
      id: 'itai',
      email: 'itai@example.com',
      token: null,
    });
    assert.deepEqual(
      history.body.history.map(
        (entry: { subject: string; action: string }) => `${entry.subject} ${entry.action}`,
      ),
      ['event changed', 'co_organizer changed', 'co_organizer created', 'event created'],
    );

    assert.equal(await status('DELETE', one, stranger), 404);
    assert.equal(await status('DELETE', `${path}/co-organizers/x`, noa), 404);
    assert.equal(await status('DELETE', one, itai), 204, 'one may leave');
    assert.equal(await status('GET', path, itai), 403);
    assert.equal(await status('PUT', path, itai, { title: 'שוב' }), 404);
  });

  test(`every change of an event asks who may make it before anything else, on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const noa = await tokenOf('noa', 'noa@example.com');
    const created = await server.call('POST', '/api/events', { token: noa, body });
    const { id } = created.body.event;
    for (const access of ['view', 'edit']) {
      const invited = { email: `${access}@example.com`, access };
      await server.call('POST', `/api/events/${id}/co-organizers`, { token: noa, body: invited });
    }
    const { body: document } = await server.call('GET', '/openapi.json');
    const changes = operationsOf(document)
      .filter(({ method, path }) => method !== 'get' && path.startsWith('/api/events/{id}'))
      .map(({ method, path, operation }) => {
        const [type] = Object.keys(operation.requestBody?.content ?? {});
        return { method: method.toUpperCase(), path, type: type?.replace('*', 'png') };
      });
    assert.ok(changes.length > 50, `${changes.length} routes`);
    const names = changes.map(({ method, path }) => `${method} ${path}`);
    const answered = async (access: string, status: number) => {
      const token = await tokenOf(access, `${access}@example.com`);
      const statuses = await Promise.all(
        changes.map(async ({ method, path, type }) => {
          // Made-up ids, and bodies that say nothing: what is wrong with them is told to those alone who may.
          const place = path.replace('{id}', id).replaceAll(/\{\w+\}/g, () => randomUUID());
          const headers = { 'content-type': `${type}; boundary=x` };
          return (await server.call(method, place, { token, ...(type && { headers, body: '{}' }) })).status;
        }),
      );
      return names.filter((_, at) => statuses[at] === status);
    };
    assert.deepEqual(await answered('view', 403), names);
    assert.deepEqual(await answered('stranger', 404), names);
    assert.deepEqual(await answered('edit', 403), OWNERS_ALONE);
  });

  test(`an invitation is mailed once, in the event’s language, on ${kind}`, async () => {
    await using server = await startServer(kind);
    const token = await tokenOf('noa', 'noa@example.com');
    const created = await server.call('POST', '/api/events', {
      token,
      body: { ...body, title: 'Noa & Itai', language_pref: 'english' },
    });
    const path = `/api/events/${created.body.event.id}/co-organizers`;
    const invite = () =>
      server.call('POST', path, {
        token,
        body: { email: 'itai@example.com', access: 'edit' },
        headers: { 'idempotency-key': 'once' },
      });
    assert.equal((await invite()).status, 201);
    assert.equal((await invite()).headers.get('idempotent-replayed'), 'true');
    const folder = join(server.dataDir, 'outbox');
    const mails = async () =>
      (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    await until(async () => (await mails()).length > 0);
    assert.equal((await mails()).length, 1);
    const mail = JSON.parse(await readFile(join(folder, (await mails())[0] ?? ''), 'utf8'));
    assert.deepEqual([mail.to, mail.subject], ['itai@example.com', 'Noa & Itai was shared with you']);
    assert.match(mail.text, /noa@example\.com shared the event/);
    assert.match(mail.html, /Noa &amp; Itai/);
  });

  test(`an answer that is kept for a key is given to whoever may still ask, on ${kind}`, async () => {
    const server = await sharedServer(kind);
    const [owner, editor] = [
      await tokenOf('key-owner', 'key-owner@example.com'),
      await tokenOf('key-editor', 'key-editor@example.com'),
    ];
    const created = await server.call('POST', '/api/events', { token: owner, body });
    const path = `/api/events/${created.body.event.id}`;
    const invited = await server.call('POST', `${path}/co-organizers`, {
      token: owner,
      body: { email: 'key-editor@example.com', access: 'edit' },
    });
    const shared = `${path}/co-organizers/${invited.body.co_organizer.id}`;
    const add = async (name = 'Dana') => {
      const headers = { 'idempotency-key': 'once' };
      const answer = await server.call('POST', `${path}/guests`, { token: editor, headers, body: { name } });
      return [answer.status, answer.headers.get('idempotent-replayed')];
    };
    assert.deepEqual(await add(), [201, null]);
    assert.deepEqual(await add(), [201, 'true']);
    await server.call('PUT', shared, { token: owner, body: { access: 'view' } });
    assert.deepEqual(await add(), [403, null]);
    await server.call('PUT', shared, { token: owner, body: { access: 'edit' } });
    // Whatever became of the event since: the answer to what was done does not change.
    await server.call('PUT', path, { token: owner, body: { status: 'cancelled' } });
    assert.deepEqual(await add(), [201, 'true']);
    assert.deepEqual(await add('Noa'), [422, null]);
    assert.equal((await server.call('DELETE', shared, { token: owner })).status, 204);
    assert.deepEqual(await add(), [404, null]);
    assert.deepEqual(await add('Noa'), [404, null]);
  });

  test(`invitations are checked on ${kind}`, async () => {
    await using server = await sharedServer(kind);
    const token = await tokenOf('noa', 'noa@example.com');
    const created = await server.call('POST', '/api/events', { token, body });
    const path = `/api/events/${created.body.event.id}/co-organizers`;
    const invite = async (sent: unknown) => (await server.call('POST', path, { token, body: sent })).status;
    for (const sent of [
      [],
      {},
      { email: 5 },
      { email: 'nobody' },
      { email: 'a@b' },
      { email: 'a@example.com\nBcc: b@example.com' },
      { email: `${'a'.repeat(260)}@example.com` },
      { email: 'a@example.com', access: 'own' },
      { email: 'noa@example.com' },
    ]) {
      assert.equal(await invite(sent), 400, JSON.stringify(sent));
    }
    assert.equal(await invite({ email: 'a@example.com' }), 201);
    assert.equal(await invite({ email: 'A@example.com' }), 409);
    for (let i = 1; i < 50; i++) assert.equal(await invite({ email: `a${i}@example.com` }), 201);
    assert.equal(await invite({ email: 'onemore@example.com' }), 400);
    const list = await server.call('GET', path, { token });
    assert.equal(list.body.co_organizers.length, 50);

    await server.call('PUT', `/api/events/${created.body.event.id}`, {
      token,
      body: { status: 'cancelled' },
    });
    assert.equal(await invite({ email: 'late@example.com' }), 400);
    const first = list.body.co_organizers[0].id;
    assert.equal(
      (await server.call('PUT', `${path}/${first}`, { token, body: { access: 'view' } })).status,
      400,
    );
    assert.equal((await server.call('DELETE', `${path}/${first}`, { token })).status, 204);
  });
}
