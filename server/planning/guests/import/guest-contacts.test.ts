import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_DETAILS } from '../fields.ts';
import { mergeContacts, withoutContactsOfOthers, withoutSharedContacts } from './guest-contacts.ts';
import type { SheetGuest } from './read.ts';

const [WIFE, HUSBAND, LANDLINE] = ['+972501111111', '+972522222222', '+97235551234'];
const row = (details: SheetGuest['details'], id?: string): SheetGuest => ({
  id,
  details,
  rsvp: {},
  addenda: [],
  form: '',
});

test('a row adds its numbers to those of its guest, and one by id replaces them', () => {
  const guest = { ...NO_DETAILS, phone: WIFE, other_phones: [HUSBAND] };
  for (const [given, id, expected] of [
    [{ phone: HUSBAND }, undefined, {}],
    [{ phone: LANDLINE }, undefined, { phone: LANDLINE, other_phones: [WIFE, HUSBAND] }],
    [
      { phone: WIFE, other_phones: [LANDLINE] },
      undefined,
      { phone: WIFE, other_phones: [HUSBAND, LANDLINE] },
    ],
    [{ phone: LANDLINE }, 'id', { phone: LANDLINE }],
    [{ email: 'a@example.com' }, undefined, { email: 'a@example.com', other_emails: [] }],
  ] as const) {
    const merged = mergeContacts(row(given as SheetGuest['details'], id), guest);
    assert.deepEqual(merged, { details: expected, addenda: [] }, JSON.stringify(given));
  }
});

test('numbers beyond the limit go into the note', () => {
  const others = [1, 2, 3, 4, 5].map((n) => `+97250000000${n}`);
  const merged = mergeContacts(row({ phone: LANDLINE }), {
    ...NO_DETAILS,
    phone: WIFE,
    other_phones: others,
  });
  assert.deepEqual(merged.details, { phone: LANDLINE, other_phones: [WIFE, ...others.slice(0, 4)] });
  assert.deepEqual(merged.addenda, ['050-000-0005']);
});

test('a landline that relatives share stays with the first of them', () => {
  const given = row({ name: 'דוד כהן', phone: HUSBAND, other_phones: [LANDLINE] });
  const owned = (name: string) => (contact: string) => (contact === LANDLINE ? { name } : undefined);
  const shared = withoutSharedContacts(given, owned('רבקה לוי'));
  assert.deepEqual([shared.details.other_phones, shared.addenda], [[], ['03-555-1234']]);
  assert.equal(withoutSharedContacts(given, owned('משפחת כהן')), given);
});

test('contacts of other people go into the note, and the first of one’s own becomes the main one', () => {
  const given = row({
    name: 'דוד כהן',
    phone: WIFE,
    other_phones: [HUSBAND, LANDLINE],
    email: 'a@example.com',
  });
  const ownerOf = (contact: string) => (contact === HUSBAND ? undefined : { name: 'רבקה לוי' });
  const { details, addenda } = withoutContactsOfOthers(given, ownerOf);
  assert.deepEqual(details, { name: 'דוד כהן', phone: HUSBAND, other_phones: [] });
  assert.deepEqual(addenda, ['050-111-1111', '03-555-1234', 'a@example.com']);
});
