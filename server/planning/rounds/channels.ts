import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ISRAELI_MOBILE, isMobile } from '../guests/phone.ts';

/**
 * Ways to send a round: messages by the server (mail, sms, whatsapp), messages that the organizer sends one by one
 * (by_hand), or phone calls.
 */
export const CHANNELS = ['mail', 'sms', 'whatsapp', 'by_hand', 'phone'] as const;
export type ChannelName = (typeof CHANNELS)[number];

const BY_PEOPLE: ReadonlySet<ChannelName> = new Set(['by_hand', 'phone']);

/** True if the server sends the messages of this channel; otherwise people send or call, and report each guest. */
export function isSentByServer(name: ChannelName): boolean {
  return !BY_PEOPLE.has(name);
}

/** Channel (mail, SMS and so on) in which an event's rounds are sent to guests. */
export interface Channel {
  name: ChannelName;
  /** SQL for the reason why the channel can't reach a row of `guests`, as `when` branches of a `case`. */
  unreachable: RawBuilder<unknown>;
}

const wantsNone = sql`when guests.unsubscribed_at is not null then 'unsubscribed'`;

/**
 * Prepares a channel for an event's guests. Foreign landlines are looked up number by number, because no SQL pattern
 * finds them.
 */
export async function openChannel(db: Kysely<unknown>, eventId: string, name: ChannelName): Promise<Channel> {
  switch (name) {
    case 'mail':
      return { name, unreachable: sql`when guests.email is null then 'no_email' ${wantsNone}` };
    // Guests who unsubscribed from messages may still be called.
    case 'phone':
      return { name, unreachable: sql`when guests.phone is null then 'no_phone'` };
    case 'sms':
    case 'whatsapp':
    case 'by_hand': {
      const fixed = await foreignFixedLines(db, eventId);
      const isFixed = sql`guests.phone like '+972%' and guests.phone !~ ${ISRAELI_MOBILE} or guests.phone = any(${fixed}::text[])`;
      return {
        name,
        unreachable: sql`when guests.phone is null then 'no_phone' when ${isFixed} then 'no_mobile' ${wantsNone}`,
      };
    }
  }
}

async function foreignFixedLines(db: Kysely<unknown>, eventId: string): Promise<string[]> {
  const { rows } = await sql<{ phone: string }>`
    select phone from guests where event_id = ${eventId} and phone not like '+972%'`.execute(db);
  return rows.map(({ phone }) => phone).filter((phone) => !isMobile(phone));
}
