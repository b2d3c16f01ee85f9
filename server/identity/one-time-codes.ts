import { type Kysely, sql } from 'kysely';
import { toParameter } from '../kernel/database/transaction.ts';
import type { Encryption } from '../kernel/encryption.ts';
import {
  CODE_LIFETIME,
  isSameHash,
  MOST_LIVE,
  MOST_MAILS,
  MOST_TRIES,
  newCode,
  type Purpose,
  typedCode,
} from './codes.ts';
import type { Counts } from './counts.ts';
import type { KnownOrigins, Origin } from './known-origins.ts';

/**
 * First number of the keys of our PostgreSQL advisory locks, so that they differ from locks of other programs in the
 * same database.
 */
const LOCK_CLASS = 0x51c4;

/**
 * Person whom a code is for: one who registers a mail address (`verify`), or the reader of a mailbox who signs in
 * (`sign_in`). `handle` is the random text that the reader's client got when it requested the code.
 */
export type CodeRecipient =
  | { purpose: 'verify'; email: string; accountId: string }
  | { purpose: 'sign_in'; email: string; handle: string };

export interface CodeTry {
  purpose: Purpose;
  code: string;
  /** Mail address for which the code must have been mailed; undefined if it may be any address. */
  email: string | undefined;
  /**
   * Account of the registration for which the code must have been mailed; undefined if it may be any registration of
   * the address.
   */
  accountId?: string | undefined;
  /**
   * Text against which wrong codes are counted: the random text that the client got when it requested a code, or the id
   * of a registration's account.
   */
  handle: string | undefined;
  network: string;
}

/**
 * Reason why a code was not compared: all codes that this client requested have ended (`handle`), or too many wrong
 * codes came from its network or for the mail address.
 */
export type Exhausted = 'handle' | 'network' | 'address';

export type Judged =
  /**
   * Result for a correct code: the mail address that it was sent to and, unless the code is for a sign-in, the
   * registration's account.
   */
  | { verdict: 'right'; email: string; accountId: string | undefined }
  | { verdict: 'wrong' }
  | { verdict: 'too_many'; of: Exhausted; until: Temporal.Instant };

interface CodeRow {
  hash: Uint8Array;
  account_id: string | null;
  wrong_tries: number;
  expires_at: Date;
  /** True if the code was mailed at the request of the client or registration that now tries a code. */
  is_own: boolean;
}

/** Store of one-time codes in the database, so that all servers that share it agree. */
export class OneTimeCodes {
  readonly #encryption: Encryption;
  readonly #counts: Counts;
  readonly #origins: KnownOrigins;

  constructor(encryption: Encryption, counts: Counts, origins: KnownOrigins) {
    this.#encryption = encryption;
    this.#counts = counts;
    this.#origins = origins;
  }

