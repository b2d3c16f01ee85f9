import { type Kysely, sql } from 'kysely';
import { isUnavailable } from '../../kernel/database/database.ts';
import { toParameter } from '../../kernel/database/transaction.ts';
import { isFullDisk } from '../../kernel/full-disk.ts';
import { newId } from '../../kernel/identifiers.ts';
import type { SignedInUser } from '../store.ts';
import { LONGEST_HOURS, MOST_SESSIONS, NOTED_EVERY, UNUSED } from './lifetime.ts';
import { hashToken } from './secrets.ts';

export interface Session {
  id: string;
  created_at: string;
  expires_at: string;
}

/** Session as its owner sees it in a list, with data that distinguishes it from other sessions. */
export interface ListedSession extends Session {
  /** User agent of the session's browser, if the browser sent one. */
  user_agent: string | null;
  address: string;
  seen_at: string;
}

/** Data of a new session in a browser. */
export interface NewSession {
  token: string;
  userAgent: string | null;
  address: string;
}

/** Session that a cookie names, and its user, who is always verified because they signed in by mail. */
export interface ActiveSession {
  session: Session;
  user: SignedInUser & { account_id: string };
}

type Stored<T, K extends keyof T> = Omit<T, K> & { [key in K]: Date };
type SessionRow = Stored<Session, 'created_at' | 'expires_at'>;
type ListedRow = Stored<ListedSession, 'created_at' | 'expires_at' | 'seen_at'>;
type FoundRow = SessionRow & Stored<ActiveSession['user'], 'registered_at'> & { is_due: boolean };

/**
 * Sessions of browsers. They are stored in the database only, so that all servers know at once when a session has
 * ended.
 */
export class SessionStore {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Starts a session. It runs in the transaction of the sign-in, which has locked the account's row. */
  async start(
    transaction: Kysely<unknown>,
    accountId: string,
    { token, userAgent, address }: NewSession,
    now: Temporal.Instant,
  ): Promise<Session> {
    await sql`
        delete from sessions where id in (
          select id from sessions where account_id = ${accountId}
          order by seen_at desc, id desc offset ${MOST_SESSIONS - 1}
        )`.execute(transaction);
    const at = toParameter(now);
    const { rows } = await sql<SessionRow>`
        insert into sessions (id, account_id, hash, user_agent, address, created_at, seen_at, expires_at)
        values (${newId()}, ${accountId}, ${hashToken(token)}, ${userAgent}, ${address}, ${at}, ${at},
          ${toParameter(now.add(UNUSED))})
        returning id, created_at, expires_at`.execute(transaction);
    if (!rows[0]) throw new Error('insert returned no row');
    return presentSession(rows[0]);
  }

  /**
   * Finds the session of a token by one query over two indexes, and records its use if the last record is old enough.
   */
  async use(token: string, now: Temporal.Instant): Promise<ActiveSession | undefined> {
    const { rows } = await sql<FoundRow>`
        select sessions.id, sessions.created_at, sessions.expires_at,
          sessions.seen_at <= ${toParameter(now.subtract(NOTED_EVERY))} as is_due,
          users.account_id, user_id, email, role, verified, registered_at
        from sessions join users on users.account_id = sessions.account_id
        where sessions.hash = ${hashToken(token)} and sessions.expires_at > ${toParameter(now)} and users.verified`.execute(
      this.#db,
    );
    const [row] = rows;
    if (!row) return undefined;
    const { is_due, ...found } = row;
    const until = is_due ? await this.#note(found.id, now) : undefined;
    return presentFound(until ? { ...found, expires_at: until } : found);
  }

  /** Sessions of an account, the most recently used first. */
  async list(accountId: string, now: Temporal.Instant): Promise<ListedSession[]> {
    const { rows } = await sql<ListedRow>`
        select id, user_agent, address, created_at, seen_at, expires_at from sessions
        where account_id = ${accountId} and expires_at > ${toParameter(now)}
        order by seen_at desc, id desc`.execute(this.#db);
    return rows.map(presentListed);
  }

  /** Ends the session in a browser in which somebody signs in again, whoever was signed in before. */
  async endOf(transaction: Kysely<unknown>, token: string): Promise<void> {
    await sql`delete from sessions where hash = ${hashToken(token)}`.execute(transaction);
  }

  /** Ends a session; false if the account has no such session. */
  async end(accountId: string, id: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
        delete from sessions where id = ${id} and account_id = ${accountId}`.execute(this.#db);
    return numAffectedRows > 0n;
  }

  /** Ends all sessions of an account except the one with this id. */
  async endOthers(accountId: string, id: string): Promise<void> {
    await sql`delete from sessions where account_id = ${accountId} and id <> ${id}`.execute(this.#db);
  }

  /** Deletes expired sessions. */
  async forget(now: Temporal.Instant): Promise<void> {
    await sql`delete from sessions where expires_at <= ${toParameter(now)}`.execute(this.#db);
  }

  /**
   * Records the use of a session and returns the session's new expiry. A separate statement looks up the session, so
   * that the lookup also works on a database that accepts no writes, such as a standby. If several requests come at
   * once, the first one records the use.
   */
  async #note(id: string, now: Temporal.Instant): Promise<Date | undefined> {
    try {
      const { rows } = await sql<Pick<FoundRow, 'expires_at'>>`
        update sessions set seen_at = ${toParameter(now)}, expires_at = least(
          ${toParameter(now.add(UNUSED))}::timestamptz, created_at + make_interval(hours => ${LONGEST_HOURS}))
        where id = ${id} and seen_at <= ${toParameter(now.subtract(NOTED_EVERY))}
        returning expires_at`.execute(this.#db);
      return rows[0]?.expires_at;
    } catch (error) {
      if (isUnavailable(error) || isFullDisk(error)) return undefined;
      throw error;
    }
  }
}

function presentSession({ id, created_at, expires_at }: SessionRow): Session {
  return { id, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
}

function presentListed(row: ListedRow): ListedSession {
  return { ...row, ...presentSession(row), seen_at: row.seen_at.toISOString() };
}

function presentFound({
  id,
  created_at,
  expires_at,
  registered_at,
  ...user
}: Omit<FoundRow, 'is_due'>): ActiveSession {
  return {
    session: presentSession({ id, created_at, expires_at }),
    user: { ...user, registered_at: registered_at.toISOString() },
  };
}
