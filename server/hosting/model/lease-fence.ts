import type { Kysely, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { lockApplicationRow, lockEnvironment } from './deployment-rows.ts';

/** Thrown by a lease holder's transaction when another server holds the lease by now. */
export class LeaseLost extends Error {
  constructor() {
    super('another server runs the sites by now');
  }
}

/** Fences a transaction that only the lease holder may write: locks the lease row if it still has this generation. */
export async function requireLease(transaction: Kysely<unknown>, generation: number): Promise<void> {
  const { rows } = await sql`
    select from hosting_lease where generation = ${generation} for share`.execute(transaction);
  if (rows.length === 0) throw new LeaseLost();
}

/**
 * Creates transactions for the holder of the lease with this generation. They throw LeaseLost once another server holds
 * the lease.
 */
export function createFencedWrites(db: Kysely<unknown>, generation: number) {
  return {
    /** Changes an environment while holding its row, as `lockApplication` does (model/deployment-rows.ts). */
    changeEnvironment: <T>(
      environmentId: string,
      work: (transaction: Kysely<unknown>) => Promise<T>,
    ): Promise<T> =>
      lockEnvironment(db, environmentId, async (transaction) => {
        await requireLease(transaction, generation);
        return work(transaction);
      }),

    /** Runs any other transaction; with `applicationId`, one that changes many rows of that application. */
    writeFenced: <T>(
      work: (transaction: Kysely<unknown>) => Promise<T>,
      applicationId?: string | RawBuilder<unknown>,
    ): Promise<T> =>
      inTransaction(db, async (transaction) => {
        if (applicationId !== undefined) await lockApplicationRow(transaction, applicationId);
        await requireLease(transaction, generation);
        return work(transaction);
      }),
  };
}
