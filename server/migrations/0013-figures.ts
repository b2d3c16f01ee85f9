import { type Kysely, sql } from 'kysely';

/**
 * Figures of sites: counts of requests and use of machines, by interval. Intervals are minutes at first; older ones are
 * added up to longer intervals, so that a site has a fixed number of rows (hosting/figures/levels.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSumOfElements(db);
  await createRequestFigures(db);
  await createRequestTotals(db);
  await createProcessFigures(db);
}

/** Sum of arrays, element by element; a shorter array counts as filled up with zeros. */
async function createSumOfElements(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function add_elements(a bigint[], b bigint[]) returns bigint[] language sql immutable as $$
      select array_agg(coalesce(of_a, 0) + coalesce(of_b, 0) order by position)
      from unnest(a, b) with ordinality as pair (of_a, of_b, position)
    $$`.execute(db);
  await sql`create aggregate sum_elements (bigint[]) (sfunc = add_elements, stype = bigint[])`.execute(db);
}

/** Requests that gateways have counted; each gateway adds its counts to the row of the present minute. */
async function createRequestFigures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_figures (
      environment_id uuid not null references environments on delete cascade,
      -- Length of the interval, and its start.
      seconds integer not null,
      started_at timestamptz(0) not null,
      -- Number of responses with a status of 1xx, 2xx, 3xx, 4xx and 5xx.
      responses bigint[] not null,
      bytes_in bigint not null,
      bytes_out bigint not null,
      -- Histogram of durations (hosting/figures/histogram.ts).
      durations bigint[] not null,
      primary key (environment_id, seconds, started_at)
    )`.execute(db);
}

/** Counts of all requests since the environment exists, for metrics: they only grow. */
async function createRequestTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_totals (
      environment_id uuid primary key references environments on delete cascade,
      responses bigint[] not null,
      bytes_in bigint not null,
      bytes_out bigint not null
    )`.execute(db);
}

/** Memory and processor time of each process of a site, of all its replicas together. */
async function createProcessFigures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table process_figures (
      environment_id uuid not null references environments on delete cascade,
      process text not null,
      seconds integer not null,
      started_at timestamptz(0) not null,
      -- Largest amount of memory at one time.
      memory_bytes bigint not null,
      processor_ms bigint not null,
      primary key (environment_id, process, seconds, started_at)
    )`.execute(db);
}
