import { type Kysely, sql } from 'kysely';

/** All of a guest: how to reach them, who comes with them, what they eat, what they answered, their place in line. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await defineSearch(db);
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
      -- People beyond the party, for this guest; null: the event's limit alone.
      max_plus_ones integer check (max_plus_ones between 0 and 99),
      coming integer not null default 0 check (coming between 0 and 100),
      coming_children integer not null default 0 check (coming_children between 0 and coming),
      -- Meals of each kind.
      vegetarian integer not null default 0 check (vegetarian between 0 and 100),
      vegan integer not null default 0 check (vegan between 0 and 100),
      kosher integer not null default 0 check (kosher between 0 and 100),
      mehadrin integer not null default 0 check (mehadrin between 0 and 100),
      chalav_yisrael integer not null default 0 check (chalav_yisrael between 0 and 100),
      childrens_meals integer not null default 0 check (childrens_meals between 0 and 100),
      allergies text check (allergies <> ''),
      note text check (note <> ''),
      message text check (message <> ''),
      -- To the event's own questions, by their ids.
      answers jsonb not null default '{}',
      company text check (company <> ''),
      role text check (role <> ''),
      rsvp_status text not null default 'pending' check (rsvp_status in ('confirmed', 'pending', 'declined')),
      -- They answered that they don't know yet.
      maybe boolean not null default false,
      answered_at timestamptz(3),
      answered_via text check (answered_via in ('organizer', 'link', 'open_link', 'import')),
      waiting_since timestamptz(3),
      waiting_order integer,
      unsubscribed_at timestamptz(3),
      -- Raised when a guest's links are revoked, so that the next one is another one.
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

  // One guest a phone and a mail address: it is by these that an import knows whom it updates.
  await sql`create unique index guests_phone on guests (event_id, phone)`.execute(db);
  await sql`create unique index guests_email on guests (event_id, email)`.execute(db);
  await sql`
    create unique index guests_waiting_list on guests (event_id, waiting_order) where waiting_order is not null`.execute(
    db,
  );
  await sql`
    create index guests_by_answer on guests (event_id, answered_at desc nulls last, id)`.execute(db);
  // The list in the order of names; a search reads an event's part of it from end to end, and so does a status of few.
  await sql`
    create index guests_by_name on guests (event_id, search, id) include (rsvp_status)`.execute(db);

  // What an import is about to write, put here beforehand: the lock of its event then lasts for a copy from table to table.
  await sql`
    create unlogged table staged_guests (
      import_id uuid not null,
      staged_at timestamptz not null default clock_timestamp(),
      is_new boolean not null,
      like guests,
      primary key (import_id, id)
    )`.execute(db);
  await sql`
    alter table staged_guests drop column event_id, drop column search, drop column unsubscribed_at,
      drop column link_version, drop column version, drop column created_at, drop column updated_at`.execute(
    db,
  );
}

/** What of a guest is searched and ordered by: name and phone in one form, on any PostgreSQL and any locale. */
async function defineSearch(db: Kysely<unknown>): Promise<void> {
  // Niqqud, Arabic vowel signs and tatweel are dropped; the forms of alef, ya and ta marbuta are one letter each.
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
