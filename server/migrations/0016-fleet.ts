import { type Kysely, sql } from 'kysely';

/**
 * Who runs the sites, and what runs. `target` is where requests go: a folder or an address of the holder's machine.
 * What is of another generation than the lease's ran under somebody who has it no more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Those of the repository's host, in ssh's own form: whichever server fetches knows them.
  await sql`alter table applications add column host_keys text not null default ''`.execute(db);

  await sql`
    create table hosting_lease (
      is_the_one boolean primary key default true check (is_the_one),
      server uuid not null,
      machine text not null,
      address text,
      -- What it runs goes on while its server is away.
      outlives boolean not null,
      generation bigint not null,
      held_until timestamptz not null,
      -- When another server last asked for it.
      wanted_at timestamptz
    )`.execute(db);

  await sql`
    create table instances (
      instance_id uuid primary key,
      environment_id uuid not null references environments on delete cascade,
      deployment_uuid uuid not null references deployments on delete cascade,
      process text not null default 'web',
      generation bigint not null,
      state text not null check (state in ('starting', 'serving', 'draining')),
      target jsonb,
      started_at timestamptz(3) not null,
      check (target is not null or state = 'starting')
    )`.execute(db);
  await sql`create index instances_by_environment on instances (environment_id)`.execute(db);
  await sql`
    create unique index instances_one_serving on instances (environment_id, process) where state = 'serving'`.execute(
    db,
  );

  // The doors of the sites: each tells which instances it has finished with.
  await sql`
    create table gateways (
      gateway_id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db);
  await sql`
    create table instances_let_go (
      instance_id uuid not null references instances on delete cascade,
      gateway_id uuid not null references gateways on delete cascade,
      primary key (instance_id, gateway_id)
    )`.execute(db);

  // Servers tell each other which environment is another than it was; an empty message is about all of them.
  await sql`
    create function announce_environment() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_environments', coalesce(new.environment_id, old.environment_id)::text);
      return null;
    end $$`.execute(db);
  for (const table of ['environments', 'sites', 'domains', 'instances']) {
    await sql`
      create trigger ${sql.ref(`${table}_announce`)} after insert or update or delete on ${sql.table(table)}
      for each row execute function announce_environment()`.execute(db);
  }
  await sql`
    create trigger deployments_announce after insert or update of status, cancel_requested on deployments
    for each row execute function announce_environment()`.execute(db);
  await sql`
    create function announce_lease() returns trigger language plpgsql as $$
    begin
      perform pg_notify('simcha_environments', '');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger hosting_lease_announce after insert or update of generation on hosting_lease
    for each row execute function announce_lease()`.execute(db);
}
