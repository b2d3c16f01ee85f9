import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
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
): Database {
  return config.databaseUrl
    ? postgresDatabase(config.databaseUrl, config.databasePoolSize, migrations, log)
    : embeddedDatabase(config.dataDir, migrations, log);
}
