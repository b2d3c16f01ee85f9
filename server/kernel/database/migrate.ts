import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigError } from '../config.ts';

/** Migrations of the database by name. They run in the order of their names and can't be undone. */
export type Migrations = Record<string, Pick<Migration, 'up'>>;

/** Tables in which Kysely records the migrations that ran. */
export const MIGRATION_TABLES = { migrations: 'simcha_migrations', lock: 'simcha_migrations_lock' };

/**
 * Brings the database's schema up to date. If several servers start at once, one migrates and the others wait for it.
 */
export async function migrateSchema(sql: Kysely<unknown>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({
    db: sql,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLES.migrations,
    migrationLockTableName: MIGRATION_TABLES.lock,
  });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error && /^corrupted migrations/.test(error.message)) {
    throw new ConfigError(await explainForeignSchema(migrator));
  }
  if (error) throw error;
}

/** Explains to the operator why a database is refused that ran migrations which this version does not have. */
async function explainForeignSchema(migrator: Migrator): Promise<string> {
  const known = await migrator.getMigrations();
  if (known.every(({ executedAt }) => executedAt)) {
    return 'The database was set up by a newer Simcha than this one; start that version again.';
  }
  return 'The database was set up by a Simcha from before the first release. Its data can’t be carried over to this version: start with an empty database and a new DATA_DIR.';
}
