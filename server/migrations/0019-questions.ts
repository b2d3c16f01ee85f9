import { type Kysely, sql } from 'kysely';

/** What an event asks its guests besides whether they come. What they answer stands with them (`guests.answers`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table questions (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      position integer not null,
      kind text not null check (kind in ('choice', 'number', 'text')),
      text jsonb not null,
      options jsonb not null default '[]',
      most integer,
      asked boolean not null default true,
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint questions_options check ((kind = 'choice') = (options <> '[]')),
      constraint questions_most check ((kind = 'number') = (most is not null))
    )`.execute(db);
  await sql`
    create trigger questions_next_version before update on questions
    for each row execute function next_version()`.execute(db);
  await sql`create index questions_by_event on questions (event_id, position)`.execute(db);
}
