import { type Kysely, sql } from 'kysely';

/** Users of both sides of the product, and their sessions and codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createUsers(db);
  await createSessions(db);
  await createOneTimeCodes(db);
  await createCodeCounts(db);
  await createKnownOrigins(db);
}

/**
 * Accounts. A registration is an account of its own until it is verified, and owns what is created with its key. Then
 * it is the only account of its mail address. All accounts of one address have the same `user_id`.
 */
async function createUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      account_id uuid primary key,
      user_id uuid not null,
      email text not null check (email <> '' and length(email) <= 254),
      role text not null default 'organizer' check (role <> ''),
      verified boolean not null default false,
      invited boolean not null default false,
      registered_at timestamptz(3) not null,
      -- Last request for a code: of many waiting registrations, those with the oldest requests are deleted.
      asked_at timestamptz(3) not null
    )`.execute(db);
  await sql`create unique index users_verified_email on users (lower(email)) where verified`.execute(db);
  await sql`create unique index users_verified_id on users (user_id) where verified`.execute(db);
  await sql`create index users_by_email on users (lower(email))`.execute(db);
  await sql`create index users_by_id on users (user_id)`.execute(db);
}

/** Browsers' sessions. The cookie carries 256 random bits, whose SHA-256 is stored here. */
async function createSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      id uuid primary key,
      account_id uuid not null references users on delete cascade,
      hash bytea not null unique check (octet_length(hash) = 32),
      -- Name that the browser gave itself, by which the user tells sessions apart.
      user_agent text check (user_agent <> '' and length(user_agent) <= 300),
      address text not null check (address <> ''),
      created_at timestamptz(3) not null,
      seen_at timestamptz(3) not null check (seen_at >= created_at),
      expires_at timestamptz(3) not null check (expires_at > seen_at)
    )`.execute(db);
  await sql`create index sessions_by_account on sessions (account_id, seen_at, id)`.execute(db);
  await sql`create index sessions_by_end on sessions (expires_at)`.execute(db);
}

/**
 * Codes sent by mail. Wrong tries count against the handle of the request for the code, or against the registration.
 */
async function createOneTimeCodes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table one_time_codes (
      number bigint generated always as identity primary key,
      email text not null check (email = lower(email)),
      purpose text not null check (purpose in ('verify', 'sign_in')),
      account_id uuid references users on delete cascade check ((account_id is not null) = (purpose = 'verify')),
      -- Keyed hash of the secret that only the client that requested the sign-in code has.
      handle bytea check (length(handle) = 32) check ((handle is not null) = (purpose = 'sign_in')),
      hash bytea not null unique check (length(hash) = 32),
      wrong_tries integer not null default 0,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index one_time_codes_by_email on one_time_codes (email, purpose)`.execute(db);
  await sql`create index one_time_codes_by_account on one_time_codes (account_id)`.execute(db);
  await sql`create index one_time_codes_by_end on one_time_codes (expires_at)`.execute(db);
}

/**
 * Counters that expire, such as of a network's wrong tries or an address's mails. The subject is stored as a keyed
 * hash.
 */
async function createCodeCounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table code_counts (
      subject bytea primary key check (length(subject) = 32),
      ends_at timestamptz(3) not null,
      count integer not null check (count >= 0)
    )`.execute(db);
  await sql`create index code_counts_by_end on code_counts (ends_at)`.execute(db);
}

/** Networks and browsers from which an account's owner has signed in, as keyed hashes. */
async function createKnownOrigins(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_origins (
      account_id uuid not null references users on delete cascade,
      hash bytea not null check (length(hash) = 32),
      seen_at timestamptz(3) not null,
      primary key (account_id, hash)
    )`.execute(db);
  await sql`create index known_origins_by_age on known_origins (seen_at)`.execute(db);
}
