import { type Kysely, sql } from 'kysely';

/**
 * Logs: each deployment's, and for each application what its site writes. A log is there from the beginning of what it
 * is of, and goes with it; its chunks refer to it alone, so that writing one asks for no lock of an application's row.
 * `lines` is the number of the newest line there ever was, `bytes` what is kept. `last_chunk` tells a chunk that is sent
 * again. No more lines come to one that has `ended`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table logs (
      log_id uuid primary key,
      deployment_uuid uuid unique references deployments on delete cascade check (deployment_uuid = log_id),
      application_uuid uuid unique references applications on delete cascade check (application_uuid = log_id),
      lines bigint not null default 0,
      bytes bigint not null default 0,
      last_chunk uuid,
      ended boolean not null default false,
      check (num_nonnulls(deployment_uuid, application_uuid) = 1)
    )`.execute(db);
  await sql`
    create table log_chunks (
      log_id uuid not null references logs on delete cascade,
      first_line bigint not null check (first_line > 0),
      last_line bigint not null check (last_line >= first_line),
      text text not null,
      primary key (log_id, last_line)
    )`.execute(db);

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
      insert into logs (log_id, application_uuid) values (new.application_uuid, new.application_uuid);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger applications_open_log after insert on applications
    for each row execute function open_site_log()`.execute(db);
}
