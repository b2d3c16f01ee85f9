import { type Kysely, sql } from 'kysely';

/** What every write leaves behind: a version of the row, a line of history, the answer to a key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The version is the row's ETag. A trigger counts it, so that no statement can forget to.
  await sql`
    create function next_version() returns trigger language plpgsql as $$
    begin
      new.version := old.version + 1;
      return new;
    end $$`.execute(db);
  for (const table of ['events', 'guests', 'bookings']) await addVersion(db, table);

  await sql`
    create table history (
      id bigint generated always as identity primary key,
      event_id uuid not null references events on delete cascade,
      at timestamptz(3) not null,
      actor_kind text not null check (actor_kind in ('organizer', 'guest', 'system')),
      actor_id text,
      actor_email text,
      subject text not null check (subject <> ''),
      subject_id uuid,
      action text not null check (action <> ''),
      changes jsonb
    )`.execute(db);
  await sql`create index history_by_event on history (event_id, id)`.execute(db);

  // json keeps the answer's text as it was; jsonb would order its members anew.
  await sql`
    create table idempotency_keys (
      caller text not null,
      key text not null,
      fingerprint text not null,
      path text not null,
      status smallint not null,
      headers json not null,
      body json,
      created_at timestamptz(3) not null,
      primary key (caller, key)
    )`.execute(db);
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db);
}

/** Gives a table the column `version` that ETags are made of. */
export async function addVersion(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add column version integer not null default 1`.execute(db);
  await sql`
    create trigger ${sql.ref(`${table}_next_version`)} before update on ${sql.table(table)}
    for each row execute function next_version()`.execute(db);
}
