import './report-mistakes.ts';
import { parseArgs } from 'node:util';
import { isServed } from '../server/hosting/controller/records/gateways.ts';
import { ConfigError, loadEnvironment, readConfig } from '../server/kernel/config.ts';
import { isUnavailable } from '../server/kernel/database/database.ts';
import {
  archiveEmbeddedDatabase,
  embeddedDatabase,
  hasEmbeddedDatabase,
} from '../server/kernel/database/embedded.ts';
import { MIGRATION_TABLES } from '../server/kernel/database/migrate.ts';
import { listFilledTables, listTables, moveRows } from '../server/kernel/database/move.ts';
import { openDatabase } from '../server/kernel/database/open.ts';
import {
  connectWithoutRetry,
  databaseLabel,
  prepareWithoutRetry,
} from '../server/kernel/database/postgres.ts';
import { JOB_STEPS, prepareJobs } from '../server/kernel/jobs.ts';
import { createLogger } from '../server/kernel/log.ts';
import { migrations } from '../server/migrations/migrations.ts';

const { values } = parseArgs({
  options: { yes: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help || !values.yes) {
  process.stdout.write(
    `npm run move-database -- --yes
Copies the embedded database of DATA_DIR into the PostgreSQL of DATABASE_URL, which must not contain data of Simcha
yet: everything, or nothing if anything fails or the command is interrupted. The embedded database stays as a copy. Stop the
server first, and start it with DATABASE_URL and the same DATA_DIR afterwards.
`,
  );
  process.exit(values.help ? 0 : 1);
}
const config = readConfig(loadEnvironment());
const { databaseUrl, dataDir } = config;
if (databaseUrl === undefined) {
  throw new ConfigError('DATABASE_URL is not set; it names the target PostgreSQL.');
}
if (!(await hasEmbeddedDatabase(dataDir))) {
  throw new ConfigError(`There is no embedded database in DATA_DIR ${dataDir}; nothing was done.`);
}
const log = createLogger({ ...config, logLevel: 'warn' });
const there = databaseLabel(databaseUrl);
const client = await connectWithoutRetry(databaseUrl);
const source = embeddedDatabase(dataDir, migrations, log);
const target = openDatabase(config, migrations, log);
try {
  await source.prepare();
  await prepareJobs(config, source, log);
  const engine = source.engine?.();
  if (!engine) throw new Error('the embedded database has no engine');
  // The tables that record which migrations ran are not copied: each database has its own.
  const tables = await listTables(engine, [...Object.values(MIGRATION_TABLES), ...JOB_STEPS]);
  // A target database that a running server uses must stay untouched, including its schema. So this is checked first.
  const refuseFilled = async () => {
    const filled = await listFilledTables(client, tables);
    if (filled.length === 0) return;
    if (filled.includes('gateways') && (await isServed(target.sql))) {
      throw new ConfigError(`A server runs on ${there}, which has its own data; nothing was moved.`);
    }
    throw new ConfigError(
      `${there} already has data of Simcha (rows of ${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ' …' : ''}); nothing was moved: the target must be a new, empty database.`,
    );
  };
  await refuseFilled();
  await prepareWithoutRetry(databaseUrl, migrations);
  await prepareJobs(config, target, log);
  const rows = await moveRows(engine, client, tables, refuseFilled);
  // Statistics for the query planner; PostgreSQL itself would collect them only after a minute.
  await client.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
  await source.close();
  const copy = await archiveEmbeddedDatabase(dataDir);
  process.stdout.write(
    `Moved ${rows.toLocaleString('en')} rows of ${tables.length} tables into ${there}, and counted them there.
Start the server with this DATABASE_URL and DATA_DIR. The embedded database stays as a copy, ${copy}.
`,
  );
} catch (error) {
  if (!isUnavailable(error)) throw error;
  throw new ConfigError(`The move was interrupted (${(error as Error).message}): try again.`);
} finally {
  await Promise.allSettled([client.end(), source.close(), target.close()]);
}
