import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PGliteDialect, type Logger as StatementLogger, sql } from 'kysely';
import { ConfigError } from '../config.ts';
import { openDataFolder, unusablePath } from '../data-folder.ts';
import type { Logger } from '../log.ts';
import { type Database, isUnavailable } from './database.ts';
import { type Engine, openEngine } from './engine.ts';
import { type FolderLock, lockFolder } from './lock.ts';
import { type Migrations, migrateSchema } from './migrate.ts';
import { isDiskTooFull, releaseReserve, writeReserve } from './reserve.ts';
import { withStatementCompiler } from './statement-compiler.ts';
import { unpackTemplate } from './template.ts';
import { waitForDatabase } from './wait-for-database.ts';

/**
 * Embedded database: PostgreSQL compiled to WebAssembly, in a thread of this process, with its files in
 * `<dataDir>/database`. Only one process can use a folder.
 */
export function embeddedDatabase(
  dataDir: string,
  migrations: Migrations,
  log: Logger,
  onStatement?: StatementLogger,
): Database {
  let lock: FolderLock | undefined;
  let engine: Engine | undefined;
  let prepared = false;
  let reserving: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  const waiting = Promise.withResolvers<void>();
  const makeRoom = async () => {
    if ((await isDiskTooFull(dataDir)) && (await releaseReserve(dataDir))) {
      log.warn(`the disk of ${dataDir} is full; the database opens with the reserved space`);
    }
  };
  const reserve = () =>
    writeReserve(dataDir).catch((error) =>
      log.warn({ err: error }, 'no space could be reserved for the database'),
    );
  const kysely = new Kysely<unknown>({
    dialect: withStatementCompiler(
      new PGliteDialect({
        pglite: async () => {
          await refuseMoved(dataDir);
          await makeRoom();
          engine = await openIn(join(dataDir, FOLDER), log);
          return engine;
        },
      }),
    ),
    ...(onStatement && { log: onStatement }),
  });
  return {
    kind: 'embedded',
    sql: kysely,
    engine() {
      if (!engine) throw new Error('the embedded database is not open');
      return engine;
    },
    async prepare(first) {
      await openDataFolder(dataDir);
      lock = lockFolder(dataDir);
      const { signal } = closing;
      const onAway = (error: unknown) => {
        log.warn(`${(error as Error).message} Trying again every few seconds, 503 until then`);
        waiting.resolve();
      };
      const isAway = (error: unknown) => error instanceof NoRoom || isUnavailable(error);
      try {
        await waitForDatabase(() => open(first), { signal, onAway, isAway });
      } catch (error) {
        if (!signal.aborted) throw error;
        return;
      }
      prepared = true;
      void reserve();
      reserving = setInterval(reserve, RESERVED_EVERY_MS).unref();
    },
    isPrepared: () => prepared,
    waits: waiting.promise,
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      closing.abort();
      clearInterval(reserving);
      await kysely.destroy();
      lock?.release();
    },
  };

  async function open(first: ((sql: Kysely<unknown>) => Promise<void>) | undefined): Promise<void> {
    await migrateSchema(kysely, migrations);
    await first?.(kysely);
  }
}

/** Thrown if the disk has too little space to open the embedded database; a later try may succeed. */
class NoRoom extends ConfigError {}

const RESERVED_EVERY_MS = 600_000;

/** True if the data folder has an embedded database. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return (await namesIn(join(dataDir, FOLDER))).length > 0;
}

/**
 * Renames the embedded database after its move to PostgreSQL, so that no server goes on with the outdated copy. Returns
 * the folder's new path.
 */
export async function archiveEmbeddedDatabase(dataDir: string): Promise<string> {
  const at = Temporal.Now.instant().toString({ smallestUnit: 'second' }).replaceAll(':', '-');
  const archive = join(dataDir, `${MOVED}${at}`);
  await rename(join(dataDir, FOLDER), archive);
  await releaseReserve(dataDir);
  return archive;
}

async function refuseMoved(dataDir: string): Promise<void> {
  if (await hasEmbeddedDatabase(dataDir)) return;
  const [archive] = (await namesIn(dataDir)).filter((name) => name.startsWith(MOVED));
  if (archive === undefined) return;
  throw new ConfigError(
    `The embedded database of DATA_DIR ${dataDir} was moved to PostgreSQL; set its DATABASE_URL. To use the copy again, rename ${archive} to ${FOLDER}.`,
  );
}

const FOLDER = 'database';
const MOVED = `${FOLDER}.moved-`;

const RESTORE = 'restore DATA_DIR from a backup, or remove this folder if it contains no data yet.';

async function openIn(folder: string, log: Logger): Promise<Engine> {
  // PGlite takes a folder without the file PG_VERSION for an empty one and would make a new database over its files.
  const names = await namesIn(folder);
  if (names.length > 0 && !names.includes('PG_VERSION')) {
    throw new ConfigError(`The database in ${folder} is incomplete (PG_VERSION is missing); ${RESTORE}`);
  }
  try {
    if (names.length === 0) await makeIn(folder);
    return await openEngine(folder, (error) =>
      log.error({ err: error }, 'the embedded database has ended; opening it again, 503 until then'),
    );
  } catch (error) {
    // PGlite's error gives no reason: PostgreSQL, a WebAssembly program, has just ended. So the disk's free space is
    // checked.
    if (await isDiskTooFull(join(folder, '..'))) {
      throw new NoRoom(`There is no space for the database in ${folder}: its disk is full.`);
    }
    throw new ConfigError(`The database in ${folder} can’t be opened, it seems damaged; ${RESTORE}`, {
      cause: error,
    });
  }
}

/**
 * Makes a new embedded database beside its final folder and renames it when it is complete. If that is interrupted, the
 * next start begins anew.
 */
async function makeIn(folder: string): Promise<void> {
  const making = `${folder}.new`;
  await rm(making, { recursive: true, force: true });
  if (!(await unpackTemplate(making))) {
    const engine = await openEngine(making, () => {});
    await engine.close();
  }
  await rename(making, folder);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unusablePath(folder, error);
  }
}
