import { type Kysely, sql } from 'kysely';

/** When an event's organizer was told that its guests' data goes, and when it went. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_retention (
      event_id uuid primary key references events on delete cascade,
      told_for date,
      told_at timestamptz(3),
      erased_at timestamptz(3)
    )`.execute(db);

  // Who adds or changes guests after the erasure brings new data: it is to be erased again.
  await sql`
    create function forget_erasure() returns trigger language plpgsql as $$
    begin
      update event_retention set erased_at = null
      where erased_at is not null and event_id in (select event_id from new_rows);
      return null;
    end $$`.execute(db);
  for (const event of ['insert', 'update']) {
    await sql`
      create trigger ${sql.ref(`guests_forget_erasure_${event}`)} after ${sql.raw(event)} on guests
      referencing new table as new_rows for each statement execute function forget_erasure()`.execute(db);
  }
}
