import { type Kysely, sql } from 'kysely';

/**
 * What a live stream tells stands in the history, whose numbers rise in the order of an event's commits. At commit every
 * server is told of which event there is more to read, and up to where.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const event of ['insert', 'update', 'delete']) {
    await sql`drop trigger if exists ${sql.ref(`guests_announce_${event}`)} on guests`.execute(db);
    await sql`drop function if exists ${sql.ref(`announce_guests_${event}`)}`.execute(db);
  }
  // Not of what no stream tells: commits that notify wait for one another.
  await sql`
    create or replace function announce_history() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_history', json_build_object('event', event_id, 'id', max(id))::text)
      from new_rows
      where subject in ('guest', 'guest_request') or (subject = 'event' and action = 'changed')
      group by event_id;
      return null;
    end $$`.execute(db);
  await sql`drop trigger if exists history_announce on history`.execute(db);
  await sql`
    create trigger history_announce after insert on history referencing new table as new_rows
    for each statement execute function announce_history()`.execute(db);
}
