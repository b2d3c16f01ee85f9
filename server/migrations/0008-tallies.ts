import { type Kysely, sql } from 'kysely';

/**
 * Counts of each event's guests and bookings, and of each organizer's events. Triggers update them in the transaction
 * of the change, so reading them costs the same for ten and for a million (docs/decisions/0003-tallies.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEventTallies(db);
  await countGuests(db);
  await countHolds(db);
  await countBookings(db);
  await createOrganizerTallies(db);
  await countEvents(db);
}

async function createEventTallies(db: Kysely<unknown>): Promise<void> {
  // Fillfactor leaves room in each page, so that an update of the counts changes no index.
  await sql`
    create table event_tallies (
      event_id uuid primary key references events on delete cascade,
      rsvp_confirmed integer not null default 0 check (rsvp_confirmed >= 0),
      rsvp_pending integer not null default 0 check (rsvp_pending >= 0),
      rsvp_declined integer not null default 0 check (rsvp_declined >= 0),
      invited integer not null default 0 check (invited >= 0),
      people integer not null default 0 check (people >= 0),
      children integer not null default 0 check (children >= 0),
      plus_ones integer not null default 0 check (plus_ones >= 0),
      maybe integer not null default 0 check (maybe >= 0),
      waiting integer not null default 0 check (waiting >= 0),
      held integer not null default 0 check (held >= 0),
      held_waiting integer not null default 0 check (held_waiting >= 0),
      vendors_confirmed integer not null default 0 check (vendors_confirmed >= 0)
    ) with (fillfactor = 70)`.execute(db);

  // Trigger that gives each new event its row of counts.
  await sql`
    create function start_tally() returns trigger language plpgsql as $$
    begin
      insert into event_tallies (event_id) select id from new_rows;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger events_start_tally after insert on events
    referencing new table as new_rows for each statement execute function start_tally()`.execute(db);
}

function countGuests(db: Kysely<unknown>): Promise<void> {
  return createTallyTriggers(db, {
    table: 'guests',
    owner: 'event_id',
    counted: {
      rsvp_confirmed: "(rsvp_status = 'confirmed')::integer",
      rsvp_pending: "(rsvp_status = 'pending')::integer",
      rsvp_declined: "(rsvp_status = 'declined')::integer",
      // Number of people in the invited parties.
      invited: 'party_size',
      // Number of people who come: at least one for each confirmed guest, whoever wrote the row.
      people: "case when rsvp_status = 'confirmed' then greatest(coming, 1) else 0 end",
      children: "case when rsvp_status = 'confirmed' then coming_children else 0 end",
      // Number of people who come beyond the invited parties.
      plus_ones: "case when rsvp_status = 'confirmed' then greatest(coming - party_size, 0) else 0 end",
      maybe: 'maybe::integer',
      waiting: '(waiting_order is not null)::integer',
    },
    body: updateEventTally,
  });
}

function countHolds(db: Kysely<unknown>): Promise<void> {
  return createTallyTriggers(db, {
    table: 'request_confirmations',
    owner: 'event_id',
    counted: {
      // Number of people for whom places are held until their registration is confirmed by mail.
      held: 'case when waiting_order is null then coalesce(held, 0) else 0 end',
      // Number of such registrations that have a turn on the waiting list.
      held_waiting: '(waiting_order is not null)::integer',
    },
    body: updateEventTally,
  });
}

function countBookings(db: Kysely<unknown>): Promise<void> {
  return createTallyTriggers(db, {
    table: 'bookings',
    owner: 'event_id',
    counted: { vendors_confirmed: "(status = 'confirmed' and deleted_at is null)::integer" },
    body: updateEventTally,
  });
}

/**
 * Counts change under the lock of their event, which nearly every transaction has already. An import, which writes its
 * guests before it locks the event, gets the lock here, in the order of all others: first the event, then its counts.
 */
