import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEncryption } from '../../encryption.ts';
import { newId } from '../../identifiers.ts';
import { isMailAddress } from '../address.ts';
import { createBounceAddresses } from './address.ts';
import { LONGEST_BOUNCE_NAME } from './token-form.ts';

const encryption = createEncryption(['a key for tests that is long enough']);
const addresses = createBounceAddresses('bounces@example.com', encryption);

test('a bounce address names its mail, in headers of any kind and in capitals', () => {
  const id = newId();
  const address = addresses.of(id);
  assert.ok(isMailAddress(address));
  for (const text of [
    address,
    `To: <${address}>\r\nSubject: x`,
    address.toUpperCase(),
    `x ${address}, y@z.co`,
  ])
    assert.equal(addresses.mailIdIn(text), id, text);
  const longest = createBounceAddresses(`${'b'.repeat(LONGEST_BOUNCE_NAME)}@example.com`, encryption);
  assert.ok(isMailAddress(longest.of(id)));
});

test('nobody makes the address of another mail', () => {
  const [mine, others] = [newId(), newId()];
  const forged = addresses.of(mine).replace(mine.replaceAll('-', ''), others.replaceAll('-', ''));
  const elsewhere = createBounceAddresses(
    'bounces@example.com',
    createEncryption(['another key for tests that is long']),
  );
  for (const text of [
    forged,
    elsewhere.of(mine),
    addresses.of(mine).replace('example.com', 'example.org'),
    'bounces@example.com',
    '',
  ])
    assert.equal(addresses.mailIdIn(text), undefined, text);
  assert.equal(addresses.mailIdIn(`${forged} ${addresses.of(mine)}`), mine);
});
