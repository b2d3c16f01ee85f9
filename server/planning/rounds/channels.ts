import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ISRAELI_MOBILE, isMobile } from '../guests/phone.ts';

/** How a round reaches guests: as we send it, as messages that the organizer sends, each with a tap, or by calls. */
export const CHANNELS = ['mail', 'sms', 'whatsapp', 'by_hand', 'phone'] as const;
export type ChannelName = (typeof CHANNELS)[number];

const BY_PEOPLE: ReadonlySet<ChannelName> = new Set(['by_hand', 'phone']);

/** Whether we send it; else people do, and say when they have. */
export function isOurs(name: ChannelName): boolean {
  return !BY_PEOPLE.has(name);
}

/** What is known of a channel. */
export interface Channel {
  name: ChannelName;
  /** SQL for why a row of `guests` is out of its reach, as `when`s of a `case`. */
  unreachable: RawBuilder<unknown>;
}

const wantsNone = sql`when guests.unsubscribed_at is not null then 'unsubscribed'`;

/** The channel of an event: which foreign numbers are no mobile ones is looked up, as no pattern tells. */
export async function openChannel(db: Kysely<unknown>, eventId: string, name: ChannelName): Promise<Channel> {
  switch (name) {
    case 'mail':
      return { name, unreachable: sql`when guests.email is null then 'no_email' ${wantsNone}` };
    // Whoever wants no mail may still be called.
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
