import { type Kysely, sql } from 'kysely';
import { toParameter } from '../kernel/database/transaction.ts';
import type { Encryption } from '../kernel/encryption.ts';

/** Time after an account's last sign-in from a network or browser for which that network or browser is remembered. */
const REMEMBERED = { hours: 180 * 24 };
/** Maximum number of networks and browsers that are remembered for an account; the least recently used is forgotten. */
const MOST_ORIGINS = 20;

/**
 * Origin of a request: the network of its client and, for a browser that requested a code before, the handle in its
 * cookie.
 */
export interface Origin {
  network: string;
  browser: string | undefined;
}

export type KnownOrigins = ReturnType<typeof createKnownOrigins>;

/**
 * Networks and browsers from which an account's owner has signed in. Codes can be requested from them even while
 * strangers use up the limit for the address.
 */
export function createKnownOrigins(encryption: Encryption) {
  const hashesOf = ({ network, browser }: Origin) => ({
    network: encryption.fingerprint(network, 'origin:network'),
    browser: browser === undefined ? undefined : encryption.fingerprint(browser, 'origin:browser'),
  });

  return {
    /**
     * Says whether the owner of a mail address has signed in from the network of a request, and whether from its
     * browser. It takes one query, whether or not the address has an account.
     */
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

    /**
     * Remembers the network and the browser of a sign-in. It runs in the transaction of the sign-in, which has locked
     * the account's row.
     */
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
          values (${accountId}, ${hash}, ${toParameter(now)})
          on conflict (account_id, hash) do update set seen_at = excluded.seen_at`.execute(transaction);
      }
      await sql`
        delete from known_origins where account_id = ${accountId} and hash in (
          select hash from known_origins where account_id = ${accountId}
          order by seen_at desc, hash offset ${MOST_ORIGINS}
        )`.execute(transaction);
    },

    /** Deletes the networks and browsers from which an account has not signed in for a long time. */
    async forget(db: Kysely<unknown>, now: Temporal.Instant): Promise<void> {
      await sql`
        delete from known_origins where seen_at <= ${toParameter(now.subtract(REMEMBERED))}`.execute(db);
    },
  };
}
