import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEncryption } from '../kernel/encryption.ts';
import { isAdmitted } from './admission.ts';
import { isInvited, newInvitation } from './invitations.ts';

const encryption = createEncryption(['a key for tests that is long enough']);
const now = Temporal.Instant.from('2026-11-22T08:00:00Z');
const later = now.add({ hours: 24 });

test('who may come in: everybody, nobody, or who has an address at a domain, in any case of its letters', () => {
  assert.ok(isAdmitted('open', 'dev@example.com'));
  assert.ok(!isAdmitted('closed', 'dev@example.com'));
  const domains = ['example.com', 'example.org'];
  for (const email of ['dev@example.com', 'dev@EXAMPLE.org', '"a@b"@example.com']) {
    assert.ok(isAdmitted(domains, email), email);
  }
  for (const email of [
    'dev@example.net',
    'dev@sub.example.com',
    'dev@notexample.com',
    'example.com@example.net',
    'dev@example.com.net',
    'example.com',
    '',
  ]) {
    assert.equal(isAdmitted(domains, email), email === 'example.com', email);
  }
});

test('an invitation lets in the address it was made for, until its time is over', () => {
  const invitation = newInvitation(encryption, 'Dev@example.com', later);
  assert.ok(isInvited(encryption, 'dev@Example.com', ` ${invitation}\n`, now));
  assert.ok(isInvited(encryption, 'dev@example.com', invitation, later.subtract({ milliseconds: 1 })));
  assert.ok(!isInvited(encryption, 'dev@example.com', invitation, later));
  assert.ok(!isInvited(encryption, 'other@example.com', invitation, now));
});

test('an invitation that was changed, sealed for something else, or by a key we don’t have lets nobody in', () => {
  const email = 'dev@example.com';
  const invitation = newInvitation(encryption, email, later);
  const stranger = createEncryption(['somebody else’s key, long enough as well']);
  for (const text of [
    '',
    'x',
    newInvitation(stranger, email, later),
    encryption.seal(later.toString(), 'something else'),
    encryption.seal('for ever', `invitation:${email}`),
  ]) {
    assert.ok(!isInvited(encryption, email, text, now), text);
  }
  fc.assert(
    fc.property(fc.nat(invitation.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
      fc.pre(invitation[at] !== letter);
      const changed = invitation.slice(0, at) + letter + invitation.slice(at + 1);
      // Unused bits in the last letter of base64 don't count.
      fc.pre(at < invitation.length - 1 && !/\s/.test(letter));
      assert.ok(!isInvited(encryption, email, changed, now), changed);
    }),
  );
  // Keys put in front still open what the previous key sealed.
  const rotated = createEncryption([
    'a newer key that is long enough too',
    'a key for tests that is long enough',
  ]);
  assert.ok(isInvited(rotated, email, invitation, now));
});
