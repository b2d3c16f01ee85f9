import { type Kysely, sql } from 'kysely';

/**
 * A site is as many processes as were asked for: each instance has its number among those of its process. What takes no
 * requests has no target. `replicas` says how one came to end, and how often since the release went live.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table instances
      add column number integer not null default 1 check (number > 0),
      drop constraint instances_check,
      add constraint instances_target check (target is not null or state = 'starting' or process <> 'web')`.execute(
    db,
  );
  await sql`drop index instances_one_serving`.execute(db);
  await sql`
    create unique index instances_one_serving on instances (environment_id, process, number)
    where state = 'serving'`.execute(db);
  await sql`alter table instances alter column number drop default, alter column process drop default`.execute(
    db,
  );

  // A visitor comes back to the same one.
  await sql`alter table applications add column sticky boolean not null default false`.execute(db);
  await sql`
    create function announce_application() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_environments', environment_id::text)
      from environments where application_uuid = new.application_uuid;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger applications_announce after update of sticky on applications
    for each row when (old.sticky <> new.sticky) execute function announce_application()`.execute(db);

  await sql`
    create table replicas (
      environment_id uuid not null references environments on delete cascade,
      process text not null,
      number integer not null,
      restarts integer not null,
      note jsonb,
      changed_at timestamptz(3) not null,
      primary key (environment_id, process, number)
    )`.execute(db);
}
