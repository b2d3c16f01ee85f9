import { type Kysely, sql } from 'kysely';

/** Tables of messages that wait to be sent: mails and text messages. */
type Waiting = 'mails' | 'texts';

/**
 * Puts a message that the server or carrier did not accept back into the queue, unless the message was withdrawn
 * meanwhile.
 */
export async function requeueMessage(db: Kysely<unknown>, table: Waiting, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set status = 'queued' where id = ${id} and status = 'asked'`.execute(db);
}

/**
 * Withdraws messages (mails or texts): those that waited are deleted, and their ids returned. A message that is being
 * handed over at this moment may still be sent; the end of its handover decides. Messages that were sent stay
 * unchanged.
 */
export async function withdrawMessages(
  transaction: Kysely<unknown>,
  table: Waiting,
  ids: readonly string[],
  settle: (id: string) => Promise<void>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // The messages' rows are locked before their statuses are compared. Otherwise, at the same time, one message could be
  // taken for delivery and another put back into the queue.
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
