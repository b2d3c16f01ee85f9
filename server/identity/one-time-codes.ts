import { type Kysely, sql } from 'kysely';
import { parameter } from '../kernel/database/transaction.ts';
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

/** Sets our advisory locks apart from anybody else's on the same database. */
const LOCK_CLASS = 0x51c4;

/** Whom a code is for: a registration of an address, or whoever reads the mail there and asked for it by a handle. */
export type CodeHolder =
  | { purpose: 'verify'; email: string; accountId: string }
  | { purpose: 'sign_in'; email: string; handle: string };

export interface CodeTry {
  purpose: Purpose;
  code: string;
  /** Of which address the code should be; undefined: whosever it is. */
  email: string | undefined;
  /** Of which of its registrations the code has to be; undefined: whichever it is. */
  accountId?: string | undefined;
  /** Whose wrong tries they are: the handle of a request for a code, or the account of a registration. */
  handle: string | undefined;
  network: string;
}

/** Why a try was not judged: its handle's codes are dead, its network or its address had too many wrong tries. */
export type Exhausted = 'handle' | 'network' | 'address';

export type Judged =
  /** Whose the code was; `accountId` is undefined of one to sign in. */
  | { verdict: 'right'; email: string; accountId: string | undefined }
  | { verdict: 'wrong' }
  | { verdict: 'too_many'; of: Exhausted; until: Temporal.Instant };

interface CodeRow {
  hash: Uint8Array;
  account_id: string | null;
  wrong_tries: number;
  expires_at: Date;
  /** Whether it was mailed for the handle of the try. */
  is_own: boolean;
}

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>;

