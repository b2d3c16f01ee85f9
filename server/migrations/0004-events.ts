import { type Kysely, sql } from 'kysely';

/** Events, who besides the organizer may see or edit one, and what was done to it. */
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
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3),
      check (deleted_at is null or status = 'cancelled')
    )`.execute(db);
  await sql`
    create trigger events_next_version before update on events
    for each row execute function next_version()`.execute(db);
  // One index for an organizer's list in its order, one for the same list of one status.
  await sql`
    create index events_by_date on events (organizer_id, event_date, id) where deleted_at is null`.execute(
    db,
  );
  await sql`
    create index events_by_status on events (organizer_id, status, event_date, id) where deleted_at is null`.execute(
    db,
  );

  // By the address they sign in with: who is invited may not be a user yet.
  await sql`
    create table co_organizers (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      email text not null check (email <> '' and email = lower(email)),
      access text not null check (access in ('view', 'edit')),
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      unique (event_id, email)
    )`.execute(db);
  await sql`
    create trigger co_organizers_next_version before update on co_organizers
    for each row execute function next_version()`.execute(db);
  await sql`create index co_organizers_by_email on co_organizers (email, event_id)`.execute(db);

  await sql`
    create table history (
      id bigint generated always as identity primary key,
      event_id uuid not null references events on delete cascade,
      at timestamptz(3) not null,
      actor_kind text not null check (actor_kind in ('organizer', 'guest', 'system')),
      actor_id text,
      actor_email text,
      subject text not null check (subject <> ''),
      subject_id uuid,
      action text not null check (action <> ''),
      changes jsonb
    )`.execute(db);
  await sql`create index history_by_event on history (event_id, id)`.execute(db);
  // What a live stream tells stands here, and the numbers rise in the order of an event's commits: at commit every
  // server is told of which event there is more to read. Not of what no stream tells: commits that notify wait for one
  // another.
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
