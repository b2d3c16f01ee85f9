import type { Kysely } from 'kysely';
import { timestamp } from '../clock.ts';

/**
 * Runs `work` in a transaction: the one `db` already is, else a new one.
 * Inside, query through the transaction alone: the embedded database has one connection, and any other
 * query would wait for a transaction that waits for it.
 */
export function inTransaction<T>(
  db: Kysely<unknown>,
  work: (transaction: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** A value as the database takes it: an instant as text, to the millisecond; everything else as it is. */
export function parameter(value: Temporal.Instant): string;
export function parameter(value: unknown): unknown;
export function parameter(value: unknown): unknown {
  return value instanceof Temporal.Instant ? timestamp(value) : value;
}
