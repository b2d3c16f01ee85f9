import { type Kysely, sql } from 'kysely';

/** Access tokens of users, API keys among them, and sign-ins of devices, which get an access token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccessTokens(db);
  await createDeviceLogins(db);
}

async function createAccessTokens(db: Kysely<unknown>): Promise<void> {
  // A token is 256 random bits, so its plain SHA-256 can't be reversed, and an index finds it.
  await sql`
    create table access_tokens (
      id uuid primary key,
      account_id uuid not null references users on delete cascade,
      name text not null check (name <> ''),
      hint text not null,
      hash bytea not null unique check (length(hash) = 32),
      scopes text[] not null check (
        cardinality(scopes) > 0
        and scopes <@ array['full', 'read', 'deploy', 'env', 'guests', 'messages', 'door']
      ),
      -- Restriction to one application or one event.
      application_id uuid references applications on delete cascade,
      event_id uuid references events on delete cascade,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) check (expires_at > created_at),
      last_used_at timestamptz(3),
      check (num_nonnulls(application_id, event_id) <= 1),
      check (num_nonnulls(application_id, event_id) = 0 or not 'full' = any(scopes))
    )`.execute(db);
  await sql`create index access_tokens_by_account on access_tokens (account_id, id)`.execute(db);
  await sql`
    create index access_tokens_by_application on access_tokens (application_id)
    where application_id is not null`.execute(db);
  await sql`
    create index access_tokens_by_event on access_tokens (event_id) where event_id is not null`.execute(db);
  await sql`
    create index access_tokens_by_end on access_tokens (expires_at) where expires_at is not null`.execute(db);
}

/**
 * Devices that wait for a user to confirm them in a browser. The access token is created when the device fetches it, so
 * its text is never stored.
 */
async function createDeviceLogins(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_logins (
      -- SHA-256 of the 256 random bits that only the device has.
      device_hash bytea primary key check (length(device_hash) = 32),
      -- Keyed hash of the short code that the user types.
      user_hash bytea not null unique check (length(user_hash) = 32),
      client text not null check (client <> ''),
      scopes text[] not null check (cardinality(scopes) > 0),
      address text not null check (address <> ''),
      network text not null check (network <> ''),
      requested_at timestamptz(3) not null,
      expires_at timestamptz(3) not null check (expires_at > requested_at),
      -- Seconds that the device must wait between two polls.
      interval_seconds integer not null check (interval_seconds > 0),
      polled_at timestamptz(3),
      -- User who confirmed the device.
      account_id uuid references users on delete cascade,
      refused boolean not null default false,
      check (not (refused and account_id is not null))
    )`.execute(db);
  await sql`create index device_logins_by_account on device_logins (account_id)`.execute(db);
  await sql`create index device_logins_by_end on device_logins (expires_at)`.execute(db);
}
