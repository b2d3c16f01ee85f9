import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database } from './database/database.ts';

/**
 * Returns jobs to the queue that an earlier run of this process was working on when it was killed. Only on the embedded
 * database, which belongs to one process: elsewhere the job may be another server's, and its missing heartbeat tells.
 */
export async function recoverJobs(boss: PgBoss, database: Database): Promise<void> {
  if (database.kind !== 'embedded') return;
  const { rows } = await sql<{ name: string; ids: string[] }>`
    select name, array_agg(id::text) as ids from pgboss.job where state = 'active' group by name`.execute(
    database.sql,
  );
  for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'the server ended while working' });
}
