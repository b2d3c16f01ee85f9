import { type Kysely, sql } from 'kysely';

/** Answers of guests: settings of an event, questions, personal links, and requests through the open link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRsvpSettings(db);
  await createQuestions(db);
  await createGuestLinks(db);
  await createGuestRequests(db);
  await createRequestConfirmations(db);
}

async function createRsvpSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rsvp_settings (
      event_id uuid primary key references events on delete cascade,
      answer_until timestamptz(3),
      -- Open link: whether it works, whether people register by it (as for a conference), whether their requests are
      -- accepted without the organizer, and the maximum number of people in a request.
      open boolean not null default false,
      registration boolean not null default false,
      accept_by_itself boolean not null default false,
      most_each integer not null default 10 check (most_each between 1 and 100),
      -- Whether people confirm a request by mail before it counts; null: if requests are accepted without the organizer.
      confirm_email boolean,
      -- People whom each guest may bring beyond the invited party; null: only the event's max_plus_ones_buffer applies.
      plus_ones_each integer check (plus_ones_each between 0 and 99),
      -- Whether guests are asked about children; null: unless people register.
      children boolean,
      meals boolean not null default true,
      -- Whether guests are asked for the names of the people who come.
      ask_names boolean not null default false,
      slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      version integer not null default 1,
      updated_at timestamptz(3) not null,
      check (slug is not null or not open)
    )`.execute(db);
  await sql`
    create trigger rsvp_settings_next_version before update on rsvp_settings
    for each row execute function next_version()`.execute(db);
}

/** Organizer's own questions to guests; their answers are in guests.answers. */
async function createQuestions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table questions (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      position integer not null,
      kind text not null check (kind in ('choice', 'number', 'text')),
      text jsonb not null,
      options jsonb not null default '[]',
      most integer,
      asked boolean not null default true,
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint questions_options check ((kind = 'choice') = (options <> '[]')),
      constraint questions_most check ((kind = 'number') = (most is not null))
    )`.execute(db);
  await sql`
    create trigger questions_next_version before update on questions
    for each row execute function next_version()`.execute(db);
  await sql`create index questions_by_event on questions (event_id, position)`.execute(db);
}

/** Hashed personal links. Several links of a guest may work, such as one made before the signing secret changed. */
async function createGuestLinks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table guest_links (
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      guest_id uuid not null references guests on delete cascade,
      event_id uuid not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index guest_links_by_guest on guest_links (guest_id)`.execute(db);
}

/** Requests to come, through the open link; columns with the same names as those of guests mean the same. */
async function createGuestRequests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table guest_requests (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      name text not null check (name <> ''),
      phone text,
      email text,
      language text check (language in ('hebrew', 'arabic', 'english')),
      coming integer not null check (coming between 1 and 100),
      coming_children integer not null default 0 check (coming_children between 0 and coming),
      vegetarian integer not null default 0 check (vegetarian between 0 and 100),
      vegan integer not null default 0 check (vegan between 0 and 100),
      kosher integer not null default 0 check (kosher between 0 and 100),
      mehadrin integer not null default 0 check (mehadrin between 0 and 100),
      chalav_yisrael integer not null default 0 check (chalav_yisrael between 0 and 100),
      childrens_meals integer not null default 0 check (childrens_meals between 0 and 100),
      allergies text check (allergies <> ''),
      members jsonb not null default '[]' check (jsonb_typeof(members) = 'array'),
      message text check (message <> ''),
      answers jsonb not null default '{}',
      company text check (company <> ''),
      role text check (role <> ''),
      -- Keyed hash of the sender's network, with another key for each event.
      network bytea check (length(network) = 32),
      status text not null default 'waiting' check (status in ('waiting', 'accepted', 'declined')),
      guest_id uuid references guests on delete set null,
      created_at timestamptz(3) not null,
      decided_at timestamptz(3),
      name_key text collate "C" not null generated always as (guest_name_key(name)) stored,
      check (phone is not null or email is not null),
      check ((status = 'waiting') = (decided_at is null))
    )`.execute(db);
  await sql`create index guest_requests_by_event on guest_requests (event_id, status, id)`.execute(db);
  await sql`create index guest_requests_by_guest on guest_requests (guest_id) where guest_id is not null`.execute(
    db,
  );
  await sql`
    create index guest_requests_by_network on guest_requests (event_id, network) where status = 'waiting'`.execute(
    db,
  );
  // Index by which other waiting requests of the same person are found: same name, phone or mail address.
  for (const column of ['name_key', 'phone', 'email']) {
    await sql`
      create index ${sql.ref(`guest_requests_by_${column}`)} on guest_requests (event_id, ${sql.ref(column)}, id)
      where status = 'waiting'`.execute(db);
  }
}

/**
 * Requests whose sender must first confirm the mail address; `asker` holds the request as it was sent. A request with
 * the address of a guest has a row too, for the limits, but its token is never mailed.
 */
async function createRequestConfirmations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_confirmations (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      token_hash bytea not null unique check (length(token_hash) = 32),
      -- Keyed hashes of the sender's network and of the mailbox, with other keys for each event.
      network bytea not null check (length(network) = 32),
      mailbox bytea not null check (length(mailbox) = 32),
      asker jsonb not null,
      -- Number of people for whom places are held, or a turn on the waiting list; null: the organizer decides later.
      held integer check (held between 1 and 100),
      -- Turn on the waiting list, in one order with guests.waiting_order; null: the places are held.
      waiting_order integer check (waiting_order is null or held is not null),
      -- Time of the first of equal requests that replaced each other.
      first_at timestamptz(3) not null,
      mailed_at timestamptz(3) not null,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index request_confirmations_by_mailbox on request_confirmations (event_id, mailbox)`.execute(
    db,
  );
  await sql`
    create unique index request_confirmations_waiting_list on request_confirmations (event_id, waiting_order)
    where waiting_order is not null`.execute(db);
  await sql`create index request_confirmations_by_event on request_confirmations (event_id, expires_at)`.execute(
    db,
  );
  await sql`create index request_confirmations_by_end on request_confirmations (expires_at)`.execute(db);
}
