import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { statementObserver } from '../tracing/statement-spans.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import type { Database } from './database.ts';
import { embeddedDatabase } from './embedded.ts';
import type { Migrations } from './migrate.ts';
import { postgresDatabase } from './postgres.ts';

/**
 * Opens the database: PostgreSQL if `databaseUrl` is set, otherwise the embedded database. Connects only at `prepare`.
 */
export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>,
  migrations: Migrations,
  log: Logger,
  tracing: Tracing = NO_TRACING,
): Database {
  const onStatement = statementObserver(tracing);
  return config.databaseUrl
    ? postgresDatabase(config.databaseUrl, config.databasePoolSize, migrations, log, onStatement)
    : embeddedDatabase(config.dataDir, migrations, log, onStatement);
}
