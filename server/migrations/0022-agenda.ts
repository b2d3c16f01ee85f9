import { type Kysely, sql } from 'kysely';

/** What happens when at an event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agenda_items (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      -- From the event's beginning, so that the agenda of an event that is moved moves along.
      starts_after integer not null,
      lasts_minutes integer check (lasts_minutes > 0),
      title text not null check (title <> ''),
      speaker text check (speaker <> ''),
      place text check (place <> ''),
      description text check (description <> ''),
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger agenda_items_next_version before update on agenda_items
    for each row execute function next_version()`.execute(db);
  await sql`create index agenda_items_by_event on agenda_items (event_id, starts_after, id)`.execute(db);
}
