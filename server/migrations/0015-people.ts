import { type Kysely, sql } from 'kysely';

/** People with whom applications are shared, and what anybody changed in an application. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createHistory(db);
}

/** People, by the mail address that they sign in with: somebody who is invited may not be a user yet. */
async function createPeople(db: Kysely<unknown>): Promise<void> {
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

async function createHistory(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table application_history (
      id bigint generated always as identity primary key,
      application_uuid uuid not null references applications on delete cascade,
      at timestamptz(3) not null,
      -- Operation of the API, by its operationId.
      operation text not null check (operation <> ''),
      preview text,
      actor_kind text not null check (actor_kind in ('user', 'push', 'operator')),
      actor_email text check ((actor_email is not null) = (actor_kind = 'user')),
      -- Name of the access token with which the change was made.
      actor_token text,
      address text,
      subject text,
      -- Never a secret's value (hosting/model/history.ts).
      changes jsonb
    )`.execute(db);
  await sql`create index application_history_by_application on application_history (application_uuid, id)`.execute(
    db,
  );
  await sql`create index application_history_by_time on application_history (at)`.execute(db);
}
