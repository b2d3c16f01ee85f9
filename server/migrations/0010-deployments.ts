import { type Kysely, sql } from 'kysely';

/**
 * Deployments, the releases they make, the sites and commands that run a release, and the logs of all these. A `reason`
 * or `note` is a code with parameters, never a sentence.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createReleases(db);
  await createDeployments(db);
  await createPlanRequests(db);
  await createSites(db);
  await createRuns(db);
  await createSchedules(db);
  await createLogs(db);
  await createLogTriggers(db);
}

/**
 * Builds and releases. Releases that run the same build differently share it. `recipe` and `plan` are the two parts of
 * a plan, for the build and for the run (hosting/model/plan.ts).
 */
async function createReleases(db: Kysely<unknown>): Promise<void> {
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

  await sql`
    create table releases (
      release_id uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      build_id uuid not null references builds,
      fingerprint bytea not null check (length(fingerprint) = 32),
      -- Commit, or the SHA-256 of an uploaded folder or of an image's manifest.
      commit_hash text not null,
      commit_message text not null,
      commit_author text,
      upload_id uuid references uploads,
      -- Application that built a promoted release: its repository has the commit.
      built_by uuid references applications on delete set null,
      plan jsonb not null,
      made_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index releases_by_application on releases (application_uuid, release_id)`.execute(db);
  await sql`create index releases_by_build on releases (build_id)`.execute(db);
  await sql`create index releases_by_upload on releases (upload_id)`.execute(db);
  await sql`create index releases_by_builder on releases (built_by)`.execute(db);
}

async function createDeployments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deployments (
      deployment_uuid uuid primary key,
      application_uuid uuid not null references applications on delete cascade,
      environment_id uuid not null references environments on delete cascade,
      action text not null check (action in ('deploy', 'rollback', 'promote', 'restart', 'start')),
      status text not null
        check (status in ('queued', 'building', 'starting', 'live', 'failed', 'superseded', 'cancelled')),
      release_id uuid references releases on delete set null,
      -- True once the release command has succeeded: another attempt does not run it again.
      released boolean not null default false,
      -- Commit, branch or tag that the request named; null: the environment's own branch.
      ref_type text check (ref_type in ('commit', 'branch', 'tag')),
      ref_name text check ((ref_name is null) = (ref_type is null)),
      -- Names of the preview and of the other application whose release is promoted. They stay on record after the
      -- preview or the application was deleted.
      promoted_from text,
      promoted_from_application text,
      -- Uploaded folder that is deployed, as hosting/model/upload.ts describes it. It stays on record after the folder
      -- itself was deleted.
      upload jsonb,
      -- Image that is deployed, as hosting/model/deployed-image.ts describes it.
      image jsonb,
      -- Commit that was deployed, once it is known.
      commit_hash text,
      commit_message text,
      commit_author text,
      -- Cause of the request: a call of the API, or the push hook.
      triggered_by text not null default 'request' check (triggered_by in ('request', 'push')),
      -- Span of the request in its trace, as a header of W3C Trace Context.
      traceparent text,
      reason jsonb,
      attempts integer not null default 0,
      cancel_requested boolean not null default false,
      history jsonb not null,
      check ((num_nonnulls(promoted_from, promoted_from_application) > 0) = (action = 'promote'))
    )`.execute(db);
  await sql`create index deployments_by_application on deployments (application_uuid, deployment_uuid)`.execute(
    db,
  );
  await sql`create index deployments_by_environment on deployments (environment_id, deployment_uuid)`.execute(
    db,
  );
  // Environments have at most one deployment that waits, and at most one being worked on.
  await sql`
    create unique index deployments_one_waiting on deployments (environment_id) where status = 'queued'`.execute(
    db,
  );
  await sql`
    create unique index deployments_one_working on deployments (environment_id)
    where status in ('building', 'starting')`.execute(db);
  await sql`
    create trigger deployments_announce after insert or update of status, cancel_requested on deployments
    for each row execute function announce_environment()`.execute(db);
}

/**
 * Requests to compute the plan of a deployment that does not exist yet. The server that holds the lease answers them.
 */
async function createPlanRequests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plan_requests (
      plan_id uuid primary key,
      environment_id uuid not null references environments on delete cascade,
      -- Both are empty for the newest commit of the application's branch.
      ref_type text not null,
      ref_name text not null,
      asked_at timestamptz(3) not null,
      answer jsonb
    )`.execute(db);
  await sql`create index plan_requests_environment on plan_requests (environment_id)`.execute(db);
  // Each environment has at most one plan request without an answer for each commit, branch or tag.
  await sql`
    create unique index plan_requests_open on plan_requests (environment_id, ref_type, ref_name)
    where answer is null`.execute(db);
  await sql`
    create trigger plan_requests_announce after insert on plan_requests
    for each row execute function announce_environment()`.execute(db);
}

