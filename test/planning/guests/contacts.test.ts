import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Guest } from '../../../server/planning/guests/contract.ts';
import { DATABASES } from '../../support/server.ts';
import { newEvent, type TestEvent } from '../event.ts';
import { exported, send } from './files.ts';

// Several phone numbers and addresses of a guest: any of them identifies the guest, one is written to.

const contacts = ({ phone, other_phones, email, other_emails }: Guest) => ({
  phone,
  other_phones,
  email,
  other_emails,
});

async function found(event: TestEvent, search: string): Promise<string[]> {
  const { body } = await event.call('GET', `/guests?search=${encodeURIComponent(search)}`);
  return body.guests.map(({ name }: Guest) => name);
}

for (const kind of DATABASES) {
  test(`each number of a guest is theirs alone and finds them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const cohen = await event.guest({
      name: 'משפחת כהן',
      phone: '050-111-1111',
      other_phones: ['03-555-1234', '0522222222', '050-1111111'],
      email: 'cohen@example.com',
      other_emails: ['Dana@Example.com'],
    });
    assert.deepEqual(contacts(cohen), {
      phone: '+972501111111',
      other_phones: ['+97235551234', '+972522222222'],
      email: 'cohen@example.com',
      other_emails: ['dana@example.com'],
    });
    for (const search of ['035551234', '052-222', '3555', '0501111111', 'כהן 2222222'])
      assert.deepEqual(await found(event, search), ['משפחת כהן'], search);

    const levi = await event.guest({ name: 'לוי', phone: '054-333-3333' });
    for (const [body, field] of [
      [{ phone: '0522222222' }, 'phone'],
      [{ phone: '0544444444', other_phones: ['03-6666666', '0501111111'] }, 'other_phones'],
      [{ phone: '0544444444', other_phones: ['035551234'] }, 'other_phones'],
      [{ email: 'dana@example.com' }, 'email'],
      [{ email: 'levi@example.com', other_emails: ['cohen@example.com'] }, 'other_emails'],
    ] as const) {
      const added = await event.call('POST', '/guests', { body: { name: 'אחר', ...body } });
      const changed = await event.call('PUT', `/guests/${levi.id}`, { body });
      for (const { status, body: refused } of [added, changed]) {
        assert.deepEqual([status, refused.code, refused.field], [409, 'duplicate', field]);
        assert.match(refused.error, /: משפחת כהן\.$/);
      }
    }
    const sixth = { other_phones: Array.from({ length: 6 }, (_, n) => `050-700000${n}`) };
    assert.equal((await event.call('PUT', `/guests/${levi.id}`, { body: sixth })).body.field, 'other_phones');
    const wrong = await event.call('PUT', `/guests/${levi.id}`, { body: { other_phones: ['12'] } });
    assert.deepEqual([wrong.status, wrong.body.field], [400, 'other_phones[0]']);

    const removed = await event.call('PUT', `/guests/${cohen.id}`, { body: { phone: null } });
    assert.deepEqual(
      [removed.body.guest.phone, removed.body.guest.other_phones],
      ['+972522222222', ['+97235551234']],
    );
    assert.deepEqual(await found(event, '0501111111'), []);

    // A deleted guest's number can be taken, and then the guest can't be restored.
    await event.call('DELETE', `/guests/${cohen.id}`);
    await event.call('PUT', `/guests/${levi.id}`, { body: { other_phones: ['035551234'] } });
    const restored = await event.call('POST', `/guests/${cohen.id}/restore`);
    assert.equal(restored.status, 409, restored.text);
    assert.match(restored.body.error, /: לוי\.$/);
  });

  test(`an import finds guests by any of their numbers, and an export has all of them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const first = await send(
      event,
      'שם,נייד שלה,נייד שלו,מייל,כמות\nמשפחת כהן,0501111111,0522222222,c@example.com,4\n',
    );
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const [cohen] = (await event.call('GET', '/guests')).body.guests as Guest[];
    assert.ok(cohen);
    assert.deepEqual(
      [cohen.phone, cohen.other_phones, cohen.note],
      ['+972501111111', ['+972522222222'], null],
    );

    const rows = async (file: string, query = '') => {
      const { body } = await send(event, file, { query: `?dry_run=true${query}` });
      return body.import.rows.map(
        ({ action, code, fields }: { action: string; code?: string; fields?: string[] }) =>
          fields ? [action, ...fields] : code ? [action, code] : [action],
      );
    };
    // The other side's list has the family by the husband's number.
    assert.deepEqual(await rows("שם,טלפון\nמשפ' כהן,0522222222\n"), [['update', 'name']]);
    assert.deepEqual(await rows('שם,טלפון\nמשפחת כהן,0522222222\n'), [['keep']]);
    assert.deepEqual(await rows('שם,טלפון,כמות\nכהן,0522222222,5\n'), [['update', 'name', 'party_size']]);
    assert.deepEqual(await rows('שם,טלפון\nרבקה לוי,0522222222\n'), [['ask', 'other_name']]);
    // A new number becomes the main one, and none is lost.
    assert.deepEqual(await rows('שם,טלפון,מייל\nמשפחת כהן,03-5551234,c@example.com\n'), [
      ['update', 'phone', 'other_phones'],
    ]);
    // Relatives have the same landline beside their own numbers.
    assert.deepEqual(
      await rows('שם,טלפון,טלפון נוסף\nדוד,0541111111,035550000\nרות,0542222222,035550000\n'),
      [['create'], ['create']],
    );
    assert.deepEqual(await rows('שם,טלפון,טלפון נוסף\nדוד,0541111111,0541111112\nרות,0541111112,\n'), [
      ['create'],
      ['refuse', 'same_as_row'],
    ]);
    assert.deepEqual(await rows('שם,טלפון,טלפון נוסף\nרות לוי,0542222222,0522222222\n'), [['create']]);

    for (const format of ['csv', 'xlsx']) {
      const { file } = await exported(event, `?format=${format}`);
      const again = await send(event, file, { path: `/${format}`, type: 'application/octet-stream' });
      assert.deepEqual([again.status, again.body.import.unchanged], [200, 1], format);
    }
    const contactsFile = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:דנה לוי',
      'TEL:03-5559999',
      'TEL:054-5555555',
      'EMAIL:dana@example.com',
      'EMAIL:dana@work.example.com',
      'END:VCARD',
    ].join('\r\n');
    const shared = await send(event, contactsFile, { type: 'text/vcard' });
    assert.equal(shared.status, 200, JSON.stringify(shared.body));
    const [dana] = (await event.call('GET', '/guests?search=03-5559999')).body.guests as Guest[];
    assert.ok(dana);
    assert.deepEqual(contacts(dana), {
      phone: '+972545555555',
      other_phones: ['+97235559999'],
      email: 'dana@example.com',
      other_emails: ['dana@work.example.com'],
    });
    assert.equal(dana.note, null);
  });

  test(`a request by another number of a guest is theirs, and a caller sees all numbers, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const { id } = await event.guest({ name: 'דנה', phone: '0501111111', other_phones: ['0522222222'] });
    const slug = `contacts-${kind}`;
    await event.call('PUT', '/rsvp', { body: { open: true, slug } });
    const asked = await event.server.call('POST', `/e/${slug}`, {
      body: new URLSearchParams({ name: 'דנה לוי', phone: '052-222-2222', coming: '1' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(asked.status, 303, asked.text);
    const [request] = (await event.call('GET', '/guest-requests')).body.requests;
    assert.deepEqual(request.may_be, [{ what: 'guest', id, name: 'דנה', by: 'phone' }]);
    const accepted = await event.call('POST', `/guest-requests/${request.id}/accept`);
    assert.deepEqual([accepted.status, accepted.body.guest?.id], [200, id], accepted.text);

    const sent = await event.call('POST', '/rounds', {
      body: { kind: 'message', filter: {}, channel: 'phone', message: 'שעה אחרת' },
    });
    assert.equal(sent.status, 202, sent.text);
    const { body } = await event.call('POST', `/rounds/${sent.body.round.id}/next`, { body: {} });
    assert.deepEqual([body.guest.phone, body.guest.other_phones], ['+972501111111', ['+972522222222']]);
  });
}
