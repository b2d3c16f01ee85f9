import type { Kysely } from 'kysely';
import { toTimestamp } from '../clock.ts';

/**
 * Runs `work` in a database transaction: in the current one if `db` is a transaction, otherwise in a new one. Inside,
 * every query must use the transaction: the embedded database has one connection, so any other query would wait for the
 * transaction, while the transaction waits for it.
 */
export function inTransaction<T>(
  db: Kysely<unknown>,
  work: (transaction: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** Converts a value for the database: an instant to text with milliseconds; all others stay unchanged. */
export function toParameter(value: Temporal.Instant): string;
export function toParameter(value: unknown): unknown;
export function toParameter(value: unknown): unknown {
  return value instanceof Temporal.Instant ? toTimestamp(value) : value;
}
