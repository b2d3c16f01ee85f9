import { type Kysely, sql } from 'kysely';

/**
 * Environments of branches, beside production. What nobody visits is `asleep`: nothing of it runs until it is visited again
 * (`visited_at`, as the gateways note it).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table applications
      add column previews text not null default 'off' check (previews in ('off', 'pull_requests', 'branches'))`.execute(
    db,
  );
  await sql`
    alter table environments
      drop constraint environments_name_check,
      add constraint environments_name check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      drop constraint environments_status_check,
      add constraint environments_status
        check (status in ('created', 'deploying', 'live', 'stopped', 'asleep', 'down', 'failed'))`.execute(
    db,
  );
  await sql`
    alter table sites
      drop constraint sites_state_check,
      add constraint sites_state check (state in ('live', 'stopped', 'asleep', 'down'))`.execute(db);

  await sql`
    create table previews (
      environment_id uuid primary key references environments on delete cascade,
      application_uuid uuid not null references applications on delete cascade,
      branch text not null check (branch <> ''),
      -- Whose end is its own; null for one that was made for its branch.
      pull_request bigint,
      created_at timestamptz(3) not null,
      last_updated timestamptz(3) not null,
      visited_at timestamptz(3) not null,
      unique (application_uuid, branch)
    )`.execute(db);
  await sql`
    create index deployments_by_environment on deployments (environment_id, deployment_uuid)`.execute(db);
}
