import { type Kysely, sql } from 'kysely';

/** Messages: the invitation, rounds to guests, automatic messages, and the daily mail to organizers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createInvitations(db);
  await createPictures(db);
  await createRounds(db);
  await createRoundGuests(db);
  await createRoundCalls(db);
  await createNotices(db);
  await createEventDigests(db);
  await createAnswerConfirmations(db);
  await createCalendarEntries(db);
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      event_id uuid primary key references events on delete cascade,
      -- Texts for guests are stored by language.
      hosts jsonb,
      contact_name jsonb,
      picture_alt jsonb,
      -- Texts that replace the event's title, description and venue for guests.
      title jsonb,
      words jsonb,
      venue_name jsonb,
      venue_address jsonb,
      contact_phone text check (contact_phone ~ '^\\+[0-9]{6,15}$'),
      contact_email text check (contact_email = lower(contact_email)),
      -- Whether guests get a map; null: if there are coordinates or an address.
      map boolean,
      coordinates text,
      -- Venue of the event at the time each of these was set: they do not apply to another venue.
      coordinates_of text,
      venue_name_of text,
      venue_address_of text,
      -- Whether the Hebrew date is shown; null: unless people register or the event is in Arabic.
      hebrew_date boolean,
      online_url text,
      -- Duration instead of an end, so that it stays when the event moves.
      lasts_minutes integer check (lasts_minutes between 1 and 44640),
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger invitations_next_version before update on invitations
    for each row execute function next_version()`.execute(db);
}

/** Picture of an invitation, in several sizes. */
async function createPictures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pictures (
      event_id uuid not null references events on delete cascade,
      size text not null check (size in ('large', 'small', 'preview')),
      -- Random part of the address; a new picture gets a new one.
      key text not null,
      width integer not null,
      height integer not null,
      created_at timestamptz(3) not null,
      content bytea not null check (octet_length(content) between 1 and 2097152),
      primary key (event_id, size),
      unique (key, size)
    )`.execute(db);
  // JPEG can't be compressed further. PostgreSQL 15 has no storage clause in `create table`.
  await sql`alter table pictures alter column content set storage external`.execute(db);
}

async function createRounds(db: Kysely<unknown>): Promise<void> {
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
      -- Organizer's own texts, by language.
      subject jsonb,
      message jsonb,
      -- Whether guests who have answered get it too.
      also_answered boolean not null default false,
      -- Filter for the guests, until the round begins; then each guest has a row in round_guests.
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
}

/** Guests of a round. A guest has one row in it, so a job that runs again sends no second message. */
async function createRoundGuests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table round_guests (
      round_id uuid not null references rounds on delete cascade,
      guest_id uuid not null references guests on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'written', 'left_out')),
      left_out text check ((left_out is not null) = (status = 'left_out')),
      -- Id in mails or texts, depending on the round's channel.
      message_id uuid,
      -- Time at which somebody sent the message by hand, or reached the guest by phone.
      sent_at timestamptz(3),
      -- Phone calls: their number, the last outcome, the time of the next, and the caller who has reserved the guest.
      tries integer not null default 0,
      outcome text,
      call_at timestamptz(3),
      taken_by text,
      taken_until timestamptz(3) check ((taken_until is null) = (taken_by is null)),
      -- events.updated_at of the time and place in the message; null if the message has neither.
      told_as_of timestamptz(3),
      primary key (round_id, guest_id),
      check (num_nonnulls(message_id, sent_at) = case when status = 'written' then 1 else 0 end)
    )`.execute(db);
  await sql`
    create index round_guests_waiting on round_guests (round_id, guest_id)
    where status = 'waiting'`.execute(db);
  await sql`create index round_guests_by_guest on round_guests (guest_id)`.execute(db);
}

async function createRoundCalls(db: Kysely<unknown>): Promise<void> {
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
}

/** Automatic messages that an event sends, each switched on or off. */
async function createNotices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notices (
      event_id uuid primary key references events on delete cascade,
      moved_up boolean not null,
      accepted boolean not null,
      declined boolean not null,
      answered boolean not null,
      day_before boolean not null,
      digest boolean not null,
      -- Channels in order of preference: a guest gets the message by the first that is possible.
      channels text[] not null check (channels <@ '{mail,sms,whatsapp}' and channels <> '{}'),
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger notices_next_version before update on notices
    for each row execute function next_version()`.execute(db);
}

/** Daily mail to an event's organizers: the last line of history that it covered. */
async function createEventDigests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_digests (
      event_id uuid primary key references events on delete cascade,
      told_line bigint not null,
      told_at timestamptz(3) not null
    )`.execute(db);
}

/** Answers that guests gave on their pages and that are confirmed by mail some minutes after the last one. */
async function createAnswerConfirmations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table answer_confirmations (
      guest_id uuid primary key references guests on delete cascade,
      event_id uuid not null references events on delete cascade,
      -- Values that the changed fields had before the first of the answers.
      before jsonb not null,
      due_at timestamptz(3) not null,
      -- Number of failed tries. Each moves due_at further.
      tries integer not null default 0 check (tries >= 0)
    )`.execute(db);
  await sql`create index answer_confirmations_by_time on answer_confirmations (due_at)`.execute(db);
}

/** Calendar entries that guests were mailed. */
async function createCalendarEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table calendar_entries (
      guest_id uuid primary key references guests on delete cascade,
      -- Number of mails with an entry or its cancellation.
      mailed integer not null check (mailed > 0),
      -- False if the last mail cancelled the entry.
      is_valid boolean not null
    )`.execute(db);
}
