import type { Kysely } from 'kysely';
import { toTimestamp } from '../clock.ts';

/** Has a statement sent together with the commit, in one round trip. If it fails, the transaction fails. */
export type SendWithCommit = (statement: Promise<unknown>) => void;

/**
 * Runs `work` in a database transaction: in the current one if `db` is a transaction, otherwise in a new one. Inside,
 * every query must use the transaction: the embedded database has one connection, so any other query would wait for the
 * transaction, while the transaction waits for it. `sendWithCommit` is for the last statement of `work`, whose result
 * nothing needs.
 */
export async function inTransaction<T>(
  db: Kysely<unknown>,
  work: (transaction: Kysely<unknown>, sendWithCommit: SendWithCommit) => Promise<T>,
): Promise<T> {
  let last: Promise<unknown> | undefined;
  const sendWithCommit: SendWithCommit = (statement) => {
    last = statement;
    statement.catch(() => {});
  };
  try {
    return await (db.isTransaction
      ? work(db, sendWithCommit)
      : db.transaction().execute((transaction) => work(transaction, sendWithCommit)));
  } finally {
    // An error of the last statement is the cause of the commit's error.
    await last;
  }
}

/** Converts a value for the database: an instant to text with milliseconds; all others stay unchanged. */
export function toParameter(value: Temporal.Instant): string;
export function toParameter(value: unknown): unknown;
export function toParameter(value: unknown): unknown {
  return value instanceof Temporal.Instant ? toTimestamp(value) : value;
}
