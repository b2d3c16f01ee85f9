import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database } from './database/database.ts';

/**
 * Returns jobs to the queue that were running when the server was killed. It does so only on the embedded database,
 * which belongs to one process. On PostgreSQL such a job may be running on another server, and its missing heartbeat
 * shows whether it has to run again.
 */
export async function recoverJobs(boss: PgBoss, database: Database): Promise<void> {
  if (database.kind !== 'embedded') return;
  const { rows } = await sql<{ name: string; ids: string[] }>`
    select name, array_agg(id::text) as ids from pgboss.job where state = 'active' group by name`.execute(
    database.sql,
  );
  for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'the server ended while working' });
}
