import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBounceReport, subscriptionAddress } from './reports.ts';

const ID = '01a1fd36-f75a-7a3a-b5d8-baf524f7875c';
const MESSAGE = `${ID}@example.com`;
const own = (status: string) => ({ message_id: `<${MESSAGE}>`, status });
const mailgun = (event: object) => ({
  signature: {},
  'event-data': {
    event: 'failed',
    severity: 'permanent',
    message: { headers: { 'message-id': MESSAGE } },
    ...event,
  },
});
const amazon = (message: object) => ({ Type: 'Notification', Message: JSON.stringify(message) });
const bounce = (bounceType: string, recipient: object = {}) => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress: 'guest@example.com', ...recipient }] },
  mail: { messageId: '0001', headers: [{ name: 'Message-ID', value: `<${MESSAGE}>` }] },
});
const { notificationType: _, ...published } = bounce('Permanent');

const TABLE: [name: string, body: unknown, status: string | undefined, isPermanent?: boolean][] = [
  ['our own', own('5.1.1'), '5.1.1', true],
  ['our own, for now', own('4.2.2'), '4.2.2', false],
  ['our own, of another form', own('550'), undefined],
  ['Mailgun, for good', mailgun({ 'delivery-status': { 'enhanced-code': '5.1.1' } }), '5.1.1', true],
  ['Mailgun, without a code', mailgun({}), '5.0.0', true],
  ['Mailgun, for now', mailgun({ severity: 'temporary' }), '4.0.0', false],
  ['Mailgun, delivered', mailgun({ event: 'delivered' }), undefined],
  ['Amazon SES, for good', amazon(bounce('Permanent', { status: '5.1.1' })), '5.1.1', true],
  ['Amazon SES, for now', amazon(bounce('Transient')), '4.0.0', false],
  ['Amazon SES, published', amazon({ ...published, eventType: 'Bounce' }), '5.0.0', true],
  [
    'Amazon SES, by common headers',
    amazon({ ...bounce('Permanent'), mail: { commonHeaders: { messageId: `<${MESSAGE}>` } } }),
    '5.0.0',
    true,
  ],
  ['Amazon SES, a complaint', amazon({ notificationType: 'Complaint' }), undefined],
  ['Amazon SNS, no JSON', { Type: 'Notification', Message: 'x' }, undefined],
  ['a list', [], undefined],
  ['nothing', null, undefined],
  ['another message', { message_id: '<x@example.com>', status: '5.1.1' }, undefined],
];

for (const [name, body, status, isPermanent] of TABLE) {
  test(`a report of a bounce is read: ${name}`, () => {
    assert.deepEqual(readBounceReport(body), status && { mailId: ID, status, isPermanent });
  });
}

test('only Amazon’s address of a subscription is shown', () => {
  const asked = (SubscribeURL: unknown) =>
    subscriptionAddress({ Type: 'SubscriptionConfirmation', SubscribeURL });
  const url = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=1';
  assert.equal(asked(url), url);
  for (const other of ['https://example.com/', 'https://sns.x.amazonaws.com.example.com/', 7])
    assert.equal(asked(other), undefined);
});
