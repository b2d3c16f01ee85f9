import { type Kysely, sql } from 'kysely';

/** Server that holds the lease, and so runs the sites. */
export interface LeaseHolder {
  /** Id of one run of a server: a new one after each start. */
  server: string;
  /**
   * Id of a data folder on a machine, the same after each start of its server: it names the disk that has the releases.
   */
  machine: string;
  /** Address at which other servers reach this server's gateway; null if they can't. */
  address: string | null;
  /** True if the sites' instances keep running after the server ends, until another server takes the lease. */
  outlives: boolean;
  /**
   * Id of the cluster that runs the sites' instances, which all servers find and all gateways reach; null: the server's
   * own machine runs them.
   */
  cluster: string | null;
  /**
   * Number of the lease term: it grows each time the lease changes hands, which makes later writes of earlier holders
   * invalid.
   */
  generation: number;
}

export type LeaseSelf = Omit<LeaseHolder, 'generation'>;

/** Result of renewing the lease. `wanted`: the lease was renewed, but another server asks for it. */
export type Renewal = 'lost' | 'wanted' | 'unchallenged';

/**
 * Takes the lease if it has run out, or, with `isAlone`, if a previous run of this machine's server holds it. Returns
 * the number of the lease term; undefined if another server holds the lease, which then learns that this server asks
 * for it.
 */
export async function takeLease(
  db: Kysely<unknown>,
  { server, machine, address, outlives, cluster }: LeaseSelf,
  holdMs: number,
  isAlone: boolean,
): Promise<number | undefined> {
  // Instances that kept running after the former holder's end stay on record until the new holder, which can find them,
  // has looked.
  const { rows } = await sql<{ generation: string }>`
    with before as (select machine, outlives, cluster from hosting_lease),
    taken as (
      insert into hosting_lease as lease (server, machine, address, outlives, cluster, generation, held_until)
      values (${server}, ${machine}, ${address}, ${outlives}, ${cluster}, 1, clock_timestamp() + ${holdMs} * interval '1 millisecond')
      on conflict (is_the_one) do update set server = excluded.server, machine = excluded.machine, address = excluded.address,
        outlives = excluded.outlives, cluster = excluded.cluster, generation = lease.generation + 1, held_until = excluded.held_until, wanted_at = null
      where lease.held_until < clock_timestamp() or (${isAlone} and lease.machine = excluded.machine)
      returning generation, machine, outlives, cluster),
    kept as (
      update instances set generation = taken.generation from taken, before
      where instances.generation = taken.generation - 1 and instances.state = 'serving'
        and before.outlives and taken.outlives
        and (before.machine = taken.machine or before.cluster = taken.cluster))
    select generation from taken`.execute(db);
  if (rows[0]) return Number(rows[0].generation);
  await sql`update hosting_lease set wanted_at = clock_timestamp()`.execute(db);
  return undefined;
}

export async function renewLease(
  db: Kysely<unknown>,
  { server, generation }: Pick<LeaseHolder, 'server' | 'generation'>,
  holdMs: number,
): Promise<Renewal> {
  const { rows } = await sql<{ is_wanted: boolean }>`
    update hosting_lease set held_until = clock_timestamp() + ${holdMs} * interval '1 millisecond'
    where server = ${server} and generation = ${generation}
    returning coalesce(wanted_at > clock_timestamp() - ${holdMs} * interval '1 millisecond', false) as is_wanted`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return 'lost';
  return row.is_wanted ? 'wanted' : 'unchallenged';
}

export async function releaseLease(
  db: Kysely<unknown>,
  { server, generation }: Pick<LeaseHolder, 'server' | 'generation'>,
): Promise<void> {
  // Gateways are notified even if no server takes the lease, so that they know that sites no longer run.
  await sql`
    with given_back as (
      update hosting_lease set held_until = clock_timestamp() - interval '1 second'
      where server = ${server} and generation = ${generation} returning generation)
    select pg_notify('simcha_environments', '') from given_back`.execute(db);
}
