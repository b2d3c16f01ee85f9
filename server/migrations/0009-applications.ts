import { type Kysely, sql } from 'kysely';

/**
 * Applications: what their owners set. Columns that end in `_sealed` are encrypted (kernel/encryption.ts). Settings of
 * a plan are null where the plan decides (hosting/detection/planner.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createNotifications(db);
  await createApplications(db);
  await createEnvironments(db);
  await createVariableGroups(db);
  await createDomains(db);
  await createRules(db);
  await createPreviews(db);
  await createVolumes(db);
  await createUploads(db);
  await createHookDeliveries(db);
  await createOwnerBudgets(db);
}

/**
 * Notifications to servers of the environment that changed, sent at commit (hosting/model/changes.ts). Triggers call
 * the functions.
 */
async function createNotifications(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function announce_environment() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_environments', coalesce(new.environment_id, old.environment_id)::text);
      return null;
    end $$`.execute(db);
  await sql`
    create function announce_application() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_environments', environment_id::text)
      from environments where application_uuid = new.application_uuid;
      return null;
    end $$`.execute(db);
}

async function createApplications(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table applications (
      application_uuid uuid primary key,
      owner_id uuid not null references users on delete cascade,
      name text not null check (name <> ''),
      -- Source: a repository, an image, or null for both: the owner uploads folders (createUploads).
      repository text check (repository <> ''),
      credentials_sealed text,
      -- Full name of a container image that the site runs.
      image text check (image is null or (image <> '' and repository is null)),
      -- Login at the image's registry.
      registry_user text check (registry_user is null or image is not null),
      registry_password_sealed text check ((registry_password_sealed is null) = (registry_user is null)),
      -- Keys of the repository's host in the format of ssh, so that every server recognises it.
      host_keys text not null default '',
      deploy_key_public text,
      deploy_key_sealed text check ((deploy_key_sealed is null) = (deploy_key_public is null)),
      hook_secret_sealed text not null,
      -- Branch to deploy; null: the repository's default branch.
      branch text check (branch <> ''),
      root text check (root <> ''),
      type text check (type in ('static', 'server', 'auto')),
      -- Version of Node.js, as the owner wrote it.
      node text,
      install text,
      build text check (build <> ''),
      start text check (start <> ''),
      publish text,
      spa text check (spa in ('true', 'false', 'auto')),
      port integer check (port between 1 and 65535),
      health_path text not null default '/' check (health_path like '/%'),
      -- Whether a visitor's requests go to the same replica each time.
      sticky boolean not null default false,
      time_zone text not null default 'Asia/Jerusalem',
      -- Limits of requests to its sites; null: the gateway's defaults.
      response_seconds integer check (response_seconds > 0),
      max_body_mb integer check (max_body_mb > 0),
      -- Patterns of the paths whose changes a push deploys; null: the root folder.
      watch_paths text[],
      previews text not null default 'off' check (previews in ('off', 'pull_requests', 'branches')),
      -- Disk space that the application uses.
      disk_bytes bigint not null default 0,
      created_at timestamptz(3) not null,
      last_updated timestamptz(3) not null
    )`.execute(db);
  await sql`create index applications_by_owner on applications (owner_id, application_uuid)`.execute(db);
  await sql`
    create trigger applications_announce after update of sticky, response_seconds, max_body_mb on applications
    for each row when ((old.sticky, old.response_seconds, old.max_body_mb)
      is distinct from (new.sticky, new.response_seconds, new.max_body_mb))
    execute function announce_application()`.execute(db);
}

