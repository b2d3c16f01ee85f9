import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/**
 * Guest to whom a personal link belongs. Revoking the guest's links increments `link_version`, which makes the next
 * link a different one.
 */
export interface LinkOwner {
  id: string;
  event_id: string;
  link_version: number;
}

export type Links = ReturnType<typeof createLinks>;

/**
 * Personal links. A token is 256 bits that only the server's secret can derive from a guest, so the organizer can see
 * the same link again. The database has only the token's hash; a link works as long as the hash is there.
 */
export function createLinks(secret: string, publicUrl: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'simcha guest links', 32));
  const tokenOf = ({ id, link_version }: LinkOwner): string =>
    createHmac('sha256', key).update(`${id}.${link_version}`).digest('base64url');

  return {
    /** Activates the personal links of some guests and returns the links' addresses, in the order of the guests. */
    async open(db: Kysely<unknown>, guests: readonly LinkOwner[]): Promise<string[]> {
      const tokens = guests.map(tokenOf);
      const rows = guests.map(({ id, event_id }, index) => ({
        guest_id: id,
        event_id,
        token_hash: hashOf(tokens[index] ?? '').toString('hex'),
      }));
      await sql`
        insert into guest_links (token_hash, guest_id, event_id)
        select decode(token_hash, 'hex'), guest_id, event_id
        from json_to_recordset(${JSON.stringify(rows)}::json) as link (token_hash text, guest_id uuid, event_id uuid)
        on conflict do nothing`.execute(db);
      return tokens.map((token) => `${publicUrl}/r/${token}`);
    },

    /** Revokes all personal links of a guest. */
    async revoke(transaction: Kysely<unknown>, guestId: string): Promise<void> {
      await sql`delete from guest_links where guest_id = ${guestId}`.execute(transaction);
      await sql`update guests set link_version = link_version + 1 where id = ${guestId}`.execute(transaction);
    },
  };
}

/** Hash of a token, as stored in the database. It is looked up as a whole, so no comparison can leak timing. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** True if a text has the form of a link's token. The database is not searched for other texts. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
