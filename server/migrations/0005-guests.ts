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
      coming integer not null default 0 check (coming between 0 and 100),
      kashrut_level text check (kashrut_level in ('none', 'regular', 'mehadrin', 'chalav_yisrael')),
      vegetarian boolean not null default false,
      vegan boolean not null default false,
      allergies text check (allergies <> ''),
      note text check (note <> ''),
      message text check (message <> ''),
      rsvp_status text not null default 'pending' check (rsvp_status in ('confirmed', 'pending', 'declined')),
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
      keys integer[] not null
        generated always as (
          guest_own_keys(event_id, name, phone, tags, kashrut_level, vegetarian, vegan, allergies)
        ) stored,
      constraint guests_waiting check (
        (waiting_since is null) = (waiting_order is null)
        and (waiting_since is null or (rsvp_status = 'pending' and coming > 0)))
    )`.execute(db);
  await sql`
    create trigger guests_next_version before update on guests
    for each row execute function next_version()`.execute(db);

  await sql`create index guests_by_event on guests (event_id, id)`.execute(db);
  // One guest a phone and a mail address: it is by these that an import knows whom it updates.
  await sql`create unique index guests_phone on guests (event_id, phone)`.execute(db);
  await sql`create unique index guests_email on guests (event_id, email)`.execute(db);
  await sql`
    create unique index guests_waiting_list on guests (event_id, waiting_order) where waiting_order is not null`.execute(
    db,
  );
  await sql`
    create index guests_by_answer on guests (event_id, answered_at desc nulls last, id)`.execute(db);
  await sql`create index guests_by_name on guests (event_id, search, id)`.execute(db);
  await sql`create index guests_by_status on guests (event_id, rsvp_status, search, id)`.execute(db);
  // New keys are gathered before they are sorted in: an import writes twice as fast, and a search reads a little more.
  await sql`
    create index guests_by_keys on guests using gin (keys)
    with (fastupdate = on, gin_pending_list_limit = 512)`.execute(db);

  await announceAnswers(db);
}

/**
 * A part of a name or phone is found by `keys`, an index of its two- and three-letter pieces, salted with the
 * event: a search takes the time of the event's own matches, on any PostgreSQL and any locale, with no extension.
 */
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
  // The pieces of a term that a text must have, and the labels that a guest must have, to be found by them.
  await sql`
    create function guest_keys(event uuid, term text, labels text[]) returns integer[]
    language sql immutable parallel safe as $$
      select coalesce(array_agg(hashtext(piece) # uuid_hash(event)), '{}') from (
        select substr(term, i, size) as piece
        from generate_series(least(greatest(length(term), 2), 3), 3) size,
          generate_series(1, length(term) - size + 1) i
        union all
        select '#' || label from unnest(labels) label
      ) pieces
    $$`.execute(db);
  // Loops, because it is worked out for every guest written: the same as a query takes six times as long.
  await sql`
    create function guest_own_keys(
      event uuid, name text, phone text, tags text[],
      kashrut_level text, vegetarian boolean, vegan boolean, allergies text
    ) returns integer[] language plpgsql immutable parallel safe as $$
    declare
      body text := guest_search_text(name, phone);
      salt integer := uuid_hash(event);
      keys integer[] := '{}';
      label text;
    begin
      for i in 1 .. length(body) - 1 loop
        keys := keys || (hashtext(substr(body, i, 2)) # salt);
        if i < length(body) - 1 then
          keys := keys || (hashtext(substr(body, i, 3)) # salt);
        end if;
      end loop;
      foreach label in array tags loop
        keys := keys || (hashtext('#tag:' || label) # salt);
      end loop;
      foreach label in array array[
        kashrut_level,
        case when vegetarian then 'vegetarian' end,
        case when vegan then 'vegan' end,
        case when allergies is not null then 'allergies' end
      ] loop
        if label is not null then
          keys := keys || (hashtext('#diet:' || label) # salt);
        end if;
      end loop;
      return keys;
    end $$`.execute(db);
}

/** Tells every server, at commit, which events' guests changed and who answered; of many at once, only that they did. */
async function announceAnswers(db: Kysely<unknown>): Promise<void> {
  const changes = {
    insert: 'select event_id, case when answered_at is not null then id end as answered from new_rows',
    update: `
      select next.event_id, case when (next.answered_at, next.rsvp_status, next.coming, next.waiting_order)
        is distinct from (prior.answered_at, prior.rsvp_status, prior.coming, prior.waiting_order)
        then next.id end as answered
      from new_rows next join old_rows prior on prior.id = next.id`,
    delete: 'select event_id, null::uuid as answered from old_rows',
  };
  for (const [event, rows] of Object.entries(changes)) {
    const referencing = [
      event !== 'delete' && 'new table as new_rows',
      event !== 'insert' && 'old table as old_rows',
    ];
    await sql
      .raw(`
      create function announce_guests_${event}() returns trigger language plpgsql as $$
      begin
        perform pg_notify('simcha_guests', json_build_object(
          'event', event_id,
          'answered', case when count(answered) <= 50
            then coalesce(array_agg(answered) filter (where answered is not null), '{}') end
        )::text)
        from (${rows}) rows group by event_id;
        return null;
      end $$`)
      .execute(db);
    await sql
      .raw(`
      create trigger guests_announce_${event} after ${event} on guests
      referencing ${referencing.filter(Boolean).join(' ')}
      for each statement execute function announce_guests_${event}()`)
      .execute(db);
  }
}