function updateEventTally({ changes, set }: Change): string {
  return `
      declare
        change record;
      begin
        for change in ${changes} order by event_id loop
          perform from events where id = change.event_id for no key update;
          update event_tallies tally set ${set} where tally.event_id = change.event_id;
        end loop;
        return null;
      end`;
}

/**
 * Counts of an organizer's events by status, as the sum of one row or several: a transaction updates a row that no other
 * transaction has locked, or adds one, so two of the same organizer never wait for each other. A single row may
 * therefore be below zero.
 */
async function createOrganizerTallies(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizer_tallies (
      id bigint generated always as identity primary key,
      organizer_id text not null,
      draft integer not null default 0,
      published integer not null default 0,
      cancelled integer not null default 0,
      completed integer not null default 0
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index organizer_tallies_by_organizer on organizer_tallies (organizer_id)`.execute(db);
}

function countEvents(db: Kysely<unknown>): Promise<void> {
  const statuses = ['draft', 'published', 'cancelled', 'completed'];
  return createTallyTriggers(db, {
    table: 'events',
    owner: 'organizer_id',
    counted: Object.fromEntries(
      statuses.map((status) => [status, `(status = '${status}' and deleted_at is null)::integer`]),
    ),
    body: ({ changes, set }) => `
      declare
        change record;
      begin
        for change in ${changes} loop
          update organizer_tallies tally set ${set}
          where tally.id = (
            select free.id from organizer_tallies free where free.organizer_id = change.organizer_id
            limit 1 for update skip locked
          );
          if not found then
            insert into organizer_tallies (organizer_id, ${statuses.join(', ')})
            values (change.organizer_id, ${statuses.map((status) => `change.${status}`).join(', ')});
          end if;
        end loop;
        return null;
      end`,
  });
}

interface Change {
  /**
   * Query that gives, for each event or organizer, what a statement adds to its stored counts. Those whose counts stay
   * the same are left out.
   */
  changes: string;
  /** Assignments of an update that add the numbers in a row of the query `changes` to the stored counts. */
  set: string;
}

interface TallyTriggers {
  /** Table whose rows the triggers count. */
  table: string;
  /** Column with the id of the event or organizer whose counts a row changes. */
  owner: string;
  /** Columns of stored counts, each with the SQL expression for what one row of the table adds to it. */
  counted: Record<string, string>;
  /** SQL body of a trigger's function. */
  body: (change: Change) => string;
}

/** Creates statement triggers: an import of 10,000 guests updates its event's counts once. */
async function createTallyTriggers(
  db: Kysely<unknown>,
  { table, owner, counted, body }: TallyTriggers,
): Promise<void> {
  const columns = Object.keys(counted);
  const set = columns.map((column) => `${column} = tally.${column} + change.${column}`).join(', ');
  const count = (sign: string) =>
    Object.entries(counted)
      .map(([column, value]) => `${sign} (${value}) as ${column}`)
      .join(', ');
  const added = `select ${owner}, ${count('+')} from new_rows`;
  const removed = `select ${owner}, ${count('-')} from old_rows`;
  const rowsOf = { insert: added, update: `${added} union all ${removed}`, delete: removed };

  for (const [event, rows] of Object.entries(rowsOf)) {
    const changes = `
          select ${owner}, ${columns.map((column) => `sum(${column})::integer as ${column}`).join(', ')}
          from (${rows}) rows group by ${owner}
          having ${columns.map((column) => `sum(${column}) <> 0`).join(' or ')}`;
    const name = `tally_${table}_${event}`;
    const referencing = [
      event !== 'delete' && 'new table as new_rows',
      event !== 'insert' && 'old table as old_rows',
    ];
    await sql
      .raw(`create function ${name}() returns trigger language plpgsql as $$${body({ changes, set })} $$`)
      .execute(db);
    await sql
      .raw(`
      create trigger ${name} after ${event} on ${table}
      referencing ${referencing.filter(Boolean).join(' ')} for each statement execute function ${name}()`)
      .execute(db);
  }
}
