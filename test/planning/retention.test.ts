import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { signToken } from '../../server/identity/tokens.ts';
import { createOutbox } from '../../server/kernel/mail/outbox.ts';
import {
  DATABASES_OF_SLOW_TESTS,
  type DatabaseKind,
  SECRET,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { until } from '../support/until.ts';

const tokenOf = (id: string) =>
  signToken(SECRET, { id, role: 'organizer', email: `${id}@example.com` }, '100y');

/** A server whose clock stands where it is put, in Israel's wall time. */
async function startAt(kind: DatabaseKind) {
  let now = Temporal.Instant.from('2099-01-01T10:00Z');
  const server = await startServer(kind, { clock: () => now });
  const moveTo = (wall: string) => {
    now = Temporal.PlainDateTime.from(wall).toZonedDateTime('Asia/Jerusalem').toInstant();
  };
  return { server, moveTo, [Symbol.asyncDispose]: () => server.close() };
}

async function openEvent(server: TestServer, token: string, fields: object): Promise<string> {
  const body = { title: 'חתונה', event_date: '2099-06-15T19:30', venue_name: 'עדן', ...fields };
  const created = await server.call('POST', '/api/events', { token, body });
  assert.equal(created.status, 201, created.text);
  const path = `/api/events/${created.body.event.id}`;
  const published = await server.call('PUT', path, { token, body: { status: 'published' } });
  assert.equal(published.status, 200, published.text);
  return path;
}

const noa = {
  name: 'נועה כהן',
  phone: '0521234567',
  email: 'noa.k@example.com',
  other_phones: ['03-555-0001'],
  other_emails: ['noa2@example.com'],
  note: 'שולחן 7',
  tags: ['כהן'],
};

async function addGuest(server: TestServer, token: string, path: string, guest: object) {
  const added = await server.call('POST', `${path}/guests`, {
    token,
    body: guest,
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  assert.equal(added.status, 201, added.text);
  return added.body.guest.id as string;
}

/** All of the database that could still tell of somebody. */
async function remains(server: TestServer, words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select guests::text as row from guests union all select history::text from history
    union all select guest_requests::text from guest_requests
    union all select idempotency_keys::text from idempotency_keys`.execute(server.simcha.database.sql);
  return rows.map(({ row }) => row).filter((row) => words.some((word) => row.includes(word)));
}

const PERSONAL = ['נועה', '521234567', '35550001', 'noa.k@', 'noa2@', 'שולחן', 'כהן'];

function mails({ dataDir }: TestServer) {
  return createOutbox(dataDir).newest(500);
}

for (const kind of DATABASES_OF_SLOW_TESTS) {
  test(`guests’ data goes when its time is over, and the organizer hears of it a week before, on ${kind}`, async () => {
    await using place = await startAt(kind);
    const { server, moveTo } = place;
    const token = await tokenOf('me');
    const path = await openEvent(server, token, { retention_policy_days: 30 });
    const id = await addGuest(server, token, path, noa);
    const put = await server.call('PUT', `${path}/guests/${id}`, {
      token,
      body: { ...noa, name: 'נועה לוי', rsvp_status: 'confirmed', coming: 2 },
    });
    assert.equal(put.status, 200, put.text);
    const asked = await server.call('POST', `${path}/questions`, {
      token,
      body: { kind: 'text', text: 'שיר?' },
    });
    const told = await server.call('PUT', `${path}/guests/${id}`, {
      token,
      body: { answers: { [asked.body.question.id]: 'השיר של נועה' } },
    });
    assert.equal(told.status, 200, told.text);
    const later = await openEvent(server, token, {
      event_date: '2099-06-20T19:30',
      retention_policy_days: 30,
    });
    await addGuest(server, token, later, { name: 'אורח של אחר כך' });
    const retention = async () => (await server.call('GET', `${path}/retention`, { token })).body.retention;
    assert.deepEqual(await retention(), {
      retention_policy_days: 30,
      erases_on: '2099-07-16',
      told_at: null,
      erased_at: null,
    });
    const counts = async () => {
      const { event } = (await server.call('GET', path, { token })).body;
      return [event.rsvp_confirmed, event.rsvp_pending, event.rsvp_total];
    };
    // Kept answers tell of guests too, however the address was written, and the guest's own as well.
    const { link } = (await server.call('GET', `${path}/guests/${id}/link`, { token })).body;
    const secret = link.url.split('/r/')[1];
    for (const [index, address] of [
      path.replace(/[^/]+$/, (uuid) => uuid.toUpperCase()),
      path.replace(/[^/]+$/, (uuid) => `%${uuid.charCodeAt(0).toString(16)}${uuid.slice(1)}`),
    ].entries()) {
      const added = await server.call('POST', `${address}/guests`, {
        token,
        body: { name: `נועה ${index}` },
        headers: { 'idempotency-key': `guest-${index}` },
      });
      assert.equal(added.status, 201, added.text);
    }
    const answered = await server.call('POST', `/api/rsvp/${secret}`, {
      body: { rsvp_status: 'confirmed', message: 'מכל הלב, נועה' },
      headers: { 'idempotency-key': 'answer' },
    });
    assert.equal(answered.status, 200, answered.text);
    assert.deepEqual(await remains(server, [secret]), [], 'the secret of a link is kept nowhere');
    const before = await counts();
    assert.ok((await remains(server, PERSONAL)).length >= 3);

    moveTo('2099-07-08T23:59');
    await server.simcha.enforceRetention();
    assert.equal((await retention()).told_at, null);
    moveTo('2099-07-09T00:01');
    await server.simcha.enforceRetention();
    await server.simcha.enforceRetention();
    await until(async () => (await mails(server)).length > 0);
    const [mail, ...more] = await mails(server);
    assert.deepEqual([mail?.to, more.length], ['me@example.com', 0]);
    assert.match(mail?.text ?? '', /16 ביולי 2099/);
    assert.ok((await retention()).told_at);

    moveTo('2099-07-15T23:59');
    await server.simcha.enforceRetention();
    assert.equal((await retention()).erased_at, null);
    moveTo('2099-07-16T00:01');
    await server.simcha.enforceRetention();
    assert.ok((await retention()).erased_at);
    assert.deepEqual(await remains(server, PERSONAL), []);
    assert.deepEqual(await counts(), before, 'the counts stay');
    const guest = (await server.call('GET', `${path}/guests/${id}`, { token })).body.guest;
    assert.deepEqual([guest.name, guest.phone, guest.email, guest.note], ['—', null, null, null]);
    const [latest] = (await server.call('GET', `${path}/history`, { token })).body.history;
    assert.deepEqual([latest.by.kind, latest.action, latest.changes], ['system', 'erased', null]);
    const other = (await server.call('GET', `${later}/guests`, { token })).body.guests;
    assert.equal(other[0].name, 'אורח של אחר כך', 'whose time has not come stays');

    await addGuest(server, token, path, { name: 'נועה שוב' });
    assert.equal((await retention()).erased_at, null);
    await server.simcha.enforceRetention();
    assert.deepEqual(await remains(server, PERSONAL), [], 'what is added later goes the next night');
    assert.equal((await mails(server)).length, 2, 'and the second event has been told of by now');
  });

  test(`0 days means the day after, deleted and cancelled events included, on ${kind}`, async () => {
    await using place = await startAt(kind);
    const { server, moveTo } = place;
    const token = await tokenOf('me');
    const paths = [];
    for (const [index, days] of [0, 0, 0, 2 ** 31 - 1].entries()) {
      const path = await openEvent(server, token, { retention_policy_days: days });
      await addGuest(server, token, path, { name: `אורח ${index}` });
      paths.push(path);
    }
    await server.call('PUT', paths[1] ?? '', { token, body: { status: 'cancelled' } });
    await server.call('DELETE', paths[2] ?? '', { token });
    for (const id of paths.slice(1, 3).map((path) => path.split('/').at(-1))) {
      await sql`
        insert into pictures (event_id, size, key, width, height, created_at, content)
        values (${id}, 'large', ${id}, 4, 3, now(), 'x'::bytea)`.execute(server.simcha.database.sql);
    }
    const pictures = async () => {
      const { rows } = await sql<{
        id: string;
      }>`select event_id as id from pictures order by event_id`.execute(server.simcha.database.sql);
      return rows.map(({ id }) => `/api/events/${id}`);
    };
    const names = async () => {
      const { rows } = await sql<{ name: string }>`select name from guests order by id`.execute(
        server.simcha.database.sql,
      );
      return rows.map(({ name }) => name);
    };
    moveTo('2099-06-15T23:59');
    await server.simcha.enforceRetention();
    assert.deepEqual(await names(), ['אורח 0', 'אורח 1', 'אורח 2', 'אורח 3']);
    assert.deepEqual(await pictures(), paths.slice(1, 3));
    moveTo('2099-06-16T00:00');
    await server.simcha.enforceRetention();
    assert.deepEqual(await names(), ['—', '—', '—', 'אורח 3']);
    assert.deepEqual(await pictures(), [paths[1]], 'the one of the deleted event');
    const forever = (await server.call('GET', `${paths[3]}/retention`, { token })).body.retention;
    assert.equal(forever.erases_on, null);
  });

  test(`the organizer erases at once, and nobody else does, on ${kind}`, async () => {
    await using place = await startAt(kind);
    const { server } = place;
    const token = await tokenOf('me');
    const editor = await tokenOf('itai');
    const path = await openEvent(server, token, {});
    await server.call('POST', `${path}/co-organizers`, {
      token,
      body: { email: 'itai@example.com', access: 'edit' },
    });
    await addGuest(server, token, path, noa);
    await addGuest(server, token, path, { name: 'כהן אחר' });
    const erase = (as: string, headers = {}) =>
      server.call('POST', `${path}/guests/erase`, { token: as, headers });
    assert.equal((await erase(await tokenOf('stranger'))).status, 404);
    assert.equal((await erase(editor)).status, 403);
    assert.ok((await remains(server, PERSONAL)).length > 0);
    const key = { 'idempotency-key': 'erase' };
    const erased = await erase(token, key);
    assert.deepEqual([erased.status, erased.body], [200, { erased: 2 }], erased.text);
    assert.deepEqual((await erase(token, key)).body, { erased: 2 });
    assert.deepEqual((await erase(token)).body, { erased: 0 });
    assert.deepEqual(await remains(server, PERSONAL), []);
    assert.equal((await server.call('GET', path, { token })).body.event.rsvp_total, 2);
    await server.call('PUT', path, { token, body: { status: 'cancelled' } });
    assert.equal((await erase(token)).status, 200, 'of a cancelled event too');
  });

  test(`the day may be changed by the organizer until the data has gone, on ${kind}`, async () => {
    await using at = await startAt(kind);
    const { server } = at;
    const token = await tokenOf('noa');
    const path = await openEvent(server, token, { retention_policy_days: 30 });
    await addGuest(server, token, path, noa);
    const read = await server.call('GET', `${path}/retention`, { token });
    const change = (body: object, headers = {}) =>
      server.call('PUT', `${path}/retention`, { token, body, headers });
    const longer = await change(
      { retention_policy_days: 60 },
      { 'if-match': read.headers.get('etag') ?? '' },
    );
    assert.deepEqual(
      [longer.status, longer.body.retention.erases_on, longer.body.retention.retention_policy_days],
      [200, '2099-08-15', 60],
      longer.text,
    );
    const same = await change(longer.body.retention);
    assert.deepEqual(
      [same.body, same.headers.get('etag')],
      [longer.body, longer.headers.get('etag')],
      same.text,
    );
    const stale = await change({ retention_policy_days: 7 }, { 'if-match': read.headers.get('etag') ?? '' });
    assert.equal(stale.status, 412);
    for (const wrong of [{}, { retention_policy_days: -1 }, { retention_policy_days: null }, { days: 7 }]) {
      assert.equal((await change(wrong)).status, 400, JSON.stringify(wrong));
    }
    const stranger = await tokenOf('stranger');
    const body = { retention_policy_days: 0 };
    assert.equal((await server.call('PUT', `${path}/retention`, { token: stranger, body })).status, 404);
    const { history } = (await server.call('GET', `${path}/history?subject=event`, { token })).body;
    assert.deepEqual(history[0].changes, { retention_policy_days: { from: 30, to: 60 } });
    assert.equal((await server.call('GET', path, { token })).body.event.retention_policy_days, 60);

    // Told of one day, then of the other.
    const told = async () =>
      (await server.call('GET', `${path}/retention`, { token })).body.retention.told_at;
    at.moveTo('2099-08-10T03:30');
    await server.simcha.enforceRetention();
    assert.ok(await told());
    await change({ retention_policy_days: 61 });
    assert.equal(await told(), null);
    await server.simcha.enforceRetention();
    assert.ok(await told());
    const { rows } = await sql<{ mails: number }>`select count(*)::integer as mails from mails`.execute(
      server.simcha.database.sql,
    );
    assert.equal(rows[0]?.mails, 2);

    await server.call('POST', `${path}/guests/erase`, { token });
    const late = await change({ retention_policy_days: 365 });
    assert.deepEqual([late.status, late.body.code], [409, 'erased']);
  });

  test(`retention is a nightly job of the database’s own queue on ${kind}`, async () => {
    await using server = await startServer(kind);
    await until(async () => {
      const { rows } = await sql<{ at: string }>`
        select to_char(start_after at time zone 'Asia/Jerusalem', 'HH24:MI') as at
        from pgboss.job where name = 'scheduled' and data->>'name' = 'retention'`.execute(
        server.simcha.database.sql,
      );
      return rows.length === 1 && rows[0]?.at === '03:30';
    });
  });
}
