import { type Kysely, sql } from 'kysely';
import { addVersion } from './0030-writes.ts';

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
      updated_at timestamptz(3) not null
    )`.execute(db);
  await addVersion(db, 'event_facts');

  // One row for an item somebody touched; the items themselves follow from the event (planning/checklist/rules.ts).
  await sql`
    create table checklist_items (
      event_id uuid not null references events on delete cascade,
      item text not null check (item <> ''),
      state text not null check (state in ('open', 'in_progress', 'done')),
      dismissed boolean not null,
      note text,
      updated_at timestamptz(3) not null,
      primary key (event_id, item)
    )`.execute(db);
  await addVersion(db, 'checklist_items');
}
