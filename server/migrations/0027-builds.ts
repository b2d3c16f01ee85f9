import { type Kysely, sql } from 'kysely';

/**
 * What is built stands apart from how it is run: releases that are run otherwise share a build. `recipe` and `plan` are
 * the two parts of a plan (hosting/plans/plan.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table builds (
      build_id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      fingerprint bytea not null check (length(fingerprint) = 32),
      recipe jsonb not null,
      artifact jsonb not null,
      built_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index builds_by_application on builds (application_uuid, build_id)`.execute(db);

  // Nothing of before can be run by a plan: the next deployment makes its own.
  await sql`delete from sites`.execute(db);
  await sql`delete from releases`.execute(db);
  await sql`
    alter table releases
      add column build_id uuid not null references builds,
      add column plan jsonb not null,
      drop column artifact,
      drop column recipe`.execute(db);
  await sql`alter table releases rename column built_at to made_at`.execute(db);
  await sql`create index releases_by_build on releases (build_id)`.execute(db);
}
