import { type Kysely, sql } from 'kysely';
import { parameter } from '../kernel/database/transaction.ts';
import { newId } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import { hashApiKey, hintOf, newApiKey } from './api-keys.ts';
import { messages } from './messages.ts';

export interface User {
  user_id: string;
  email: string;
  role: string;
  verified: boolean;
  registered_at: string;
}

export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  created_at: string;
}

/** Whom an API key speaks for. `keyId` is undefined for somebody who signed in by mail. */
export interface Developer {
  userId: string;
  verified: boolean;
  keyId: string | undefined;
}

export const FIRST_KEY_NAME = 'registration';
const MOST_KEYS = 20;

type UserRow = Omit<User, 'registered_at'> & { registered_at: Date };
type KeyRow = Omit<ApiKey, 'created_at'> & { created_at: Date };

const userColumns = sql`user_id, email, role, verified, registered_at`;
const keyColumns = sql`id, name, hint, created_at`;

export type UserStore = ReturnType<typeof createUserStore>;

/** Users and their API keys. What takes a transaction runs in the caller's. */
export function createUserStore(db: Kysely<unknown>) {
  return {
    /**
     * The user of a mail address, made where there is none, locked until the transaction ends: of registrations
     * at the same time each sees what the one before it left.
     */
    async claim(transaction: Kysely<unknown>, email: string, now: Temporal.Instant): Promise<User> {
      const { rows } = await sql<UserRow>`
        insert into users (user_id, email, registered_at) values (${newId()}, ${email}, ${parameter(now)})
        on conflict (lower(email)) do update set email = users.email
        returning ${userColumns}`.execute(transaction);
      if (!rows[0]) throw new Error('insert returned no row');
      return presentUser(rows[0]);
    },

    async find(userId: string): Promise<User | undefined> {
      return one(await sql<UserRow>`select ${userColumns} from users where user_id = ${userId}`.execute(db));
    },

    async findByEmail(email: string, executor: Kysely<unknown> = db): Promise<User | undefined> {
      return one(
        await sql<UserRow>`select ${userColumns} from users where lower(email) = ${email.toLowerCase()}`.execute(
          executor,
        ),
      );
    },

    async emailOf(userId: string): Promise<string | undefined> {
      const { rows } = await sql<{
        email: string;
      }>`select email from users where user_id = ${userId}`.execute(db);
      return rows[0]?.email;
    },

    async markVerified(transaction: Kysely<unknown>, userId: string): Promise<void> {
      await sql`update users set verified = true where user_id = ${userId}`.execute(transaction);
    },

    /** The user of a key, by one look into two indexes. */
    async developerOf(apiKey: string): Promise<Developer | undefined> {
      const { rows } = await sql<{ user_id: string; verified: boolean; id: string }>`
        select users.user_id, users.verified, api_keys.id
        from api_keys join users on users.user_id = api_keys.user_id
        where api_keys.hash = ${hashApiKey(apiKey)}`.execute(db);
      const [row] = rows;
      return row && { userId: row.user_id, verified: row.verified, keyId: row.id };
    },

    /** A new key; this is the only time it is known. */
    async addKey(
      transaction: Kysely<unknown>,
      userId: string,
      name: string,
      now: Temporal.Instant,
    ): Promise<ApiKey & { api_key: string }> {
      // Locked first, and counted by a later statement, so that the limit holds against others at the same time.
      await sql`select 1 from users where user_id = ${userId} for no key update`.execute(transaction);
      const counted = await sql<{ count: number }>`
        select count(*)::integer as count from api_keys where user_id = ${userId}`.execute(transaction);
      if ((counted.rows[0]?.count ?? 0) >= MOST_KEYS) {
        throw new Refusal(409, 'too_many_keys', messages.tooManyKeys(MOST_KEYS));
      }
      const key = newApiKey();
      const { rows } = await sql<KeyRow>`
        insert into api_keys (id, user_id, name, hint, hash, created_at)
        values (${newId()}, ${userId}, ${name}, ${hintOf(key)}, ${hashApiKey(key)}, ${parameter(now)})
        returning ${keyColumns}`.execute(transaction);
      if (!rows[0]) throw new Error('insert returned no row');
      return { ...presentKey(rows[0]), api_key: key };
    },

    async keys(userId: string): Promise<ApiKey[]> {
      const { rows } = await sql<KeyRow>`
        select ${keyColumns} from api_keys where user_id = ${userId} order by id`.execute(db);
      return rows.map(presentKey);
    },

    /** False when the user has no such key. */
    async removeKey(userId: string, id: string): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        delete from api_keys where id = ${id} and user_id = ${userId}`.execute(db);
      return numAffectedRows > 0n;
    },

    async removeAllKeys(transaction: Kysely<unknown>, userId: string): Promise<void> {
      await sql`delete from api_keys where user_id = ${userId}`.execute(transaction);
    },
  };
}

function one({ rows }: { rows: UserRow[] }): User | undefined {
  return rows[0] && presentUser(rows[0]);
}

function presentUser(row: UserRow): User {
  return { ...row, registered_at: row.registered_at.toISOString() };
}

function presentKey(row: KeyRow): ApiKey {
  return { ...row, created_at: row.created_at.toISOString() };
}
