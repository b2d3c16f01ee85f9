import { type Kysely, sql } from 'kysely';

/**
 * Codes with the request that asked for them: wrong tries count against its handle, or against the registration that the code
 * is for. Codes live for minutes, so the tables are made anew. A registration is verified by a code of its own key alone where
 * several wait, so that no account is contested any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table one_time_codes`.execute(db);
  await sql`
    create table one_time_codes (
      number bigint generated always as identity primary key,
      email text not null check (email = lower(email)),
      purpose text not null check (purpose in ('verify', 'sign_in')),
      account_id uuid references users on delete cascade check ((account_id is not null) = (purpose = 'verify')),
      -- A keyed hash of the text that whoever asked for a sign-in code holds.
      handle bytea check (length(handle) = 32) check ((handle is not null) = (purpose = 'sign_in')),
      hash bytea not null unique check (length(hash) = 32),
      wrong_tries integer not null default 0,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index one_time_codes_by_email on one_time_codes (email, purpose)`.execute(db);
  await sql`create index one_time_codes_by_account on one_time_codes (account_id)`.execute(db);
  await sql`create index one_time_codes_by_end on one_time_codes (expires_at)`.execute(db);

  // Keyed hashes of what is counted (tries of a network, mails to an address …), until when, and how often.
  await sql`drop table tries`.execute(db);
  await sql`
    create table code_counts (
      subject bytea primary key check (length(subject) = 32),
      ends_at timestamptz(3) not null,
      count integer not null check (count >= 0)
    )`.execute(db);
  await sql`create index code_counts_by_end on code_counts (ends_at)`.execute(db);

  // Networks and browsers that an account's owner has signed in from, as keyed hashes.
  await sql`
    create table known_origins (
      account_id uuid not null references users on delete cascade,
      hash bytea not null check (length(hash) = 32),
      seen_at timestamptz(3) not null,
      primary key (account_id, hash)
    )`.execute(db);
  await sql`create index known_origins_by_age on known_origins (seen_at)`.execute(db);

  await sql`alter table users drop column contested`.execute(db);
}
