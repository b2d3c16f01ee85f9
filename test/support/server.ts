import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import type { Simcha } from '../../server/compose.ts';
import type { HostingTimeOptions } from '../../server/hosting/times.ts';
import { signToken } from '../../server/identity/tokens.ts';
import type { Clock } from '../../server/kernel/clock.ts';
import type { JobTimes } from '../../server/kernel/jobs.ts';
import type { WebhookTimes } from '../../server/webhooks/compose.ts';
import { campaign, IN_CLUSTER, inShortRun, RUNTIME_SETTINGS, SERVERS } from './campaign.ts';
import { type Client, createClient } from './client.ts';
import { clearServices } from './cluster-settings.ts';
import { clearEngine, environmentsOn } from './engine.ts';
import { learnReference } from './reference.ts';
import { settingsAmongServers, startInProcess, startLeaseHolder, startPeers } from './several-servers.ts';

export const BOTH_DATABASES = ['embedded', 'postgres'] as const;
export type DatabaseKind = (typeof BOTH_DATABASES)[number];

/** Kind of database for tests whose subject does not depend on the kind of database. */
export const ANY_DATABASE: DatabaseKind = 'postgres';

/**
 * Databases for tests whose SQL may differ between them: PostgreSQL in `npm test`; PostgreSQL and the embedded one when
 * a lane (`npm run test:web`) or a single file is run.
 */
export const DATABASES = inShortRun<readonly DatabaseKind[]>([ANY_DATABASE], BOTH_DATABASES);

/** Kinds of database for long tests that hardly depend on the kind: PostgreSQL, or both in `npm run test:long`. */
export const DATABASES_OF_SLOW_TESTS = campaign<readonly DatabaseKind[]>([ANY_DATABASE], BOTH_DATABASES);

export const SECRET = 'a secret for tests that is long enough';
/** Encryption key of test servers that share a database. */
export const KEY = 'an encryption key for tests that is long enough';

export interface TestServer extends AsyncDisposable {
  url: string;
  simcha: Simcha;
  dataDir: string;
  call: Client;
  token(sub: string, role?: string, lifetime?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  clock?: Clock;
  env?: Record<string, string>;
  /** Intervals of the job queue. Tests shorten them to wait less. */
  jobTimes?: JobTimes;
  /** Intervals and delays of hosting. Tests shorten them to wait less. */
  hostingTimes?: HostingTimeOptions;
  /** Intervals of deliveries to webhooks. Tests shorten them to wait less. */
  webhookTimes?: Partial<WebhookTimes>;
  /**
   * Matters if tests run on several servers. True if this server must run the sites itself and must not be killed,
   * because the test looks into the server's folder, or has a site that no other server could start again.
   */
  stays?: boolean;
}

/** Starts a whole server in this process, on a migrated database of its own and a free port. */
export async function startServer(
  kind: DatabaseKind,
  { clock, env, jobTimes, hostingTimes, webhookTimes, stays = false }: TestServerOptions = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-test-'));
  const database = await freshDatabase(kind, dataDir);
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    JWT_SECRET: SECRET,
    ENCRYPTION_KEY: KEY,
    RATE_LIMIT: '1000000',
    STRICT_RATE_LIMIT: '1000000',
    MAILS_PER_DAY: '100000',
    MAIL_PAUSE_MINUTES: '0',
    LOG_LEVEL: process.env.SIMCHA_TEST_LOG ?? 'silent',
    // Hosting is on only in tests that have a setting for it; others need not wait for the check of the sandbox.
    HOSTING: Object.keys(env ?? {}).some((name) => name.startsWith('APPS_')) ? 'auto' : 'off',
    ...(database.url && { DATABASE_URL: database.url }),
    ...RUNTIME_SETTINGS,
    ...env,
  };
  const isSpread = kind === 'postgres' && SERVERS > 1;
  const own = isSpread ? await settingsAmongServers(settings) : settings;
  const holder = isSpread && !stays ? await startLeaseHolder(settings) : undefined;
  const simcha = await startInProcess(own, {
    ...(clock && { clock }),
    ...(jobTimes && { jobTimes }),
    ...(hostingTimes && { hostingTimes }),
    ...(webhookTimes && { webhookTimes }),
  });
  learnReference(() => simcha.app.swagger());
  const fellows = isSpread ? await startPeers(simcha, holder, own) : undefined;
  const url = fellows?.url ?? `http://127.0.0.1:${(simcha.app.server.address() as AddressInfo).port}`;
  const close = async () => {
    await fellows?.close();
    const { APPS_ENGINE: socket } = RUNTIME_SETTINGS;
    const applications = socket === undefined ? [] : await applicationsOf(simcha);
    await simcha.close();
    if (socket !== undefined && IN_CLUSTER) await clearServices(socket, applications);
    if (socket !== undefined) await clearEngine(socket, applications);
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    url,
    simcha,
    dataDir,
    call: createClient(url),
    token: (sub, role = 'organizer', lifetime = '1d') => signToken(SECRET, { id: sub, role }, lifetime),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Ids of an application's environments that have a home folder, for every kind of runtime. */
export async function homesOf(
  { dataDir }: Pick<TestServer, 'dataDir'>,
  application: string,
): Promise<string[]> {
  const { APPS_ENGINE: socket } = RUNTIME_SETTINGS;
  return socket === undefined
    ? readdir(join(dataDir, 'sites', application, 'environments'))
    : environmentsOn(socket, application);
}

async function applicationsOf({ database }: Simcha): Promise<string[]> {
  // A test may have removed the database. In that case the list of applications is empty.
  const known = sql<{ id: string }>`select application_uuid as id from applications`.execute(database.sql);
  return (await known.catch(() => ({ rows: [] }))).rows.map(({ id }) => id);
}

/** Makes a migrated database without a server, with the environment variables with which a server opens it. */
export async function temporaryDatabase(kind: DatabaseKind) {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-test-'));
  const database = await freshDatabase(kind, dataDir);
  return {
    env: { DATA_DIR: dataDir, ...(database.url && { DATABASE_URL: database.url }) },
    async [Symbol.asyncDispose]() {
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Copies a migrated embedded database into a data folder. */
export async function preparedFolder(dataDir: string): Promise<string> {
  const template = process.env.SIMCHA_TEST_EMBEDDED;
  if (template) await cp(template, join(dataDir, 'database'), { recursive: true });
  return dataDir;
}

/**
 * Makes a database for a server. It is a copy of a database that test/run.ts migrated once: to migrate an empty one
 * takes seconds each time.
 */
async function freshDatabase(kind: DatabaseKind, dataDir: string) {
  if (kind === 'embedded') {
    await preparedFolder(dataDir);
    return { url: undefined, drop: async () => {} };
  }
  return postgresDatabase('simcha_template');
}

/** Creates a database on the tests' PostgreSQL as a copy of `template`. */
export async function postgresDatabase(template = 'template1') {
  const admin = process.env.SIMCHA_TEST_POSTGRES;
  if (!admin) throw new Error('these tests need a PostgreSQL: start them with `npm test`');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The strategy `file_copy` takes half the time of a copy through PostgreSQL's log.
  await queryDatabase(admin, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => queryDatabase(admin, `drop database ${name} with (force)`) };
}

export async function queryDatabase(url: string, statement: string, parameters: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, parameters)).rows;
  } finally {
    await client.end();
  }
}

/** Number of sessions of a PostgreSQL database that wait for a lock of another session. */
export async function waitingForLock(url: string): Promise<number> {
  const [{ count }] = await queryDatabase(
    url,
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return count;
}
