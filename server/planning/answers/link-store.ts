import { type Kysely, sql } from 'kysely';
import { isUuid } from '../../kernel/identifiers.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import type { Page } from '../../kernel/paging.ts';
import type { GuestFilter } from '../guests/filter.ts';
import { whatsAppUrl } from '../guests/phone.ts';
import { known } from '../guests/rows.ts';
import { matching } from '../guests/store.ts';
import type { GuestLink } from './contract.ts';
import { localDate } from './dates.ts';
import { linkMessage } from './messages.ts';
import type { LinkOwner, Links } from './personal-links.ts';

/** What a link is sent with. */
interface Addressee extends LinkOwner {
  name: string;
  phone: string | null;
  language: LanguageName;
  title: string;
  event_date: Date | null;
}

const addressee = sql`
  guests.id, guests.event_id, guests.link_version, guests.name, guests.phone,
  coalesce(guests.language, events.language_pref) as language, events.title, events.event_date`;

/** A guest's link for the organizer to send. */
export async function readLink(
  db: Kysely<unknown>,
  links: Links,
  eventId: string,
  guestId: string,
): Promise<GuestLink> {
  const { rows } = isUuid(guestId)
    ? await sql<Addressee>`
        select ${addressee} from guests join events on events.id = guests.event_id
        where guests.id = ${guestId} and guests.event_id = ${eventId}`.execute(db)
    : { rows: [] };
  const [link] = await shown(db, links, rows);
  return known(link);
}

/** A page of links to send by hand: of guests with a phone number, and without an address unless `all`. */
export async function listLinks(
  db: Kysely<unknown>,
  links: Links,
  eventId: string,
  filter: GuestFilter & { all: boolean },
  { limit, offset }: Page,
): Promise<{ links: GuestLink[]; more: boolean }> {
  const { rows } = await sql<Addressee>`
    select ${addressee} from guests join events on events.id = guests.event_id
    where ${matching(eventId, filter)} and guests.phone is not null
      ${filter.all ? sql`` : sql`and guests.email is null`}
    order by guests.search, guests.id limit ${limit + 1} offset ${offset}`.execute(db);
  return { links: await shown(db, links, rows.slice(0, limit)), more: rows.length > limit };
}

async function shown(db: Kysely<unknown>, links: Links, rows: Addressee[]): Promise<GuestLink[]> {
  const urls = await links.open(db, rows);
  return rows.map((row, index) => linkOf(row, urls[index] ?? ''));
}

function linkOf({ id, name, phone, language, title, event_date }: Addressee, url: string): GuestLink {
  const date = event_date ? localDate(event_date, language) : '';
  const message = linkMessage[language]({ name, title, date, url });
  return { guest_id: id, name, phone, url, message, whatsapp_url: whatsAppUrl(phone, message) };
}
