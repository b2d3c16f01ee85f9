import { type Kysely, sql } from 'kysely';
import { parameter } from '../kernel/database/transaction.ts';
import type { Encryption } from '../kernel/encryption.ts';
import {
  CODE_LIFETIME,
  isSameHash,
  judgeTry,
  MOST_CODES,
  MOST_TRIES,
  newCode,
  type Purpose,
  TRIES_WINDOW,
  type TryVerdict,
  typedCode,
} from './codes.ts';

/** Sets our advisory locks apart from anybody else's on the same database. */
const LOCK_CLASS = 0x51c4;

/** Whom a code is for: a registration of an address, or whoever reads the mail there. */
export type CodeHolder =
  | { purpose: 'verify'; email: string; accountId: string }
  | { purpose: 'sign_in'; email: string };

export interface CodeTry {
  purpose: Purpose;
  code: string;
  /** Of which address the code should be; undefined: whosever it is. */
  email: string | undefined;
  /** Of which of its registrations; undefined: whichever it is. */
  accountId?: string | undefined;
  clientNetwork: string;
}

export interface Judged {
  verdict: TryVerdict;
  email: string | undefined;
  /** Whose a right code was; undefined of one to sign in. */
  accountId?: string | undefined;
}

interface LiveCode {
  hash: Uint8Array;
  account_id: string | null;
}

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>;

/** One-time codes and the counts of tries, in the database, so that servers that share it agree. */
export function createOneTimeCodes(encryption: Encryption) {
  const hashOf = (code: string, purpose: Purpose) => encryption.fingerprint(code, `code:${purpose}`);
  const subjectOf = (kind: 'email' | 'address' | 'mailed', whom: string) =>
    encryption.fingerprint(whom.toLowerCase(), `tries:${kind}`);

  return {
    lock,

    /** A new code, which ends the holder's one before it; undefined when too many were mailed to the address. */
    async issue(
      transaction: Kysely<unknown>,
      holder: CodeHolder,
      now: Temporal.Instant,
    ): Promise<string | undefined> {
      const { purpose, email } = holder;
      const accountId = holder.purpose === 'verify' ? holder.accountId : null;
      const mailed = await count(transaction, subjectOf('mailed', email), now);
      if (mailed > MOST_CODES) return undefined;
      for (;;) {
        const code = newCode();
        const { numAffectedRows = 0n } = await sql`
          insert into one_time_codes (email, purpose, account_id, hash, expires_at)
          select ${email.toLowerCase()}, ${purpose}, ${accountId}::uuid, ${hashOf(code, purpose)}, ${parameter(now.add(CODE_LIFETIME))}::timestamptz
          where not exists (select 1 from one_time_codes where hash = ${hashOf(code, purpose)})
          on conflict (email, purpose, account_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`.execute(
          transaction,
        );
        if (numAffectedRows > 0n) return code;
      }
    },

    /** Judges a code and writes the try down. A right one is used up; `email` says whose it was. */
    async take(
      transaction: Kysely<unknown>,
      { purpose, code, email: given, accountId, clientNetwork }: CodeTry,
      now: Temporal.Instant,
    ): Promise<Judged> {
      const hash = hashOf(typedCode(code), purpose);
      const email = given?.toLowerCase() ?? (await emailOf(transaction, hash, purpose, now));
      if (email) await lock(transaction, email);
      const client = subjectOf('address', clientNetwork);
      const address = await count(transaction, client, now);
      // Not judged, and so not counted against the mail address: one client can't use up everybody's tries.
      if (address > MOST_TRIES.address) return { verdict: 'too_many', email };
      const owner = email && subjectOf('email', email);
      const ofEmail = owner ? await count(transaction, owner, now) : 0;
      const live = email ? await liveCodes(transaction, email, purpose, now) : [];
      let held: LiveCode | undefined;
      // Each is looked at: the time it takes tells nothing of which one it was.
      for (const one of live) {
        const isIt = isSameHash(hash, one.hash);
        if (isIt && (accountId === undefined || one.account_id === accountId)) held = one;
      }
      const verdict = judgeTry(held !== undefined, { email: ofEmail, address });
      if (verdict === 'right') {
        await forgive(transaction, client, owner);
        await sql`delete from one_time_codes where hash = ${hash}`.execute(transaction);
      }
      if (email && ofEmail >= MOST_TRIES.email) {
        await sql`
          delete from one_time_codes where email = ${email} and purpose = ${purpose}`.execute(transaction);
      }
      return { verdict, email, accountId: held?.account_id ?? undefined };
    },

    /** Ends the code of a registration. */
    async end(transaction: Kysely<unknown>, accountId: string): Promise<void> {
      await sql`delete from one_time_codes where account_id = ${accountId}`.execute(transaction);
    },

    /** Removes what has run out. */
    async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
      await sql`delete from one_time_codes where expires_at <= ${parameter(now)}`.execute(db);
      await sql`delete from tries where since <= ${parameter(now.subtract(TRIES_WINDOW))}`.execute(db);
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

  async function liveCodes(db: Kysely<unknown>, email: string, purpose: Purpose, now: Temporal.Instant) {
    const { rows } = await sql<LiveCode>`
      select hash, account_id from one_time_codes
      where email = ${email} and purpose = ${purpose} and expires_at > ${parameter(now)}`.execute(db);
    return rows;
  }

  /** Counts one more for the subject, and gives the count of the window so far. */
  async function count(db: Kysely<unknown>, subject: Buffer, now: Temporal.Instant): Promise<number> {
    const oldest = parameter(now.subtract(TRIES_WINDOW));
    const { rows } = await sql<{ count: number }>`
      insert into tries (subject, since, count) values (${subject}, ${parameter(now)}, 1)
      on conflict (subject) do update set
        count = case when tries.since <= ${oldest} then 1 else tries.count + 1 end,
        since = case when tries.since <= ${oldest} then excluded.since else tries.since end
      returning count`.execute(db);
    return rows[0]?.count ?? 0;
  }

  /** A right try ends the count of its mail address, and was no wrong one of its client. */
  async function forgive(db: Kysely<unknown>, client: Buffer, owner: Buffer | '' | undefined): Promise<void> {
    await sql`update tries set count = count - 1 where subject = ${client} and count > 0`.execute(db);
    if (owner) await sql`update tries set count = 0 where subject = ${owner}`.execute(db);
  }
}
