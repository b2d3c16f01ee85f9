import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { lockGuestAndEvent } from '../../../server/planning/guests/rows.ts';
import { DATABASES } from '../../support/server.ts';
import { newEvent } from '../event.ts';
import { send } from './files.ts';

/** Stored forms of a guest's names and numbers, with the functions that compute them. */
const FORMS = {
  search: 'guest_search_form(name)',
  search_words: 'guest_search_words(name, array_prepend(phone, other_phones))',
  search_joined: 'guest_search_joined(name)',
  name_key: 'guest_name_key(name)',
  member_words: 'guest_member_words(members)',
  member_joined: 'guest_member_joined(members)',
};

for (const kind of DATABASES) {
  test(`the forms for search follow names and numbers, and an answer does not compute them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const db = event.server.simcha.database.sql;
    const { id } = await event.guest({ name: 'משפחת כהן', phone: '0521234567' });
    const isRight = async (guestId = id) => {
      const outdated = Object.entries(FORMS).map(
        ([column, form]) => sql`${sql.ref(column)} is distinct from ${sql.raw(form)}`,
      );
      const { rows } = await sql`
        select 1 from guests where id = ${guestId} and (${sql.join(outdated, sql` or `)})`.execute(db);
      return rows.length === 0;
    };
    assert.ok(await isRight());
    for (const body of [
      { name: 'נועה לוי' },
      { phone: '0529876543', other_phones: ['0541111111'] },
      { party_size: 2, members: [{ name: 'איתי' }] },
      { rsvp_status: 'confirmed', coming: 2 },
    ]) {
      const { status, text } = await event.call('PUT', `/guests/${id}`, { body });
      assert.equal(status, 200, text);
      assert.ok(await isRight(), text);
    }
    // A form that is no longer the name's shows that a change of other columns leaves it as it is.
    await sql`update guests set search = 'as before' where id = ${id}`.execute(db);
    await event.call('PUT', `/guests/${id}`, { body: { rsvp_status: 'declined' } });
    assert.equal(await isRight(), false);
    await event.call('PUT', `/guests/${id}`, { body: { name: 'נועה כהן' } });
    assert.ok(await isRight());
    // An import computes the forms before it writes the guests.
    const { body } = await send(event, Buffer.from('שם,טלפון,שם בן הזוג\nדוד לוי,0521111111,רותי'));
    const [{ guest_id }] = body.import.rows;
    assert.ok(await isRight(guest_id));
    for (const [file, query] of [
      ['שם,טלפון,טלפון נוסף\nדוד לוי,0521111111,0522222222', ''],
      ['שם,טלפון,תגיות\nדוד לוי,0521111111,משפחה', ''],
      ['שם,טלפון\nרחל כהן,0521111111', '?doubles=update'],
    ] as const) {
      const { body } = await send(event, Buffer.from(file), { query });
      assert.equal(body.import?.updated, 1, JSON.stringify(body));
      assert.ok(await isRight(guest_id), file);
    }
  });

  test(`whoever waits for a guest's lock gets the guest as the change before left them, on ${kind}`, async () => {
    await using event = await newEvent(kind);
    const db = event.server.simcha.database.sql;
    const { id } = await event.guest({ name: 'נועה' });
    const { promise: isLocked, resolve: onLocked } = Promise.withResolvers<void>();
    const first = db.transaction().execute(async (transaction) => {
      await sql`select id from events where id = ${event.id} for update`.execute(transaction);
      onLocked();
      await sleep(300);
      await sql`update guests set message = 'מגיעים' where id = ${id}`.execute(transaction);
    });
    await isLocked;
    const found = await db
      .transaction()
      .execute((transaction) => lockGuestAndEvent(transaction, event.id, id));
    await first;
    assert.equal(found?.guest.message, 'מגיעים');
    assert.equal(found?.version, 2);
  });
}
