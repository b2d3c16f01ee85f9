import { type Kysely, sql } from 'kysely';
import { toParameter } from '../kernel/database/transaction.ts';
import { newId } from '../kernel/identifiers.ts';

export interface User {
  account_id: string;
  /** Id of the user with the account's mail address; all registrations of the address share it. */
  user_id: string;
  email: string;
  role: string;
  verified: boolean;
  /** True if the account was registered with an invitation of the operator. */
  invited: boolean;
  registered_at: string;
}

export type SignedInUser = Pick<User, 'user_id' | 'email' | 'role' | 'verified' | 'registered_at'>;

/** Data of a new account. */
export interface NewAccount {
  userId: string;
  email: string;
  verified: boolean;
  invited: boolean;
}

type UserRow = Omit<User, 'registered_at'> & { registered_at: Date };

const userColumns = sql`account_id, user_id, email, role, verified, invited, registered_at`;

/** Accounts of users. A function that receives a transaction works in that transaction. */
export class UserStore {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /**
   * All accounts of a mail address, the oldest first: several registrations, or the one verified account. They are
   * locked until the transaction ends.
   */
  async ofAddress(transaction: Kysely<unknown>, email: string): Promise<User[]> {
    const { rows } = await sql<UserRow>`
        select ${userColumns} from users where lower(email) = ${email.toLowerCase()}
        order by account_id for update`.execute(transaction);
    return rows.map(presentUser);
  }

  async add(
    transaction: Kysely<unknown>,
    { userId, email, verified, invited }: NewAccount,
    now: Temporal.Instant,
  ): Promise<User> {
    const at = toParameter(now);
    const { rows } = await sql<UserRow>`
        insert into users (account_id, user_id, email, verified, invited, registered_at, asked_at)
        values (${newId()}, ${userId}, ${email}, ${verified}, ${invited}, ${at}, ${at})
        returning ${userColumns}`.execute(transaction);
    if (!rows[0]) throw new Error('insert returned no row');
    return presentUser(rows[0]);
  }

  async find(accountId: string): Promise<User | undefined> {
    return one(
      await sql<UserRow>`select ${userColumns} from users where account_id = ${accountId}`.execute(this.#db),
    );
  }

  /** Finds the verified account with a `user_id`. */
  async findVerified(userId: string): Promise<User | undefined> {
    return one(
      await sql<UserRow>`
          select ${userColumns} from users where user_id = ${userId} and verified`.execute(this.#db),
    );
  }

  /** Finds the unverified registration with a `user_id`, if it is the only one of its mail address. */
  async soleWaiting(transaction: Kysely<unknown>, userId: string): Promise<string | undefined> {
    const { rows } = await sql<{ account_id: string }>`
        select account_id from users where user_id = ${userId} and not verified limit 2`.execute(transaction);
    return rows.length === 1 ? rows[0]?.account_id : undefined;
  }

  async emailOf(userId: string): Promise<string | undefined> {
    const { rows } = await sql<{ email: string }>`
        select email from users where user_id = ${userId} limit 1`.execute(this.#db);
    return rows[0]?.email;
  }

  async markVerified(transaction: Kysely<unknown>, accountId: string): Promise<void> {
    await sql`update users set verified = true where account_id = ${accountId}`.execute(transaction);
  }

  async markAsked(transaction: Kysely<unknown>, accountId: string, now: Temporal.Instant): Promise<void> {
    await sql`update users set asked_at = ${toParameter(now)} where account_id = ${accountId}`.execute(
      transaction,
    );
  }

  /** Deletes accounts with their access tokens, their codes and everything they created. */
  async remove(transaction: Kysely<unknown>, accounts: readonly User[]): Promise<void> {
    const ids = accounts.map(({ account_id: id }) => id);
    await sql`delete from users where account_id = any(${ids}::uuid[])`.execute(transaction);
  }

  /**
   * Deletes unverified registrations of a mail address until `most` are left; those that requested a code longest ago
   * go first.
   */
  async removeOldest(transaction: Kysely<unknown>, email: string, most: number): Promise<void> {
    await sql`
        delete from users where account_id in (
          select account_id from users where lower(email) = ${email.toLowerCase()} and not verified
          order by asked_at desc, account_id desc offset ${most}
        )`.execute(transaction);
  }
}

/** Data of a user that the user may read. */
export function signedInUser({ user_id, email, role, verified, registered_at }: SignedInUser): SignedInUser {
  return { user_id, email, role, verified, registered_at };
}

function one({ rows }: { rows: UserRow[] }): User | undefined {
  return rows[0] && presentUser(rows[0]);
}

function presentUser(row: UserRow): User {
  return { ...row, registered_at: row.registered_at.toISOString() };
}
