import { type Kysely, sql } from 'kysely';

/**
 * Events, their guests and bookings, and the counts an event is shown with.
 *
 * The counts (`event_tallies`) are kept by triggers in the transaction that changes a guest or a
 * booking, so reading them costs the same for ten guests and for a million
 * (docs/decisions/0003-tallies.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      id uuid primary key,
      organizer_id text not null check (organizer_id <> ''),
      title text not null check (title <> '' and title = btrim(title)),
      event_date timestamptz,
      venue_name text not null check (venue_name <> '' and venue_name = btrim(venue_name)),
      venue_address text check (venue_address <> ''),
      description text check (description <> ''),
      max_guests integer check (max_guests > 0),
      venue_capacity integer check (venue_capacity > 0),
      max_plus_ones_buffer integer not null default 30 check (max_plus_ones_buffer >= 0),
      kashrut_level text not null default 'none'
        constraint events_kashrut_level check (kashrut_level in ('none', 'regular', 'mehadrin', 'chalav_yisrael')),
      noise_curfew_time time(0) not null default '23:00',
      language_pref text not null default 'hebrew'
        constraint events_language_pref check (language_pref in ('hebrew', 'arabic', 'english')),
      budget numeric(12, 2) check (budget > 0),
      retention_policy_days integer not null default 365 check (retention_policy_days >= 0),
      status text not null default 'draft' check (status in ('draft', 'published', 'cancelled', 'completed')),
      compliance_dismissed boolean,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      check (deleted_at is null or status = 'cancelled')
    )`.execute(db);
  // One index for an organizer's list in its order, one for the same list of one status; both answer the total.
  await sql`
    create index events_by_date on events (organizer_id, event_date, id) where deleted_at is null`.execute(
    db,
  );
  await sql`
    create index events_by_status on events (organizer_id, status, event_date, id) where deleted_at is null`.execute(
    db,
  );

  await sql`
    create table guests (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      name text not null check (name <> ''),
      phone text,
      email text,
      rsvp_status text not null default 'pending' check (rsvp_status in ('confirmed', 'pending', 'declined')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index guests_by_event on guests (event_id, id)`.execute(db);

  await sql`
    create table bookings (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      vendor_name text not null check (vendor_name <> ''),
      status text not null default 'pending' check (status in ('pending', 'confirmed', 'cancelled')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    )`.execute(db);
  await sql`create index bookings_by_event on bookings (event_id, id)`.execute(db);

  // fillfactor leaves room in the page, so that counting up rewrites no index.
  await sql`
    create table event_tallies (
      event_id uuid primary key references events on delete cascade,
      rsvp_confirmed integer not null default 0 check (rsvp_confirmed >= 0),
      rsvp_pending integer not null default 0 check (rsvp_pending >= 0),
      rsvp_declined integer not null default 0 check (rsvp_declined >= 0),
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

  await tallyTriggers(db, {
    table: 'guests',
    counted: {
      rsvp_confirmed: "rsvp_status = 'confirmed'",
      rsvp_pending: "rsvp_status = 'pending'",
      rsvp_declined: "rsvp_status = 'declined'",
    },
  });
  await tallyTriggers(db, {
    table: 'bookings',
    counted: { vendors_confirmed: "status = 'confirmed' and deleted_at is null" },
  });
}

/** Statement triggers: an import of 10,000 guests touches its event's tally once. */
async function tallyTriggers(
  db: Kysely<unknown>,
  { table, counted }: { table: string; counted: Record<string, string> },
): Promise<void> {
  const columns = Object.keys(counted);
  const set = columns.map((column) => `${column} = tally.${column} + change.${column}`).join(', ');
  const sums = columns.map((column) => `sum(${column})::integer as ${column}`).join(', ');
  const count = (sign: string) =>
    Object.entries(counted)
      .map(([column, condition]) => `${sign} (case when ${condition} then 1 else 0 end) as ${column}`)
      .join(', ');
  const added = `select event_id, ${count('+')} from new_rows`;
  const removed = `select event_id, ${count('-')} from old_rows`;
  const events = { insert: added, update: `${added} union all ${removed}`, delete: removed };

  for (const [event, changes] of Object.entries(events)) {
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
        from (select event_id, ${sums} from (${changes}) rows group by event_id) change
        where tally.event_id = change.event_id
          and (${columns.map((column) => `change.${column}`).join(', ')}) is distinct from (${columns.map(() => '0').join(', ')});
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
