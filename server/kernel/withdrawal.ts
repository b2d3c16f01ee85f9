import { type Kysely, sql } from 'kysely';

/** Where messages wait to be handed over. */
type Waiting = 'mails' | 'texts';

/** A message that was not taken waits again; one that was withdrawn meanwhile does not. */
export async function putBack(db: Kysely<unknown>, table: Waiting, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set status = 'queued' where id = ${id} and status = 'asked'`.execute(db);
}

/**
 * Takes messages back; gives those that waited, of which nothing is left. What is being handed over at this moment may go, and
 * is settled as `settle` does. What has gone stays as it is.
 */
export async function takeBack(
  transaction: Kysely<unknown>,
  table: Waiting,
  ids: readonly string[],
  settle: (id: string) => Promise<void>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // Locked before they are told apart: meanwhile one is taken up, and another put back.
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from ${sql.table(table)}
    where id = any(${[...ids]}::uuid[]) and status in ('queued', 'asked')
    order by id for update`.execute(transaction);
  const among = (status: string) => rows.filter((row) => row.status === status).map(({ id }) => id);
  const waited = among('queued');
  await sql`delete from ${sql.table(table)} where id = any(${waited}::uuid[])`.execute(transaction);
  for (const id of among('asked')) await settle(id);
  return waited;
}
