import { type Kysely, sql } from 'kysely';

/**
 * Takes messages back: of those that wait nothing is left. What is being handed over at this moment may go, and is for the
 * caller to settle. What has gone stays as it is.
 */
export async function takeBack(
  transaction: Kysely<unknown>,
  table: 'mails' | 'texts',
  ids: readonly string[],
): Promise<{ waited: string[]; onTheirWay: string[] }> {
  // Locked before they are told apart: meanwhile one is taken up, and another put back.
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from ${sql.table(table)}
    where id = any(${[...ids]}::uuid[]) and status in ('queued', 'asked')
    order by id for update`.execute(transaction);
  const among = (status: string) => rows.filter((row) => row.status === status).map(({ id }) => id);
  const waited = among('queued');
  await sql`delete from ${sql.table(table)} where id = any(${waited}::uuid[])`.execute(transaction);
  return { waited, onTheirWay: among('asked') };
}
