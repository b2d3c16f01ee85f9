import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, sql } from 'kysely';
import type { Database } from './database.ts';
import { type FolderLock, lockFolder } from './lock.ts';
import { type Migrations, migrate } from './migrate.ts';

/** PostgreSQL compiled to WebAssembly, in this process, its files in `<dataDir>/database`. One process a folder. */
export function embeddedDatabase(dataDir: string, migrations: Migrations): Database {
  let lock: FolderLock | undefined;
  let engine: PGlite | undefined;
  let prepared = false;
  const kysely = new Kysely<unknown>({
    dialect: new PGliteDialect({
      pglite: async () => {
        engine = await PGlite.create(join(dataDir, 'database'));
        return engine;
      },
    }),
  });
  return {
    kind: 'embedded',
    sql: kysely,
    engine() {
      if (!engine) throw new Error('the embedded database is not open');
      return engine;
    },
    async prepare() {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      lock = lockFolder(dataDir);
      await migrate(kysely, migrations);
      prepared = true;
    },
    isPrepared: () => prepared,
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await kysely.destroy();
      lock?.release();
    },
  };
}