/** Sites: the deployment that each environment should run, and its desired state. */
async function createSites(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sites (
      environment_id uuid primary key references environments on delete cascade,
      deployment_uuid uuid not null references deployments on delete cascade,
      variables_sealed text not null,
      state text not null constraint sites_state check (state in ('live', 'stopped', 'asleep', 'down')),
      restarts integer not null default 0,
      note jsonb,
      changed_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create trigger sites_announce after insert or update or delete on sites
    for each row execute function announce_environment()`.execute(db);
}

/** Commands of a release that run once: those an owner requests, and those of a schedule (`cron` of a plan). */
async function createRuns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runs (
      run_id uuid primary key,
      environment_id uuid not null references environments on delete cascade,
      kind text not null check (kind in ('once', 'cron')),
      job text check (job is not null or kind = 'once'),
      command text not null,
      -- Time limit.
      seconds integer not null check (seconds > 0),
      status text not null check (status in ('waiting', 'running', 'succeeded', 'failed', 'cancelled', 'skipped')),
      reason jsonb,
      deployment_uuid uuid references deployments on delete set null,
      cancel_requested boolean not null default false,
      -- Generation of the lease under which the run was started.
      generation bigint,
      due_at timestamptz(3) check ((due_at is not null) = (kind = 'cron')),
      asked_at timestamptz(3) not null,
      started_at timestamptz(3),
      ended_at timestamptz(3),
      check ((ended_at is null) = (status in ('waiting', 'running')))
    )`.execute(db);
  await sql`create index runs_by_environment on runs (environment_id, run_id)`.execute(db);
  await sql`create index runs_unfinished on runs (environment_id) where status in ('waiting', 'running')`.execute(
    db,
  );
  await sql`create index runs_by_deployment on runs (deployment_uuid)`.execute(db);
  await sql`
    create trigger runs_announce after insert or update of cancel_requested on runs
    for each row execute function announce_environment()`.execute(db);
}

/** Schedules of cron jobs. `seen_at`: times of the schedule up to this one have had their runs. */
async function createSchedules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schedules (
      environment_id uuid not null references environments on delete cascade,
      job text not null,
      schedule text not null,
      time_zone text not null,
      seen_at timestamptz(3) not null,
      primary key (environment_id, job)
    )`.execute(db);
}

/**
 * Logs of deployments, of runs, of what each environment's site writes, and of the requests to it. Chunks refer to the log alone, so that
 * writing one takes no lock on an environment's row.
 */
async function createLogs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table logs (
      log_id uuid primary key,
      deployment_uuid uuid unique references deployments on delete cascade check (deployment_uuid = log_id),
      environment_id uuid unique references environments on delete cascade check (environment_id = log_id),
      run_id uuid unique references runs on delete cascade check (run_id = log_id),
      -- Environment whose requests the log lists.
      access_environment_id uuid unique references environments on delete cascade
        check (log_id = md5(access_environment_id::text || ' access')::uuid),
      -- Number of the newest line ever written; bytes counts only the lines that are still stored.
      lines bigint not null default 0,
      bytes bigint not null default 0,
      -- Chunk that was appended last, so that a retry does not append it twice.
      last_chunk uuid,
      ended boolean not null default false,
      constraint logs_of_one check (num_nonnulls(deployment_uuid, environment_id, run_id, access_environment_id) = 1)
    )`.execute(db);
  await sql`
    create table log_chunks (
      log_id uuid not null references logs on delete cascade,
      first_line bigint not null check (first_line > 0),
      last_line bigint not null check (last_line >= first_line),
      text text not null,
      written_at timestamptz(0) not null default now(),
      primary key (log_id, last_line)
    )`.execute(db);
  await sql`create index log_chunks_written on log_chunks using brin (written_at)`.execute(db);
}

/** Triggers that create the log of each new deployment, environment and run: writers never have to. */
async function createLogTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function open_deployment_log() returns trigger language plpgsql as $$
    begin
      insert into logs (log_id, deployment_uuid) values (new.deployment_uuid, new.deployment_uuid);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger deployments_open_log after insert on deployments
    for each row execute function open_deployment_log()`.execute(db);

  await sql`
    create function open_site_log() returns trigger language plpgsql as $$
    begin
      insert into logs (log_id, environment_id) values (new.environment_id, new.environment_id);
      insert into logs (log_id, access_environment_id)
      values (md5(new.environment_id::text || ' access')::uuid, new.environment_id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger environments_open_log after insert on environments
    for each row execute function open_site_log()`.execute(db);

  await sql`
    create function open_run_log() returns trigger language plpgsql as $$
    begin
      insert into logs (log_id, run_id, ended) values (new.run_id, new.run_id, new.ended_at is not null);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger runs_open_log after insert on runs
    for each row execute function open_run_log()`.execute(db);
}
