import { type Kysely, sql } from 'kysely';

/** What an organizer says of an event beyond its own fields, and how far each item of its checklist is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_facts (
      event_id uuid primary key references events on delete cascade,
      outdoors boolean not null,
      alcohol boolean not null,
      amplified_music boolean not null,
      temporary_structures boolean not null,
      fire_effects boolean not null,
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger event_facts_next_version before update on event_facts
    for each row execute function next_version()`.execute(db);

  // One row for an item somebody touched; the items themselves follow from the event (planning/checklist/rules.ts).
  await sql`
    create table checklist_items (
      event_id uuid not null references events on delete cascade,
      item text not null check (item <> ''),
      state text not null check (state in ('open', 'in_progress', 'done')),
      dismissed boolean not null,
      note text,
      version integer not null default 1,
      updated_at timestamptz(3) not null,
      primary key (event_id, item)
    )`.execute(db);
  await sql`
    create trigger checklist_items_next_version before update on checklist_items
    for each row execute function next_version()`.execute(db);
}
