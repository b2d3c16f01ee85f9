import { type Kysely, sql } from 'kysely';
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

export interface CodeTry {
  purpose: Purpose;
  code: string;
  /** Whose code it should be; undefined: whosever it is. */
  email: string | undefined;
  clientNetwork: string;
}

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>;

/** One-time codes and the counts of tries, in the database, so that servers that share it agree. */
export function createOneTimeCodes(encryption: Encryption) {
  const hashOf = (code: string, purpose: Purpose) => encryption.fingerprint(code, `code:${purpose}`);
  const subjectOf = (kind: 'email' | 'address' | 'mailed', whom: string) =>
    encryption.fingerprint(whom.toLowerCase(), `tries:${kind}`);

  return {
    lock,

    /** A new code for the address, which ends the one before it; undefined when too many were asked for. */
    async issue(
      transaction: Kysely<unknown>,
      email: string,
      purpose: Purpose,
      now: Temporal.Instant,
    ): Promise<string | undefined> {
      const [mailed = 0] = await count(transaction, [subjectOf('mailed', email)], now);
      if (mailed > MOST_CODES) return undefined;
      for (;;) {
        const code = newCode();
        const { numAffectedRows = 0n } = await sql`
          insert into one_time_codes (email, purpose, hash, expires_at)
          select ${email.toLowerCase()}, ${purpose}, ${hashOf(code, purpose)}, ${time(now.add(CODE_LIFETIME))}::timestamptz
          where not exists (select 1 from one_time_codes where hash = ${hashOf(code, purpose)})
          on conflict (email, purpose) do update set hash = excluded.hash, expires_at = excluded.expires_at`.execute(
          transaction,
        );
        if (numAffectedRows > 0n) return code;
      }
    },

    /** Judges a code and writes the try down. A right one is used up; `email` says whose it was. */
    async take(
      transaction: Kysely<unknown>,
      { purpose, code, email: given, clientNetwork }: CodeTry,
      now: Temporal.Instant,
    ): Promise<{ verdict: TryVerdict; email: string | undefined }> {
      const hash = hashOf(typedCode(code), purpose);
      const email = given?.toLowerCase() ?? (await emailOf(transaction, hash, purpose, now));
      if (email) await lock(transaction, email);
      const subjects = [subjectOf('address', clientNetwork), ...(email ? [subjectOf('email', email)] : [])];
      const [address = 0, ofEmail = 0] = await count(transaction, subjects, now);
      const isRight = isSameHash(hash, email ? await liveHash(transaction, email, purpose, now) : undefined);
      const verdict = judgeTry(isRight && email !== undefined, { email: ofEmail, address });
      if (verdict === 'right') {
        await forgive(transaction, subjects);
      }
      const isSpent = verdict !== 'wrong' || ofEmail >= MOST_TRIES.email || address >= MOST_TRIES.address;
      if (email && isSpent) {
        await sql`
          delete from one_time_codes where email = ${email} and purpose = ${purpose}`.execute(transaction);
      }
      return { verdict, email };
    },

    /** Removes what has run out. */
    async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
      await sql`delete from one_time_codes where expires_at <= ${time(now)}`.execute(db);
      await sql`delete from tries where since <= ${time(now.subtract(TRIES_WINDOW))}`.execute(db);
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
      where hash = ${hash} and purpose = ${purpose} and expires_at > ${time(now)}`.execute(db);
    return rows[0]?.email;
  }

  async function liveHash(db: Kysely<unknown>, email: string, purpose: Purpose, now: Temporal.Instant) {
    const { rows } = await sql<{ hash: Uint8Array }>`
      select hash from one_time_codes
      where email = ${email} and purpose = ${purpose} and expires_at > ${time(now)}`.execute(db);
    return rows[0]?.hash;
  }

  /** Counts one more for each subject, and gives the counts of the window so far. */
  async function count(
    db: Kysely<unknown>,
    subjects: readonly Buffer[],
    now: Temporal.Instant,
  ): Promise<number[]> {
    const oldest = time(now.subtract(TRIES_WINDOW));
    const counts: number[] = [];
    for (const subject of subjects) {
      const { rows } = await sql<{ count: number }>`
        insert into tries (subject, since, count) values (${subject}, ${time(now)}, 1)
        on conflict (subject) do update set
          count = case when tries.since <= ${oldest} then 1 else tries.count + 1 end,
          since = case when tries.since <= ${oldest} then excluded.since else tries.since end
        returning count`.execute(db);
      counts.push(rows[0]?.count ?? 0);
    }
    return counts;
  }

  /** A right try ends the count of its mail address, and was no wrong one of its client. */
  async function forgive(db: Kysely<unknown>, [client, email]: readonly Buffer[]): Promise<void> {
    await sql`update tries set count = count - 1 where subject = ${client} and count > 0`.execute(db);
    if (email) await sql`update tries set count = 0 where subject = ${email}`.execute(db);
  }
}

function time(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
