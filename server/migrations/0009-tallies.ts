import { type Kysely, sql } from 'kysely';

/**
 * The counts an event is shown with. Triggers keep them in the transaction that changes a guest or a booking, so
 * reading them costs the same for ten guests and for a million (docs/decisions/0003-tallies.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // fillfactor leaves room in the page, so that counting up rewrites no index.
  await sql`
    create table event_tallies (
      event_id uuid primary key references events on delete cascade,
      rsvp_confirmed integer not null default 0 check (rsvp_confirmed >= 0),
      rsvp_pending integer not null default 0 check (rsvp_pending >= 0),
      rsvp_declined integer not null default 0 check (rsvp_declined >= 0),
      people integer not null default 0 check (people >= 0),
      plus_ones integer not null default 0 check (plus_ones >= 0),
      waiting integer not null default 0 check (waiting >= 0),
      vendors_confirmed integer not null default 0 check (vendors_confirmed >= 0)
    ) with (fillfactor = 70)`.execute(db);

  await sql`
    create function start_tally() returns trigger language plpgsql as $$
    begin
      insert into event_tallies (event_id) select id from new_rows;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger events_start_tally after insert on events
    referencing new table as new_rows for each statement execute function start_tally()`.execute(db);

  // Beside guests, the people who come, those of them who were not invited, and who waits.
  await tallyTriggers(db, 'guests', {
    rsvp_confirmed: "(rsvp_status = 'confirmed')::integer",
    rsvp_pending: "(rsvp_status = 'pending')::integer",
    rsvp_declined: "(rsvp_status = 'declined')::integer",
    // A confirmed guest is at least one person, whoever wrote the row.
    people: "case when rsvp_status = 'confirmed' then greatest(coming, 1) else 0 end",
    plus_ones: "case when rsvp_status = 'confirmed' then greatest(coming - party_size, 0) else 0 end",
    waiting: '(waiting_order is not null)::integer',
  });
  await tallyTriggers(db, 'bookings', {
    vendors_confirmed: "(status = 'confirmed' and deleted_at is null)::integer",
  });
}

/** Statement triggers: an import of 10,000 guests touches its event's tally once. */
async function tallyTriggers(
  db: Kysely<unknown>,
  table: string,
  counted: Record<string, string>,
): Promise<void> {
  const columns = Object.keys(counted);
  const set = columns.map((column) => `${column} = tally.${column} + change.${column}`).join(', ');
  const sums = columns.map((column) => `sum(${column})::integer as ${column}`).join(', ');
  const count = (sign: string) =>
    Object.entries(counted)
      .map(([column, value]) => `${sign} (${value}) as ${column}`)
      .join(', ');
  const added = `select event_id, ${count('+')} from new_rows`;
  const removed = `select event_id, ${count('-')} from old_rows`;
  const changes = { insert: added, update: `${added} union all ${removed}`, delete: removed };

  for (const [event, rows] of Object.entries(changes)) {
    const name = `tally_${table}_${event}`;
    const referencing = [
      event !== 'delete' && 'new table as new_rows',
      event !== 'insert' && 'old table as old_rows',
    ];
    await sql
      .raw(`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        update event_tallies tally set ${set}
        from (select event_id, ${sums} from (${rows}) rows group by event_id) change
        where tally.event_id = change.event_id
          and (${columns.map((column) => `change.${column}`).join(', ')})
            is distinct from (${columns.map(() => '0').join(', ')});
        return null;
      end $$`)
      .execute(db);
    await sql
      .raw(`
      create trigger ${name} after ${event} on ${table}
      referencing ${referencing.filter(Boolean).join(' ')} for each statement execute function ${name}()`)
      .execute(db);
  }
}
