import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { newDeveloper, type TestDeveloper } from '../support/developers.ts';
import { DATABASES, startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { newWebhook, startReceiver, verified, WEBHOOKS } from '../support/webhook-receiver.ts';

const URL = 'https://example.com/hooks?from=simcha';
const EVENT = { title: 'Wedding', event_date: '2099-06-15T19:30', venue_name: 'Eden' };

async function newEvent({ call }: Pick<TestDeveloper, 'call'>): Promise<string> {
  return (await call('POST', '/api/events', { body: EVENT })).body.event.id;
}

for (const kind of DATABASES) {
  describe(`webhooks on ${kind}`, () => {
    test('a webhook is created, read, changed and deleted; its secret is shown once and stored encrypted', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const made = await newWebhook(call, {
        url: `${URL}#x`,
        kinds: ['event.created', 'site.up'],
        description: 'CRM',
      });
      const { secret, ...record } = made;
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual(record, {
        id: record.id,
        url: URL,
        kinds: ['event.created', 'site.up'],
        description: 'CRM',
        enabled: true,
        application_id: null,
        event_id: null,
        disabled_reason: null,
        failing_since: null,
        previous_secret_until: null,
        created_at: record.created_at,
      });
      const path = `${WEBHOOKS}/${record.id}`;
      const listed = await call('GET', WEBHOOKS);
      assert.deepEqual(listed.body, { webhooks: [record] });
      assert.ok(!listed.text.includes(secret));
      assert.deepEqual((await call('GET', path)).body, record);
      const changed = await call('PATCH', path, { body: { enabled: false, kinds: ['site.down'] } });
      assert.deepEqual(changed.body, { ...record, enabled: false, kinds: ['site.down'] });
      const { rows } = await sql`select row_to_json(w)::text as row from webhook_endpoints w`.execute(
        server.simcha.database.sql,
      );
      assert.ok(!JSON.stringify(rows).includes(secret.slice(6, 30)));
      assert.equal((await call('DELETE', path)).status, 204);
      for (const method of ['GET', 'DELETE']) assert.equal((await call(method, path)).status, 404);
    });

    test('a webhook is named by its address or its host, as long as that names one', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const make = (url: string) => newWebhook(call, { url, kinds: ['event.created'] });
      const first = await make('https://hooks.example.com/one');
      const read = async (named: string) => {
        const { status, body } = await call('GET', `${WEBHOOKS}/${encodeURIComponent(named)}`);
        return [status, body.id ?? body.code];
      };
      assert.deepEqual(await read('Hooks.example.com'), [200, first.id]);
      assert.deepEqual(await read('example.com'), [404, 'not_found']);
      const second = await make('https://hooks.example.com/two');
      assert.deepEqual(await read('hooks.example.com'), [404, 'ambiguous_name']);
      const removed = await call('DELETE', `${WEBHOOKS}/hooks.example.com`);
      assert.ok(removed.text.includes(`${first.id}, ${second.id}`), removed.text);
      assert.deepEqual(await read('https://hooks.example.com/two'), [200, second.id]);
      const ofAnother = await newDeveloper(server);
      assert.equal((await ofAnother.call('DELETE', `${WEBHOOKS}/hooks.example.com`)).status, 404);
      assert.equal((await call('DELETE', `${WEBHOOKS}/${second.id}`)).status, 204);
      assert.equal((await call('DELETE', `${WEBHOOKS}/hooks.example.com`)).status, 204);
      assert.deepEqual((await call('GET', WEBHOOKS)).body.webhooks, []);
    });

    test('wrong fields are refused with what is wrong', async () => {
      await using server = await sharedServer(kind);
      const developer = await newDeveloper(server);
      const event_id = await newEvent(developer);
      const other = await newEvent(await newDeveloper(server));
      const kinds = ['event.created'];
      const wrong: [object, string][] = [
        [{ kinds }, 'url'],
        [{ url: 'http://example.com/', kinds }, 'url'],
        [{ url: 'https://user:password@example.com/', kinds }, 'url'],
        [{ url: 'ftp://example.com/', kinds }, 'url'],
        [{ url: 'example.com', kinds }, 'url'],
        [{ url: `https://example.com/${'x'.repeat(2_000)}`, kinds }, 'url'],
        ...[
          '127.0.0.1',
          '10.1.2.3',
          '[::1]',
          '[::ffff:127.0.0.1]',
          'localhost',
          '169.254.169.254',
          '2130706433',
        ].map((host): [object, string] => [{ url: `https://${host}/`, kinds }, 'url']),
        [{ url: URL, kinds: [] }, 'kinds'],
        [{ url: URL, kinds: ['webhook.test'] }, 'kinds[0]'],
        [{ url: URL, kinds, event_id: other }, 'event_id'],
        [{ url: URL, kinds: ['site.up'], application_id: event_id }, 'application_id'],
        [{ url: URL, kinds: ['site.up'], event_id }, 'kinds'],
        [{ url: URL, kinds, description: 'x'.repeat(201) }, 'description'],
        [{ url: URL, kinds, secret: 'whsec_mine' }, 'secret'],
      ];
      for (const [body, field] of wrong) {
        const refused = await developer.call('POST', WEBHOOKS, { body });
        assert.deepEqual([refused.status, refused.body.field], [400, field], JSON.stringify(body));
      }
      const { id } = await newWebhook(developer.call, { url: URL, kinds, event_id });
      const path = `${WEBHOOKS}/${id}`;
      for (const body of [{ kinds: ['site.up'] }, { event_id: null }, { url: 'https://localhost/' }]) {
        assert.equal((await developer.call('PATCH', path, { body })).status, 400, JSON.stringify(body));
      }
    });

    test('a user has at most 20 webhooks, and nobody else reaches them', async () => {
      await using server = await sharedServer(kind);
      const { call } = await newDeveloper(server);
      const body = { url: URL, kinds: ['event.created'] };
      const all = await Promise.all(Array.from({ length: 22 }, () => call('POST', WEBHOOKS, { body })));
      assert.deepEqual(
        all
          .map(({ status }) => status)
          .sort()
          .slice(-3),
        [201, 409, 409],
      );
      const { id } = (await call('GET', WEBHOOKS)).body.webhooks[0];
      const stranger = await newDeveloper(server);
      const since = '2026-01-01T00:00:00Z';
      const reached = await Promise.all([
        stranger.call('GET', `${WEBHOOKS}/${id}`),
        stranger.call('PATCH', `${WEBHOOKS}/${id}`, { body: { enabled: false } }),
        stranger.call('POST', `${WEBHOOKS}/${id}/secret`),
        stranger.call('POST', `${WEBHOOKS}/${id}/test`),
        stranger.call('GET', `${WEBHOOKS}/${id}/deliveries`),
        stranger.call('POST', `${WEBHOOKS}/${id}/replay`, { body: { since } }),
      ]);
      assert.deepEqual(new Set(reached.map(({ status }) => status)), new Set([404]));
      const unverified = await newDeveloper(server, { verified: false });
      assert.equal((await unverified.call('POST', WEBHOOKS, { body })).status, 403);
    });

    test('a test message is sent at once and signed; its outcome is answered and logged', async () => {
      await using server = await startServer(kind, { env: { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' } });
      await using receiver = await startReceiver();
      const { call } = await newDeveloper(server);
      const { id, secret } = await newWebhook(call, {
        url: receiver.url,
        kinds: ['site.up'],
        enabled: false,
      });
      const tested = await call('POST', `${WEBHOOKS}/${id}/test`);
      assert.equal(tested.status, 200, tested.text);
      const [message] = await receiver.messages(1);
      assert.ok(message);
      assert.deepEqual(verified(secret, message), message.payload);
      assert.deepEqual([message.payload.type, message.payload.data], ['webhook.test', { webhook_id: id }]);
      const { state, status, problem, tries, message_id } = tested.body;
      assert.deepEqual([state, status, problem, tries, message_id], ['succeeded', 204, null, 1, message.id]);

      receiver.answers.push((response) => void response.writeHead(500).end('No luck\0'));
      const failed = (await call('POST', `${WEBHOOKS}/${id}/test`)).body;
      assert.deepEqual(
        [failed.state, failed.status, failed.problem, failed.answer],
        ['failed', 500, 'status', 'No luck�'],
      );
      await receiver.close();
      const unreached = (await call('POST', `${WEBHOOKS}/${id}/test`)).body;
      assert.deepEqual(
        [unreached.state, unreached.status, unreached.problem],
        ['failed', null, 'connection'],
      );
      const { body: log } = await call('GET', `${WEBHOOKS}/${id}/deliveries`);
      assert.deepEqual([log.total, log.deliveries[0].id], [3, unreached.id]);
      const one = await call('GET', `${WEBHOOKS}/${id}/deliveries/${tested.body.id}`);
      assert.deepEqual(one.body, { ...tested.body, payload: message.payload });
      for (const wrong of ['0', 'x', '9'.repeat(30)])
        assert.equal((await call('GET', `${WEBHOOKS}/${id}/deliveries/${wrong}`)).status, 404);
    });

    test('after a rotation messages carry both signatures for a day, then the new one alone', async () => {
      let now = Temporal.Now.instant().round('millisecond');
      await using server = await startServer(kind, {
        clock: () => now,
        env: { WEBHOOKS_ALLOW_PRIVATE_HOSTS: 'true' },
      });
      await using receiver = await startReceiver();
      const { call } = await newDeveloper(server);
      const { id, secret: former } = await newWebhook(call, { url: receiver.url, kinds: ['site.up'] });
      const rotated = await call('POST', `${WEBHOOKS}/${id}/secret`);
      const { secret, previous_secret_until } = rotated.body;
      assert.notEqual(secret, former);
      assert.equal(previous_secret_until, now.add({ hours: 24 }).toString({ fractionalSecondDigits: 3 }));
      await call('POST', `${WEBHOOKS}/${id}/test`);
      now = now.add({ hours: 25 });
      await call('POST', `${WEBHOOKS}/${id}/test`);
      const [first, second] = await receiver.messages(2);
      for (const one of [secret, former]) verified(one, first as never);
      assert.equal(String(first?.headers['webhook-signature']).split(' ').length, 2);
      assert.equal(String(second?.headers['webhook-signature']).split(' ').length, 1);
    });
  });
}
