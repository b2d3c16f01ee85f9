import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigError } from '../config.ts';

/** Migrations of the database by name. They run in the order of their names and can't be undone. */
export type Migrations = Record<string, Pick<Migration, 'up'>>;

/** Tables in which Kysely records the migrations that ran. */
export const MIGRATION_TABLES = { migrations: 'simcha_migrations', lock: 'simcha_migrations_lock' };

/**
 * Brings the database's schema up to date. If several servers start at once, one migrates and the others wait for it.
 */
export async function migrateSchema(db: Kysely<unknown>, migrations: Migrations): Promise<void> {
  if (await isUpToDate(db, migrations)) return;
  const migrator = new Migrator({
    db,
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

/**
 * True if exactly these migrations have run. Kysely's migrator would find the same out, but it reads all columns of all
 * tables to see whether its own tables exist, which takes half of the start of an embedded database.
 */
async function isUpToDate(db: Kysely<unknown>, migrations: Migrations): Promise<boolean> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass(${MIGRATION_TABLES.migrations}) is not null as exists`.execute(db);
  if (!tables[0]?.exists) return false;
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATION_TABLES.migrations)}`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  return names.symmetricDifference(new Set(Object.keys(migrations))).size === 0;
}

/** Explains to the operator why a database is refused that ran migrations which this version does not have. */
async function explainForeignSchema(migrator: Migrator): Promise<string> {
  const known = await migrator.getMigrations();
  if (known.every(({ executedAt }) => executedAt)) {
    return 'The database was set up by a newer Simcha than this one; start that version again.';
  }
  return 'The database was set up by a Simcha from before the first release. Its data can’t be carried over to this version: start with an empty database and a new DATA_DIR.';
}
