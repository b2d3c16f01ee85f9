import { type Kysely, sql } from 'kysely';
import { isUnavailable } from '../../kernel/database/database.ts';
import { toStorableText } from '../../kernel/database/storable.ts';
import { inTransaction, toParameter } from '../../kernel/database/transaction.ts';
import { isFullDisk } from '../../kernel/full-disk.ts';
import { onlyNamed } from '../../kernel/http/named.ts';
import { isUuid, newId } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { User } from '../store.ts';
import { tokenMessages } from './messages.ts';
import type { NewAccessToken } from './new-token.ts';
import type { Grant, Scope } from './scopes.ts';
import { hashAccessToken, hintOf, newAccessToken } from './secrets.ts';

export interface AccessToken {
  id: string;
  name: string;
  /** First characters of the token. */
  hint: string;
  scopes: Scope[];
  application_id: string | null;
  event_id: string | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/** Access token of a request, and its user, who may be unverified. */
export interface FoundToken {
  user: Pick<User, 'account_id' | 'user_id' | 'email' | 'role' | 'verified'>;
  grant: Grant;
}

/** Name of the access token that each registration creates; the API documentation calls that token the API key. */
export const FIRST_TOKEN_NAME = 'registration';
export const MOST_TOKENS = 50;
/** Interval at which a token's last use is recorded: recording each use would be a write for each request. */
const NOTED_EVERY = { minutes: 10 };
/** Time for which an expired token stays in its owner's list. */
const LISTED_AFTER_END = { hours: 30 * 24 };

type Times = 'created_at' | 'expires_at' | 'last_used_at';
type TokenRow = Omit<AccessToken, Times> & {
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
};
type FoundRow = FoundToken['user'] & {
  id: string;
  name: string;
  scopes: Scope[];
  event_id: string | null;
  application_id: string | null;
  expires_at: Date | null;
  is_expired: boolean;
  is_due: boolean;
};

const columns = sql`id, name, hint, scopes, application_id, event_id, created_at, expires_at, last_used_at`;

/**
 * Access tokens of users, API keys among them. They are stored in the database only, so that all servers know at once
 * when a token was revoked. A function that receives a transaction works in that transaction.
 */
export class AccessTokenStore {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /**
   * Finds an access token by one query over two indexes, and records its use if the last record is old enough.
   * Undefined if no user has it.
   */
  async use(text: string, now: Temporal.Instant): Promise<FoundToken | 'expired' | undefined> {
    const { rows } = await sql<FoundRow>`
      select token.id, token.name, token.scopes, token.event_id, token.application_id, token.expires_at,
        coalesce(token.expires_at <= ${toParameter(now)}, false) as is_expired,
        coalesce(token.last_used_at <= ${toParameter(now.subtract(NOTED_EVERY))}, true) as is_due,
        users.account_id, user_id, email, role, verified
      from access_tokens token join users on users.account_id = token.account_id
      where token.hash = ${hashAccessToken(text)}`.execute(this.#db);
    const [row] = rows;
    if (!row) return undefined;
    if (row.is_expired) return 'expired';
    if (row.is_due) await this.#note(row.id, now);
    return presentFound(row);
  }

  /**
   * Creates an access token and returns its text, of which only a hash is stored. Undefined if the account has ended.
   */
  async add(
    transaction: Kysely<unknown>,
    accountId: string,
    { name, scopes, application_id, event_id, expires_at }: NewAccessToken,
    now: Temporal.Instant,
  ): Promise<(AccessToken & { token: string }) | undefined> {
    // The account's row is locked before its tokens are counted in a separate statement, so that the limit also holds
    // for parallel requests.
    const { rows: accounts } = await sql`
      select 1 from users where account_id = ${accountId} for no key update`.execute(transaction);
    if (accounts.length === 0) return undefined;
    const counted = await sql<{ count: number }>`
      select count(*)::integer as count from access_tokens where account_id = ${accountId}`.execute(
      transaction,
    );
    if ((counted.rows[0]?.count ?? 0) >= MOST_TOKENS) {
      throw new Refusal(409, 'too_many_tokens', tokenMessages.tooMany(MOST_TOKENS));
    }
    const token = newAccessToken();
    const { rows } = await sql<TokenRow>`
      insert into access_tokens
        (id, account_id, name, hint, hash, scopes, application_id, event_id, created_at, expires_at)
      values (${newId()}, ${accountId}, ${name}, ${hintOf(token)}, ${hashAccessToken(token)}, ${scopes}::text[],
        ${application_id}::uuid, ${event_id}::uuid, ${toParameter(now)}, ${expires_at}::timestamptz)
      returning ${columns}`.execute(transaction);
    if (!rows[0]) throw new Error('insert returned no row');
    return { ...present(rows[0]), token };
  }

  /** Access tokens of an account, the oldest first. */
  async list(accountId: string): Promise<AccessToken[]> {
    const { rows } = await sql<TokenRow>`
      select ${columns} from access_tokens where account_id = ${accountId} order by id`.execute(this.#db);
    return rows.map(present);
  }

  async find(accountId: string, id: string): Promise<AccessToken | undefined> {
    const { rows } = await sql<TokenRow>`
      select ${columns} from access_tokens where id = ${id} and account_id = ${accountId}`.execute(this.#db);
    return rows[0] && present(rows[0]);
  }

  /** Finds an access token by id or name. Throws a 404 if several have the name. */
  async findNamed(accountId: string, named: string): Promise<AccessToken | undefined> {
    if (isUuid(named)) return this.find(accountId, named);
    const { rows } = await sql<TokenRow>`
      select ${columns} from access_tokens where name = ${toStorableText(named)} and account_id = ${accountId}
      order by id`.execute(this.#db);
    const row = onlyNamed(rows, ({ id }) => id);
    return row && present(row);
  }

  /** Beginning of the API key with which an account was registered; undefined if the key was revoked. */
  async firstHint(transaction: Kysely<unknown>, accountId: string): Promise<string | undefined> {
    const { rows } = await sql<{ hint: string }>`
      select hint from access_tokens where account_id = ${accountId} and name = ${FIRST_TOKEN_NAME}
      order by id limit 1`.execute(transaction);
    return rows[0]?.hint;
  }

  /**
   * Deletes an access token; false if the account has no such token. `onRemoved` runs in the same transaction.
   */
  remove(
    accountId: string,
    id: string,
    onRemoved: (transaction: Kysely<unknown>, token: AccessToken) => Promise<void>,
  ): Promise<boolean> {
    return inTransaction(this.#db, async (transaction) => {
      const { rows } = await sql<TokenRow>`
        delete from access_tokens where id = ${id} and account_id = ${accountId}
        returning ${columns}`.execute(transaction);
      if (rows[0]) await onRemoved(transaction, present(rows[0]));
      return rows.length > 0;
    });
  }

  async removeAll(transaction: Kysely<unknown>, accountId: string): Promise<void> {
    await sql`delete from access_tokens where account_id = ${accountId}`.execute(transaction);
  }

  /** Deletes tokens that expired long ago. */
  async forget(now: Temporal.Instant): Promise<void> {
    await sql`
      delete from access_tokens where expires_at <= ${toParameter(now.subtract(LISTED_AFTER_END))}`.execute(
      this.#db,
    );
  }

  /**
   * Records the use of a token. It is another statement than the lookup, so that the lookup also works on a database
   * that accepts no writes, such as a standby. If several requests come at once, the first one records the use.
   */
  async #note(id: string, now: Temporal.Instant): Promise<void> {
    try {
      await sql`
        update access_tokens set last_used_at = ${toParameter(now)}
        where id = ${id} and coalesce(last_used_at <= ${toParameter(now.subtract(NOTED_EVERY))}, true)`.execute(
        this.#db,
      );
    } catch (error) {
      if (!isUnavailable(error) && !isFullDisk(error)) throw error;
    }
  }
}

function present(row: TokenRow): AccessToken {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

function presentFound({ account_id, user_id, email, role, verified, ...token }: FoundRow): FoundToken {
  return {
    user: { account_id, user_id, email, role, verified },
    grant: {
      tokenId: token.id,
      name: token.name,
      scopes: token.scopes,
      eventId: token.event_id,
      applicationId: token.application_id,
      expiresAt: token.expires_at?.toISOString() ?? null,
    },
  };
}
