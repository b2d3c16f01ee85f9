import { type Kysely, sql } from 'kysely';

/** How an event invites, the rounds to its guests, and what goes out by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      event_id uuid primary key references events on delete cascade,
      -- By language, as all that guests read.
      hosts jsonb,
      contact_name jsonb,
      picture_alt jsonb,
      -- What they read in place of the event's own title, description and venue.
      title jsonb,
      words jsonb,
      venue_name jsonb,
      venue_address jsonb,
      contact_phone text check (contact_phone ~ '^\\+[0-9]{6,15}$'),
      contact_email text check (contact_email = lower(contact_email)),
      -- null: where there is a place to be found.
      map boolean,
      coordinates text,
      -- What the event said of its venue when they were given: another one is somewhere else, and called otherwise.
      coordinates_of text,
      venue_name_of text,
      venue_address_of text,
      -- null: unless people register or the event is in Arabic.
      hebrew_date boolean,
      online_url text,
      -- A length and not an end: an event that is moved lasts as long as before.
      lasts_minutes integer check (lasts_minutes between 1 and 44640),
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger invitations_next_version before update on invitations
    for each row execute function next_version()`.execute(db);

  await sql`
    create table rounds (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      kind text not null check (kind in (
        'save_the_date', 'invitation', 'reminder', 'change', 'cancellation', 'see_you', 'thanks', 'message',
        'moved_up', 'accepted'
      )),
      asks_for_answer boolean not null generated always as (kind in ('invitation', 'reminder')) stored,
      automatic boolean not null default false,
      channel text not null check (channel in ('mail', 'sms', 'whatsapp', 'by_hand', 'phone')),
      -- The organizer's own words, by language.
      subject jsonb,
      message jsonb,
      -- Also those who answered already.
      also_answered boolean not null default false,
      -- Whom it is for, until they are looked up: then each has a row of their own.
      choice jsonb,
      send_at timestamptz(3),
      begun_at timestamptz(3),
      called_off_at timestamptz(3),
      called_off_because text check ((called_off_because is null) = (called_off_at is null)),
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      check (begun_at is null or called_off_at is null),
      check (begun_at is not null or send_at is not null),
      check (choice is null or (begun_at is null and called_off_at is null))
    )`.execute(db);
  await sql`
    create trigger rounds_next_version before update on rounds
    for each row execute function next_version()`.execute(db);
  await sql`create index rounds_by_event on rounds (event_id, id)`.execute(db);

  // One row a guest and round, so however often a job is worked again there is one mail.
  await sql`
    create table round_guests (
      round_id uuid not null references rounds on delete cascade,
      guest_id uuid not null references guests on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'written', 'left_out')),
      left_out text check ((left_out is not null) = (status = 'left_out')),
      -- Of mails or of texts, by the round's channel.
      message_id uuid,
      -- When somebody sent it by hand, or reached them.
      sent_at timestamptz(3),
      -- Calls: how many, what came of the last, when the next may be, and who has the guest at hand.
      tries integer not null default 0,
      outcome text,
      call_at timestamptz(3),
      taken_by text,
      taken_until timestamptz(3) check ((taken_until is null) = (taken_by is null)),
      -- The state of the event (its updated_at) whose date and place the mail tells; null where it tells none.
      told_as_of timestamptz(3),
      primary key (round_id, guest_id),
      check (num_nonnulls(message_id, sent_at) = case when status = 'written' then 1 else 0 end)
    )`.execute(db);
  await sql`
    create index round_guests_waiting on round_guests (round_id, guest_id)
    where status = 'waiting'`.execute(db);
  await sql`create index round_guests_by_guest on round_guests (guest_id)`.execute(db);

  await sql`
    create table round_calls (
      id bigint generated always as identity primary key,
      round_id uuid not null,
      guest_id uuid not null,
      at timestamptz(3) not null,
      outcome text not null check (outcome in ('reached', 'no_answer', 'call_again', 'wrong_number')),
      note text check (note <> ''),
      call_again_at timestamptz(3),
      foreign key (round_id, guest_id) references round_guests on delete cascade
    )`.execute(db);
  await sql`create index round_calls_by_guest on round_calls (guest_id, round_id)`.execute(db);

  await sql`
    create table notices (
      event_id uuid primary key references events on delete cascade,
      moved_up boolean not null,
      accepted boolean not null,
      declined boolean not null,
      day_before boolean not null,
      digest boolean not null,
      -- How guests are told, the first that reaches them.
      channels text[] not null check (channels <@ '{mail,sms,whatsapp}' and channels <> '{}'),
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger notices_next_version before update on notices
    for each row execute function next_version()`.execute(db);

  // Those whose day is near, of all organizers.
  await sql`
    create index events_to_come on events (event_date) where status = 'published' and deleted_at is null`.execute(
    db,
  );

  // Up to which line of an event's history its organizer was told what guests do.
  await sql`
    create table event_digests (
      event_id uuid primary key references events on delete cascade,
      told_line bigint not null,
      told_at timestamptz(3) not null
    )`.execute(db);
}