  /**
   * Locks a mail address, so that operations on it run one after another. The lock is taken before any row lock, which
   * prevents deadlocks.
   */
  async lock(transaction: Kysely<unknown>, email: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(${email.toLowerCase()}))`.execute(
      transaction,
    );
  }

  /**
   * Counts a mail with a code to an address. Each network or browser has a limit; networks and browsers from which the
   * address's owner never signed in also share one limit for the address. If a limit is reached, returns the time until
   * which no more mails are sent. Addresses with and without an account are counted alike.
   */
  async admitMail(
    transaction: Kysely<unknown>,
    email: string,
    origin: Origin,
    now: Temporal.Instant,
  ): Promise<Temporal.Instant | undefined> {
    const knownParts = await this.#origins.isKnown(transaction, email, origin);
    const whom = knownParts.browser ? `browser ${origin.browser}` : `network ${origin.network}`;
    const own = await this.#counts.add(transaction, 'mails by origin', pair(email, whom), now);
    if (own.count > MOST_MAILS.origin) return own.until;
    if (knownParts.network || knownParts.browser) return undefined;
    const all = await this.#counts.add(transaction, 'mails to address', email.toLowerCase(), now);
    return all.count > MOST_MAILS.address ? all.until : undefined;
  }

  /** Creates a code for a recipient. The recipient's newest earlier codes stay valid too. */
  async issue(transaction: Kysely<unknown>, holder: CodeRecipient, now: Temporal.Instant): Promise<string> {
    const { purpose, email } = holder;
    const accountId = holder.purpose === 'verify' ? holder.accountId : null;
    const handle = holder.purpose === 'sign_in' ? this.#handleHash(holder.handle) : null;
    for (;;) {
      const code = newCode();
      const { numAffectedRows = 0n } = await sql`
          insert into one_time_codes (email, purpose, account_id, handle, hash, expires_at)
          values (${email.toLowerCase()}, ${purpose}, ${accountId}::uuid, ${handle}::bytea, ${this.#hashOf(code, purpose)},
            ${toParameter(now.add(CODE_LIFETIME))}::timestamptz)
          on conflict (hash) do nothing`.execute(transaction);
      if (numAffectedRows === 0n) continue;
      await sql`
          delete from one_time_codes where number in (
            select number from one_time_codes
            where email = ${email.toLowerCase()} and purpose = ${purpose}
              and account_id is not distinct from ${accountId}::uuid and handle is not distinct from ${handle}::bytea
            order by number desc offset ${MOST_LIVE}
          )`.execute(transaction);
      return code;
    }
  }

  /**
   * Compares a tried code with the valid ones and records the try. A correct code is used up, together with all other
   * codes for its address and purpose, or for its registration. A wrong code counts against the client (or
   * registration) to which a code for the address was mailed. From any other client, it counts against the client's
   * network, which affects nobody else, and against the daily count of the address, which doesn't affect clients that
   * requested a code.
   */
  async take(
    transaction: Kysely<unknown>,
    { purpose, code, email: given, accountId, handle, network }: CodeTry,
    now: Temporal.Instant,
  ): Promise<Judged> {
    const hash = this.#hashOf(typedCode(code), purpose);
    const email = given?.toLowerCase() ?? (await this.#emailOf(transaction, hash, purpose, now));
    if (email) await this.lock(transaction, email);
    const isOwn = this.#isOf(purpose, handle);
    const { rows: codes } = await sql<CodeRow>`
        select hash, account_id, wrong_tries, expires_at, ${isOwn} as is_own from one_time_codes
        where email = ${email ?? null} and purpose = ${purpose} and expires_at > ${toParameter(now)}`.execute(
      transaction,
    );
    let held: CodeRow | undefined;
    // All valid codes are compared to the given code, so that the time taken does not reveal which of them is equal.
    for (const one of codes) {
      const isSame = isSameHash(hash, one.hash);
      if (isSame && isAlive(one) && (accountId === undefined || one.account_id === accountId)) held = one;
    }
    // Codes that have ended count here too: they still show that this client requested a code for this address.
    const own = codes.filter(({ is_own }) => is_own);
    if (own.length > 0) {
      if (!own.some(isAlive)) return { verdict: 'too_many', of: 'handle', until: lastEnd(own) };
      if (!held) {
        await sql`
            update one_time_codes set wrong_tries = wrong_tries + 1
            where email = ${email} and purpose = ${purpose} and ${isOwn}`.execute(transaction);
      }
    } else {
      const ofNetwork = await this.#counts.add(transaction, 'tries of network', network, now);
      if (ofNetwork.count > MOST_TRIES.network) {
        // Wrong tries of a network that has reached its limit don't count against the address. So one network can't use
        // up the limit that all networks share.
        return { verdict: 'too_many', of: 'network', until: ofNetwork.until };
      }
      const ofAddress = email && (await this.#counts.add(transaction, 'tries for address', email, now));
      if (ofAddress && ofAddress.count > MOST_TRIES.address) {
        return { verdict: 'too_many', of: 'address', until: ofAddress.until };
      }
      if (held && email) {
        await this.#counts.takeBack(transaction, 'tries of network', network);
        await this.#counts.takeBack(transaction, 'tries for address', email);
      }
    }
    if (!held || !email) return { verdict: 'wrong' };
    await sql`
        delete from one_time_codes
        where email = ${email} and purpose = ${purpose} and account_id is not distinct from ${held.account_id}::uuid`.execute(
      transaction,
    );
    return { verdict: 'right', email, accountId: held.account_id ?? undefined };
  }

  /** Ends all mailed codes of a registration. */
  async end(transaction: Kysely<unknown>, accountId: string): Promise<void> {
    await sql`delete from one_time_codes where account_id = ${accountId}`.execute(transaction);
  }

  /**
   * Remembers the network and browser from which an address's owner signed in, and resets their counts of requested
   * mails.
   */
  async noteOrigin(
    transaction: Kysely<unknown>,
    { account_id: accountId, email }: { account_id: string; email: string },
    origin: Origin,
    now: Temporal.Instant,
  ): Promise<void> {
    await this.#origins.note(transaction, accountId, origin, now);
    await this.#counts.reset(transaction, 'mails by origin', pair(email, `network ${origin.network}`));
    await this.#counts.reset(transaction, 'mails by origin', pair(email, `browser ${origin.browser}`));
  }

  /** Deletes codes and counts that have expired, and known networks and browsers that were not used for long. */
  async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
    await sql`delete from one_time_codes where expires_at <= ${toParameter(now)}`.execute(db);
    await this.#counts.forget(db, now);
    await this.#origins.forget(db, now);
  }

  #hashOf(code: string, purpose: Purpose) {
    return this.#encryption.fingerprint(code, `code:${purpose}`);
  }

  #handleHash(handle: string) {
    return this.#encryption.fingerprint(handle, 'code:handle');
  }

  /**
   * SQL condition for the mailed codes that belong to a handle. For proving the address of a developer's account the
   * handle is the account's id; for signing in it is the random text that the browser got when it requested a code.
   */
  #isOf(purpose: Purpose, handle: string | undefined) {
    if (handle === undefined) return sql`false`;
    return purpose === 'verify'
      ? sql`account_id = ${handle}::uuid`
      : sql`handle = ${this.#handleHash(handle)}`;
  }

  async #emailOf(db: Kysely<unknown>, hash: Buffer, purpose: Purpose, now: Temporal.Instant) {
    const { rows } = await sql<{ email: string }>`
      select email from one_time_codes
      where hash = ${hash} and purpose = ${purpose} and expires_at > ${toParameter(now)}`.execute(db);
    return rows[0]?.email;
  }
}

function isAlive({ wrong_tries: wrongTries }: CodeRow): boolean {
  return wrongTries < MOST_TRIES.handle;
}

function lastEnd(codes: readonly CodeRow[]): Temporal.Instant {
  return new Date(Math.max(...codes.map(({ expires_at: at }) => at.getTime()))).toTemporalInstant();
}

function pair(email: string, origin: string): string {
  return `${email.toLowerCase()} ${origin}`;
}
