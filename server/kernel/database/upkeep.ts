import { type Kysely, sql } from 'kysely';

/**
 * What a PostgreSQL server does by itself and the embedded database does not: gives the room of rows that are gone to
 * new ones, and counts what tables hold, by which statements are planned. One table after another: meanwhile nobody else is answered.
 */
export async function keepUp(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, relname as name from pg_stat_user_tables order by relname`.execute(db);
  for (const { schema, name } of rows) await sql`vacuum (analyze) ${sql.id(schema, name)}`.execute(db);
}
