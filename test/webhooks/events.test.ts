import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { EVENT_KINDS } from '../../server/webhooks/kinds.ts';
import { eraseMessages } from '../../server/webhooks/outbox.ts';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { DATABASES, startServer, type TestServer } from '../support/server.ts';
import { startMailServer } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { newWebhook, type ReceivedMessage, startReceiver, WEBHOOKS } from '../support/webhook-receiver.ts';

const EVENT = { title: 'Wedding', event_date: '2099-06-15T19:30', venue_name: 'Eden' };
const PRIVATE = { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' };
const TIMES = { jobTimes: { pollSeconds: 0.5, retrySeconds: 1 } };

/** Does something as a developer, which must succeed; returns the answer's body. */
async function done({ call }: Pick<TestDeveloper, 'call'>, method: string, path: string, body?: object) {
  const answer = await call(method, path, body && { body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function newEvent(developer: Pick<TestDeveloper, 'call'>): Promise<string> {
  return (await done(developer, 'POST', '/api/events', EVENT)).event.id;
}

const kindsOf = (messages: readonly ReceivedMessage[]) => messages.map(({ payload }) => payload.type);
const count = async ({ simcha }: Pick<TestServer, 'simcha'>, table: string): Promise<number> =>
  (
    await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(
      simcha.database.sql,
    )
  ).rows[0]?.count ?? 0;

for (const kind of DATABASES) {
  describe(`webhooks about events on ${kind}`, () => {
    test('each change of an event, its guests, answers and messages is told, in its order', async () => {
      await using server = await startServer(kind, { env: PRIVATE, ...TIMES });
      await using receiver = await startReceiver();
      const me = await newDeveloper(server);
      await newWebhook(me.call, { url: receiver.url, kinds: EVENT_KINDS });
      const path = `/api/events/${await newEvent(me)}`;
      await done(me, 'PUT', path, { venue_name: 'Garden' });
      await done(me, 'PUT', path, { status: 'published' });
      const { guest } = await done(me, 'POST', `${path}/guests`, { name: 'Dana', email: 'dana@example.com' });
      await done(me, 'PUT', `${path}/guests/${guest.id}`, { name: 'Dana Levi' });
      const { link } = await done(me, 'GET', `${path}/guests/${guest.id}/link`);
      const token = link.url.split('/').at(-1);
      const answer = {
        method: 'POST',
        path: `/api/rsvp/${token}`,
        body: { rsvp_status: 'confirmed', coming: 1 },
      };
      const answered = await server.call(answer.method, answer.path, { body: answer.body });
      assert.equal(answered.status, 200, answered.text);
      const round = await done(me, 'POST', `${path}/rounds`, {
        filter: {},
        kind: 'message',
        message: { english: 'Hello' },
      });
      await done(me, 'DELETE', `${path}/guests/${guest.id}`);
      await done(me, 'PUT', path, { status: 'cancelled' });
      const received = await receiver.messages(9);
      assert.deepEqual(kindsOf(received), [
        'event.created',
        'event.changed',
        'event.published',
        'guest.added',
        'guest.changed',
        'answer.given',
        'message.sent',
        'guest.removed',
        'event.cancelled',
      ]);
      const data = received.map(({ payload }) => payload.data);
      assert.deepEqual(data[1].changes, { venue_name: { from: 'Eden', to: 'Garden' } });
      assert.deepEqual(data[3], { event_id: data[0].event.id, guests: [guest] });
      assert.deepEqual([data[4].guests[0].name, data[5].guests[0].coming], ['Dana Levi', 1]);
      assert.equal(data[6].round.id, round.round.id);
      assert.deepEqual(data[7].guest_ids, [guest.id]);
      assert.equal(data[8].event.status, 'cancelled');
    });

    test('without a listener nothing is stored; a refused change and a dry run tell nothing', async () => {
      await using server = await startServer(kind, { env: PRIVATE, ...TIMES });
      const me = await newDeveloper(server);
      const path = `/api/events/${await newEvent(me)}`;
      assert.equal(await count(server, 'webhook_messages'), 0);
      await newWebhook(me.call, { url: 'https://example.com/', kinds: ['event.changed'] });
      await done(me, 'PUT', `${path}?dry_run=true`, { title: 'Other' });
      assert.equal((await me.call('PUT', path, { body: { status: 'completed' } })).status, 400);
      await done(me, 'POST', `${path}/guests`, { name: 'Dana' });
      assert.equal(await count(server, 'webhook_messages'), 0);
    });

    test('an import is told in messages of up to a hundred guests', async () => {
      await using server = await startServer(kind, { env: PRIVATE, ...TIMES });
      await using receiver = await startReceiver();
      const me = await newDeveloper(server);
      const path = `/api/events/${await newEvent(me)}`;
      await done(me, 'POST', `${path}/guests`, { name: 'Guest 1', phone: '0541000001' });
      await newWebhook(me.call, {
        url: receiver.url,
        kinds: ['guest.added', 'guest.changed', 'guest.removed'],
      });
      const rows = Array.from(
        { length: 250 },
        (_, index) => `Guest ${index + 1},0541${String(index + 1).padStart(6, '0')},family`,
      );
      const csv = ['name,phone,tags', ...rows].join('\n');
      const imported = await me.call('POST', `${path}/guests/import`, {
        body: csv,
        headers: { 'content-type': 'text/csv', 'x-api-key': me.apiKey },
      });
      assert.equal(imported.status, 200, imported.text);
      const received = await receiver.messages(4);
      const sizes = Map.groupBy(received, ({ payload }) => payload.type);
      const sizesOf = (type: string) => sizes.get(type)?.map(({ payload }) => payload.data.guests.length);
      assert.deepEqual([sizesOf('guest.added'), sizesOf('guest.changed')], [[100, 100, 49], [1]]);
      const all = await done(me, 'POST', `${path}/guests/bulk/delete`, { filter: {} });
      assert.equal(all.changed, 250);
      const removed = (await receiver.messages(7))
        .slice(4)
        .map(({ payload }) => payload.data.guest_ids.length);
      assert.deepEqual(removed, [100, 100, 50]);
    });

    test('a co-organizer gets what they may see, and nothing once sharing ends', async () => {
      await using server = await startServer(kind, { env: PRIVATE, ...TIMES });
      await using receiver = await startReceiver();
      const [owner, helper] = [await newDeveloper(server), await newDeveloper(server)];
      const id = await newEvent(owner);
      const path = `/api/events/${id}`;
      const shared = await done(owner, 'POST', `${path}/co-organizers`, {
        email: helper.email,
        access: 'view_without_contacts',
      });
      const hook = await newWebhook(helper.call, { url: receiver.url, kinds: ['guest.added'], event_id: id });
      await done(owner, 'POST', `${path}/guests`, { name: 'Dana', phone: '0541234567', note: 'private' });
      const [message] = await receiver.messages(1);
      const { name, phone, note } = (message as ReceivedMessage).payload.data.guests[0];
      assert.deepEqual([name, phone, note], ['Dana', null, null]);
      // A message waits when sharing ends: it is not sent.
      receiver.answers.push(500);
      await done(owner, 'POST', `${path}/guests`, { name: 'Noa' });
      await receiver.messages(2);
      await until(
        async () =>
          (await helper.call('GET', `${WEBHOOKS}/${hook.id}/deliveries`)).body.deliveries[0].tries === 1,
      );
      await done(owner, 'DELETE', `${path}/co-organizers/${shared.co_organizer.id}`);
      await done(owner, 'POST', `${path}/guests`, { name: 'Omer' });
      await done(helper, 'PATCH', `${WEBHOOKS}/${hook.id}`, { url: `${receiver.url}?again` });
      const deliveries = async () =>
        (await helper.call('GET', `${WEBHOOKS}/${hook.id}/deliveries`)).body.deliveries;
      await until(async () => (await deliveries())[0].state === 'failed');
      const [last] = await deliveries();
      assert.deepEqual([last.problem, receiver.received.length], ['status', 2]);
      const read = await helper.call('GET', `${WEBHOOKS}/${hook.id}/deliveries/${last.id}`);
      assert.equal(read.body.payload, null);
      assert.equal((await deliveries()).length, 2);
    });

    test('when guests’ data is erased, no message keeps it', async () => {
      await using server = await startServer(kind, { env: PRIVATE, ...TIMES });
      await using receiver = await startReceiver();
      const me = await newDeveloper(server);
      const id = await newEvent(me);
      const path = `/api/events/${id}`;
      await newWebhook(me.call, { url: receiver.url, kinds: EVENT_KINDS });
      const { guest } = await done(me, 'POST', `${path}/guests`, { name: 'Dana' });
      await done(me, 'POST', `${path}/guests`, { name: 'Noa' });
      await receiver.messages(2);
      const db = server.simcha.database.sql;
      const stored = async () =>
        (await sql<{ data: string }>`select data::text as data from webhook_messages`.execute(db)).rows
          .map(({ data }) => data)
          .join();
      assert.match(await stored(), /Dana.*Noa/);
      await eraseMessages(db, id, guest.id);
      assert.doesNotMatch(await stored(), /Dana/);
      assert.match(await stored(), /Noa/);
      await done(me, 'POST', `${path}/guests/erase`);
      assert.equal(await stored(), '');
    });

    test('a mail of a round that is refused is told', async () => {
      await using smtp = await startMailServer({ hideSTARTTLS: true, refuse: () => 550 });
      await using server = await startServer(kind, {
        env: { ...PRIVATE, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
        ...TIMES,
      });
      await using receiver = await startReceiver();
      const me = await newDeveloper(server, { verified: false });
      await sql`update users set verified = true`.execute(server.simcha.database.sql);
      const id = await newEvent(me);
      const path = `/api/events/${id}`;
      await done(me, 'PUT', path, { status: 'published' });
      const { guest } = await done(me, 'POST', `${path}/guests`, { name: 'Dana', email: 'gone@example.com' });
      await newWebhook(me.call, { url: receiver.url, kinds: ['message.failed'] });
      const { round } = await done(me, 'POST', `${path}/rounds`, { filter: {} });
      const [message] = await receiver.messages(1);
      assert.deepEqual(message?.payload.data, {
        event_id: id,
        round: { id: round.id, kind: round.kind, channel: 'mail' },
        guest_id: guest.id,
        problem: 'refused',
      });
    });
  });
}
