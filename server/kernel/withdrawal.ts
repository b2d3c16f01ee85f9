import { type Kysely, sql } from 'kysely';

/** Tables of messages that wait to be handed over. */
type Waiting = 'mails' | 'texts';

/** Puts a message that was not accepted back into the queue, unless it was withdrawn meanwhile. */
export async function requeueMessage(db: Kysely<unknown>, table: Waiting, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set status = 'queued' where id = ${id} and status = 'asked'`.execute(db);
}

/**
 * Withdraws messages; deletes those that waited and returns their ids. A message being handed over at this moment may
 * still go; `settle` decides about it. Messages that have gone stay unchanged.
 */
export async function withdrawMessages(
  transaction: Kysely<unknown>,
  table: Waiting,
  ids: readonly string[],
  settle: (id: string) => Promise<void>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // Locked before the statuses are compared: otherwise one message could be taken up meanwhile, and another put back.
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
