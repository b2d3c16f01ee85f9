import { type Kysely, sql } from 'kysely';

/** Guests who were deleted, with all that was theirs, for as long as they may come back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deleted_guests (
      guest_id uuid primary key,
      event_id uuid not null references events on delete cascade,
      deleted_at timestamptz(3) not null,
      -- Rows by their table, as they were.
      kept jsonb not null
    )`.execute(db);
  await sql`create index deleted_guests_by_event on deleted_guests (event_id, deleted_at desc)`.execute(db);
  await sql`create index deleted_guests_by_age on deleted_guests (deleted_at)`.execute(db);
}