/** Environments, each with an address and variables: every application has `production`, and one for each preview. */
async function createEnvironments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table environments (
      environment_id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      name text not null constraint environments_name check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      subdomain text not null
        constraint environments_subdomain unique
        check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      status text not null default 'created' constraint environments_status
        check (status in ('created', 'deploying', 'live', 'stopped', 'asleep', 'down', 'failed')),
      deployed_at timestamptz(3),
      -- Requested number of replicas, by process.
      processes jsonb not null default '{"web": 1}',
      unique (application_uuid, name)
    )`.execute(db);
  await sql`
    create trigger environments_announce after insert or update or delete on environments
    for each row execute function announce_environment()`.execute(db);

  await sql`
    create table environment_variables (
      environment_id uuid not null references environments on delete cascade,
      ${VARIABLE_COLUMNS},
      primary key (environment_id, name)
    )`.execute(db);
}

/** Columns of a variable of an environment or a group. A null value or scope is that of the variable it overrides. */
const VARIABLE_COLUMNS = sql`
  name text not null check (name ~ '^[A-Za-z_][A-Za-z0-9_]*$'),
  value_sealed text,
  -- Value that all previews of the application get instead.
  preview_value_sealed text,
  scope text check (scope in ('all', 'build', 'run')),
  -- Whether previews get the variable.
  in_previews boolean not null default true,
  check (value_sealed is not null or preview_value_sealed is not null or not in_previews)`;

/** Groups of variables that an owner's applications share. */
async function createVariableGroups(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table variable_groups (
      group_id uuid primary key,
      owner_id uuid not null references users on delete cascade,
      name text not null check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
      created_at timestamptz(3) not null,
      last_updated timestamptz(3) not null,
      constraint variable_groups_name unique (owner_id, name)
    )`.execute(db);
  await sql`
    create table group_variables (
      group_id uuid not null references variable_groups on delete cascade,
      ${VARIABLE_COLUMNS},
      primary key (group_id, name)
    )`.execute(db);
  await sql`
    create table linked_variable_groups (
      application_uuid uuid not null references applications on delete cascade,
      group_id uuid not null references variable_groups on delete cascade,
      -- The group with the highest position overrides the others.
      position integer not null,
      primary key (application_uuid, group_id)
    )`.execute(db);
  await sql`
    create index linked_variable_groups_by_group on linked_variable_groups (group_id)`.execute(db);
}

/** Custom domains. Several environments may claim a name, but only one can have proved it. */
async function createDomains(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table domains (
      environment_id uuid not null references environments on delete cascade,
      hostname text not null check (hostname = lower(hostname) and hostname like '%.%' and length(hostname) <= 253),
      token text not null check (token ~ '^[a-z2-7]{26}$'),
      created_at timestamptz(3) not null,
      proved_at timestamptz(3),
      checked_at timestamptz(3),
      problem text check (problem in ('record_missing', 'record_wrong', 'dns_unavailable', 'taken')),
      -- Domain of the same environment to which visitors are sent on.
      redirect_to text check (redirect_to <> hostname),
      -- Last time at which a proxy in front asked whether it may request a certificate for the name.
      certificate_asked_at timestamptz(3),
      primary key (environment_id, hostname),
      constraint domains_redirect foreign key (environment_id, redirect_to)
        references domains (environment_id, hostname) on delete set null (redirect_to)
    )`.execute(db);
  await sql`create unique index domains_proved on domains (hostname) where proved_at is not null`.execute(db);
  await sql`create index domains_pending on domains (created_at) where proved_at is null`.execute(db);
  await sql`
    create trigger domains_announce after insert or update or delete on domains
    for each row execute function announce_environment()`.execute(db);
}

/** What visitors of an application's sites meet before the site: redirects, headers, a password, a maintenance page. */
async function createRules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_rules (
      application_uuid uuid primary key references applications on delete cascade,
      redirects text not null default '' check (length(redirects) <= 20000),
      headers text not null default '' check (length(headers) <= 20000),
      maintenance text not null default 'off' check (maintenance in ('off', 'production', 'previews', 'all')),
      protection text not null default 'off' check (protection in ('off', 'production', 'previews', 'all')),
      username text,
      password_hash text,
      -- Number of the last change: gateways read rules again whose number they do not know.
      version integer not null default 1,
      changed_at timestamptz(3) not null,
      constraint site_rules_login check (protection = 'off' or (username is not null and password_hash is not null))
    )`.execute(db);
  await sql`
    create trigger site_rules_announce after insert or update on site_rules
    for each row execute function announce_application()`.execute(db);
}

