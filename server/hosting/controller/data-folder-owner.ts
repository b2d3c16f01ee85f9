import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { createOnce } from '../../kernel/create-once.ts';

const FILE = 'whose';

/**
 * Id of the database's set of sites, made by the first holder of the lease. A folder with sites' data belongs to one
 * such id.
 */
export async function sitesIdentity(db: Kysely<unknown>): Promise<string> {
  await sql`insert into sites_identity default values on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from sites_identity`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a database has no identity');
  return row.id;
}

/**
 * True if a folder with sites' data belongs to the database with this identity; a folder without an owner is given to
 * it. Data of another database's sites must not be treated as orphaned.
 */
export async function isOwnFolder(base: string, identity: string): Promise<boolean> {
  await mkdir(base, { recursive: true, mode: 0o700 });
  const file = join(base, FILE);
  await createOnce(file, identity);
  return (await readFile(file, 'utf8')).trim() === identity;
}
