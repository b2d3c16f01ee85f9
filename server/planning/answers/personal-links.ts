import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** Whose link: `link_version` goes up when the links are revoked, and the next one is another one. */
export interface LinkOwner {
  id: string;
  event_id: string;
  link_version: number;
}

export type Links = ReturnType<typeof createLinks>;

/**
 * Personal links. A token is 256 bits that only the server's secret can make of a guest, so the organizer can be
 * shown the same link again; the database keeps its hash alone, and a link works only while that is there.
 */
export function createLinks(secret: string, publicUrl: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'simcha guest links', 32));
  const tokenOf = ({ id, link_version }: LinkOwner): string =>
    createHmac('sha256', key).update(`${id}.${link_version}`).digest('base64url');

  return {
    /** The addresses of guests' links, in the guests' order; from now on they work. */
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

    /** No link of the guest works any more. */
    async revoke(transaction: Kysely<unknown>, guestId: string): Promise<void> {
      await sql`delete from guest_links where guest_id = ${guestId}`.execute(transaction);
      await sql`update guests set link_version = link_version + 1 where id = ${guestId}`.execute(transaction);
    },
  };
}

/** What the database keeps of a token. Looked up as a whole, so there is nothing to compare and to time. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether a text can be a token at all; anything else is the token of nobody. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
