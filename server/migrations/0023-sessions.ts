import { type Kysely, sql } from 'kysely';

/** Where somebody is signed in by a browser: a cookie carries 256 random bits, of which this keeps the SHA-256. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      id uuid primary key,
      account_id uuid not null references users on delete cascade,
      hash bytea not null unique check (octet_length(hash) = 32),
      -- As the browser named itself, for its owner to tell sessions apart by.
      user_agent text check (user_agent <> '' and length(user_agent) <= 300),
      address text not null check (address <> ''),
      created_at timestamptz(3) not null,
      seen_at timestamptz(3) not null check (seen_at >= created_at),
      expires_at timestamptz(3) not null check (expires_at > seen_at)
    )`.execute(db);
  await sql`create index sessions_by_account on sessions (account_id, seen_at, id)`.execute(db);
  await sql`create index sessions_by_end on sessions (expires_at)`.execute(db);
}
