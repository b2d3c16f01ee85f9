import { type Kysely, sql } from 'kysely';

/** Custom domains. Several environments may claim a name; one at a time has proved it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table domains (
      environment_id uuid not null references environments on delete cascade,
      hostname text not null check (hostname = lower(hostname) and hostname like '%.%' and length(hostname) <= 253),
      token text not null check (token ~ '^[a-z2-7]{26}$'),
      created_at timestamptz(3) not null,
      proved_at timestamptz(3),
      checked_at timestamptz(3),
      problem text check (problem in ('record_missing', 'record_wrong', 'dns_unavailable', 'taken')),
      primary key (environment_id, hostname)
    )`.execute(db);
  await sql`create unique index domains_proved on domains (hostname) where proved_at is not null`.execute(db);
  await sql`create index domains_pending on domains (created_at) where proved_at is null`.execute(db);
}
