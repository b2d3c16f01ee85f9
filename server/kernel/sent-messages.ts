import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Where messages stand that were handed over, or wait to be. */
type Messages = 'mails' | 'texts';

/** How many messages of one status there are of something. */
export interface Tallied<Status> {
  of: string;
  status: Status;
  count: number;
}

/** How many messages of each status there are, by what they are of: `those` is a query for `of` and `id`. */
export async function tallyOf<Status>(
  db: Kysely<unknown>,
  table: Messages,
  those: RawBuilder<unknown>,
): Promise<Tallied<Status>[]> {
  const { rows } = await sql<Tallied<Status>>`
    select those.of, status, count(*)::integer as count
    from (${those}) those join ${sql.table(table)} message on message.id = those.id
    group by those.of, status`.execute(db);
  return rows;
}

/** A message that did not arrive. */
export interface RefusedMessage {
  id: string;
  /** What the sender calls it. */
  key: string;
}

/**
 * Those that did not arrive and whose keys begin so: `beginnings` is a query for `start`. Read from an index of what did not
 * arrive alone, in which a beginning is a range: it costs what it finds, however many there are.
 */
export async function refusedOf(
  db: Kysely<unknown>,
  table: Messages,
  beginnings: RawBuilder<unknown>,
): Promise<RefusedMessage[]> {
  const { rows } = await sql<RefusedMessage>`
    select message.id, message.key from (${beginnings}) beginnings
    join ${sql.table(table)} message on message.status = 'refused'
      and message.key collate "C" >= beginnings.start
      and message.key collate "C" < beginnings.start || chr(1114111)`.execute(db);
  return rows;
}
