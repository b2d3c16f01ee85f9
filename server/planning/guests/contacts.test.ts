import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactsOf, withMainContacts } from './contacts.ts';

const MOBILE = '+972501111111';
const SECOND = '+972522222222';
const LANDLINE = '+97235551234';
const STORED = { phone: MOBILE, other_phones: [LANDLINE, SECOND], email: null, other_emails: [] };

test('a guest has each number once, and a main one if there is any', () => {
  for (const [change, expected] of [
    [{}, {}],
    [{ phone: LANDLINE }, { phone: LANDLINE, other_phones: [SECOND] }],
    [{ phone: null }, { phone: SECOND, other_phones: [LANDLINE] }],
    [
      { phone: null, other_phones: [LANDLINE] },
      { phone: LANDLINE, other_phones: [] },
    ],
    [
      { phone: null, other_phones: [] },
      { phone: null, other_phones: [] },
    ],
    [{ other_phones: [MOBILE, SECOND] }, { other_phones: [SECOND] }],
    [
      { other_emails: ['a@example.com', 'b@example.com'] },
      { email: 'a@example.com', other_emails: ['b@example.com'] },
    ],
  ] as const) {
    const details = {
      ...change,
      ...('other_phones' in change && { other_phones: [...change.other_phones] }),
    };
    assert.deepEqual(withMainContacts(details as object, STORED), expected, JSON.stringify(change));
  }
});

test('all contacts of a guest identify them', () => {
  assert.deepEqual(contactsOf({ ...STORED, email: 'a@example.com' }), [
    MOBILE,
    LANDLINE,
    SECOND,
    'a@example.com',
  ]);
});
