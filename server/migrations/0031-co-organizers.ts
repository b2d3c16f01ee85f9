import { type Kysely, sql } from 'kysely';

/** Who besides its organizer may see or edit an event, by the email address they sign in with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table co_organizers (
      id uuid primary key,
      event_id uuid not null references events on delete cascade,
      email text not null check (email <> '' and email = lower(email)),
      access text not null check (access in ('view', 'edit')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      version integer not null default 1,
      unique (event_id, email)
    )`.execute(db);
  await sql`create index co_organizers_by_email on co_organizers (email, event_id)`.execute(db);
  await sql`
    create trigger co_organizers_next_version before update on co_organizers
    for each row execute function next_version()`.execute(db);
}
