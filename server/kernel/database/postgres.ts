import { Kysely, PostgresDialect, type Logger as StatementLogger, sql } from 'kysely';
import pg from 'pg';
import { ConfigError } from '../config.ts';
import type { Logger } from '../log.ts';
import { type Database, isUnavailable } from './database.ts';
import { type Migrations, migrateSchema } from './migrate.ts';
import { createPreparingClient } from './preparing-client.ts';
import { Pulse } from './pulse.ts';
import { withStatementCompiler } from './statement-compiler.ts';
import { waitForDatabase } from './wait-for-database.ts';

const OLDEST_VERSION = 15;
/**
 * Settings of a connection that probes whether the database answers. Its timeouts are longer than the probe waits: they
 * only end a probe that was never answered.
 */
const PROBE = { application_name: 'simcha', connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
// Code of a write in a read-only transaction, as on a standby or after the disk filled up:
// https://www.postgresql.org/docs/15/errcodes-appendix.html
const READ_ONLY = '25006';

/** Opens the database on a PostgreSQL server (15 or later), which several Simcha servers may share. */
export function postgresDatabase(
  url: string,
  poolSize: number,
  migrations: Migrations,
  log: Logger,
  onStatement?: StatementLogger,
): Database {
  const name = databaseLabel(url);
  const prober = createProber(url);
  const pulse = new Pulse({
    ask: prober.ask,
    rest: prober.rest,
    onFrozen: () => log.warn(`${name} does not answer; waiting requests are given up, 503 until it does`),
    onBack: () => log.info(`${name} answers again`),
  });
  const pool = openPool({
    Client: createPreparingClient((query, end) => pulse.during(query, end)),
    connectionString: url,
    application_name: 'simcha',
    max: poolSize,
    // An idle server sends a statement every few seconds; a new connection for each would cost more than the statement.
    min: 1,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    // Time limit on the client's side for a database server that took the query and vanished: nothing else would end
    // the wait.
    query_timeout: 20_000,
    // JIT compilation of queries is off: our queries take milliseconds, and JIT takes half a second and starts when the
    // planner expects many rows.
    options: '-c jit=off',
    keepAlive: true,
  });
  pool.on('error', (error) => log.warn({ err: error }, `a connection to ${name} was lost`));
  const watched = {
    options: pool.options,
    end: () => pool.end(),
    connect() {
      let connecting: Promise<pg.PoolClient> | undefined;
      const ask = () => {
        connecting = pool.connect();
        return connecting;
      };
      // If the caller no longer waits for a connection, the connection goes back to the pool when it arrives.
      return pulse.during(ask, () => void connecting?.then((client) => client.release()).catch(() => {}));
    },
  };
  const kysely = new Kysely<unknown>({
    dialect: withStatementCompiler(new PostgresDialect({ pool: watched })),
    ...(onStatement && { log: onStatement }),
  });
  const closing = new AbortController();
  let prepared = false;

  return {
    kind: 'postgres',
    sql: kysely,
    async prepare(first) {
      const { signal } = closing;
      const onAway = (error: unknown) =>
        log.warn(`${name} ${reason(error)}; trying again every few seconds, 503 until then`);
      try {
        await waitForDatabase(() => prepareOnce(url, name, migrations, first), { signal, onAway });
        prepared = true;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    isPrepared: () => prepared,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      closing.abort();
      pulse.close();
      await kysely.destroy();
    },
  };
}

/**
 * Makes the probe that asks whether the database answers. It uses a connection of its own, so that it works however
 * busy the other connections are.
 */
function createProber(url: string) {
  let idle: pg.Client | undefined;
  return {
    async ask(): Promise<void> {
      const client = idle ?? new pg.Client({ connectionString: url, ...PROBE });
      const isNew = client !== idle;
      idle = undefined;
      try {
        if (isNew) {
          client.on('error', () => {});
          await client.connect();
        }
        await client.query('select 1');
        idle = client;
      } catch (error) {
        client.connection.stream.destroy();
        throw error;
      }
    },
    /**
     * Closes the idle connection with which the database was asked whether it answers; the next such question opens
     * another.
     */
    rest(): void {
      idle?.end().catch(() => {});
      idle = undefined;
    },
  };
}

/** Opens a database connection for long work. Connecting is tried once; a ConfigError says why it failed. */
export function connectWithoutRetry(url: string): Promise<pg.Client> {
  return withoutRetry(url, async () => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'simcha',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  });
}

/** Brings the database's schema up to date. It is tried once, without waiting for a database that can't be reached. */
export function prepareWithoutRetry(url: string, migrations: Migrations): Promise<void> {
  return withoutRetry(url, () => prepareOnce(url, databaseLabel(url), migrations));
}

async function withoutRetry<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = databaseLabel(url);
    throw isUnavailable(error) ? new ConfigError(`${name} ${reason(error)}.`) : toConfigError(error, name);
  }
}

/**
 * Opens a pool of database connections with an error listener on it and on each connection, because an 'error' event
 * without a listener ends the process. The pool reports a connection lost while idle; while one is in use, its query
 * rejects instead.
 */
function openPool(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(settings);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Brings the database's schema up to date on a connection of its own: a migration may take longer than a request is
 * allowed to.
 */
async function prepareOnce(
  url: string,
  name: string,
  migrations: Migrations,
  first?: (sql: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  const pool = openPool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { rows } = await sql<{ version: number; encoding: string }>`
      select current_setting('server_version_num')::int / 10000 as version,
             current_setting('server_encoding') as encoding`.execute(kysely);
    const { version = 0, encoding = '' } = rows[0] ?? {};
    if (version < OLDEST_VERSION) {
      throw new ConfigError(
        `DATABASE_URL names a PostgreSQL ${version}; Simcha requires ${OLDEST_VERSION} or later.`,
      );
    }
    if (encoding !== 'UTF8') {
      throw new ConfigError(
        `The database of DATABASE_URL has the encoding ${encoding}; Simcha requires UTF8.`,
      );
    }
    await migrateSchema(kysely, migrations);
    await first?.(kysely);
  } catch (error) {
    throw toConfigError(error, name);
  } finally {
    await kysely.destroy();
  }
}

/** Turns a mistake in DATABASE_URL into one sentence for the operator; returns any other error unchanged. */
function toConfigError(error: unknown, name: string): unknown {
  const { code = '' } = error as { code?: string };
  if (/^28/.test(code)) return new ConfigError(`${name} refused the user or the password of DATABASE_URL.`);
  if (code === '3D000') return new ConfigError(`${name} has no such database; create it first.`);
  return error;
}

/** Host and name of the database for messages, without user and password. */
export function databaseLabel(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL at ${hostname || 'the local socket'}${port && `:${port}`}${pathname}`;
}

function reason(error: unknown): string {
  const { code, message } = error as Error & { code?: string };
  return code === READ_ONLY ? 'is read-only' : `can't be reached (${code ?? message})`;
}
