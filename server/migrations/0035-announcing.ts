import { type Kysely, sql } from 'kysely';

/**
 * A session plans the trigger's join once, most often while one guest's row changes, and keeps the plan: a nested loop
 * then compares each of 5,000 changed rows with each of 5,000, which takes seconds. A hash join fits any number.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter function announce_guests_update() set enable_nestloop = off`.execute(db);
}
