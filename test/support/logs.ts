import { sql } from 'kysely';
import { pino } from 'pino';
import { createLogs, type Logs } from '../../server/hosting/logs/logs.ts';
import type { LoggedLine } from '../../server/hosting/logs/store.ts';
import { readConfig } from '../../server/kernel/config.ts';
import type { Database } from '../../server/kernel/database/database.ts';
import { openDatabase } from '../../server/kernel/database/open.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { migrations } from '../../server/migrations/migrations.ts';

export const NEVER = new AbortController().signal;

export interface LogsOfServer extends AsyncDisposable {
  logs: Logs;
  database: Database;
  /** Messages that the server wrote to its own log. */
  told: string[];
}

/** Opens the log store of one server, on the database that `env` names. */
export async function openLogs(env: Record<string, string>): Promise<LogsOfServer> {
  const told: string[] = [];
  const log = pino({}, { write: (line) => void told.push(JSON.parse(line).msg) });
  const config = readConfig(env);
  const database = openDatabase(config, migrations, log);
  await database.prepare();
  const logs = createLogs({ database, config, log });
  return {
    logs,
    database,
    told,
    async [Symbol.asyncDispose]() {
      await logs.close();
      await database.close();
    },
  };
}

/**
 * Inserts an application, its site and a deployment into the database; returns their ids. The ids of the site and of
 * the deployment are also the ids of their logs.
 */
export async function newLogs({
  sql: db,
}: Database): Promise<Record<'application' | 'site' | 'deployment', string>> {
  const [user, application, site, deployment] = [newId(), newId(), newId(), newId()];
  await sql`
    insert into users (account_id, user_id, email, registered_at, asked_at)
    values (${user}, ${user}, ${`${user}@example.com`}, now(), now())`.execute(db);
  await sql`
    insert into applications (application_uuid, owner_id, name, repository, branch, hook_secret_sealed,
      created_at, last_updated)
    values (${application}, ${user}, 'a site', 'file:///nowhere', 'main', '', now(), now())`.execute(db);
  await sql`
    insert into environments (environment_id, application_uuid, name, subdomain)
    values (${site}, ${application}, 'production', ${site})`.execute(db);
  await sql`
    insert into deployments (deployment_uuid, application_uuid, environment_id, action, status, history)
    values (${deployment}, ${application}, ${site}, 'deploy', 'building', '[]')`.execute(db);
  return { application, site, deployment };
}

/** Reads a stored log from beginning to end, as text. */
export async function textOf(logs: Logs, logId: string): Promise<string> {
  let text = '';
  for await (const page of logs.read.read(logId)) text += page;
  return text;
}

/** Follows a stored log to its end and returns all its lines. */
export async function toTheEnd(
  logs: Logs,
  logId: string,
  after = 0,
  signal: AbortSignal = NEVER,
): Promise<LoggedLine[]> {
  const lines: LoggedLine[] = [];
  const follow = await logs.read.follow(logId, { after });
  for await (const some of follow(signal)) lines.push(...some);
  return lines;
}
