import { type Kysely, sql } from 'kysely';

/**
 * Commands of a release that run once: those an owner asks for, and those of its schedule (plan.ts, `cron`). Each has a
 * log of its own. `seen_at` of a schedule: its times up to then are dealt with. `released`: the release's own command
 * has succeeded, and is not run again for this deployment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table applications add column time_zone text not null default 'Asia/Jerusalem'`.execute(db);
  await sql`alter table deployments add column released boolean not null default false`.execute(db);

  await sql`
    create table runs (
      run_id uuid primary key,
      environment_id uuid not null references environments on delete cascade,
      kind text not null check (kind in ('once', 'cron')),
      job text check (job is not null or kind = 'once'),
      command text not null,
      seconds integer not null check (seconds > 0),
      status text not null check (status in ('waiting', 'running', 'succeeded', 'failed', 'cancelled', 'skipped')),
      reason jsonb,
      deployment_uuid uuid references deployments on delete set null,
      cancel_requested boolean not null default false,
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
    create table schedules (
      environment_id uuid not null references environments on delete cascade,
      job text not null,
      schedule text not null,
      time_zone text not null,
      seen_at timestamptz(3) not null,
      primary key (environment_id, job)
    )`.execute(db);

  await sql`
    alter table logs
      add column run_id uuid unique references runs on delete cascade check (run_id = log_id),
      drop constraint logs_check2,
      add constraint logs_of_one check (num_nonnulls(deployment_uuid, environment_id, run_id) = 1)`.execute(
    db,
  );
  await sql`
    create function open_run_log() returns trigger language plpgsql as $$
    begin
      insert into logs (log_id, run_id, ended) values (new.run_id, new.run_id, new.ended_at is not null);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger runs_open_log after insert on runs
    for each row execute function open_run_log()`.execute(db);
  await sql`
    create trigger runs_announce after insert or update of cancel_requested on runs
    for each row execute function announce_environment()`.execute(db);
}
