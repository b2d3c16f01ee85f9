import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Client } from '../support/client.ts';
import { newDeveloper } from '../support/developers.ts';
import { mailTo } from '../support/outbox.ts';
import { spawnReadyServer } from '../support/process.ts';
import { DATABASES, KEY, SECRET, startServer, type TestServer } from '../support/server.ts';
import { newServerGroup } from '../support/server-group.ts';
import { testInLane } from '../support/test-in-lane.ts';
import { until } from '../support/until.ts';
import { newWebhook, startReceiver, verified, WEBHOOKS } from '../support/webhook-receiver.ts';

const TIMES = { jobTimes: { pollSeconds: 0.5 }, webhookTimes: { leaseMs: 1_500 } };
const PRIVATE = { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' };
const EVENT = { title: 'Wedding', event_date: '2099-06-15T19:30', venue_name: 'Eden' };

async function newEvent(call: Client): Promise<string> {
  const made = await call('POST', '/api/events', { body: EVENT });
  assert.equal(made.status, 201, made.text);
  return made.body.event.id;
}

async function rename(call: Client, event: string, title: string): Promise<void> {
  const changed = await call('PUT', `/api/events/${event}`, { body: { title } });
  assert.equal(changed.status, 200, changed.text);
}

/** Server with a clock that a test moves, a developer, a receiver, and a webhook about events to it. */
async function startWithReceiver(kind: (typeof DATABASES)[number]) {
  let now = Temporal.Now.instant();
  const server = await startServer(kind, { clock: () => now, env: PRIVATE, ...TIMES });
  const receiver = await startReceiver();
  const developer = await newDeveloper(server);
  const kinds = ['event.created', 'event.changed'];
  const webhook = await newWebhook(developer.call, { url: receiver.url, kinds });
  const deliveries = async (query = '') =>
    (await developer.call('GET', `${WEBHOOKS}/${webhook.id}/deliveries${query}`)).body.deliveries;
  return {
    server,
    receiver,
    developer,
    call: developer.call,
    webhook,
    path: `${WEBHOOKS}/${webhook.id}`,
    deliveries,
    ended: async (count: number) => {
      await until(
        async () =>
          (await deliveries()).filter(({ state }: { state: string }) => state !== 'waiting').length >= count,
      );
      return deliveries();
    },
    pass(time: Temporal.DurationLike) {
      now = now.add(time);
    },
    async [Symbol.asyncDispose]() {
      await receiver.close();
      await server.close();
    },
  };
}

const waitingRows = async ({ simcha }: Pick<TestServer, 'simcha'>) =>
  (
    await sql<{ count: number }>`select count(*)::integer as count from webhook_lanes`.execute(
      simcha.database.sql,
    )
  ).rows[0]?.count;

for (const kind of DATABASES) {
  describe(`deliveries to webhooks on ${kind}`, () => {
    test('a message comes signed, once, with what the API shows', async () => {
      await using at = await startWithReceiver(kind);
      const event = await newEvent(at.call);
      const [message] = await at.receiver.messages(1);
      assert.ok(message);
      const { type, timestamp, data } = verified(at.webhook.secret, message) as typeof message.payload;
      assert.equal(type, 'event.created');
      assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
      assert.equal(data.event.id, event);
      assert.equal(data.event.title, EVENT.title);
      assert.equal(message.headers['content-type'], 'application/json');
      const [delivery] = await at.ended(1);
      assert.deepEqual(
        [delivery.state, delivery.tries, delivery.event_id, delivery.application_id, delivery.next_try_at],
        ['succeeded', 1, event, null, null],
      );
      await until(async () => (await waitingRows(at.server)) === 0);
      assert.equal(at.receiver.received.length, 1);
    });

    test('a failed message is tried again later, and messages about the same event wait for it', async () => {
      await using at = await startWithReceiver(kind);
      at.receiver.answers.push(500, 503);
      const event = await newEvent(at.call);
      await at.receiver.messages(1);
      await rename(at.call, event, 'Second');
      await rename(at.call, event, 'Third');
      const other = await newEvent(at.call);
      // The other event's message meets the second answer; its own first try fails.
      await at.receiver.messages(2);
      await until(
        async () => (await at.deliveries()).filter(({ tries }: { tries: number }) => tries > 0).length === 2,
      );
      const waiting = await at.deliveries('?state=waiting');
      assert.deepEqual(
        waiting.map(
          ({ problem, status, next_try_at }: { problem: string; status: number; next_try_at: string }) => [
            problem,
            status,
            next_try_at !== null,
          ],
        ),
        [
          ['status', 503, true],
          [null, null, false],
          [null, null, false],
          ['status', 500, true],
        ],
      );
      assert.equal(at.receiver.received.length, 2);
      const { text } = await at.server.call('GET', '/metrics');
      assert.match(text, /^simcha_webhook_oldest_waiting_seconds \d/m);
      for (const line of ['deliveries_waiting 4', 'tries_total{result="status"} 2'])
        assert.ok(text.includes(`simcha_webhook_${line}\n`), line);
      at.pass({ seconds: 7 });
      await at.receiver.messages(6);
      const { received } = at.receiver;
      assert.equal(
        received[0]?.id,
        received.slice(1).find(({ payload }) => payload.data.event.id === event)?.id,
      );
      const about = (id: string) =>
        received
          .slice(2)
          .filter(({ payload }) => payload.data.event.id === id)
          .map(({ payload }) => payload.data.event.title);
      assert.deepEqual(about(event), ['Wedding', 'Second', 'Third']);
      assert.deepEqual(about(other), ['Wedding']);
      assert.deepEqual(
        new Set((await at.ended(4)).map(({ state }: { state: string }) => state)),
        new Set(['succeeded']),
      );
    });

    test('tries go on for three days; then the message is given up and the next one gets its try', async () => {
      await using at = await startWithReceiver(kind);
      at.receiver.answers.push(...Array.from({ length: 100 }, () => 500));
      const event = await newEvent(at.call);
      await rename(at.call, event, 'Second');
      let tries = 0;
      for (const begun = at.receiver.received; ; ) {
        await until(async () => (await at.deliveries()).at(-1).tries > tries);
        const first = (await at.deliveries()).at(-1);
        tries = first.tries;
        if (first.state === 'failed') break;
        assert.equal(begun.length, tries);
        at.pass({ hours: 10 });
      }
      assert.equal(tries, 8);
      // The second message is as old, and is given up as early.
      await until(async () => (await at.deliveries())[0].tries === 1);
      at.pass({ hours: 3 });
      const [second] = await at.ended(2);
      assert.deepEqual([second.state, second.tries, second.problem], ['failed', 2, 'status']);
      at.receiver.answers.length = 0;
      const since = new Date(0).toISOString();
      const replayed = await at.call('POST', `${at.path}/replay`, { body: { since } });
      assert.deepEqual([replayed.status, replayed.body], [202, { replayed: 2 }]);
      await until(async () => (await at.deliveries('?state=succeeded')).length === 2);
      const again = at.receiver.received.slice(-2);
      assert.deepEqual(
        again.map(({ id }) => id),
        [at.receiver.received[0]?.id, second.message_id],
      );
    });

    test('an endpoint that answers 410 is turned off, and turned on again it gets what is replayed', async () => {
      await using at = await startWithReceiver(kind);
      at.receiver.answers.push(410);
      const event = await newEvent(at.call);
      await at.ended(1);
      const off = (await at.call('GET', at.path)).body;
      assert.deepEqual([off.enabled, off.disabled_reason], [false, 'gone']);
      await rename(at.call, event, 'Not told');
      const [delivery] = await at.deliveries();
      const replay = () => at.call('POST', `${at.path}/deliveries/${delivery.id}/replay`);
      assert.deepEqual([(await replay()).status, (await at.deliveries()).length], [409, 1]);
      const on = (await at.call('PATCH', at.path, { body: { enabled: true } })).body;
      assert.deepEqual([on.enabled, on.disabled_reason, on.failing_since], [true, null, null]);
      assert.equal((await replay()).status, 202);
      const [first, second] = await at.receiver.messages(2);
      assert.equal(first?.id, second?.id);
    });

    test('redirects are not followed, and no more of an answer is read than is kept', async () => {
      await using at = await startWithReceiver(kind);
      await using elsewhere = await startReceiver();
      at.receiver.answers.push(
        (response) => void response.writeHead(302, { location: elsewhere.url }).end(),
        (response) => {
          response.writeHead(500);
          const write = () => void (response.write('x'.repeat(65_536)) ? setImmediate(write) : 0);
          response.on('drain', write);
          write();
        },
      );
      await newEvent(at.call);
      await until(async () => (await at.deliveries())[0]?.problem === 'redirect');
      at.pass({ seconds: 7 });
      await until(async () => (await at.deliveries())[0]?.status === 500);
      const [{ answer }] = await at.deliveries();
      assert.equal(answer, 'x'.repeat(1_000));
      assert.deepEqual(elsewhere.received, []);
    });

    test('without the operator’s permission no private address is reached, by whatever name', async () => {
      await using server = await startServer(kind, { env: {}, ...TIMES });
      await using receiver = await startReceiver();
      const { call } = await newDeveloper(server);
      const { id } = await newWebhook(call, { url: 'https://example.com/', kinds: ['event.created'] });
      // An address that became private after it was checked.
      await sql`update webhook_endpoints set url = ${receiver.url.replace('127.0.0.1', 'localhost')}`.execute(
        server.simcha.database.sql,
      );
      const { body } = await call('POST', `${WEBHOOKS}/${id}/test`);
      assert.deepEqual([body.state, body.problem], ['failed', 'private_address']);
      assert.deepEqual(receiver.received, []);
    });

    test('an endpoint without a success for five days is turned off, and its owner gets a mail', async () => {
      await using at = await startWithReceiver(kind);
      at.receiver.answers.push(...Array.from({ length: 100 }, () => 500));
      const event = await newEvent(at.call);
      await until(async () => (await at.deliveries())[0].tries === 1);
      at.pass({ hours: 70 });
      await until(async () => (await at.deliveries())[0].tries === 2);
      await rename(at.call, event, 'Second');
      at.pass({ hours: 71 });
      assert.equal((await at.call('GET', at.path)).body.enabled, true);
      await until(async () => !(await at.call('GET', at.path)).body.enabled);
      const off = (await at.call('GET', at.path)).body;
      assert.equal(off.disabled_reason, 'failing');
      const { subject, text } = await mailTo(at.server.dataDir, at.developer.email, 1);
      assert.equal(subject, 'The webhook to 127.0.0.1 was turned off');
      assert.match(text, /\/settings\/webhooks/);
    });

    test('the log keeps 30 days', async () => {
      await using at = await startWithReceiver(kind);
      await newEvent(at.call);
      await at.ended(1);
      at.pass({ hours: 29 * 24 });
      await at.server.simcha.webhooks.forgetOld();
      assert.equal((await at.deliveries()).length, 1);
      at.pass({ hours: 25 });
      await at.server.simcha.webhooks.forgetOld();
      assert.deepEqual(await at.deliveries(), []);
    });

    test('one endpoint gets at most four messages at the same time', async () => {
      await using at = await startWithReceiver(kind);
      const gate = Promise.withResolvers<void>();
      at.receiver.answers.push(
        ...Array.from({ length: 8 }, () => async (response: import('node:http').ServerResponse) => {
          await gate.promise;
          response.writeHead(204).end();
        }),
      );
      for (let made = 0; made < 8; made += 1) await newEvent(at.call);
      await at.receiver.messages(4);
      gate.resolve();
      await at.ended(8);
      assert.deepEqual([at.receiver.open.most, at.receiver.received.length], [4, 8]);
    });
  });
}

test('two servers share the deliveries, and no message is sent by both at once', async () => {
  await using receiver = await startReceiver();
  await using group = await newServerGroup();
  const servers = [await group.start(PRIVATE, TIMES), await group.start(PRIVATE, TIMES)];
  const [{ call }] = servers as [(typeof servers)[0]];
  await newWebhook(call, { url: receiver.url, kinds: ['event.created', 'event.changed'] });
  const events = await Promise.all(Array.from({ length: 6 }, () => newEvent(call)));
  for (let turn = 0; turn < 5; turn += 1) {
    await Promise.all(
      events.map((event, index) => rename(servers[index % 2]?.call ?? call, event, `Turn ${turn}`)),
    );
  }
  await receiver.messages(36);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(receiver.received.length, 36);
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 36);
  assert.ok(receiver.open.most <= 4, String(receiver.open.most));
  for (const event of events) {
    const titles = receiver.received
      .filter(({ payload }) => payload.data.event.id === event)
      .map(({ payload }) => payload.data.event.title);
    assert.deepEqual(titles, ['Wedding', 'Turn 0', 'Turn 1', 'Turn 2', 'Turn 3', 'Turn 4']);
  }
});

testInLane('a server that is killed while it sends loses no message: another one sends it', async () => {
  await using receiver = await startReceiver();
  await using group = await newServerGroup();
  const first = await group.start({ ...PRIVATE });
  await newWebhook(first.call, { url: receiver.url, kinds: ['event.created', 'event.changed'] });
  await first.close();
  const killed = await spawnReadyServer({
    ...PRIVATE,
    DATABASE_URL: group.databaseUrl,
    DATA_DIR: join(first.dataDir, 'killed'),
    JWT_SECRET: SECRET,
    ENCRYPTION_KEY: KEY,
    HOSTING: 'off',
    LOG_LEVEL: 'info',
  });
  const silent = Promise.withResolvers<void>();
  receiver.answers.push(() => silent.promise);
  const made = await fetch(`${killed.url}/api/events`, {
    method: 'POST',
    headers: { 'x-api-key': first.key, 'content-type': 'application/json' },
    body: JSON.stringify(EVENT),
  });
  assert.equal(made.status, 201);
  await receiver.messages(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await group.start(PRIVATE);
  const [before, after] = await receiver.messages(2);
  assert.equal(before?.id, after?.id);
  assert.equal(before?.body, after?.body);
});
