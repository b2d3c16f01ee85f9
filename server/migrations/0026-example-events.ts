import { type Kysely, sql } from 'kysely';

/** The event that an organizer plays with, and the vendors that came with it: all of it goes at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table example_events (
      organizer_id text primary key check (organizer_id <> ''),
      event_id uuid not null unique references events on delete cascade,
      vendor_ids uuid[] not null
    )`.execute(db);
}
