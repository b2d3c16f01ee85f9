import type { Kysely } from 'kysely';
import { toTimestamp } from '../clock.ts';

/**
 * Runs `work` in a transaction: the current one if `db` is a transaction, otherwise a new one. Inside, query only
 * through the transaction: the embedded database has one connection, and any other query would wait for a transaction
 * that waits for it.
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
