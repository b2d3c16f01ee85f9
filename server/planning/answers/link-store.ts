import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../identity/tokens.ts';
import { isUuid } from '../../kernel/identifiers.ts';
import type { Page } from '../../kernel/paging.ts';
import { recordChange } from '../../kernel/writes/history.ts';
import { authorOf, editable, readableEvent, writableEvent } from '../events/access.ts';
import type { GuestFilter } from '../guests/input.ts';
import { matching, noSuchGuest } from '../guests/store.ts';
import type { GuestLink } from './contract.ts';
import { localDate } from './dates.ts';
import { type Language, linkMessage } from './messages.ts';
import type { LinkOwner, Links } from './personal-links.ts';

/** What a link is sent with. */
interface Addressee extends LinkOwner {
  name: string;
  phone: string | null;
  language: Language;
  title: string;
  event_date: Date | null;
}

const addressee = sql`
  guests.id, guests.event_id, guests.link_version, guests.name, guests.phone,
  coalesce(guests.language, events.language_pref) as language, events.title, events.event_date`;

export type LinkStore = ReturnType<typeof createLinkStore>;

/** Guests' links for the organizer to send. Whoever may only look at an event may not answer for its guests. */
export function createLinkStore(db: Kysely<unknown>, links: Links) {
  const shown = async (rows: Addressee[]): Promise<GuestLink[]> => {
    const urls = await links.open(db, rows);
    return rows.map((row, index) => linkOf(row, urls[index] ?? ''));
  };

  return {
    async read(caller: Caller, eventId: string, guestId: string): Promise<GuestLink> {
      const event = editable(await readableEvent(db, caller, eventId));
      const { rows } = isUuid(guestId)
        ? await sql<Addressee>`
            select ${addressee} from guests join events on events.id = guests.event_id
            where guests.id = ${guestId} and guests.event_id = ${event.id}`.execute(db)
        : { rows: [] };
      const [link] = await shown(rows);
      if (!link) throw noSuchGuest();
      return link;
    },

    /** A page of links to send by hand: of guests with a phone number, and without an address unless `all`. */
    async list(
      caller: Caller,
      eventId: string,
      filter: GuestFilter & { all: boolean },
      { limit, offset }: Page,
    ): Promise<{ links: GuestLink[]; more: boolean }> {
      const event = editable(await readableEvent(db, caller, eventId));
      const { rows } = await sql<Addressee>`
        select ${addressee} from guests join events on events.id = guests.event_id
        where ${matching(event.id, filter)} and guests.phone is not null
          ${filter.all ? sql`` : sql`and guests.email is null`}
        order by guests.search, guests.id limit ${limit + 1} offset ${offset}`.execute(db);
      return { links: await shown(rows.slice(0, limit)), more: rows.length > limit };
    },

    revoke(
      caller: Caller,
      eventId: string,
      guestId: string,
      now: Temporal.Instant,
      unchanged: (version: number) => void,
    ): Promise<void> {
      return db.transaction().execute(async (transaction) => {
        const event = await writableEvent(transaction, caller, eventId);
        const { rows } = isUuid(guestId)
          ? await sql<{ id: string; version: number }>`
              select id, version from guests where id = ${guestId} and event_id = ${event.id}`.execute(
              transaction,
            )
          : { rows: [] };
        const [guest] = rows;
        if (!guest) throw noSuchGuest();
        unchanged(guest.version);
        await links.revoke(transaction, guest.id);
        await recordChange(transaction, {
          event_id: event.id,
          at: now,
          by: authorOf(caller),
          subject: 'guest',
          subject_id: guest.id,
          action: 'link_revoked',
        });
      });
    },
  };
}

function linkOf({ id, name, phone, language, title, event_date }: Addressee, url: string): GuestLink {
  const date = event_date ? localDate(event_date, language) : '';
  const message = linkMessage[language]({ name, title, date, url });
  return { guest_id: id, name, phone, url, message, whatsapp_url: phone && whatsAppUrl(phone, message) };
}

/** https://faq.whatsapp.com/5913398998672934: the number in international form, digits alone. */
function whatsAppUrl(phone: string, message: string): string {
  return `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(message)}`;
}
