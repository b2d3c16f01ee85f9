import { type Kysely, sql } from 'kysely';

/** When an organizer last looked at what is new, on whatever device, and when that visit's forerunner ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizer_visits (
      organizer_id text primary key check (organizer_id <> ''),
      seen_at timestamptz(3) not null,
      -- What happened after this one is new.
      since timestamptz(3) not null check (since <= seen_at)
    )`.execute(db);
}
