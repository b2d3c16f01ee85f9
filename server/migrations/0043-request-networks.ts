import { type Kysely, sql } from 'kysely';

/** From which network a request through the open link came, and requests whose address is to be confirmed by mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `network`: a keyed hash, another one for each event.
  await sql`alter table guest_requests add column network bytea check (length(network) = 32)`.execute(db);
  await sql`
    create index guest_requests_by_network on guest_requests (event_id, network) where status = 'waiting'`.execute(
    db,
  );
  await sql`
    create table request_confirmations (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      token_hash bytea not null unique check (length(token_hash) = 32),
      network bytea not null check (length(network) = 32),
      asker jsonb not null,
      expires_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index request_confirmations_by_event on request_confirmations (event_id, expires_at)`.execute(
    db,
  );
  await sql`create index request_confirmations_by_end on request_confirmations (expires_at)`.execute(db);
}
