import { type Kysely, sql } from 'kysely';

/** Users of both areas, their API keys and one-time codes, and the counts that guessing is judged by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      user_id uuid primary key,
      email text not null check (email <> '' and length(email) <= 254),
      role text not null default 'organizer' check (role <> ''),
      verified boolean not null default false,
      registered_at timestamptz(3) not null
    )`.execute(db);
  await sql`create unique index users_email on users (lower(email))`.execute(db);

  // A key is 256 random bits: its plain SHA-256 can't be turned back, and finds it by index.
  await sql`
    create table api_keys (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null check (name <> ''),
      hint text not null,
      hash bytea not null unique check (length(hash) = 32),
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index api_keys_by_user on api_keys (user_id, id)`.execute(db);

  // One living code for an address and a purpose: a new one takes the place of the one before.
  await sql`
    create table one_time_codes (
      email text not null check (email = lower(email)),
      purpose text not null check (purpose in ('verify', 'sign_in')),
      hash bytea not null unique check (length(hash) = 32),
      expires_at timestamptz(3) not null,
      primary key (email, purpose)
    )`.execute(db);
  await sql`create index one_time_codes_by_end on one_time_codes (expires_at)`.execute(db);

  // Whom we count (a keyed hash of a mail address or of a client address), since when, and how often.
  await sql`
    create table tries (
      subject bytea primary key check (length(subject) = 32),
      since timestamptz(3) not null,
      count integer not null check (count >= 0)
    )`.execute(db);
  await sql`create index tries_by_start on tries (since)`.execute(db);
}
