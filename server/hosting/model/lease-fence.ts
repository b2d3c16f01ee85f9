import type { Kysely, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { lockApplicationRow, lockEnvironment } from './deployment-rows.ts';

/** Thrown by a transaction of a former lease holder when another server holds the lease. */
export class LeaseLost extends Error {
  constructor() {
    super('another server runs the sites by now');
  }
}

/**
 * Makes a transaction of the lease holder fail if another server has taken the lease: each taking of the lease gives it
 * a new generation number. Locks the lease's row until the transaction ends.
 */
export async function requireLease(transaction: Kysely<unknown>, generation: number): Promise<void> {
  const { rows } = await sql`
    select from hosting_lease where generation = ${generation} for share`.execute(transaction);
  if (rows.length === 0) throw new LeaseLost();
}

export type LeaseFence = ReturnType<typeof createLeaseFence>;

/**
 * Creates the fence of a lease term: everything that only the lease holder may do goes through it. Its transactions and
 * effects throw LeaseLost once another server holds the lease.
 */
export function createLeaseFence(db: Kysely<unknown>, generation: number) {
  return {
    generation,

    /**
     * Changes an environment in a transaction that holds a lock on the environment's row (`lockEnvironment` in
     * model/deployment-rows.ts); with `through`, as a part of that transaction.
     */
    changeEnvironment: <T>(
      environmentId: string,
      work: (transaction: Kysely<unknown>) => Promise<T>,
      through: Kysely<unknown> = db,
    ): Promise<T> =>
      lockEnvironment(through, environmentId, async (transaction) => {
        await requireLease(transaction, generation);
        return work(transaction);
      }),

    /**
     * Runs a transaction of the lease holder that does not change a single environment. `applicationId`: the
     * application of which the transaction changes many rows.
     */
    write: <T>(
      work: (transaction: Kysely<unknown>) => Promise<T>,
      applicationId?: string | RawBuilder<unknown>,
    ): Promise<T> =>
      inTransaction(db, async (transaction) => {
        if (applicationId !== undefined) await lockApplicationRow(transaction, applicationId);
        await requireLease(transaction, generation);
        return work(transaction);
      }),

    /**
     * Runs work that has an effect outside the database. The database is asked first whether this server still holds
     * the lease, because a process that was frozen has not noticed that it lost the lease.
     */
    runEffect: async <T>(work: () => Promise<T>): Promise<T> => {
      const { rows } = await sql`select from hosting_lease where generation = ${generation}`.execute(db);
      if (rows.length === 0) throw new LeaseLost();
      return work();
    },

    /** True while the lease has not changed hands and has not run out. */
    isHeld: async (): Promise<boolean> => {
      const { rows } = await sql`
        select from hosting_lease where generation = ${generation} and held_until > clock_timestamp()`.execute(
        db,
      );
      return rows.length > 0;
    },
  };
}
