import { type Kysely, sql } from 'kysely';

/** The secret address of an organizer's calendar. A closed one keeps its row, so that the next one is another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table calendar_feeds (
      organizer_id text primary key check (organizer_id <> ''),
      -- Of the organizer, by which others share events with them.
      email text,
      token_hash bytea unique check (octet_length(token_hash) = 32),
      link_version integer not null default 0,
      language text not null check (language in ('hebrew', 'arabic', 'english')),
      payments boolean not null,
      approvals boolean not null,
      version integer not null default 1,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger calendar_feeds_next_version before update on calendar_feeds
    for each row execute function next_version()`.execute(db);
}
