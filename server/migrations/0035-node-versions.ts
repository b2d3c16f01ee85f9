import { type Kysely, sql } from 'kysely';

/** The version of Node.js that an application's owner asks for, as they wrote it; null: what the repository does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table applications add column node text`.execute(db);
}
