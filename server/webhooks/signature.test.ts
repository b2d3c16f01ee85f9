import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from './signature.ts';

test('the library of Standard Webhooks accepts a message with any of its secrets, and no other message', () => {
  const [secret, former, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const at = Temporal.Now.instant();
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const body = JSON.stringify({ text });
      const headers = signatureHeaders({ id: 'msg_1', at, body }, [secret, former]);
      for (const one of [secret, former]) assert.deepEqual(new Webhook(one).verify(body, headers), { text });
      assert.throws(() => new Webhook(other).verify(body, headers));
      assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
      assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' }));
    }),
  );
});

test('an old message is refused as repeated', () => {
  const secret = newWebhookSecret();
  const at = Temporal.Now.instant().subtract({ minutes: 6 });
  const headers = signatureHeaders({ id: 'msg_1', at, body: '{}' }, [secret]);
  assert.throws(() => new Webhook(secret).verify('{}', headers), /timestamp/i);
});
