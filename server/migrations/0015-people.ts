import { type Kysely, sql } from 'kysely';

/** People with whom applications are shared, by the mail address that they sign in with: not all are users yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table application_people (
      id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      email text not null check (email <> '' and email = lower(email)),
      role text not null check (role in ('look', 'deploy', 'administer')),
      version integer not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      unique (application_uuid, email)
    )`.execute(db);
  await sql`
    create trigger application_people_next_version before update on application_people
    for each row execute function next_version()`.execute(db);
  await sql`
    create index application_people_by_email on application_people (email, application_uuid)`.execute(db);
}
