import { type Kysely, sql } from 'kysely';

/**
 * Maintenance that a PostgreSQL server does by itself and the embedded database does not: frees the space of deleted
 * rows and updates the statistics by which statements are planned. Works on one table after another, because each
 * blocks all other queries.
 */
export async function runMaintenance(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, relname as name from pg_stat_user_tables order by relname`.execute(db);
  for (const { schema, name } of rows) await sql`vacuum (analyze) ${sql.id(schema, name)}`.execute(db);
}
