import { type Kysely, sql } from 'kysely';

/** The picture of an event's invitation, in the sizes that were made of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pictures (
      event_id uuid not null references events on delete cascade,
      size text not null check (size in ('large', 'small', 'preview')),
      -- In its address, which nobody guesses; another picture has another one.
      key text not null,
      width integer not null,
      height integer not null,
      created_at timestamptz(3) not null,
      content bytea not null check (octet_length(content) between 1 and 2097152),
      primary key (event_id, size),
      unique (key, size)
    )`.execute(db);
  // JPEG is as small as it gets.
  await sql`alter table pictures alter column content set storage external`.execute(db);
}
