import type { Kysely, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { keepApplication, lockApplication } from './deployment-rows.ts';

/** What a transaction of a holder meets when the lease is another one's by now. */
export class LeaseLost extends Error {
  constructor() {
    super('another server runs the sites by now');
  }
}

/** For a transaction that must not be written by anybody else than the holder: locks the lease as it is. */
export async function requireLease(transaction: Kysely<unknown>, generation: number): Promise<void> {
  const { rows } = await sql`
    select from hosting_lease where generation = ${generation} for share`.execute(transaction);
  if (rows.length === 0) throw new LeaseLost();
}

/** Writes of the holder of that generation, each a transaction. They throw LeaseLost once the lease is another one's. */
export function createHolding(db: Kysely<unknown>, generation: number) {
  return {
    /** A change of an environment, whose row it holds, as its application's (deployments/rows.ts). */
    asHolder: <T>(environmentId: string, work: (transaction: Kysely<unknown>) => Promise<T>): Promise<T> =>
      lockApplication(db, environmentId, async (transaction) => {
        await requireLease(transaction, generation);
        return work(transaction);
      }),

    /** What is no change of an environment, and of many rows of an application where that is named. */
    holding: <T>(
      work: (transaction: Kysely<unknown>) => Promise<T>,
      applicationId?: string | RawBuilder<unknown>,
    ): Promise<T> =>
      inTransaction(db, async (transaction) => {
        if (applicationId !== undefined) await keepApplication(transaction, applicationId);
        await requireLease(transaction, generation);
        return work(transaction);
      }),
  };
}
