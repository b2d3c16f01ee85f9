import { type Kysely, sql } from 'kysely';

/** What the push hooks have taken, by a hash of it: who recorded a delivery can't have it deployed again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hook_deliveries (
      application_uuid uuid not null references applications on delete cascade,
      digest bytea not null,
      taken_at timestamptz(3) not null,
      primary key (application_uuid, digest)
    )`.execute(db);
}
