import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../server/kernel/config.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { areVisitorsRefused, stopReasonOf } from '../../server/kernel/mail/senders.ts';
import { findRefused } from '../../server/kernel/sent-messages.ts';
import { migrations } from '../../server/migrations/migrations.ts';
import { listGuests } from '../../server/planning/guests/store.ts';
import { findNextGuests } from '../../server/planning/rounds/manual-rounds.ts';
import { messageKey } from '../../server/planning/rounds/message-keys.ts';
import { listRoundGuests } from '../../server/planning/rounds/store.ts';
import { readToday } from '../../server/planning/today/today.ts';
import { temporaryDatabase } from '../support/server.ts';

// What a page shows is read without a look at what it does not: neither at the rest of a large event, nor at other
// events.

const ME = { id: 'me', role: 'organizer', email: 'me@example.com' };
const NOW = Temporal.Instant.from('2027-06-10T10:00:00Z');
const GUESTS = 2_000;
const LITTLE = 400;

test('a page of a large event reads what it shows, and no more', async () => {
  await using place = await temporaryDatabase('postgres');
  const database = openDatabase(readConfig(place.env), migrations, pino({ level: 'silent' }));
  await database.prepare();
  try {
    await database.sql.transaction().execute(async (transaction) => {
      const mine = await fill(transaction, ME.id);
      for (let others = 0; others < 8; others++) await fill(transaction, `other ${others}`);
      await sql`analyze`.execute(transaction);

      const refused = (table: 'mails' | 'texts') => ({
        refused: (db: Kysely<unknown>, keys: Parameters<typeof findRefused>[2]) =>
          findRefused(db, table, keys),
      });
      const areVisitorsSlowed = (db: Kysely<unknown>, sender: string) => areVisitorsRefused(db, sender, NOW);
      const today = await rowsRead(transaction, () =>
        readToday(
          transaction,
          { mail: { ...refused('mails'), stopReasonOf, areVisitorsSlowed }, texts: refused('texts') },
          ...([ME, NOW, 'en'] as const),
        ),
      );
      const [event] = today.given.events;
      assert.deepEqual(
        [event?.answers.guests, event?.missed.map(({ guests }) => guests), event?.to_tell[0]?.guests],
        [3, [2], GUESTS],
      );
      for (const table of ['history', 'guests', 'mails']) assertLittle(today, table);
      // How many are still to be called is counted, one by one.
      assertLittle(today, 'round_guests', GUESTS);

      const page = { page: 1, limit: 10, offset: 0n };
      const next = await rowsRead(transaction, () =>
        findNextGuests(
          { db: transaction, callerId: ME.id, now: NOW },
          { id: mine.calls, channel: 'phone' },
          page,
        ),
      );
      assert.deepEqual([next.given.next.length, next.given.total], [10, GUESTS]);
      for (const table of ['history', 'users', 'events']) assertLittle(next, table);

      const reports = { reports: async () => [] };
      const post = { mail: reports, texts: reports } as never;
      const found = await rowsRead(transaction, () =>
        listRoundGuests(
          transaction,
          post,
          { eventId: mine.id, roundId: mine.calls },
          { filter: { search: 'guest 77', delivery: undefined }, page },
          'en',
        ),
      );
      assert.equal(found.given.total, 38);
      assertLittle(found, 'guests', 2 * GUESTS);

      const invited = await rowsRead(transaction, () =>
        listGuests(transaction, { id: mine.id, contacts: true }, { invited: false } as never, 'name', page),
      );
      assert.equal(invited.given.total, 0);
      assertLittle(invited, 'round_guests', 2 * GUESTS);
    });
  } finally {
    await database.close();
  }
});

/** An event with many guests, whose invitations went long ago, and whom somebody is to call. */
async function fill(db: Kysely<unknown>, organizerId: string): Promise<{ id: string; calls: string }> {
  const [id, mail, calls] = [newId(), newId(), newId()];
  const at = (hours: number) => NOW.subtract({ hours }).toString();
  await sql`
    insert into events (id, organizer_id, title, event_date, venue_name, status, created_at, updated_at)
    values (${id}, ${organizerId}, 'A wedding', ${NOW.add({ hours: 200 }).toString()}, 'Here', 'published', ${at(900)}, ${at(900)})`.execute(
    db,
  );
  const guests = Array.from({ length: GUESTS }, (_, number) => ({
    id: newId(),
    number,
    message: randomUUID(),
  }));
  const those = sql`json_to_recordset(${JSON.stringify(guests)}::json) as one (id uuid, number integer, message uuid)`;
  await sql`
    insert into guests (id, event_id, name, phone, created_at, updated_at)
    select id, ${id}, 'guest ' || number, '+97250' || lpad(number::text, 7, '0'), ${at(800)}, ${at(800)} from ${those}`.execute(
    db,
  );
  await sql`
    insert into rounds (id, event_id, kind, channel, begun_at, created_at, updated_at) values
      (${mail}, ${id}, 'invitation', 'mail', ${at(300)}, ${at(300)}, ${at(300)}),
      (${calls}, ${id}, 'message', 'phone', ${at(200)}, ${at(200)}, ${at(200)})`.execute(db);
  await sql`
    insert into mails (id, key, status, created_at, due_at, settled_at)
    select message, ${messageKey(mail, '')} || id, case when number < 2 then 'refused' else 'sent' end, ${at(300)}, ${at(300)}, ${at(300)}
    from ${those}`.execute(db);
  await sql`
    insert into round_guests (round_id, guest_id, status, message_id)
    select ${mail}::uuid, id, 'written', message from ${those}
    union all select ${calls}::uuid, id, 'waiting', null from ${those}`.execute(db);
  // An organizer's changes long ago and lately, and three answers.
  await sql`
    insert into history (event_id, at, actor_kind, actor_id, subject, subject_id, action)
    select ${id}, case when number % 2 = 0 then ${at(500)} else ${at(50)} end::timestamptz, 'organizer', ${organizerId}, 'guest', id, 'changed'
    from ${those} order by number % 2, number`.execute(db);
  await sql`
    insert into history (event_id, at, actor_kind, actor_id, subject, subject_id, action)
    select ${id}, ${at(20)}, 'guest', id::text, 'guest', id, 'answered' from ${those} where number between 10 and 12`.execute(
    db,
  );
  return { id, calls };
}

/** What was given, and how many rows of each table were fetched for it. */
async function rowsRead<T>(db: Kysely<unknown>, work: () => Promise<T>) {
  const counts = async () => {
    const { rows } = await sql<{ name: string; read: number }>`
      select relname as name, (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables`.execute(
      db,
    );
    return new Map(rows.map(({ name, read }) => [name, read]));
  };
  const before = await counts();
  const given = await work();
  const after = await counts();
  return { given, read: new Map([...after].map(([name, read]) => [name, read - (before.get(name) ?? 0)])) };
}

function assertLittle({ read }: { read: ReadonlyMap<string, number> }, table: string, counted = 0): void {
  const rows = read.get(table) ?? 0;
  assert.ok(rows <= counted + LITTLE, `${rows} rows of ${table} were read`);
}
