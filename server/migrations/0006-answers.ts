import { type Kysely, sql } from 'kysely';

/** How guests answer: personal links (hashed), what the organizer decides about answering, and the open link's requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A guest may have several that work, such as one made before the signing secret was changed.
  await sql`
    create table guest_links (
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      guest_id uuid not null references guests on delete cascade,
      event_id uuid not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index guest_links_by_guest on guest_links (guest_id)`.execute(db);

  await sql`
    create table rsvp_settings (
      event_id uuid primary key references events on delete cascade,
      answer_until timestamptz(3),
      open boolean not null default false,
      -- The open link registers people, as for a conference; by itself: without the organizer.
      registration boolean not null default false,
      accept_by_itself boolean not null default false,
      most_each integer not null default 10 check (most_each between 1 and 100),
      -- Whether guests are asked for children; null: unless people register.
      children boolean,
      meals boolean not null default true,
      slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      version integer not null default 1,
      updated_at timestamptz(3) not null,
      check (slug is not null or not open)
    )`.execute(db);
  await sql`
    create trigger rsvp_settings_next_version before update on rsvp_settings
    for each row execute function next_version()`.execute(db);

  // As guests have them.
  const kinds = ['vegetarian', 'vegan', 'kosher', 'mehadrin', 'chalav_yisrael', 'childrens_meals'];
  const meals = sql.join(
    kinds.map(
      (kind) => sql`${sql.ref(kind)} integer not null default 0 check (${sql.ref(kind)} between 0 and 100)`,
    ),
  );
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
      ${meals},
      allergies text check (allergies <> ''),
      message text check (message <> ''),
      answers jsonb not null default '{}',
      company text check (company <> ''),
      role text check (role <> ''),
      status text not null default 'waiting' check (status in ('waiting', 'accepted', 'declined')),
      guest_id uuid references guests on delete set null,
      created_at timestamptz(3) not null,
      decided_at timestamptz(3),
      name_form text collate "C" not null generated always as (guest_search_form(name)) stored,
      check (phone is not null or email is not null),
      check ((status = 'waiting') = (decided_at is null))
    )`.execute(db);
  await sql`create index guest_requests_by_event on guest_requests (event_id, status, id)`.execute(db);
  // Whom else a request may be of is looked for among all that wait.
  for (const said of ['name_form', 'phone', 'email']) {
    await sql`
      create index ${sql.ref(`guest_requests_by_${said}`)} on guest_requests (event_id, ${sql.ref(said)}, id)
      where status = 'waiting'`.execute(db);
  }
  await sql`create index guest_requests_by_guest on guest_requests (guest_id) where guest_id is not null`.execute(
    db,
  );
}
