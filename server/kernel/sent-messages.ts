import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inTransaction } from './database/transaction.ts';

/** Tables of messages: of mails and of text messages. */
type Messages = 'mails' | 'texts';

/** Number of messages that have the same status and the same owner, such as a round. */
export interface StatusCount<Status> {
  of: string;
  status: Status;
  count: number;
}

/**
 * Counts messages by their status and by their owner, such as a round: the query `selection` gives pairs of owner
 * (`of`) and message (`id`).
 */
export async function countByStatus<Status>(
  db: Kysely<unknown>,
  table: Messages,
  selection: RawBuilder<unknown>,
): Promise<StatusCount<Status>[]> {
  const { rows } = await sql<StatusCount<Status>>`
    select selected.of, status, count(*)::integer as count
    from (${selection}) selected join ${sql.table(table)} message on message.id = selected.id
    group by selected.of, status`.execute(db);
  return rows;
}

/** Message (mail or text) that did not arrive. */
export interface RefusedMessage {
  id: string;
  /** Key that the caller gave the message. */
  key: string;
}

/**
 * Finds refused messages by the beginnings of their keys (a caller's own names for its messages). The query
 * `beginnings` gives the beginnings (`start`). It reads an index of refused messages, in which a prefix is a range: the
 * cost depends on the number of results, not on the number of messages.
 */
export async function findRefused(
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

/** Called in the transaction that records that a message with a key did not arrive, and why. */
export type RefusalFollower = (
  transaction: Kysely<unknown>,
  refused: { key: string; problem: { code: string } },
) => Promise<void>;

/** Followers of messages that did not arrive. */
export class RefusalFollowers {
  readonly #followers: RefusalFollower[] = [];

  add(follower: RefusalFollower): void {
    this.#followers.push(follower);
  }

  /**
   * Records the end of a message by `write`, which returns the keys of the messages that it changed. If `problem` says
   * why they did not arrive, the followers hear of them in the same transaction.
   */
  async record(
    through: Kysely<unknown>,
    problem: { code: string } | undefined,
    write: (transaction: Kysely<unknown>) => Promise<readonly { key: string | null }[]>,
  ): Promise<number> {
    if (!problem) return (await write(through)).length;
    return inTransaction(through, async (transaction) => {
      const changed = await write(transaction);
      for (const { key } of changed) {
        if (key !== null)
          for (const follower of this.#followers) await follower(transaction, { key, problem });
      }
      return changed.length;
    });
  }
}
