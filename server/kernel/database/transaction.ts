import { type Kysely, Transaction } from 'kysely';
import { toTimestamp } from '../clock.ts';
import { OFFLINE } from './offline.ts';

/**
 * Takes a statement of a transaction that nobody waits for: it is sent in one round trip with what the transaction asks
 * for next, at the latest with the commit. If it fails, the transaction fails.
 */
export type SendAlong = (statement: Promise<unknown>) => void;

/**
 * Runs `work` in a database transaction: in the current one if `db` is a transaction, otherwise in a new one. Inside,
 * every query must use the transaction: the embedded database has one connection, so any other query would wait for the
 * transaction, while the transaction waits for it. Statements that are asked for at the same time, as by
 * `Promise.all`, are sent in one round trip and run in their order.
 */
export async function inTransaction<T>(
  db: Kysely<unknown>,
  work: (transaction: Kysely<unknown>, sendAlong: SendAlong) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const sendAlong: SendAlong = (statement) => {
    sent.push(statement);
    statement.catch(() => {});
  };
  try {
    return await (db.isTransaction
      ? work(db, sendAlong)
      : db.transaction().execute((transaction) => work(concurrent(transaction), sendAlong)));
  } finally {
    // The first error of these statements is the cause of a failed commit.
    await Promise.all(sent);
  }
}

/**
 * Copy of a transaction that passes on statements as soon as they are asked for. Kysely's own sends each one only after
 * the answer to the one before it.
 */
function concurrent(transaction: Transaction<unknown>): Transaction<unknown> {
  const ofOne = transaction.getExecutor();
  const connection = ofOne.provideConnection(async (one) => one);
  const executor = ofOne.withConnectionProvider({ provideConnection: async (use) => use(await connection) });
  return new Transaction({ ...OFFLINE, executor });
}

/** Converts a value for the database: an instant to text with milliseconds; all others stay unchanged. */
export function toParameter(value: Temporal.Instant): string;
export function toParameter(value: unknown): unknown;
export function toParameter(value: unknown): unknown {
  return value instanceof Temporal.Instant ? toTimestamp(value) : value;
}
