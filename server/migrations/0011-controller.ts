import { type Kysely, sql } from 'kysely';

/**
 * Lease of the server that runs the sites, the instances that it runs, and where the contents of environments are
 * stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createLease(db);
  await createInstances(db);
  await createReplicas(db);
  await createGateways(db);
  await createContentRecords(db);
  await createSitesIdentity(db);
}

async function createLease(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hosting_lease (
      is_the_one boolean primary key default true check (is_the_one),
      server uuid not null,
      machine text not null,
      address text,
      -- Cluster that runs the sites, which all its servers and gateways reach; null: the machine runs them itself.
      cluster text,
      -- Whether the sites go on running without the server.
      outlives boolean not null,
      -- Number of the term: rows of an earlier generation belong to an earlier holder.
      generation bigint not null,
      held_until timestamptz not null,
      -- Last request of another server for the lease.
      wanted_at timestamptz
    )`.execute(db);

  // When a server gets the lease, this concerns all environments, so the notification names none.
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

/** Started processes and services. In a cluster an instance is a service with several replicas. */
async function createInstances(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table instances (
      instance_id uuid primary key,
      environment_id uuid not null references environments on delete cascade,
      deployment_uuid uuid not null references deployments on delete cascade,
      process text not null,
      number integer not null check (number > 0),
      -- Numbers of the healthy replicas.
      numbers integer[] not null default '{1}',
      generation bigint not null,
      state text not null check (state in ('starting', 'serving', 'draining')),
      -- Folders or addresses that requests go to; empty while there are none.
      targets jsonb not null default '[]',
      started_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index instances_by_environment on instances (environment_id)`.execute(db);
  await sql`
    create unique index instances_one_serving on instances (environment_id, process, number)
    where state = 'serving'`.execute(db);
  await sql`
    create trigger instances_announce after insert or update or delete on instances
    for each row execute function announce_environment()`.execute(db);
}

/** Failures of each replica since the release went live: their number and the last one's reason. */
async function createReplicas(db: Kysely<unknown>): Promise<void> {
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

/** Running gateways, and the draining instances to which each sends no more requests. */
async function createGateways(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateways (
      gateway_id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db);
  await sql`
    create table instances_let_go (
      instance_id uuid not null references instances on delete cascade,
      gateway_id uuid not null references gateways on delete cascade,
      -- True if WebSockets to the instance are still open.
      has_tunnels boolean not null default false,
      primary key (instance_id, gateway_id)
    )`.execute(db);
}

/**
 * Contents that outlive releases (homes and volumes) with the runtime that stores them, and runtimes that may still run
 * something. After a change of runtime the contents are moved, and the former runtime's instances are stopped.
 */
async function createContentRecords(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_contents (
      environment_id uuid not null references environments on delete cascade,
      content text not null,
      runtime text not null,
      primary key (environment_id, content)
    )`.execute(db);
  await sql`
    create table runtimes_used (
      runtime text primary key,
      identity text not null
    )`.execute(db);
}

/** Identity by which a server recognises its folder of sites, even if this database's key changes. */
async function createSitesIdentity(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sites_identity (
      is_the_one boolean primary key default true check (is_the_one),
      id uuid not null default gen_random_uuid()
    )`.execute(db);
}