/** One-time codes, in the database, so that servers that share it agree. */
export function createOneTimeCodes(encryption: Encryption, counts: Counts, origins: KnownOrigins) {
  const hashOf = (code: string, purpose: Purpose) => encryption.fingerprint(code, `code:${purpose}`);
  const handleHash = (handle: string) => encryption.fingerprint(handle, 'code:handle');
  /** Which codes belong to a handle: those of the registration, or those that were asked for by it. */
  const isOf = (purpose: Purpose, handle: string | undefined) => {
    if (handle === undefined) return sql`false`;
    return purpose === 'verify' ? sql`account_id = ${handle}::uuid` : sql`handle = ${handleHash(handle)}`;
  };

  return {
    lock,

    /**
     * Counts a mail with a code to the address. When no more is sent, says until when: the asking network or known browser
     * had its share, or all that are not known had theirs. Counts the same for addresses with and without an account.
     */
    async admitMail(
      transaction: Kysely<unknown>,
      email: string,
      origin: Origin,
      now: Temporal.Instant,
    ): Promise<Temporal.Instant | undefined> {
      const known = await origins.isKnown(transaction, email, origin);
      const whom = known.browser ? `browser ${origin.browser}` : `network ${origin.network}`;
      const own = await counts.add(transaction, 'mails by origin', pair(email, whom), now);
      if (own.count > MOST_MAILS.origin) return own.until;
      if (known.network || known.browser) return undefined;
      const all = await counts.add(transaction, 'mails to address', email.toLowerCase(), now);
      return all.count > MOST_MAILS.address ? all.until : undefined;
    },

    /** A new code, beside those that the holder has: the last few of them stay alive. */
    async issue(transaction: Kysely<unknown>, holder: CodeHolder, now: Temporal.Instant): Promise<string> {
      const { purpose, email } = holder;
      const accountId = holder.purpose === 'verify' ? holder.accountId : null;
      const handle = holder.purpose === 'sign_in' ? handleHash(holder.handle) : null;
      for (;;) {
        const code = newCode();
        const { numAffectedRows = 0n } = await sql`
          insert into one_time_codes (email, purpose, account_id, handle, hash, expires_at)
          values (${email.toLowerCase()}, ${purpose}, ${accountId}::uuid, ${handle}::bytea, ${hashOf(code, purpose)},
            ${parameter(now.add(CODE_LIFETIME))}::timestamptz)
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
    },

    /**
     * Judges a code and writes the try down. A right one is used up, and all others of its address and purpose, or of its
     * registration, with it. A wrong one costs its own handle; without a handle of the address, the client's network, which is
     * nobody else's loss, and the slow count of the address, which those who hold a handle don't meet.
     */
    async take(
      transaction: Kysely<unknown>,
      { purpose, code, email: given, accountId, handle, network }: CodeTry,
      now: Temporal.Instant,
    ): Promise<Judged> {
      const hash = hashOf(typedCode(code), purpose);
      const email = given?.toLowerCase() ?? (await emailOf(transaction, hash, purpose, now));
      if (email) await lock(transaction, email);
      const isOwn = isOf(purpose, handle);
      const { rows: codes } = await sql<CodeRow>`
        select hash, account_id, wrong_tries, expires_at, ${isOwn} as is_own from one_time_codes
        where email = ${email ?? null} and purpose = ${purpose} and expires_at > ${parameter(now)}`.execute(
        transaction,
      );
      let held: CodeRow | undefined;
      // Each is compared: the time it takes tells nothing of which one it was.
      for (const one of codes) {
        const isSame = isSameHash(hash, one.hash);
        if (isSame && isAlive(one) && (accountId === undefined || one.account_id === accountId)) held = one;
      }
      // Dead ones too: by them a handle is known.
      const own = codes.filter(({ is_own }) => is_own);
      if (own.length > 0) {
        if (!own.some(isAlive)) return { verdict: 'too_many', of: 'handle', until: lastEnd(own) };
        if (!held) {
          await sql`
            update one_time_codes set wrong_tries = wrong_tries + 1
            where email = ${email} and purpose = ${purpose} and ${isOwn}`.execute(transaction);
        }
      } else {
        const ofNetwork = await counts.add(transaction, 'tries of network', network, now);
        if (ofNetwork.count > MOST_TRIES.network) {
          // Not counted against the address any more: one network can't use up what all of them have.
          return { verdict: 'too_many', of: 'network', until: ofNetwork.until };
        }
        const ofAddress = email && (await counts.add(transaction, 'tries for address', email, now));
        if (ofAddress && ofAddress.count > MOST_TRIES.address) {
          return { verdict: 'too_many', of: 'address', until: ofAddress.until };
        }
        if (held && email) {
          await counts.takeBack(transaction, 'tries of network', network);
          await counts.takeBack(transaction, 'tries for address', email);
        }
      }
      if (!held || !email) return { verdict: 'wrong' };
      await sql`
        delete from one_time_codes
        where email = ${email} and purpose = ${purpose} and account_id is not distinct from ${held.account_id}::uuid`.execute(
        transaction,
      );
      return { verdict: 'right', email, accountId: held.account_id ?? undefined };
    },

    /** Ends the codes of a registration. */
    async end(transaction: Kysely<unknown>, accountId: string): Promise<void> {
      await sql`delete from one_time_codes where account_id = ${accountId}`.execute(transaction);
    },

    /** The address's owner was here: the origin is known from now on, and the mails it asked for are forgiven. */
    async noteOrigin(
      transaction: Kysely<unknown>,
      { account_id: accountId, email }: { account_id: string; email: string },
      origin: Origin,
      now: Temporal.Instant,
    ): Promise<void> {
      await origins.note(transaction, accountId, origin, now);
      await counts.reset(transaction, 'mails by origin', pair(email, `network ${origin.network}`));
      await counts.reset(transaction, 'mails by origin', pair(email, `browser ${origin.browser}`));
    },

    /** Removes what has run out. */
    async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
      await sql`delete from one_time_codes where expires_at <= ${parameter(now)}`.execute(db);
      await counts.forget(db, now);
      await origins.forget(db, now);
    },
  };

  /** What concerns one mail address comes one after the other. Taken before any row, so that nobody waits in a circle. */
  async function lock(transaction: Kysely<unknown>, email: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(${email.toLowerCase()}))`.execute(
      transaction,
    );
  }

  async function emailOf(db: Kysely<unknown>, hash: Buffer, purpose: Purpose, now: Temporal.Instant) {
    const { rows } = await sql<{ email: string }>`
      select email from one_time_codes
      where hash = ${hash} and purpose = ${purpose} and expires_at > ${parameter(now)}`.execute(db);
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
