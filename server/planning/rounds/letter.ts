import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import { type ByLanguage, inLanguage } from '../../kernel/field-types.ts';
import { codeOf, type LanguageName } from '../../kernel/languages.ts';
import type { NewMail } from '../../kernel/mail/message.ts';
import { writeLetter } from '../../kernel/mail/template.ts';
import { type CalendarEvent, calendarOf, entryId } from '../answers/calendar.ts';
import { localDate } from '../answers/dates.ts';
import { type HebrewDated, hebrewDated, withHebrewDate } from '../answers/hebrew-date.ts';
import { organizerEmail } from '../events/organizer-email.ts';
import { placeOf } from '../events/place.ts';
import { comingWords } from '../guests/people-words.ts';
import { worded } from '../invitation/words.ts';
import { type Kind, mannerOf } from './kinds.ts';
import { type About, actionOf, letterFoot, letterWords } from './letter-words.ts';
import type { Former } from './told.ts';

/** In whose name mail about an event goes out. */
export interface Sender {
  title: string;
  hosts: string | null;
  reply_to: string | null;
}

/** The columns of one for who reads `language`, of `events` and the row of `invitations` as `invitation`. */
export function sender(language: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${worded('title', language)} as title, ${worded('hosts', language)} as hosts,
    coalesce(invitation.contact_email, ${organizerEmail('events')}) as reply_to`;
}

/** The hosts alone are named: an event's title is free text, and a sender's name is where impostors put theirs. */
export function inNameOf(from: Sender): Pick<NewMail, 'onBehalfOf' | 'replyTo'> {
  const hosts = hostsOf(from);
  return { ...(hosts && { onBehalfOf: hosts }), ...(from.reply_to && { replyTo: from.reply_to }) };
}

/** The hosts without what would make an address of their name. */
function hostsOf({ hosts }: Pick<Sender, 'hosts'>): string {
  return (hosts ?? '').replace(/[@<>]+/g, ' ').trim();
}

/** What a letter is written from: a guest, the event, and who invites. */
export interface Addressee extends Omit<CalendarEvent, 'event_date'>, Sender, HebrewDated {
  id: string;
  name: string;
  rsvp_status: 'confirmed' | 'pending' | 'declined';
  coming: number;
  waiting: boolean;
  maybe: boolean;
  language: LanguageName;
}

const readBy = sql`coalesce(guests.language, events.language_pref)`;

/** The columns of one, of `guests`, `events` and the row of `invitations` as `invitation`. */
export const addressee = sql`
  guests.id, guests.event_id, guests.link_version, guests.name, guests.rsvp_status, guests.coming,
  guests.waiting_order is not null as waiting, guests.maybe, ${readBy} as language, events.language_pref, ${hebrewDated},
  events.event_date, ${worded('venue_name', readBy)} as venue_name, ${worded('venue_address', readBy)} as venue_address,
  ${worded('words', readBy)} as description, events.status, invitation.lasts_minutes,
  events.version + coalesce(invitation.version, 0) as sequence, ${sender(readBy)}`;

export interface Round {
  kind: Kind;
  subject: ByLanguage | null;
  message: ByLanguage | null;
}

export interface Circumstances {
  /** The guest's own link. */
  url: string;
  /** What they were told of time and place before, where it holds no more. */
  before: Former;
  now: Temporal.Instant;
  host: string;
}

/** The mail of a round to one guest, in their language, with their own link and a way out (RFC 8058). */
export function letterTo(
  guest: Addressee & { email: string },
  round: Round,
  circumstances: Circumstances,
): NewMail {
  const { url, now, host } = circumstances;
  const { language: name } = guest;
  const language = codeOf(name);
  const about = aboutOf(guest, circumstances);
  const say = letterWords[name][round.kind];
  const subject = inLanguage(round.subject, name, guest.language_pref) || say.subject(about);
  const action = actionOf(say, about);
  const foot = letterFoot[name];
  const unsubscribe = `${url}/unsubscribe`;
  const letter = {
    language,
    title: subject,
    ...(mannerOf(round.kind).tells && { glimpse: [about.date, about.place].filter(Boolean).join(' · ') }),
    paragraphs: paragraphsTo(guest, round, about, round.kind === 'invitation' ? guest.description : null),
    ...(action && { action: { label: action, url } }),
    footer: foot.because(guest.hosts, about),
    footerLink: { label: foot.unsubscribe, url: unsubscribe },
  };
  const calendar = calendarPart(guest, round.kind, { url, now, host });
  return {
    to: guest.email,
    language,
    subject,
    ...inNameOf(guest),
    ...writeLetter(letter),
    ...(calendar && { calendar }),
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** The same as a text to send by hand: the link is its end. */
export function textTo(guest: Addressee, round: Round, circumstances: Omit<Circumstances, 'host'>): string {
  return textOf(guest, round, circumstances, '\n\n');
}

/** The same as an SMS, each part of which is paid for: it has the civil date alone. */
export function smsTo(guest: Addressee, round: Round, circumstances: Omit<Circumstances, 'host'>): string {
  return textOf({ ...guest, hebrew_date: false }, round, circumstances, '\n');
}

function textOf(
  guest: Addressee,
  round: Round,
  { url, ...circumstances }: Omit<Circumstances, 'host'>,
  between: string,
): string {
  const about = aboutOf(guest, circumstances);
  const action = actionOf(letterWords[guest.language][round.kind], about);
  const paragraphs = paragraphsTo(guest, round, about);
  return [...paragraphs, ...(action ? [`${action}:\n${url}`] : [])].join(between);
}

/** `words` are the invitation's own, which a mail alone has room for. */
function paragraphsTo(guest: Addressee, round: Round, about: About, words: string | null = null): string[] {
  const { lines, own } = said(guest, round, about);
  const [lead = '', ...others] = lines;
  return [letterFoot[guest.language].hello(guest.name), lead, words ?? '', ...others, own].filter(Boolean);
}

/** What a round says to a guest: our lines, some of them empty, and the organizer's own words. */
export function saidTo(
  guest: Addressee,
  round: Round,
  circumstances: Pick<Circumstances, 'before' | 'now'>,
): { lines: string[]; own: string } {
  return said(guest, round, aboutOf(guest, circumstances));
}

function said({ language, language_pref }: Addressee, { kind, message }: Round, about: About) {
  return {
    lines: letterWords[language][kind].lines(about),
    own: inLanguage(message, language, language_pref) ?? '',
  };
}

function aboutOf(guest: Addressee, { before, now }: Pick<Circumstances, 'before' | 'now'>): About {
  const { language, title, hosts, waiting, maybe, registration, event_date: date } = guest;
  const comes = guest.rsvp_status === 'confirmed';
  // Of who registered alone, their name has said so.
  const alone = registration && guest.coming === 1;
  const comma = language === 'arabic' ? '، ' : ', ';
  const when = (at: Date | null) => (at ? localDate(at, language) : '');
  const place = placeOf(guest, comma);
  const formerDate = before.event_date ? when(new Date(before.event_date)) : '';
  return {
    title,
    hosts,
    waiting,
    maybe,
    registers: registration,
    coming: comes && !alone ? comingWords[codeOf(language)](guest.coming) : '',
    date: date ? withHebrewDate(when(date), guest, language) : '',
    place,
    formerDate: formerDate === when(date) ? '' : formerDate,
    formerPlace: before.place ? placeOf(before.place, comma) : '',
    daysLeft: date ? daysBetween(now, date.toTemporalInstant()) : undefined,
  };
}

/** By the calendar, not by hours. */
function daysBetween(now: Temporal.Instant, then: Temporal.Instant): number {
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(DEFAULT_ZONE).toPlainDate();
  return day(now).until(day(then)).days;
}

/** For who comes: the entry in their calendar, or its end. */
function calendarPart(
  guest: Addressee & { email: string },
  kind: Kind,
  { url, now, host }: Pick<Circumstances, 'url' | 'now' | 'host'>,
): NewMail['calendar'] {
  const { event_date, reply_to } = guest;
  if (guest.rsvp_status !== 'confirmed' || !event_date || !reply_to) return undefined;
  if (kind !== 'cancellation' && !ENTERS.has(kind)) return undefined;
  const method = kind === 'cancellation' ? 'CANCEL' : 'REQUEST';
  const content = calendarOf(
    { ...guest, event_date },
    {
      method,
      uid: entryId(guest.id, host),
      stamp: now,
      url,
      organizer: { name: hostsOf(guest) || 'Simcha', email: reply_to },
      attendee: { name: guest.name, email: guest.email },
    },
  );
  return { method, content };
}

const ENTERS: ReadonlySet<Kind> = new Set(['change', 'see_you', 'moved_up', 'accepted']);
