import { type Kysely, sql } from 'kysely';

/** Events, the people who may see or edit them, and all data of an event except guests, messages and vendors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEvents(db);
  await createCoOrganizers(db);
  await createHistory(db);
  await createHistoryNotifications(db);
  await createChecklist(db);
  await createAgenda(db);
  await createExampleEvents(db);
  await createOrganizerVisits(db);
  await createCalendarFeeds(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
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
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      -- Status before the deletion, which cancels the event; restoring the event sets it again.
      deleted_as text check (deleted_as in ('draft', 'published', 'cancelled', 'completed')),
      check (deleted_at is null or status = 'cancelled'),
      check (deleted_as is null or deleted_at is not null)
    )`.execute(db);
  await sql`
    create trigger events_next_version before update on events
    for each row execute function next_version()`.execute(db);
  await sql`
    create index events_by_date on events (organizer_id, event_date, id) where deleted_at is null`.execute(
    db,
  );
  await sql`
    create index events_by_status on events (organizer_id, status, event_date, id) where deleted_at is null`.execute(
    db,
  );
  await sql`
    create index events_deleted on events (organizer_id, deleted_at desc) where deleted_at is not null`.execute(
    db,
  );
  // Index of all organizers' events by date, for messages that are sent when an event is near.
  await sql`
    create index events_to_come on events (event_date) where status = 'published' and deleted_at is null`.execute(
    db,
  );
}

/** Co-organizers, by the mail address that they sign in with: somebody who is invited may not be a user yet. */
async function createCoOrganizers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table co_organizers (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      email text not null check (email <> '' and email = lower(email)),
      access text not null check (access in ('view', 'view_without_contacts', 'edit')),
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      unique (event_id, email)
    )`.execute(db);
  await sql`
    create trigger co_organizers_next_version before update on co_organizers
    for each row execute function next_version()`.execute(db);
  await sql`create index co_organizers_by_email on co_organizers (email, event_id)`.execute(db);
}

/** Changes of an event. Their ids rise in the order of the event's commits, because its row is locked meanwhile. */
async function createHistory(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table history (
      id bigint generated always as identity primary key,
      event_id uuid not null references events on delete cascade,
      at timestamptz(3) not null,
      actor_kind text not null check (actor_kind in ('organizer', 'guest', 'system')),
      actor_id text,
      actor_email text,
      -- Name of the access token with which the change was made.
      actor_token text,
      subject text not null check (subject <> ''),
      subject_id uuid,
      action text not null check (action <> ''),
      changes jsonb
    )`.execute(db);
  await sql`create index history_by_event on history (event_id, id)`.execute(db);
  // Each partial index finds the few lines of one kind in an event's long history without reading the rest.
  await sql`
    create index history_answers on history (event_id, at, subject_id)
    where subject = 'guest' and (
      action = 'moved_up'
      or (action = 'answered' and actor_kind = 'guest')
      or (action = 'accepted' and actor_kind = 'system')
    )`.execute(db);
  // Index of changes of the event's own fields, for earlier values of its time and place.
  await sql`
    create index history_of_events on history (event_id, id) where subject = 'event' and action = 'changed'`.execute(
    db,
  );
  // Mail address that the organizer had when they last changed the event.
  await sql`
    create index history_addresses on history (event_id, actor_id, id) include (actor_email)
    where actor_kind = 'organizer' and actor_email is not null`.execute(db);
}

/**
 * Notifications to servers with live streams, sent at commit: the event that has new lines, and its last line. Commits
 * that notify wait for one another, so lines that no stream shows send none.
 */
async function createHistoryNotifications(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function announce_history() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_history', json_build_object('event', event_id, 'id', max(id))::text)
      from new_rows
      where subject in ('guest', 'guest_request') or (subject = 'event' and action = 'changed')
      group by event_id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger history_announce after insert on history referencing new table as new_rows
    for each statement execute function announce_history()`.execute(db);
}

/**
 * Facts on which an event's checklist depends, and the progress of items that somebody has changed
 * (planning/checklist/rules.ts).
 */
async function createChecklist(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_facts (
      event_id uuid primary key references events on delete cascade,
      outdoors boolean not null,
      alcohol boolean not null,
      amplified_music boolean not null,
      temporary_structures boolean not null,
      fire_effects boolean not null,
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger event_facts_next_version before update on event_facts
    for each row execute function next_version()`.execute(db);

  await sql`
    create table checklist_items (
      event_id uuid not null references events on delete cascade,
      item text not null check (item <> ''),
      state text not null check (state in ('open', 'in_progress', 'done')),
      dismissed boolean not null,
      note text,
      version integer not null default 1,
      updated_at timestamptz(3) not null,
      primary key (event_id, item)
    )`.execute(db);
  await sql`
    create trigger checklist_items_next_version before update on checklist_items
    for each row execute function next_version()`.execute(db);
}

async function createAgenda(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agenda_items (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      -- Minutes from the event's start, so that the agenda moves along with the event.
      starts_after integer not null,
      lasts_minutes integer check (lasts_minutes > 0),
      title text not null check (title <> ''),
      speaker text check (speaker <> ''),
      place text check (place <> ''),
      description text check (description <> ''),
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger agenda_items_next_version before update on agenda_items
    for each row execute function next_version()`.execute(db);
  await sql`create index agenda_items_by_event on agenda_items (event_id, starts_after, id)`.execute(db);
}

/** Example event that an organizer tries things on, and the vendors that came with it: all are deleted together. */
async function createExampleEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table example_events (
      organizer_id text primary key check (organizer_id <> ''),
      event_id uuid not null unique references events on delete cascade,
      vendor_ids uuid[] not null
    )`.execute(db);
}

/** Organizers' visits to the list of changes, on any device. */
async function createOrganizerVisits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizer_visits (
      organizer_id text primary key check (organizer_id <> ''),
      seen_at timestamptz(3) not null,
      -- End of the visit before: later changes are new.
      since timestamptz(3) not null check (since <= seen_at)
    )`.execute(db);
}

/**
 * Secret addresses of organizers' calendar feeds. A closed feed keeps its row, so that its next address is different.
 */
async function createCalendarFeeds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table calendar_feeds (
      organizer_id text primary key check (organizer_id <> ''),
      -- Organizer's mail address, by which other organizers share events with them.
      email text,
      token_hash bytea unique check (octet_length(token_hash) = 32),
      link_version integer not null default 0,
      language text not null check (language in ('hebrew', 'arabic', 'english')),
      payments boolean not null,
      approvals boolean not null,
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger calendar_feeds_next_version before update on calendar_feeds
    for each row execute function next_version()`.execute(db);
}
