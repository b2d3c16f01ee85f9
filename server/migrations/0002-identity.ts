import { type Kysely, sql } from 'kysely';

/** Users of both areas, their API keys and one-time codes, and the counts that guessing is judged by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A registration is an account of its own until it is verified, and owns what its key makes; then it is the only one
  // of its address. All accounts of an address have the same user_id. `contested`: verified by a code alone while other
  // registrations waited, so that nobody knows whether who read the code holds the key; the next sign-in settles it.
  await sql`
    create table users (
      account_id uuid primary key,
      user_id uuid not null,
      email text not null check (email <> '' and length(email) <= 254),
      role text not null default 'organizer' check (role <> ''),
      verified boolean not null default false,
      contested boolean not null default false,
      invited boolean not null default false,
      registered_at timestamptz(3) not null,
      asked_at timestamptz(3) not null
    )`.execute(db);
  await sql`create unique index users_verified_email on users (lower(email)) where verified`.execute(db);
  await sql`create unique index users_verified_id on users (user_id) where verified`.execute(db);
  await sql`create index users_by_email on users (lower(email))`.execute(db);
  await sql`create index users_by_id on users (user_id)`.execute(db);

  // A key is 256 random bits: its plain SHA-256 can't be turned back, and finds it by index.
  await sql`
    create table api_keys (
      id uuid primary key,
      account_id uuid not null references users on delete cascade,
      name text not null check (name <> ''),
      hint text not null,
      hash bytea not null unique check (length(hash) = 32),
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index api_keys_by_account on api_keys (account_id, id)`.execute(db);

  // One living code to verify a registration, and one to sign in to an address: a new one takes the place of the one before.
  await sql`
    create table one_time_codes (
      email text not null check (email = lower(email)),
      purpose text not null check (purpose in ('verify', 'sign_in')),
      account_id uuid references users on delete cascade check ((account_id is not null) = (purpose = 'verify')),
      hash bytea not null unique check (length(hash) = 32),
      expires_at timestamptz(3) not null,
      unique nulls not distinct (email, purpose, account_id)
    )`.execute(db);
  await sql`create index one_time_codes_by_account on one_time_codes (account_id)`.execute(db);
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
