import { type Kysely, sql } from 'kysely';

/**
 * Applications and their environments, each with an address and variables of its own; every application has `production`.
 * Columns that end in `_sealed` are encrypted (kernel/encryption.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table applications (
      application_uuid uuid primary key,
      owner_id uuid not null references users on delete cascade,
      name text not null check (name <> ''),
      repository text not null check (repository <> ''),
      credentials_sealed text,
      branch text not null check (branch <> ''),
      root text check (root <> ''),
      build text check (build <> ''),
      start text check (start <> ''),
      health_path text not null default '/' check (health_path like '/%'),
      hook_secret_sealed text not null,
      deploy_key_public text,
      deploy_key_sealed text check ((deploy_key_sealed is null) = (deploy_key_public is null)),
      created_at timestamptz(3) not null,
      last_updated timestamptz(3) not null
    )`.execute(db);
  await sql`create index applications_by_owner on applications (owner_id, application_uuid)`.execute(db);

  await sql`
    create table environments (
      environment_id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      name text not null check (name = 'production'),
      subdomain text not null
        constraint environments_subdomain unique
        check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      status text not null default 'created'
        check (status in ('created', 'deploying', 'live', 'stopped', 'down', 'failed')),
      deployed_at timestamptz(3),
      -- What should run of a site that is not stopped: how many of each process of its release.
      processes jsonb not null default '{"web": 1}',
      unique (application_uuid, name)
    )`.execute(db);

  await sql`
    create table environment_variables (
      environment_id uuid not null references environments on delete cascade,
      name text not null check (name ~ '^[A-Za-z_][A-Za-z0-9_]*$'),
      value_sealed text not null,
      primary key (environment_id, name)
    )`.execute(db);
}
