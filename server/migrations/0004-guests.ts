import { type Kysely, sql } from 'kysely';

/** Guests of an event: the list, deleted guests, and the erasure of their data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createGuestSearch(db);
  await createGuests(db);
  await createGuestIndexes(db);
  await createStagedGuests(db);
  await createDeletedGuests(db);
  await createEventRetention(db);
}

/** Text by which guests are searched and sorted: name and phone in one form, on any PostgreSQL and any locale. */
async function createGuestSearch(db: Kysely<unknown>): Promise<void> {
  // Niqqud, Arabic vowel signs and tatweel are removed; the forms of alef, ya and ta marbuta become one letter each.
  await sql`
    create function guest_search_form(body text) returns text language sql immutable parallel safe as $$
      select lower(translate(
        regexp_replace(normalize(body, NFKC), '[\\u0591-\\u05C7\\u064B-\\u0652\\u0640]', '', 'g'),
        'أإآىة', 'ااايه') collate "C")
    $$`.execute(db);
  await sql`
    create function guest_search_text(name text, phone text) returns text language sql immutable parallel safe as $$
      select guest_search_form(name) || coalesce(' ' || substr(phone, 2), '')
    $$`.execute(db);
}

async function createGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table guests (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      name text not null check (name <> ''),
      phone text constraint guests_phone_form check (phone ~ '^\\+[0-9]{6,15}$'),
      email text constraint guests_email_form check (email = lower(email)),
      tags text[] not null default '{}',
      language text check (language in ('hebrew', 'arabic', 'english')),
      party_size integer not null default 1 check (party_size between 1 and 100),
      party_children integer not null default 0 check (party_children between 0 and party_size),
      -- Maximum number of people beyond the party; null: the event's limits apply.
      max_plus_ones integer check (max_plus_ones between 0 and 99),
      coming integer not null default 0 check (coming between 0 and 100),
      coming_children integer not null default 0 check (coming_children between 0 and coming),
      -- Number of meals of each kind.
      vegetarian integer not null default 0 check (vegetarian between 0 and 100),
      vegan integer not null default 0 check (vegan between 0 and 100),
      kosher integer not null default 0 check (kosher between 0 and 100),
      mehadrin integer not null default 0 check (mehadrin between 0 and 100),
      chalav_yisrael integer not null default 0 check (chalav_yisrael between 0 and 100),
      childrens_meals integer not null default 0 check (childrens_meals between 0 and 100),
      allergies text check (allergies <> ''),
      note text check (note <> ''),
      message text check (message <> ''),
      -- Answers to the event's questions, by the questions' ids.
      answers jsonb not null default '{}',
      company text check (company <> ''),
      role text check (role <> ''),
      rsvp_status text not null default 'pending' check (rsvp_status in ('confirmed', 'pending', 'declined')),
      -- True if the guest answered "maybe".
      maybe boolean not null default false,
      answered_at timestamptz(3),
      answered_via text check (answered_via in ('organizer', 'link', 'open_link', 'import')),
      waiting_since timestamptz(3),
      waiting_order integer,
      unsubscribed_at timestamptz(3),
      -- Number of times that the guest's links were revoked, so that the next link is different.
      link_version integer not null default 0,
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      search text collate "C" not null
        generated always as (guest_search_text(name, phone)) stored,
      constraint guests_maybe check (not maybe or (rsvp_status = 'pending' and waiting_order is null)),
      constraint guests_waiting check (
        (waiting_since is null) = (waiting_order is null)
        and (waiting_since is null or (rsvp_status = 'pending' and coming > 0)))
    )`.execute(db);
  await sql`
    create trigger guests_next_version before update on guests
    for each row execute function next_version()`.execute(db);
}

async function createGuestIndexes(db: Kysely<unknown>): Promise<void> {
  // Phone and mail address are unique in an event: an import recognises guests by them.
  await sql`create unique index guests_phone on guests (event_id, phone)`.execute(db);
  await sql`create unique index guests_email on guests (event_id, email)`.execute(db);
  await sql`
    create unique index guests_waiting_list on guests (event_id, waiting_order) where waiting_order is not null`.execute(
    db,
  );
  await sql`
    create index guests_by_answer on guests (event_id, answered_at desc nulls last, id)`.execute(db);
  // Index for the list sorted by name. A search scans an event's part of it, and so does a filter by a rare status.
  await sql`
    create index guests_by_name on guests (event_id, search, id) include (rsvp_status)`.execute(db);
}

/**
 * Guests that an import is about to write: preparing them here keeps the event's lock short, because under it they are
 * only copied from table to table. The columns are those of guests that an import can set.
 */
async function createStagedGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table staged_guests (
      import_id uuid not null,
      staged_at timestamptz not null default clock_timestamp(),
      is_new boolean not null,
      id uuid not null,
      name text not null,
      phone text,
      email text,
      tags text[] not null,
      language text,
      party_size integer not null,
      party_children integer not null,
      max_plus_ones integer,
      coming integer not null,
      coming_children integer not null,
      vegetarian integer not null,
      vegan integer not null,
      kosher integer not null,
      mehadrin integer not null,
      chalav_yisrael integer not null,
      childrens_meals integer not null,
      allergies text,
      note text,
      message text,
      answers jsonb not null,
      company text,
      role text,
      rsvp_status text not null,
      maybe boolean not null,
      answered_at timestamptz(3),
      answered_via text,
      waiting_since timestamptz(3),
      waiting_order integer,
      primary key (import_id, id)
    )`.execute(db);
}

/** Deleted guests, as long as they can be restored. */
async function createDeletedGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deleted_guests (
      guest_id uuid primary key,
      event_id uuid not null references events on delete cascade,
      deleted_at timestamptz(3) not null,
      -- Snapshot of the guest's rows, by table.
      kept jsonb not null
    )`.execute(db);
  await sql`create index deleted_guests_by_event on deleted_guests (event_id, deleted_at desc)`.execute(db);
  await sql`create index deleted_guests_by_age on deleted_guests (deleted_at)`.execute(db);
}

/** Erasure of an event's guests: the announcement to its organizer, and the erasure itself. */
async function createEventRetention(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_retention (
      event_id uuid primary key references events on delete cascade,
      -- Date of the event when the organizer was notified, and the time of that mail.
      told_for date,
      told_at timestamptz(3),
      erased_at timestamptz(3)
    )`.execute(db);

  // Guests who are added or changed after an erasure are new data, which must be erased again.
  await sql`
    create function forget_erasure() returns trigger language plpgsql as $$
    begin
      update event_retention set erased_at = null
      where erased_at is not null and event_id in (select event_id from new_rows);
      return null;
    end $$`.execute(db);
  for (const event of ['insert', 'update']) {
    await sql`
      create trigger ${sql.ref(`guests_forget_erasure_${event}`)} after ${sql.raw(event)} on guests
      referencing new table as new_rows for each statement execute function forget_erasure()`.execute(db);
  }
}
