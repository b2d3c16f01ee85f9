import { makeAbortable } from '../../../kernel/abortable.ts';
import { waitForDatabase } from '../../../kernel/database/wait-for-database.ts';
import type { Logger } from '../../../kernel/log.ts';

/**
 * Runs a database query, and waits while the database is unavailable, so that no site stays down because of that.
 * Rejects with the signal's reason, or at the end of the lease term.
 */
export type AskDatabase = <T>(query: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export function createAskDatabase({ term, log }: { term: AbortSignal; log: Logger }): AskDatabase {
  const onAway = (error: unknown) => log.warn({ err: error }, 'sites wait for the database');
  return (query, signal) => makeAbortable(waitForDatabase(query, { signal, onAway }), term);
}
