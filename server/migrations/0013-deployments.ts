import { type Kysely, sql } from 'kysely';

/**
 * Releases, the deployments that make or choose them, and what each site is to run. `reason` and `note` are codes with parameters, never sentences.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table releases (
      release_id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      fingerprint bytea not null check (length(fingerprint) = 32),
      commit_hash text not null,
      commit_message text not null,
      artifact jsonb not null,
      recipe jsonb not null,
      built_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index releases_by_application on releases (application_uuid, release_id)`.execute(db);

  await sql`
    create table deployments (
      deployment_uuid uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      environment_id uuid not null references environments on delete cascade,
      action text not null check (action in ('deploy', 'rollback', 'restart', 'start')),
      status text not null
        check (status in ('queued', 'building', 'starting', 'live', 'failed', 'superseded', 'cancelled')),
      release_id uuid references releases on delete set null,
      commit_hash text,
      commit_message text,
      reason jsonb,
      attempts integer not null default 0,
      cancel_requested boolean not null default false,
      history jsonb not null
    )`.execute(db);
  await sql`create index deployments_by_application on deployments (application_uuid, deployment_uuid)`.execute(
    db,
  );
  // What must hold whatever the code does: one waits and one is worked on, at most.
  await sql`
    create unique index deployments_one_waiting on deployments (environment_id) where status = 'queued'`.execute(
    db,
  );
  await sql`
    create unique index deployments_one_working on deployments (environment_id)
    where status in ('building', 'starting')`.execute(db);

  await sql`
    create table sites (
      environment_id uuid primary key references environments on delete cascade,
      deployment_uuid uuid not null references deployments on delete cascade,
      variables_sealed text not null,
      state text not null check (state in ('live', 'stopped', 'down')),
      restarts integer not null default 0,
      note jsonb,
      changed_at timestamptz(3) not null
    )`.execute(db);
}
