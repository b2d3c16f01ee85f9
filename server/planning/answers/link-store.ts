import { type Kysely, sql } from 'kysely';
import { isUuid } from '../../kernel/identifiers.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import type { Page } from '../../kernel/paging.ts';
import type { EventStatus } from '../events/lifecycle.ts';
import type { RsvpStatus } from '../guests/capacity/capacity.ts';
import type { GuestFilter } from '../guests/filter.ts';
import { whatsAppUrl } from '../guests/phone.ts';
import { requireGuest } from '../guests/rows.ts';
import { filterCondition } from '../guests/store.ts';
import { type EventTitles, titleIn } from '../invitation/words.ts';
import type { GuestLink } from './contract.ts';
import { localDate } from './dates.ts';
import { addHebrewDate, type HebrewDateSource, hebrewDateColumns } from './hebrew-date.ts';
import { type LinkOccasion, linkMessage } from './messages.ts';
import type { LinkOwner, Links } from './personal-links.ts';

/** Data of a guest and their event, for the message that brings the guest their personal link. */
interface Addressee extends LinkOwner, EventTitles, HebrewDateSource {
  name: string;
  phone: string | null;
  language: LanguageName;
  status: EventStatus;
  rsvp_status: RsvpStatus;
  waiting: boolean;
  maybe: boolean;
}

const addressee = sql`
  guests.id, guests.event_id, guests.link_version, guests.name, guests.phone,
  guests.rsvp_status, guests.waiting_order is not null as waiting, guests.maybe,
  coalesce(guests.language, events.language_pref) as language, events.event_date, events.status,
  events.title, events.language_pref, invitation.title as titles, ${hebrewDateColumns}`;

const from = sql`
  guests join events on events.id = guests.event_id
  left join invitations invitation on invitation.event_id = events.id`;

/** Reads a guest's personal link, which the organizer will send to the guest. */
export async function readLink(
  db: Kysely<unknown>,
  links: Links,
  eventId: string,
  guestId: string,
): Promise<GuestLink> {
  const { rows } = isUuid(guestId)
    ? await sql<Addressee>`
        select ${addressee} from ${from}
        where guests.id = ${guestId} and guests.event_id = ${eventId}`.execute(db)
    : { rows: [] };
  const [link] = await linksOf(db, links, rows);
  return requireGuest(link);
}

/**
 * Reads a page of personal links that the organizer sends by hand: of guests who have a phone number but no email
 * address, or with `all` of all guests who have a phone number.
 */
export async function listLinks(
  db: Kysely<unknown>,
  links: Links,
  eventId: string,
  filter: GuestFilter & { all: boolean },
  { limit, offset }: Page,
): Promise<{ links: GuestLink[]; more: boolean }> {
  const { rows } = await sql<Addressee>`
    select ${addressee} from ${from}
    where ${filterCondition({ id: eventId, contacts: true }, filter)} and guests.phone is not null
      ${filter.all ? sql`` : sql`and guests.email is null`}
    order by guests.search, guests.id limit ${limit + 1} offset ${offset}`.execute(db);
  return { links: await linksOf(db, links, rows.slice(0, limit)), more: rows.length > limit };
}

async function linksOf(db: Kysely<unknown>, links: Links, rows: Addressee[]): Promise<GuestLink[]> {
  const urls = await links.open(db, rows);
  return rows.map((row, index) => linkOf(row, urls[index] ?? ''));
}

function linkOf(addressee: Addressee, url: string): GuestLink {
  const { id, name, phone, language, event_date, status } = addressee;
  const title = titleIn(addressee, language);
  const date = event_date ? addHebrewDate(localDate(event_date, language), addressee, language) : '';
  const about = { name, title, date, url };
  const message = status === 'published' ? linkMessage(language, occasionOf(addressee), about) : null;
  const whatsapp_url = message && whatsAppUrl(phone, message);
  return { guest_id: id, name, phone, url, message, whatsapp_url };
}

function occasionOf({ rsvp_status, waiting, maybe, registration }: Addressee): LinkOccasion {
  if (waiting) return 'waiting';
  if (rsvp_status === 'confirmed') return 'coming';
  if (rsvp_status === 'declined') return 'declined';
  if (maybe) return 'maybe';
  return registration ? 'registers' : 'invited';
}
