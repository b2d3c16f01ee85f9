import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigError } from '../config.ts';

/** Forward-only migrations by name; they run in the order of their names. */
export type Migrations = Record<string, Pick<Migration, 'up'>>;

/** Tables in which Kysely records the migrations that ran. */
export const MIGRATION_TABLES = { migrations: 'simcha_migrations', lock: 'simcha_migrations_lock' };

/** Brings the schema up to date. If several servers start at once, one migrates and the others wait for it. */
export async function migrateSchema(sql: Kysely<unknown>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({
    db: sql,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLES.migrations,
    migrationLockTableName: MIGRATION_TABLES.lock,
  });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error && /^corrupted migrations/.test(error.message)) {
    throw new ConfigError(
      'The database was set up by a newer Simcha than this one; start that version again.',
    );
  }
  if (error) throw error;
}
