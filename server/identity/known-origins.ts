import { type Kysely, sql } from 'kysely';
import { parameter } from '../kernel/database/transaction.ts';
import type { Encryption } from '../kernel/encryption.ts';

/** An origin that nobody signed in from for so long is known no more. */
const REMEMBERED = { hours: 180 * 24 };
/** Origins of one account; the one that was not used for longest goes. */
const MOST_ORIGINS = 20;

/** Where a request comes from: its client network and, for a browser that asked for a code before, the handle in its cookie. */
export interface Origin {
  network: string;
  browser: string | undefined;
}

export type KnownOrigins = ReturnType<typeof createKnownOrigins>;

/** Networks and browsers from which an account's owner has signed in: they may ask for codes while strangers use up the rest. */
export function createKnownOrigins(encryption: Encryption) {
  const hashesOf = ({ network, browser }: Origin) => ({
    network: encryption.fingerprint(network, 'origin:network'),
    browser: browser === undefined ? undefined : encryption.fingerprint(browser, 'origin:browser'),
  });

  return {
    /** Which parts of an origin an address has signed in from. One look, whether or not the address has an account. */
    async isKnown(
      db: Kysely<unknown>,
      email: string,
      origin: Origin,
    ): Promise<{ network: boolean; browser: boolean }> {
      const { network, browser } = hashesOf(origin);
      const { rows } = await sql<{ hash: Uint8Array }>`
        select known_origins.hash
        from known_origins join users on users.account_id = known_origins.account_id
        where lower(users.email) = ${email.toLowerCase()}
          and known_origins.hash in (${network}, ${browser ?? network})`.execute(db);
      const has = (hash: Buffer | undefined) =>
        hash !== undefined && rows.some((row) => hash.equals(row.hash));
      return { network: has(network), browser: has(browser) };
    },

    /** In the transaction that signs in, which holds the account's row: nobody else notes one of it meanwhile. */
    async note(
      transaction: Kysely<unknown>,
      accountId: string,
      origin: Origin,
      now: Temporal.Instant,
    ): Promise<void> {
      for (const hash of Object.values(hashesOf(origin))) {
        if (hash === undefined) continue;
        await sql`
          insert into known_origins (account_id, hash, seen_at)
          values (${accountId}, ${hash}, ${parameter(now)})
          on conflict (account_id, hash) do update set seen_at = excluded.seen_at`.execute(transaction);
      }
      await sql`
        delete from known_origins where account_id = ${accountId} and hash in (
          select hash from known_origins where account_id = ${accountId}
          order by seen_at desc, hash offset ${MOST_ORIGINS}
        )`.execute(transaction);
    },

    /** Removes what has run out. */
    async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
      await sql`
        delete from known_origins where seen_at <= ${parameter(now.subtract(REMEMBERED))}`.execute(db);
    },
  };
}