/** Previews: branches of a repository that have one, and the environment of each. */
async function createPreviews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table previews (
      environment_id uuid primary key references environments on delete cascade,
      application_uuid uuid not null references applications on delete cascade,
      branch text not null check (branch <> ''),
      -- Pull request whose end also ends the preview; null if the preview belongs to its branch.
      pull_request bigint,
      created_at timestamptz(3) not null,
      last_updated timestamptz(3) not null,
      -- Last request, as gateways record it: a preview that nobody visits is put to sleep.
      visited_at timestamptz(3) not null,
      unique (application_uuid, branch)
    )`.execute(db);
}

/** Folders of an environment that outlive its releases. */
async function createVolumes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table volumes (
      environment_id uuid not null references environments on delete cascade,
      name text not null,
      path text not null,
      created_at timestamptz(3) not null,
      -- Name under which runtimes store the content now. A restored backup is written as new content beside it; then
      -- this name changes.
      content text not null,
      -- Last download of a whole backup, and the size of its archive.
      backed_up_at timestamptz(3),
      backup_bytes bigint,
      primary key (environment_id, name),
      unique (environment_id, path)
    )`.execute(db);

  // Folders with contents of sites that belong to no volume any more. They are deleted once nobody can write to them.
  await sql`
    create table volume_leftovers (
      environment_id uuid not null references environments on delete cascade,
      content text not null,
      left_at timestamptz(3) not null default clock_timestamp(),
      primary key (environment_id, content)
    )`.execute(db);
}

/**
 * Folders that owners uploaded, each as a tar.gz in chunks. Every server can read them: a release is built again where
 * its files are missing.
 */
async function createUploads(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table uploads (
      upload_id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      files integer not null check (files > 0),
      bytes bigint not null check (bytes >= 0),
      uploaded_at timestamptz(3) not null,
      -- False until all chunks are stored.
      complete boolean not null default false
    )`.execute(db);
  await sql`create index uploads_by_application on uploads (application_uuid, upload_id)`.execute(db);
  await sql`
    create table upload_chunks (
      upload_id uuid not null references uploads on delete cascade,
      number integer not null check (number >= 0),
      content bytea not null,
      primary key (upload_id, number)
    )`.execute(db);
}

/**
 * Deliveries that push hooks accepted, with what followed. A recorded delivery that is sent again, found by its hash,
 * deploys nothing.
 */
async function createHookDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hook_deliveries (
      application_uuid uuid not null references applications on delete cascade,
      digest bytea not null,
      taken_at timestamptz(3) not null,
      delivery_id uuid not null unique,
      status text not null default 'ignored' check (status in ('deploying', 'removed', 'ignored', 'checking')),
      reason text,
      branch text,
      preview text,
      -- Environment whose changes are compared with the watch paths; the server that holds the lease does that.
      environment_id uuid references environments on delete cascade,
      -- Stays on record after the deployment was deleted.
      deployment_uuid uuid,
      commit_hash text,
      base_hash text,
      changed integer,
      primary key (application_uuid, digest),
      constraint hook_deliveries_checking check (status <> 'checking' or environment_id is not null)
    )`.execute(db);
  await sql`
    create index hook_deliveries_waiting on hook_deliveries (environment_id) where status = 'checking'`.execute(
    db,
  );
  await sql`
    create trigger hook_deliveries_announce after update of status on hook_deliveries
    for each row when (new.status = 'checking') execute function announce_environment()`.execute(db);
}

/** Limits that the operator sets for one owner; null: the limit from the settings applies. */
async function createOwnerBudgets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table owner_budgets (
      account_id uuid primary key references users on delete cascade,
      applications integer check (applications >= 0),
      replicas integer check (replicas >= 0),
      memory_mb integer check (memory_mb >= 0),
      processes integer check (processes >= 0),
      disk_mb integer check (disk_mb >= 0)
    )`.execute(db);
}
